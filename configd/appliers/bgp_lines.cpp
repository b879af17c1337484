// SPDX-License-Identifier: GPL-2.0-or-later
//
// What makes bgpd behave as the configuration language says, beside the options themselves:
//
//   no bgp ebgp-requires-policy    without a policy routes of BGP pass
//   bgp suppress-fib-pending       only routes that are in use are advertised (without
//                                  advertise-inactive): zebra tells bgpd which of its routes lost
//                                  against another protocol. Decided with the instance, since it
//                                  is one switch for all neighbours.
//   no … enforce-first-as, sender-as-path-loop-detection, disable-addpath-rx, timers, distance,
//   maximum-paths 1, deterministic-med       defaults that differ
//   no bgp suppress-duplicates     bgpd 10.3 forgets a route that comes back with the attributes it
//                                  had while its withdrawal is still queued, since it takes the
//                                  announcement for a duplicate (mended in FRR by pull request
//                                  20325): the neighbour would miss it until it changes
//   soft-reconfiguration inbound   received routes are kept, for `show route receive-protocol` and
//                                  hidden routes
#include "appliers/bgp_lines.h"

#include <algorithm>
#include <format>
#include <optional>

#include "appliers/bgp_options.h"
#include "appliers/bgp_policies.h"

namespace millrace::appliers {
namespace {

using base::Family;
using tree::View;

constexpr std::int64_t kPreference = 170;
constexpr int kPaths = 64;         // of one destination with multipath
constexpr int kConnectRetry = 10;  // seconds

std::string router_line(const tree::ConfigTree& tree) {
  return std::format("router bgp {}", local_as(tree));
}

constexpr std::string_view family_name(Family family) {
  return family == Family::Inet ? "ipv4 unicast" : "ipv6 unicast";
}

// "maximum-prefix 100 80 restart 5 force"
std::string prefix_limit(const View& limit, bool all) {
  constexpr std::int64_t kUnprinted = 75;  // MAXIMUM_PREFIX_THRESHOLD_DEFAULT (bgpd/bgpd.h)
  std::string text = std::format("maximum-prefix {}", limit["maximum"].text());
  const View teardown = limit["teardown"];
  const auto percentages = teardown["percentage"].entries();
  const std::string percent = percentages.empty() ? "100" : std::string(percentages.front().first);
  if (percent != std::to_string(kUnprinted)) {
    text += " " + percent;
  }
  const auto times = teardown["idle-timeout"]["time"].entries();
  if (!teardown) {
    text += " warning-only";
  } else if (times.empty()) {
    text += " restart 1";
  } else if (times.front().first != "forever") {
    text += std::format(" restart {}", times.front().first);
  }
  return text + (all ? " force" : "");
}

class PeerLines {
 public:
  PeerLines(const BgpPeer& peer, std::string router, std::optional<std::int64_t> loops,
            BgpPolicies& policies)
      : peer_(peer),
        router_(std::move(router)),
        name_(peer.frr_name()),
        loops_(loops),
        policies_(policies) {}

  FrrObject build() {
    session();
    for (const Family family : {Family::Inet, Family::Inet6}) {
      if (peer_.exchanges(family)) {
        routes(family);
      }
    }
    return std::move(object_);
  }

 private:
  void add(std::string_view block, std::string_view words) {
    const bool negative = words.starts_with("no ");
    object_.lines.push_back(
        {std::string(block), std::format("{}neighbor {} {}", negative ? "no " : "", name_,
                                         words.substr(negative ? 3 : 0))});
  }
  void add(std::string_view words) { add(router_, words); }

  void session();
  void own_as();
  void routes(Family family);

