// SPDX-License-Identifier: GPL-2.0-or-later
//
// BGP, through bgpd, which runs while there is a group. The lines are made in bgp_lines.cpp,
// brought to bgpd in frr_service.cpp; here is what bgpd would refuse, or take and not mean.
#include <algorithm>
#include <array>
#include <format>
#include <memory>
#include <mutex>
#include <set>

#include "appliers/bgp_lines.h"
#include "appliers/bgp_options.h"
#include "appliers/bgp_policies.h"
#include "appliers/frr_service.h"
#include "commit/applier.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using base::Family;
using commit::World;
using system::System;
using tree::View;

constexpr std::string_view kBgp = "protocols bgp";

std::set<base::IpAddress> own_addresses(const tree::ConfigTree& tree) {
  std::set<base::IpAddress> addresses;
  for (const auto& [name, interface] : View(tree)["interfaces"]["interface"].entries()) {
    for (const auto& [number, unit] : interface["unit"].entries()) {
      for (const char* const family : {"inet", "inet6"}) {
        for (const auto& [text, entry] : unit["family"][family]["address"].entries()) {
          if (const auto address = base::InterfaceAddress::parse(text)) {
            addresses.insert(address->address);
          }
        }
      }
    }
  }
  return addresses;
}

class BgpCheck {
 public:
  BgpCheck(const tree::ConfigTree& tree, Diagnostics& out)
      : out_(out),
        as_(local_as(tree)),
        peers_(bgp_peers(tree)),
        own_(own_addresses(tree)),
        bgp_preference_(View(tree)["protocols"]["bgp"]["preference"].text()) {
    groups_ = !View(tree)["protocols"]["bgp"]["group"].entries().empty();
  }

  void run() {
    if (groups_ && as_.empty()) {
      out_.error(Code::Constraint, "protocols", "bgp", "BGP needs an autonomous system",
                 "set routing-options autonomous-system NUMBER");
      return;
    }
    for (const BgpPeer& peer : peers_) {
      systems(peer);
      addresses(peer);
      preference(peer);
    }
    clusters();
    for (const bool external : {false, true}) {
      multipath(external);
    }
  }

 private:
  void error(const BgpPeer& peer, std::string statement, std::string message,
             std::string hint = {}) {
    out_.error(Code::Constraint, peer.level(), std::move(statement), std::move(message),
               std::move(hint));
  }

  void systems(const BgpPeer& peer) {
    const View own = peer.find({"local-as"});
    const std::string theirs = peer.peer_as();
    if (own && peer.own_as() == as_) {
      error(peer, std::format("local-as {}", as_), "this is the router's own autonomous system");
    }
    if (theirs.empty()) {
      error(peer, "peer-as", "the autonomous system of the neighbor is not known",
            "set peer-as here or at the group, or type internal");
    } else if (peer.external() && theirs == peer.own_as()) {
      error(peer, std::format("peer-as {}", theirs),
            "a neighbor in the own autonomous system is not external", "type internal");
    }
    const View said = peer.find({"peer-as"});
    if (!peer.external() && said && said.text() != peer.own_as()) {
      error(peer, std::format("peer-as {}", said.text()),
            std::format("an internal neighbor is in autonomous system {}", peer.own_as()));
    }
  }

  void addresses(const BgpPeer& peer) {
    const auto& address = peer.address();
    if (!address) {
      return;
    }
    if (own_.contains(*address)) {
      error(peer, "", std::format("{} is an address of this router", address->to_string()));
    }
    if (address->is_multicast() || address->is_unspecified()) {
      error(peer, "", std::format("{} is no address of a router", address->to_string()));
    }
    if (address->family() == Family::Inet6 && address->is_link_local()) {
      error(peer, "", "a link-local neighbor needs an interface, which is not in this release");
    }
    const View local = peer.find({"local-address"});
    if (local && base::IpAddress::parse(local.text())->family() != address->family()) {
      error(peer, std::format("local-address {}", local.text()),
            "the addresses of a session are of one family");
    }
  }

  // bgpd knows preferences by the address that a route came from.
  void preference(const BgpPeer& peer) {
    const View own = peer.find({"preference"});
    if (!own || own.text() == bgp_preference_) {
      return;
    }
    for (const Family family : {Family::Inet, Family::Inet6}) {
      if (peer.exchanges(family) && (!peer.address() || peer.address()->family() != family)) {
        error(peer, std::format("preference {}", own.text()),
              peer.address() ? "routes of the other family cannot have a preference of their own"
                             : "routes of allowed neighbors have no preference of their own",
              "set protocols bgp preference for all neighbors");
      }
    }
  }

