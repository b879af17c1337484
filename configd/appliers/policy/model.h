// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy of the configuration says, read from the tree: no names of FRR, nothing decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "tree/view.h"

namespace millrace::appliers::policy {

struct Number {
  enum class Kind : std::uint8_t { Set, Add, Subtract, Igp };
  Kind kind = Kind::Set;
  std::uint32_t value = 0;
  bool operator==(const Number&) const = default;
};

struct CommunityChange {
  enum class Operation : std::uint8_t { Add, Delete, Set };
  Operation operation = Operation::Add;
  std::string community;
  bool operator==(const CommunityChange&) const = default;
};

struct NextHop {
  enum class Kind : std::uint8_t { Address, Self, Peer };
  Kind kind = Kind::Address;
  base::IpAddress address;
  bool operator==(const NextHop&) const = default;
};

enum class Flow : std::uint8_t { None, Accept, Reject, NextTerm, NextPolicy };

// `then`, or what stands behind a route-filter.
struct Actions {
  Flow flow = Flow::None;
  std::optional<bool> default_accept;
  unsigned expand_last_as = 0;
  std::vector<std::uint32_t> prepend;
  std::vector<CommunityChange> communities;  // in this order
  std::optional<Number> local_preference;
  std::optional<Number> metric;
  std::optional<NextHop> next_hop;
  std::optional<std::string> origin;
  std::optional<std::uint32_t> preference;
  std::optional<std::uint32_t> tag;
  std::optional<std::uint32_t> external_type;  // 1 or 2, of OSPF
  bool operator==(const Actions&) const = default;
};

// Prefixes below `prefix` with a length from `low` to `high`.
struct PrefixRange {
  base::Prefix prefix;
  std::uint8_t low = 0;
  std::uint8_t high = 0;
  bool operator==(const PrefixRange&) const = default;
};

struct RouteFilter {
  base::Prefix prefix;              // what the longest match is looked for with
  std::vector<PrefixRange> ranges;  // any of them
  std::optional<Actions> actions;   // instead of those of the term
};

enum class Length : std::uint8_t { Exact, Longer, OrLonger };

struct PrefixListFilter {
  std::string list;
  std::vector<Length> lengths;  // any of them
  std::optional<Actions> actions;
};

// Empty lists and absent values: no such condition.
struct From {
  std::vector<std::string> as_paths;
  std::vector<std::string> as_path_groups;
  std::vector<std::string> communities;
  std::optional<std::string> family;
  std::vector<std::string> interfaces;
  std::optional<std::uint32_t> local_preference;
  std::optional<std::uint32_t> metric;
  std::vector<base::IpAddress> neighbors;
  std::vector<base::IpAddress> next_hops;
  std::optional<std::string> origin;
  std::vector<std::string> policies;
  std::vector<std::string> prefix_lists;
  std::vector<PrefixListFilter> prefix_list_filters;
  std::vector<std::string> protocols;
  std::optional<std::string> rib;
  std::vector<RouteFilter> route_filters;
  std::vector<std::uint32_t> tags;
};

struct To {
  std::vector<base::IpAddress> neighbors;
  std::vector<std::string> protocols;
  std::optional<std::string> rib;
};

struct Term {
  std::string name;  // empty: the one without a name, which comes last
  From from;
  To to;
  Actions then;
};

struct Policy {
  std::string name;
  std::vector<Term> terms;
};

// One `policy-statement NAME`. Requires: its values have their types. O(its size).
Policy read_policy(const tree::View& statement);

// The ranges of one `route-filter`; the message when what was typed makes no sense.
base::Result<std::vector<PrefixRange>> read_ranges(const tree::View& filter);

}  // namespace millrace::appliers::policy
