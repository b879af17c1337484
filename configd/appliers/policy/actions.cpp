// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/actions.h"

#include <algorithm>
#include <format>

namespace millrace::appliers::policy {
namespace {

using Sequence = std::vector<std::string>;

std::string number_text(const Number& number) {
  switch (number.kind) {
    case Number::Kind::Igp:
      return "igp";
    case Number::Kind::Add:
      return std::format("+{}", number.value);
    case Number::Kind::Subtract:
      return std::format("-{}", number.value);
    case Number::Kind::Set:
      break;
  }
  return std::to_string(number.value);
}

// FRR refuses to add nothing.
bool changes_nothing(const Number& number) {
  return (number.kind == Number::Kind::Add || number.kind == Number::Kind::Subtract) &&
         number.value == 0;
}

Sequence path_sets(const Actions& actions, Scope& scope) {
  Sequence sets;
  // FRR repeats at most ten times at once.
  for (unsigned left = actions.expand_last_as; left > 0;) {
    const unsigned now = std::min(left, 10U);
    sets.push_back(std::format("set as-path prepend last-as {}", now));
    left -= now;
  }
  if (!actions.prepend.empty()) {
    std::string line = "set as-path prepend";
    for (const std::uint32_t system : actions.prepend) {
      if (system == 0) {
        scope.refuse("then as-path-prepend", "0 is no AS number");
      }
      line += std::format(" {}", system);
    }
    sets.push_back(std::move(line));
  }
  return sets;
}

CommunitySets community_sets(const Actions& actions, Scope& scope) {
  CommunitySets sets;
  for (const CommunityChange& change : actions.communities) {
    const auto community = scope.definitions.community(change.community);
    if (!community) {
      continue;  // the reference is found missing elsewhere
    }
    using Operation = CommunityChange::Operation;
    const auto done = change.operation == Operation::Add ? add_communities(*community, sets)
                      : change.operation == Operation::Set
                          ? replace_communities(*community, sets)
                          : delete_communities(*community, scope.lists, sets);
    if (!done) {
      scope.refuse("then community " + change.community, done.error().message);
    }
  }
  return sets;
}

void add_next_hop(const NextHop& hop, Sequence& sets, Scope& scope) {
  const std::string_view keyword = scope.inet() ? "set ip next-hop" : "set ipv6 next-hop";
  switch (hop.kind) {
    case NextHop::Kind::Address:
      if (hop.address.family() != scope.use.family) {
        scope.refuse("then next-hop",
                     std::format("{} is no next hop for {} routes", hop.address.to_string(),
                                 scope.inet() ? "inet" : "inet6"),
                     "limit the term with from family");
        return;
      }
      sets.push_back(
          std::format("{}{} {}", keyword, scope.inet() ? "" : " global", hop.address.to_string()));
      return;
    case NextHop::Kind::Self:
      if (scope.imports()) {
        scope.refuse("then next-hop", "self has no meaning for routes that are imported",
                     "use it in an export policy");
        return;
      }
      // Towards a neighbour FRR's peer-address is our end of the session (bgpd/bgp_routemap.c).
      sets.push_back(std::format("{} peer-address", keyword));
      return;
    case NextHop::Kind::Peer:
      if (!scope.imports()) {
        scope.refuse("then next-hop", "peer-address is for import policies", "use next-hop self");
        return;
      }
      sets.push_back(std::format("{} peer-address", keyword));
      return;
  }
}

// A route has no other attributes in protocols other than BGP: as in Junos the rest of the actions
// changes nothing.
Sequence igp_sets(const Actions& actions, Scope& scope) {
  Sequence sets;
  if (actions.metric && !changes_nothing(*actions.metric)) {
    if (actions.metric->kind == Number::Kind::Igp) {
      scope.refuse("then metric", "igp is for export policies of BGP");
    }
    sets.push_back("set metric " + number_text(*actions.metric));
  }
  if (actions.external_type) {
    sets.push_back(std::format("set metric-type type-{}", *actions.external_type));
  }
  if (actions.tag) {
    sets.push_back(std::format("set tag {}", *actions.tag));
  }
  return sets;
}

Sequence plain_sets(const Actions& actions, Scope& scope) {
  Sequence sets;
  if (actions.local_preference && !changes_nothing(*actions.local_preference)) {
    sets.push_back("set local-preference " + number_text(*actions.local_preference));
  }
  if (actions.metric && !changes_nothing(*actions.metric)) {
    if (actions.metric->kind == Number::Kind::Igp && scope.imports()) {
      scope.refuse("then metric", "igp is for export policies: the next hop is not resolved yet");
    }
    sets.push_back("set metric " + number_text(*actions.metric));
  }
  if (actions.origin) {
    sets.push_back("set origin " + *actions.origin);
  }
  if (actions.preference) {
    if (!scope.imports()) {
      scope.refuse("then preference", "the preference is ours alone and not exported",
                   "use it in an import policy");
    }
    sets.push_back(std::format("set distance {}", *actions.preference));
  }
  if (actions.tag) {
    sets.push_back(std::format("set tag {}", *actions.tag));
  }
  if (actions.next_hop) {
    add_next_hop(*actions.next_hop, sets, scope);
  }
  return sets;
}

}  // namespace

std::vector<std::vector<std::string>> set_groups(const Actions& actions, Scope& scope) {
  std::vector<Sequence> groups;
  const auto spread = [&](const Sequence& sequence) {
    groups.resize(std::max(groups.size(), sequence.size()));
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      groups[i].push_back(sequence[i]);
    }
  };
  const bool bgp = scope.use.protocol == Source::Bgp;
  const Sequence plain = bgp ? plain_sets(actions, scope) : igp_sets(actions, scope);
  if (!plain.empty()) {
    groups.push_back(plain);
  }
  if (!bgp) {
    return groups;
  }
  spread(path_sets(actions, scope));
  const CommunitySets communities = community_sets(actions, scope);
  spread(communities.standard);
  spread(communities.extended);
  spread(communities.large);
  return groups;
}

}  // namespace millrace::appliers::policy
