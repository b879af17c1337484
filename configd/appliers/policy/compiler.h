// SPDX-License-Identifier: GPL-2.0-or-later
//
// Routing policies as FRR's route-maps. Junos evaluates a chain of policies, each a list of terms,
// with the protocol's default policy behind them; FRR has one route-map per neighbour, direction
// and family. So a chain is flattened for each use into one route-map and the lists that it
// refers to.
//
// An import from another AS sets the local preference first, which Junos has and FRR leaves open:
// policies that add to it or match it then find the same number.
//
// Everything made is named by a hash of its content and never changes: a change of a policy makes
// new objects beside the old ones, users are switched to them, and what nobody uses goes. Equal
// policies share their objects. Objects of different uses with the same name are equal.
//
//   Compiler compiler(after.tree);
//   Use use;
//   use.external = true;
//   use.chain = {"CUSTOMERS", "( A && !B )"};
//   Compiled in = compiler.compile(use, diagnostics);
//   … in.objects, then "neighbor 192.0.2.1 route-map " + in.route_map + " in"
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "appliers/frr_object.h"
#include "base/address.h"
#include "base/diagnostics.h"
#include "tree/config_tree.h"
#include "tree/delta.h"

namespace millrace::appliers::policy {

enum class Direction : std::uint8_t { Import, Export };

// Where a route comes from, as `from protocol` says it.
enum class Source : std::uint8_t {
  Bgp,
  Direct,
  Static,
  Aggregate,  // also generated routes: FRR's static routes with kAggregateTag
  Ospf,
  Ospf3,
  Isis,
  Rip,
  Ripng,
};
std::string_view to_string(Source source);     // "bgp", "direct", … as in Junos
std::string_view frr_protocol(Source source);  // "bgp", "connected", "ospf6", … as in FRR
// The tag of static routes in FRR that stand for aggregates; no route of a user may have it.
inline constexpr std::uint32_t kAggregateTag = 4294967041;

// One place where policies are applied.
struct Use {
  Direction direction = Direction::Import;
  base::Family family = base::Family::Inet;
  // What the routes are imported from or exported to.
  Source protocol = Source::Bgp;
  bool external = false;           // BGP: the neighbour is in another AS
  std::vector<std::string> chain;  // names and expressions, as in `import` and `export`
  std::uint32_t local_as = 0;      // BGP: our own, as the neighbour sees it
  // BGP: who is at the other end, for `neighbor` in policies. None: no one neighbour (a group).
  std::optional<base::IpAddress> neighbor;
  // Where FRR redistributes one protocol at a time, that one; then `from protocol` is decided here.
  // BGP leaves it out: its route-map tells them apart.
  std::optional<Source> source;
  // Of the statement with the chain, for findings: "protocols bgp group G", "import".
  std::string level;
  std::string statement;
};

// A list or a route-map, named by its content.
struct Object {
  FrrKey key;
  std::shared_ptr<const FrrObject> content;
};

struct Compiled {
  // Empty: none is needed, everything passes as it is. Never empty for an export of BGP, which
  // keeps redistributed routes back that no policy accepts.
  std::string route_map;
  std::vector<Object> objects;  // what is referred to comes first
  // The route-map writes our own AS into the path, so the neighbour needs `attribute-unchanged
  // as-path`: Junos puts what as-path-prepend says before the own AS, FRR behind it. Only where
  // another AS than our own is prepended on the way to another AS.
  bool writes_own_as = false;
  // Of an export: protocols (other than the one exported to) of which it may accept a route. They
  // have to be redistributed, `set origin igp`, with their tag kept.
  std::set<Source> redistributed;
};

// Pure, and remembers what it has compiled: equal uses cost a lookup. Otherwise O(the policies of
// the chain and the lists they refer to).
class Compiler {
 public:
  explicit Compiler(tree::ConfigTree tree);
  ~Compiler();
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;

  // Adds to `out` what FRR cannot express here, with the policy's own path; each finding once for
  // all uses. With errors the result is empty.
  Compiled compile(const Use& use, base::Diagnostics& out);

 private:
  class State;
  std::unique_ptr<State> state_;
};

// The names of policies in an element of a chain: itself, or those of an expression. Errors:
// BadValue when the expression is not one.
base::Result<std::vector<std::string>> policies_of(std::string_view element);

// The policies that may compile to something else after the change: what has to be compiled again
// are uses with one of them in the chain. Costs nothing unless policy-options changed; then O(terms
// of all policies).
std::set<std::string, std::less<>> changed_policies(const tree::Delta& delta);

}  // namespace millrace::appliers::policy