  const BgpPeer& peer_;
  std::string router_;
  std::string name_;
  std::optional<std::int64_t> loops_;  // of the own AS
  BgpPolicies& policies_;
  FrrObject object_;
};

void PeerLines::own_as() {
  const auto own = peer_.find({"local-as"}).entries();
  if (own.empty()) {
    return;
  }
  const auto& [number, options] = own.front();
  add(std::format("local-as {}{}{}", number, options["private"] ? " no-prepend" : "",
                  options["no-prepend-global-as"] ? " replace-as" : ""));
  if (const auto loops = options["loops"].number()) {
    loops_ = loops;
  }
}

void PeerLines::session() {
  if (!peer_.address()) {
    add("peer-group");
  }
  add(std::format("remote-as {}", peer_.peer_as()));
  own_as();
  if (const View text = peer_.find({"description"})) {
    add(std::format("description {}", text.text()));
  }
  if (const View key = peer_.find({"authentication-key"})) {
    add(std::format("password {}", key.text()));
  }
  if (const View size = peer_.find({"tcp-mss"})) {
    add(std::format("tcp-mss {}", size.text()));
  }
  if (peer_.has({"shutdown"})) {
    add("shutdown");
  }
  if (peer_.has({"passive"})) {
    add("passive");
  }
  if (peer_.external() && peer_.has({"multihop"})) {
    constexpr std::int64_t kHops = 64;
    constexpr std::int64_t kUnprinted = 255;  // MAXTTL
    const auto hops = peer_.find({"multihop", "ttl"}).number().value_or(kHops);
    add(hops == kUnprinted ? "ebgp-multihop" : std::format("ebgp-multihop {}", hops));
  }
  if (!peer_.has({"enforce-first-as"})) {
    add("no enforce-first-as");
  }
  if (const View address = peer_.find({"local-address"})) {
    add(std::format("update-source {}", address.text()));
  }
  if (const View delay = peer_.find({"out-delay"}); delay && delay.number() != 0) {
    add(std::format("advertisement-interval {}", delay.text()));
  }
  if (const View hold = peer_.find({"hold-time"})) {
    add(std::format("timers {} {}", *hold.number() / 3, *hold.number()));
  }
  add(std::format("timers connect {}", kConnectRetry));
  if (peer_.external() && !peer_.has({"advertise-peer-as"}) && !peer_.has({"as-override"})) {
    add("sender-as-path-loop-detection");
  }
  if (!peer_.address()) {
    for (const auto& [network, entry] : peer_.find({"allow"}).entries()) {
      object_.lines.push_back(
          {router_, std::format("bgp listen range {} peer-group {}", network, name_)});
    }
  }
}

void PeerLines::routes(Family family) {
  const std::string block = std::format("{}\naddress-family {}", router_, family_name(family));
  const View options = peer_.unicast(family);
  if (const auto count = options["add-path"]["send"]["path-count"].number()) {
    add(block, std::format("addpath-tx-best-selected {}", *count));
  }
  if (!options["add-path"]["receive"]) {
    add(block, "disable-addpath-rx");
  }
  if (!peer_.external() && peer_.has({"cluster"})) {
    add(block, "route-reflector-client");
  }
  if (peer_.external() && peer_.has({"remove-private", "all"})) {
    add(block, peer_.has({"remove-private", "all", "replace"}) ? "remove-private-AS all replace-AS"
                                                               : "remove-private-AS all");
  }
  if (peer_.external() && peer_.has({"as-override"})) {
    add(block, "as-override");
  }
  if (!peer_.has({"keep", "none"})) {
    add(block, "soft-reconfiguration inbound");
  }
  if (const View limit = options["prefix-limit"]) {
    add(block, prefix_limit(limit, true));
  } else if (const View accepted = options["accepted-prefix-limit"]) {
    add(block, prefix_limit(accepted, false));
  }
  if (loops_ > 1) {
    // Ours says how many make a loop, FRR's how many do not.
    add(block, std::format("allowas-in {}", *loops_ - 1));
  }
  const BgpPolicies::Maps maps = policies_.of(peer_, family);
  if (!maps.in.empty()) {
    add(block, std::format("route-map {} in", maps.in));
  }
  if (!maps.out.empty()) {
    add(block, std::format("route-map {} out", maps.out));
  }
  if (maps.writes_own_as) {
    add(block, "attribute-unchanged as-path");
  }
  add(block, "activate");
}

// --- the router ---

class RouterLines {
 public:
  // Requires: `policies` has been asked for all peers.
  RouterLines(const tree::ConfigTree& tree, const std::vector<BgpPeer>& peers,
              BgpPolicies& policies)
      : peers_(peers),
        policies_(policies),
        options_(View(tree)["routing-options"]),
        bgp_(View(tree)["protocols"]["bgp"]),
        router_(router_line(tree)) {}

