# SPDX-License-Identifier: GPL-2.0-or-later
"""What the lab and the guest tests share."""