  void clusters() {
    std::string first;
    for (const BgpPeer& peer : peers_) {
      const View cluster = peer.find({"cluster"});
      if (!cluster) {
        continue;
      }
      const std::string id = cluster.text();
      if (!first.empty() && id != first) {
        error(peer, std::format("cluster {}", id),
              std::format("this router is in cluster {} already, and FRR knows one", first));
      }
      first = first.empty() ? id : first;
    }
  }

  // FRR has one switch for all external neighbours and one for all internal ones.
  void multipath(bool external) {
    const BgpPeer* with = nullptr;
    const BgpPeer* without = nullptr;
    for (const BgpPeer& peer : peers_) {
      if (peer.external() == external) {
        (peer.has({"multipath"}) ? with : without) = &peer;
      }
    }
    if (with && without) {
      error(*without, "multipath",
            std::format(
                "{} shares traffic between paths of all {} neighbors or of none, and {} has it",
                "FRR", external ? "external" : "internal", with->frr_name()),
            "set protocols bgp multipath");
    }
  }

  Diagnostics& out_;
  std::string as_;
  std::vector<BgpPeer> peers_;
  std::set<base::IpAddress> own_;
  std::string bgp_preference_;
  bool groups_ = false;
};

bool concerns(const tree::Delta& delta) {
  if (std::ranges::any_of(
          std::initializer_list<std::string_view>{kBgp, "protocols ospf",
                                                  "routing-options router-id",
                                                  "routing-options autonomous-system"},
          [&](std::string_view path) { return delta.touches(path); })) {
    return true;
  }
  const auto changed = policy::changed_policies(delta);
  return !changed.empty() &&
         std::ranges::any_of(bgp_policies(delta.after()),
                             [&](const std::string& name) { return changed.contains(name); });
}

// What is wanted of bgpd, for the last two configurations that were asked for: a commit asks for
// both of its own when it checks and when it plans.
class Wanted {
 public:
  struct Answer {
    tree::ConfigTree tree;  // keeps the parts alive that it is known by
    FrrConfig config;
    Diagnostics findings;
  };

  std::shared_ptr<const Answer> of(const tree::ConfigTree& tree) const {
    const std::lock_guard lock(mutex_);
    for (const auto& answer : last_) {
      if (answer && same(answer->tree, tree)) {
        return answer;
      }
    }
    auto answer = std::make_shared<Answer>(tree, FrrConfig(), Diagnostics());
    answer->config = bgp_config(tree, answer->findings);
    last_[oldest_] = answer;
    oldest_ = (oldest_ + 1) % last_.size();
    return answer;
  }

 private:
  static bool same(const tree::ConfigTree& left, const tree::ConfigTree& right) {
    return std::ranges::all_of(
        std::initializer_list<std::string_view>{"protocols", "policy-options", "routing-options",
                                                "interfaces"},
        [&](std::string_view part) { return View(left)[part].node() == View(right)[part].node(); });
  }

  mutable std::mutex mutex_;
  mutable std::array<std::shared_ptr<const Answer>, 2> last_;
  mutable std::size_t oldest_ = 0;
};

class Bgp final : public commit::Applier {
 public:
  std::string_view name() const override { return "bgp"; }
  std::vector<std::string> owns() const override {
    return {std::string(kBgp), "routing-options router-id", "routing-options autonomous-system"};
  }
  std::vector<std::string> reads() const override {
    return {"interfaces interface", "policy-options", "protocols ospf"};
  }
  std::vector<std::string_view> after() const override { return {"interfaces", "static"}; }

  void check(const World& /*before*/, const World& after, const tree::Delta& delta,
             Diagnostics& out) const override {
    BgpCheck(after.tree, out).run();
    if (!out.has_errors() && concerns(delta)) {
      for (const base::Diagnostic& finding : wanted_.of(after.tree)->findings.items()) {
        out.add(finding);
      }
    }
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& delta) const override {
    return concerns(delta)
               ? plan_frr(kBgpd, wanted_.of(before.tree)->config, wanted_.of(after.tree)->config)
               : commit::Plan();
  }

  base::Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    return reconcile_frr(kBgpd, wanted_.of(wanted.tree)->config, system);
  }

  bool unsettled(System& system) const override { return system.files.unwritten(kBgpd.file); }

 private:
  Wanted wanted_;
};

}  // namespace

std::unique_ptr<commit::Applier> make_bgp() {
  return std::make_unique<Bgp>();
}

}  // namespace millrace::appliers
