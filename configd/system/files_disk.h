// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "system/files.h"

namespace millrace::system {

// Files below `root`, which stands before every path ("/" on a router).
std::unique_ptr<Files> make_files(std::filesystem::path root);

}  // namespace millrace::system
