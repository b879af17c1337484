// SPDX-License-Identifier: GPL-2.0-or-later
//
// A route as policies see it, for the two judges of them: junos_policy.h, which evaluates policies
// as Junos documents them, and frr_route_map.h, which evaluates route-maps as FRR does.
#pragma once

#include <cstdint>
#include <format>
#include <set>
#include <string>
#include <vector>

#include "base/address.h"

namespace millrace::support {

struct Route {
  base::Prefix prefix;
  std::string protocol = "bgp";  // as in `from protocol`
  std::string neighbor;          // that sent it
  std::vector<std::uint32_t> path;
  std::set<std::uint32_t> communities;
  std::set<std::string> extended;  // "target:65000:1", "origin:65000:1"
  std::set<std::string> large;     // "1:2:3"
  std::uint32_t local_preference = 100;
  std::uint32_t med = 0;
  std::string origin = "igp";
  std::string next_hop;
  std::uint32_t tag = 0;
  bool operator==(const Route&) const = default;

  std::string to_string() const {
    std::string text =
        std::format("{} {} from {} via {} lp {} med {} tag {} {} path", prefix.to_string(),
                    protocol, neighbor, next_hop, local_preference, med, tag, origin);
    for (const auto system : path) {
      text += std::format(" {}", system);
    }
    for (const auto community : communities) {
      text += std::format(" {}:{}", community >> 16U, community & 0xFFFFU);
    }
    for (const auto& community : extended) {
      text += " " + community;
    }
    for (const auto& community : large) {
      text += " large:" + community;
    }
    return text;
  }
};

struct Outcome {
  bool accepted = false;
  Route route;
  bool operator==(const Outcome& other) const {
    return accepted == other.accepted && (!accepted || route == other.route);
  }
  std::string to_string() const {
    return accepted ? "accepted " + route.to_string() : std::string("rejected");
  }
};

}  // namespace millrace::support
