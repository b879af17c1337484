// SPDX-License-Identifier: GPL-2.0-or-later
//
// The configuration of one FRR daemon as keyed objects: a prefix list, a route-map, a neighbour.
// What a configuration wants and what `show running-config` prints become the same objects, so that
// apply, undo and reconcile are one difference, and a difference of nothing is no command.
//
// Lines are as `show running-config` of FRR 10.3 prints them, without their indentation, which
// `block` says instead: the heads around the line, outermost first, one a line. The head of a block
// is a line too, since a block may be empty:
//
//   {"", "route-map R permit 10"}, {"route-map R permit 10", "set metric 5"}
//   {"router bgp 1\naddress-family ipv4 unicast", "neighbor 192.0.2.1 activate"}
//
// Policy objects are immutable: their name is made from their content (docs/architecture.md), so
// they are created whole, deleted whole, and never changed. What uses them is switched between:
//
//   Build   creates what is wanted and is not there
//   Switch  changes the others (routers, neighbours) line by line
//   Retire  deletes policy objects that nobody wants
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "commit/step.h"

namespace millrace::appliers {

// In the order of building: each stands on those before it only.
enum class FrrKind : std::uint8_t {
  PrefixList,     // ip prefix-list NAME seq N permit|deny …
  PrefixList6,    // ipv6 prefix-list …
  AsPathList,     // bgp as-path access-list NAME seq N …
  CommunityList,  // bgp community-list standard|expanded NAME seq N …
  ExtcommunityList,
  LargeCommunityList,
  RouteMap,       // route-map NAME permit|deny N
  Rpki,           // rpki; without a name
  BgpRouter,      // router bgp AS, but for neighbours; without a name
  BgpNeighbor,    // its lines in `router bgp` and in its address families; named by its address
  OspfRouter,     // router ospf; without a name
  OspfInterface,  // `interface DEVICE` as ospfd has it, without the head: FRR prints no empty one
};
bool is_policy(FrrKind kind);  // immutable: everything up to RouteMap

struct FrrKey {
  FrrKind kind = FrrKind::PrefixList;
  std::string name;
  auto operator<=>(const FrrKey&) const = default;
};

struct FrrLine {
  std::string block;
  std::string text;
  auto operator<=>(const FrrLine&) const = default;
};

// The order of lines is the order of creating them. It is no part of what the object is: FRR prints
// its own, and where order means something the lines carry numbers.
struct FrrObject {
  std::vector<FrrLine> lines;
  bool operator==(const FrrObject& other) const;
};

using FrrConfig = std::map<FrrKey, FrrObject>;

// All objects in the text of `show running-config`. What is of no kind above (host name, log) is
// left out.
FrrConfig parse_frr_config(std::string_view running_config);

// The text of a configuration file, which parse_frr_config() reads back.
std::string to_text(const FrrConfig& config);

// The commands of one phase (not Teardown) from `actual` to `wanted`, for a daemon's own vty in
// configuration mode. The three of them, run in order, make parse(show running-config) == wanted.
// Lines that lose a session come last.
std::vector<std::string> frr_commands(const FrrConfig& actual, const FrrConfig& wanted,
                                      commit::Phase phase);

// Whether going from one to the other ends a session.
bool resets(const FrrObject& before, const FrrObject& after);

}  // namespace millrace::appliers