  FrrObject build() {
    object_.lines.push_back({"", router_});
    if (const auto id = options_["router-id"].value()) {
      add(std::format("bgp router-id {}", *id));
    }
    if (any([](const BgpPeer& peer) { return peer.has({"log-updown"}); })) {
      add("bgp log-neighbor-changes");
    }
    if (!bgp_["advertise-inactive"]) {
      add("bgp suppress-fib-pending");
    }
    if (bgp_["path-selection"]["always-compare-med"]) {
      add("bgp always-compare-med");
    }
    add("no bgp ebgp-requires-policy");
    add("no bgp default ipv4-unicast");
    add("no bgp suppress-duplicates");
    const auto reflector =
        std::ranges::find_if(peers_, [](const BgpPeer& peer) { return peer.has({"cluster"}); });
    if (reflector != peers_.end()) {
      add(std::format("bgp cluster-id {}", reflector->find({"cluster"}).text()));
    }
    add("bgp deterministic-med");
    if (any([](const BgpPeer& peer) { return peer.has({"multipath", "multiple-as"}); })) {
      add("bgp bestpath as-path multipath-relax");
    }
    if (bgp_["path-selection"]["external-router-id"]) {
      add("bgp bestpath compare-routerid");
    }
    add("timers bgp 30 90");
    for (const Family family : {Family::Inet, Family::Inet6}) {
      if (any([&](const BgpPeer& peer) { return peer.exchanges(family); })) {
        routes(family);
      }
    }
    return std::move(object_);
  }

 private:
  template <class Question>
  bool any(const Question& question) const {
    return std::ranges::any_of(peers_, question);
  }
  void add(std::string_view text) { object_.lines.push_back({router_, std::string(text)}); }

  void routes(Family family) {
    const std::string block = std::format("{}\naddress-family {}", router_, family_name(family));
    const auto line = [&](std::string text) { object_.lines.push_back({block, std::move(text)}); };
    const auto distance = bgp_["preference"].number().value_or(kPreference);
    line(std::format("distance bgp {0} {0} {0}", distance));
    for (const BgpPeer& peer : peers_) {
      const auto own = peer.find({"preference"}).number().value_or(kPreference);
      if (own != distance && peer.address() && peer.address()->family() == family) {
        line(std::format("distance {} {}/{}", own, peer.frr_name(),
                         family == Family::Inet ? 32 : 128));
      }
    }
    const auto paths = [&](bool external) {
      return any([&](const BgpPeer& peer) {
        return peer.external() == external && peer.has({"multipath"});
      })
                 ? kPaths
                 : 1;
    };
    line(std::format("maximum-paths {}", paths(true)));
    line(std::format("maximum-paths ibgp {}", paths(false)));
    for (const std::string_view protocol : policies_.redistributed(family)) {
      line(std::format("redistribute {} route-map {}", protocol, BgpPolicies::kRedistributed));
    }
  }

  const std::vector<BgpPeer>& peers_;
  BgpPolicies& policies_;
  View options_;
  View bgp_;
  std::string router_;
  FrrObject object_;
};

}  // namespace

bool runs_bgp(const tree::ConfigTree& tree) {
  return !View(tree)["protocols"]["bgp"]["group"].entries().empty() && !local_as(tree).empty();
}

FrrConfig bgp_config(const tree::ConfigTree& tree, base::Diagnostics& findings) {
  if (!runs_bgp(tree)) {
    return {};
  }
  const auto peers = bgp_peers(tree);
  const View system = View(tree)["routing-options"]["autonomous-system"].entry(local_as(tree));
  BgpPolicies policies(tree, findings);
  FrrConfig config;
  for (const BgpPeer& peer : peers) {
    config.emplace(FrrKey{FrrKind::BgpNeighbor, peer.frr_name()},
                   PeerLines(peer, router_line(tree), system["loops"].number(), policies).build());
  }
  config.emplace(FrrKey{FrrKind::BgpRouter, ""}, RouterLines(tree, peers, policies).build());
  config.merge(policies.take_objects());
  return config;
}

}  // namespace millrace::appliers
