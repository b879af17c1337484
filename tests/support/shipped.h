// SPDX-License-Identifier: GPL-2.0-or-later
//
// The templates that ship, with their owners, for benchmarks; and configurations of any size by
// them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <format>
#include <string>

#include "appliers/registry.h"
#include "tree/text.h"

namespace millrace::support {

template <class T>
T must(base::Result<T> result) {
  if (!result) {
    std::fputs((result.error().to_string() + "\n").c_str(), stderr);
    std::abort();
  }
  return std::move(*result);
}

inline const schema::Schema& shipped() {
  static const schema::Schema schema = [] {
    auto loaded = must(schema::load(MILLRACE_SOURCE_DIR "/templates"));
    const auto owners = appliers::ownership();
    if (!schema::assign_owners(loaded, owners)) {
      std::abort();
    }
    return loaded;
  }();
  return schema;
}

// `count` set lines: a router with two uplinks and routes of two lines each.
inline std::string set_lines(std::int64_t count) {
  std::string text =
      "set system host-name r1\n"
      "set interfaces eth0 description uplink\n"
      "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
      "set interfaces eth1 unit 0 family inet address 198.51.100.1/24\n";
  for (std::int64_t n = 0; 2 * n + 4 < count; ++n) {
    const std::string route = std::format("set routing-options static route 10.{}.{}.{}/30",
                                          n >> 14 & 255, n >> 6 & 255, (n & 63) << 2);
    text += std::format("{} next-hop 192.0.2.254\n{} preference 7\n", route, route);
  }
  return text;
}

inline tree::ConfigTree loaded(const tree::ConfigTree& tree, std::string text,
                               tree::LoadAction action) {
  tree::Editor editor(tree);
  const auto report = tree::load(editor, {}, std::move(text), action);
  if (!report.errors.empty()) {
    std::fputs(report.to_string("bench").substr(0, 400).c_str(), stderr);
    std::abort();
  }
  return editor.tree();
}

}  // namespace millrace::support
