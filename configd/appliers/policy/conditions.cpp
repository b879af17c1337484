// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/conditions.h"

#include <algorithm>
#include <format>

#include "appliers/connected.h"
#include "appliers/policy/as_path.h"
#include "tree/view.h"

namespace millrace::appliers::policy {
namespace {

using base::Family;
using base::IpAddress;

const Condition kAlways = {{}};
const Condition kNever = {};

Condition decided(bool holds) {
  return holds ? kAlways : kNever;
}

Condition one(std::string match) {
  return {{{std::move(match), false}}};
}

std::optional<Source> source_of(std::string_view word) {
  if (word == "ospf2") {
    return Source::Ospf;
  }
  for (const Source source :
       {Source::Bgp, Source::Direct, Source::Static, Source::Aggregate, Source::Ospf, Source::Ospf3,
        Source::Isis, Source::Rip, Source::Ripng}) {
    if (word == to_string(source)) {
      return source;
    }
  }
  return std::nullopt;  // local: an address of our own is never announced
}

// Of which protocol all routes are that the policy sees, when that is known.
std::optional<Source> known_source(const Scope& scope) {
  return scope.imports() ? std::optional(scope.use.protocol) : scope.use.source;
}

Condition protocol_condition(const Term& term, Scope& scope) {
  if (const auto source = known_source(scope)) {
    return decided(lets_through(term, *source));
  }
  Condition condition;
  const bool aggregates = lets_through(term, Source::Aggregate);
  const std::string tag = std::format("match tag {}", kAggregateTag);
  for (const std::string& word : term.from.protocols) {
    const auto source = source_of(word);
    if (!source) {
      continue;
    }
    AllOf all{{std::format("match source-protocol {}", frr_protocol(*source)), false}};
    if (*source == Source::Aggregate) {
      all.push_back({tag, false});
    } else if (*source == Source::Static && !aggregates && scope.definitions.has_aggregates()) {
      all.push_back({tag, true});
    }
    if (std::ranges::none_of(condition, [&](const AllOf& other) {
          return other.size() == all.size() && other.front().match == all.front().match;
        })) {
      condition.push_back(std::move(all));
    }
  }
  return condition;
}

Condition neighbor_condition(const std::vector<IpAddress>& neighbors, bool sender, Scope& scope) {
  // An import comes from the neighbour and an export goes to it.
  if ((scope.imports() || !sender) && scope.use.neighbor) {
    return decided(std::ranges::find(neighbors, *scope.use.neighbor) != neighbors.end());
  }
  Condition condition;
  for (const IpAddress& address : neighbors) {
    condition.push_back(
        {{std::format("match {} {}", scope.imports() || !sender ? "peer" : "src-peer",
                      address.to_string()),
          false}});
  }
  return condition;
}

Condition next_hop_condition(const std::vector<IpAddress>& hops, Scope& scope) {
  std::vector<Lists::Rule> rules;
  for (const IpAddress& hop : hops) {
    if (hop.family() == scope.use.family) {
      const auto length = static_cast<std::uint8_t>(base::bits(hop.family()));
      rules.push_back({true, {base::Prefix(hop, length), length, length}});
    }
  }
  if (rules.empty()) {
    return kNever;
  }
  return one(std::format("match {} next-hop prefix-list {}", scope.inet() ? "ip" : "ipv6",
                         scope.lists.prefix_list(scope.use.family, rules)));
}

Condition as_path_condition(const From& from, Scope& scope) {
  std::vector<std::string> paths;
  for (const std::string& name : from.as_paths) {
    if (auto path = scope.definitions.as_path(name)) {
      paths.push_back(std::move(*path));
    }
  }
  for (const std::string& name : from.as_path_groups) {
    for (std::string& path : scope.definitions.as_path_group(name)) {
      paths.push_back(std::move(path));
    }
  }
  std::vector<std::string> expressions;
  for (const std::string& path : paths) {
    const auto expression = as_path_expression(path);
    if (!expression) {
      scope.refuse("from as-path", expression.error().message, expression.error().hint);
    } else if (std::ranges::find(expressions, *expression) == expressions.end()) {
      expressions.push_back(*expression);
    }
  }
  return expressions.empty() ? kNever : one(scope.lists.as_path_list(expressions));
}

Condition communities_condition(const From& from, Scope& scope) {
  std::vector<Community> communities;
  for (const std::string& name : from.communities) {
    if (auto community = scope.definitions.community(name)) {
      communities.push_back(std::move(*community));
    }
  }
  auto condition = community_condition(communities, scope.lists);
  if (!condition) {
    scope.refuse("from community", condition.error().message);
    return kNever;
  }
  return *condition;
}

Condition interface_condition(const From& from, Scope& scope) {
  const bool known =
      !from.protocols.empty() && std::ranges::all_of(from.protocols, [](const std::string& word) {
        return word == "direct" || word == "static";
      });
  if (!known) {
    scope.refuse("from interface", "FRR knows the interface of direct and static routes only",
                 "add from protocol direct or static");
    return kNever;
  }
  Condition condition;
  for (const std::string& logical : from.interfaces) {
    condition.push_back(
        {{"match interface " + device_of(scope.definitions.tree(), logical), false}});
  }
  return condition;
}

Condition family_condition(std::string_view family, const Scope& scope) {
  return decided((family == "inet" || family == "inet.0") == scope.inet());
}

// What only routes of BGP have. FRR's other daemons see no such thing of a route: of another
// protocol there is none, of BGP it cannot be asked.
bool asks_bgp(const From& from) {
  return !from.neighbors.empty() || !from.as_paths.empty() || !from.as_path_groups.empty() ||
         !from.communities.empty() || from.local_preference || from.origin;
}

void add_from(const Term& term, Scope& scope, std::vector<Condition>& all) {
  const From& from = term.from;
  if (scope.use.protocol != Source::Bgp && asks_bgp(from)) {
    if (known_source(scope) == Source::Bgp && lets_through(term, Source::Bgp)) {
      scope.refuse("from",
                   std::format("FRR cannot look at attributes of BGP on the way to {}",
                               to_string(scope.use.protocol)),
                   "use prefixes or tags");
    }
    all.push_back(kNever);
    return;
  }
  if (from.family) {
    all.push_back(family_condition(*from.family, scope));
  }
  if (from.rib) {
    all.push_back(family_condition(*from.rib, scope));
  }
  if (!from.protocols.empty()) {
    all.push_back(protocol_condition(term, scope));
  }
  if (!from.neighbors.empty()) {
    all.push_back(neighbor_condition(from.neighbors, true, scope));
  }
  if (!from.interfaces.empty()) {
    all.push_back(interface_condition(from, scope));
  }
  if (!from.as_paths.empty() || !from.as_path_groups.empty()) {
    all.push_back(as_path_condition(from, scope));
  }
  if (!from.communities.empty()) {
    all.push_back(communities_condition(from, scope));
  }
  if (from.local_preference) {
    all.push_back(one(std::format("match local-preference {}", *from.local_preference)));
  }
  if (from.metric) {
    all.push_back(one(std::format("match metric {}", *from.metric)));
  }
  if (!from.next_hops.empty()) {
    all.push_back(next_hop_condition(from.next_hops, scope));
  }
  if (from.origin) {
    all.push_back(one("match origin " + *from.origin));
  }
  if (!from.tags.empty()) {
    Condition tags;
    for (const std::uint32_t tag : from.tags) {
      tags.push_back({{std::format("match tag {}", tag), false}});
    }
    all.push_back(std::move(tags));
  }
}

}  // namespace

std::vector<Condition> conditions_of(const Term& term, Scope& scope) {
  std::vector<Condition> all;
  add_from(term, scope, all);
  if (!term.to.neighbors.empty()) {
    all.push_back(neighbor_condition(term.to.neighbors, false, scope));
  }
  if (!term.to.protocols.empty()) {
    all.push_back(decided(std::ranges::find(term.to.protocols, to_string(scope.use.protocol)) !=
                          term.to.protocols.end()));
  }
  if (term.to.rib) {
    all.push_back(family_condition(*term.to.rib, scope));
  }
  return all;
}

bool lets_through(const Term& term, Source source) {
  return term.from.protocols.empty() ||
         std::ranges::any_of(term.from.protocols,
                             [&](const std::string& word) { return source_of(word) == source; });
}

}  // namespace millrace::appliers::policy
