// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy of the configuration says of one route, evaluated here rather than by FRR: bgpd
// knows policies only where a neighbour uses them, and only for routes of BGP. The rules are those
// of docs/reference/policies.md; what an action changes, later terms see.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ops/routes.h"
#include "tree/config_tree.h"

namespace millrace::ops {

struct PolicyRoute {
  base::Prefix prefix;
  std::string protocol = "bgp";  // as in `from protocol`
  std::string neighbor = {};     // that sent it
  std::string next_hop = {};
  std::vector<std::string> interfaces = {};   // IF.UNIT of its next hops
  std::string as_path = {};                   // "65001 65002 {1,2}"
  std::vector<std::string> communities = {};  // "65000:1", "large:1:2:3", "target:65000:1"
  std::string origin = "igp";
  std::int64_t local_preference = 100;
  std::int64_t med = 0;
  std::int64_t tag = 0;
};

PolicyRoute policy_route(const Route& route);

class PolicyEvaluation {
 public:
  // Of the effective `tree`, which is kept.
  explicit PolicyEvaluation(tree::ConfigTree tree);
  ~PolicyEvaluation();

  bool has(std::string_view policy) const;
  // Whether `policy` accepts the route, with `by_default` behind its last term. `route` is changed
  // as the policy says. A term with `to` does not match: there is nobody it goes to. `next-hop
  // self` and `peer-address` leave the next hop, for the same reason.
  bool accepts(std::string_view policy, PolicyRoute& route, bool by_default) const;

 private:
  struct Definitions;
  std::unique_ptr<Definitions> definitions_;
};

}  // namespace millrace::ops
