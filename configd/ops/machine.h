// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel says of its memory and its file systems, read from text so that tests can say it
// too.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::ops {

// /proc/meminfo: bytes by the kernel's own names ("MemTotal"); lines without a number are left out.
std::map<std::string, std::uint64_t, std::less<>> read_meminfo(std::string_view text);

struct Mount {
  std::string source;  // "/dev/vda1"
  std::string target;  // "/var"
  std::string kind;    // "ext4"
  bool operator==(const Mount&) const = default;
};
// /proc/self/mounts: those that hold files of their own, each place once, by target.
std::vector<Mount> read_mounts(std::string_view text);

// "11.3G", "512K", "17": at most three digits before the letter.
std::string short_size(std::uint64_t bytes);

}  // namespace millrace::ops
