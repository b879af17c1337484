// SPDX-License-Identifier: GPL-2.0-or-later
//
// show system memory, show system storage.
#include "ops/machine.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <format>
#include <set>

#include "base/file.h"
#include "ops/builtins.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;

// Kinds that hold nothing, or what something else shows.
constexpr std::array<std::string_view, 19> kPseudo = {
    "autofs", "binfmt_misc", "bpf",        "cgroup",  "cgroup2",   "configfs", "debugfs",
    "devpts", "devtmpfs",    "efivarfs",   "fusectl", "hugetlbfs", "mqueue",   "nsfs",
    "proc",   "pstore",      "securityfs", "sysfs",   "tracefs"};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(at), text.size());
    if (end > 0) {
      out.push_back(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The kernel writes blanks of a name as \040 (fs/proc_namespace.c: mangle).
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned value = 0;
    if (text[at] == '\\' && at + 3 < text.size() &&
        std::from_chars(&text[at + 1], &text[at + 1] + 3, value, 8).ptr == &text[at + 1] + 3) {
      out += static_cast<char>(value);
      at += 3;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::uint64_t at_name(const std::map<std::string, std::uint64_t, std::less<>>& values,
                      std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? 0 : found->second;
}

}  // namespace

std::map<std::string, std::uint64_t, std::less<>> read_meminfo(std::string_view text) {
  std::map<std::string, std::uint64_t, std::less<>> out;
  for (const std::string_view line : split(text, '\n')) {
    const auto colon = line.find(':');
    const auto digit = line.find_first_of("0123456789", std::min(colon, line.size()));
    std::uint64_t value = 0;
    if (digit == std::string_view::npos ||
        std::from_chars(line.data() + digit, line.data() + line.size(), value).ec != std::errc()) {
      continue;
    }
    out.emplace(line.substr(0, colon), line.ends_with(" kB") ? value * 1024 : value);
  }
  return out;
}

std::vector<Mount> read_mounts(std::string_view text) {
  std::map<std::string, Mount> by_target;  // the last one mounted there hides the others
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = split(line, ' ');
    if (fields.size() < 3) {
      continue;
    }
    const std::string target = unescaped(fields[1]);
    by_target.insert_or_assign(target, Mount{unescaped(fields[0]), target, std::string(fields[2])});
  }
  std::vector<Mount> out;
  for (auto& [target, mount] : by_target) {
    if (std::ranges::find(kPseudo, mount.kind) == kPseudo.end()) {
      out.push_back(std::move(mount));
    }
  }
  return out;
}

std::string short_size(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "BKMGTPE";
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return value < 10 && unit > 0 ? std::format("{:.1f}{}", value, kUnits[unit])
                                : std::format("{:.0f}{}", value, kUnits[unit]);
}

Result<Reply> system_memory(const Match& /*match*/, Context& /*context*/) {
  const auto file = base::read_file("/proc/meminfo");
  if (!file) {
    return std::unexpected(file.error());
  }
  const auto values = read_meminfo(*file);
  const std::uint64_t total = at_name(values, "MemTotal");
  const std::uint64_t available = at_name(values, "MemAvailable");
  constexpr std::array kRows = {
      std::pair<std::string_view, std::string_view>{"Free", "MemFree"},
      std::pair<std::string_view, std::string_view>{"Buffers", "Buffers"},
      std::pair<std::string_view, std::string_view>{"Cached", "Cached"},
      std::pair<std::string_view, std::string_view>{"Kernel", "Slab"},
      std::pair<std::string_view, std::string_view>{"Swap", "SwapTotal"},
      std::pair<std::string_view, std::string_view>{"Swap free", "SwapFree"},
  };
  const auto line = [&](std::string_view name, std::uint64_t bytes) {
    const double part =
        total == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(total);
    return std::format("{:<12} {:>12} KB  {:>5.1f}%\n", name, bytes / 1024, part);
  };
  json data = {{"total", total}, {"available", available}, {"used", total - available}};
  std::string text =
      line("Total", total) + line("Used", total - available) + line("Available", available);
  for (const auto& [name, key] : kRows) {
    const std::uint64_t bytes = at_name(values, key);
    std::string word(name);
    std::ranges::transform(word, word.begin(), [](char letter) {
      return letter == ' '                    ? '-'
             : letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                              : letter;
    });
    text += line(name, bytes);
    data[word] = bytes;
  }
  return Reply{std::move(text), std::move(data)};
}

Result<Reply> system_storage(const Match& /*match*/, Context& /*context*/) {
  // What the system has: configd itself lives in a mount namespace with more in it.
  auto file = base::read_file("/proc/1/mounts");
  file = file ? std::move(file) : base::read_file("/proc/self/mounts");
  if (!file) {
    return std::unexpected(file.error());
  }
  std::set<dev_t> seen;  // one file system in many places is one line
  constexpr auto kRow = "{:<24} {:>7} {:>7} {:>7} {:>8}  {}\n";
  std::string text =
      std::format(kRow, "Filesystem", "Size", "Used", "Avail", "Capacity", "Mounted on");
  json data = {{"filesystems", json::array()}};
  for (const auto& mount : read_mounts(*file)) {
    struct statvfs status{};
    struct stat place{};
    if (statvfs(mount.target.c_str(), &status) != 0 || status.f_blocks == 0 ||
        stat(mount.target.c_str(), &place) != 0 || !S_ISDIR(place.st_mode) ||
        !seen.insert(place.st_dev).second) {
      continue;
    }
    const std::uint64_t block = status.f_frsize;
    const std::uint64_t size = status.f_blocks * block;
    const std::uint64_t used = (status.f_blocks - status.f_bfree) * block;
    const std::uint64_t free = status.f_bavail * block;
    // As df counts it: what only root may use is neither used nor available.
    const auto percent = used + free == 0 ? 0 : (used * 100 + used + free - 1) / (used + free);
    text += std::format(kRow, mount.source, short_size(size), short_size(used), short_size(free),
                        std::to_string(percent) + "%", mount.target);
    data["filesystems"].push_back({{"name", mount.source},
                                   {"mounted-on", mount.target},
                                   {"kind", mount.kind},
                                   {"size", size},
                                   {"used", used},
                                   {"available", free},
                                   {"capacity", percent}});
  }
  return Reply{std::move(text), std::move(data)};
}

}  // namespace millrace::ops
