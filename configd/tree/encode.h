// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "tree/delta.h"

namespace millrace::tree {

// The command lines that make the part at `base` of delta.after() out of that of delta.before().
std::string encode_at(const Delta& delta, const Path& base, bool hide_secrets = false);

}  // namespace millrace::tree
