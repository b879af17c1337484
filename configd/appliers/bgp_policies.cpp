// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/bgp_policies.h"

#include <charconv>

namespace millrace::appliers {
namespace {

using base::Family;
using policy::Compiled;
using policy::Direction;
using policy::Source;
using policy::Use;

std::string_view statement_of(Direction direction) {
  return direction == Direction::Import ? "import" : "export";
}

std::vector<std::string> chain_of(const BgpPeer& peer, Direction direction) {
  std::vector<std::string> chain;
  for (const auto& [element, view] : peer.find({statement_of(direction)}).entries()) {
    chain.emplace_back(element);
  }
  return chain;
}

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Whether the router has routes of that protocol to give.
bool is_run(Source source, Family family, bool ospf) {
  return source == Source::Direct || source == Source::Static || source == Source::Aggregate ||
         (source == Source::Ospf && ospf && family == Family::Inet);
}

FrrObject redistribution() {
  const std::string head =
      std::string("route-map ").append(BgpPolicies::kRedistributed).append(" permit 10");
  return {{{"", head}, {head, "set local-preference 100"}, {head, "set origin igp"}}};
}

}  // namespace

Compiled BgpPolicies::compile(const BgpPeer& peer, Family family, Direction direction) {
  Use use;
  use.direction = direction;
  use.family = family;
  use.external = peer.external();
  use.chain = chain_of(peer, direction);
  use.local_as = number_of(peer.own_as());
  use.neighbor = peer.address();
  use.statement = statement_of(direction);
  use.level = peer.level_of({use.statement});
  Compiled compiled = compiler_.compile(use, findings_);
  for (const policy::Object& object : compiled.objects) {
    objects_.emplace(object.key, *object.content);
  }
  return compiled;
}

BgpPolicies::Maps BgpPolicies::of(const BgpPeer& peer, Family family) {
  const Compiled in = compile(peer, family, Direction::Import);
  const Compiled out = compile(peer, family, Direction::Export);
  for (const Source source : out.redistributed) {
    if (is_run(source, family, ospf_)) {
      redistributed_[family].insert(policy::frr_protocol(source));
    }
  }
  return {in.route_map, out.route_map, out.writes_own_as};
}

FrrConfig BgpPolicies::take_objects() {
  for (const auto& [family, protocols] : redistributed_) {
    if (!protocols.empty()) {
      objects_.emplace(FrrKey{FrrKind::RouteMap, std::string(kRedistributed)}, redistribution());
    }
  }
  return std::move(objects_);
}

std::set<std::string, std::less<>> bgp_policies(const tree::ConfigTree& tree) {
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> seen;
  for (const BgpPeer& peer : bgp_peers(tree)) {
    for (const Direction direction : {Direction::Import, Direction::Export}) {
      for (const std::string& element : chain_of(peer, direction)) {
        if (seen.insert(element).second) {
          if (const auto policies = policy::policies_of(element)) {
            names.insert(policies->begin(), policies->end());
          }
        }
      }
    }
  }
  return names;
}

}  // namespace millrace::appliers
