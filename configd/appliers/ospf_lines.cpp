// SPDX-License-Identifier: GPL-2.0-or-later
//
// Defaults of Junos that FRR has otherwise: preferences 10 and 150, priority 128, a dead interval
// that follows the hello interval, routes chosen as RFC 1583 says, exported routes with metric 0.
#include "appliers/ospf_lines.h"

#include <charconv>
#include <format>

#include "appliers/bgp_lines.h"
#include "appliers/connected.h"
#include "appliers/policy/compiler.h"

namespace millrace::appliers {
namespace {

using policy::Source;
using tree::View;

constexpr std::int64_t kPreference = 10;
constexpr std::int64_t kExternalPreference = 150;
constexpr std::int64_t kPriority = 128;
constexpr std::int64_t kHello = 10;
constexpr std::int64_t kDeadHellos = 4;
constexpr std::string_view kRouter = "router ospf";

// --- an interface ---

class InterfaceLines {
 public:
  InterfaceLines(const View& interface, const std::string& device)
      : interface_(interface), block_("interface " + device), loopback_(device == "lo") {}

  FrrObject build(std::string_view area) {
    add(std::format("ip ospf area {}", area));
    authentication();
    if (const View metric = interface_["metric"]) {
      add("ip ospf cost " + metric.text());
    }
    timers();
    const View type = interface_["interface-type"];
    if (type) {
      add(type.text() == "p2p" ? "ip ospf network point-to-point"
                               : "ip ospf network point-to-multipoint");
    }
    if (interface_["passive"]) {
      add("ip ospf passive");
    }
    const std::int64_t priority = interface_["priority"].number().value_or(kPriority);
    if (!loopback_ && (!type || interface_["priority"]) && priority != 1) {
      add(std::format("ip ospf priority {}", priority));
    }
    return std::move(object_);
  }

 private:
  void add(std::string text) { object_.lines.push_back({block_, std::move(text)}); }

  void authentication() {
    const View authentication = interface_["authentication"];
    if (const View password = authentication["simple-password"]) {
      add("ip ospf authentication");
      add("ip ospf authentication-key " + password.text());
    }
    const auto keys = authentication["md5"].entries();
    if (!keys.empty()) {
      add("ip ospf authentication message-digest");
    }
    for (const auto& [id, key] : keys) {
      add(std::format("ip ospf message-digest-key {} md5 {}", id, key["key"].text()));
    }
  }

  // FRR prints what differs from its own defaults.
  void timers() {
    const std::int64_t hello = interface_["hello-interval"].number().value_or(kHello);
    const std::int64_t dead = interface_["dead-interval"].number().value_or(kDeadHellos * hello);
    const auto timer = [&](std::string_view name, std::int64_t value, std::int64_t unprinted) {
      if (value != unprinted) {
        add(std::format("ip ospf {} {}", name, value));
      }
    };
    timer("dead-interval", dead, kDeadHellos * kHello);
    timer("hello-interval", hello, kHello);
    timer("retransmit-interval", interface_["retransmit-interval"].number().value_or(5), 5);
    timer("transmit-delay", interface_["transit-delay"].number().value_or(1), 1);
  }

  const View& interface_;
  std::string block_;
  bool loopback_;
  FrrObject object_;
};

// --- the router ---

void add_area(const View& area, std::string_view id, const std::function<void(std::string)>& add) {
  const auto kind = [&](std::string_view name) {
    add(std::format("area {} {}{}", id, name, area[name]["no-summaries"] ? " no-summary" : ""));
  };
  if (const View stub = area["stub"]) {
    kind("stub");
    const std::int64_t metric = stub["default-metric"].number().value_or(1);
    if (metric != 1) {
      add(std::format("area {} default-cost {}", id, metric));
    }
  }
  if (area["nssa"]) {
    kind("nssa");
  }
  for (const auto& [prefix, range] : area["area-range"].entries()) {
    const View metric = range["override-metric"];
    add(std::format("area {} range {}{}{}", id, prefix, range["restrict"] ? " not-advertise" : "",
                    metric ? " cost " + metric.text() : std::string()));
  }
}

class RouterLines {
 public:
  RouterLines(const tree::ConfigTree& tree, base::Diagnostics& findings)
      : tree_(tree), ospf_(View(tree)["protocols"]["ospf"]), findings_(findings) {}

  void build(FrrConfig& config) {
    object_.lines.push_back({"", std::string(kRouter)});
    if (const auto id = View(tree_)["routing-options"]["router-id"].value()) {
      add(std::format("ospf router-id {}", *id));
    }
    add("log-adjacency-changes");
    if (!ospf_["no-rfc-1583"]) {
      add("compatible rfc1583");
    }
    const auto bandwidth = ospf_["reference-bandwidth"].value();
    const auto megabits = bandwidth ? reference_megabits(*bandwidth) : std::nullopt;
    if (megabits && *megabits != 100) {
      add(std::format("auto-cost reference-bandwidth {}", *megabits));
    }
    if (ospf_["overload"]) {
      add("max-metric router-lsa administrative");
    }
    exports(config);
    for (const auto& [key, area] : ospf_["area"].entries()) {
      add_area(area, area_id(key), [this](std::string text) { add(std::move(text)); });
    }
    add(std::format("distance ospf intra-area {0} inter-area {0} external {1}",
                    ospf_["preference"].number().value_or(kPreference),
                    ospf_["external-preference"].number().value_or(kExternalPreference)));
    config.emplace(FrrKey{FrrKind::OspfRouter, ""}, std::move(object_));
  }

 private:
  void add(std::string text) { object_.lines.push_back({std::string(kRouter), std::move(text)}); }

  // FRR redistributes one protocol at a time: each has a route-map of its own.
  void exports(FrrConfig& config) {
    policy::Use use;
    use.direction = policy::Direction::Export;
    use.protocol = Source::Ospf;
    for (const auto& [element, view] : ospf_["export"].entries()) {
      use.chain.emplace_back(element);
    }
    if (use.chain.empty()) {
      return;
    }
    use.level = "protocols ospf";
    use.statement = "export";
    policy::Compiler compiler(tree_);
    for (const Source source : {Source::Bgp, Source::Direct, Source::Static}) {
      use.source = source;
      const policy::Compiled compiled = compiler.compile(use, findings_);
      if (!compiled.redistributed.contains(source) && source != Source::Bgp) {
        continue;
      }
      if (source == Source::Bgp && !runs_bgp(tree_)) {
        continue;
      }
      for (const policy::Object& object : compiled.objects) {
        config.emplace(object.key, *object.content);
      }
      add(std::format("redistribute {} metric 0 route-map {}", policy::frr_protocol(source),
                      compiled.route_map));
    }
  }

  const tree::ConfigTree& tree_;
  View ospf_;
  base::Diagnostics& findings_;
  FrrObject object_;
};

}  // namespace

std::string area_id(std::string_view key) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (error != std::errc() || end != key.data() + key.size()) {
    return std::string(key);
  }
  return std::format("{}.{}.{}.{}", number >> 24, number >> 16 & 255, number >> 8 & 255,
                     number & 255);
}

std::optional<std::uint64_t> reference_megabits(std::string_view text) {
  constexpr std::uint64_t kMost = 4294967;
  constexpr std::uint64_t kMega = 1'000'000;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  bits *= unit == "g" ? 1000 * kMega : unit == "m" ? kMega : unit == "k" ? 1000 : 1;
  const std::uint64_t megabits = bits / kMega;
  const bool good = error == std::errc() && megabits >= 1 && megabits <= kMost;
  return good ? std::optional(megabits) : std::nullopt;
}

FrrConfig ospf_config(const tree::ConfigTree& tree, base::Diagnostics& findings) {
  FrrConfig config;
  const auto areas = View(tree)["protocols"]["ospf"]["area"].entries();
  if (areas.empty()) {
    return config;
  }
  RouterLines(tree, findings).build(config);
  for (const auto& [key, area] : areas) {
    for (const auto& [name, interface] : area["interface"].entries()) {
      if (!interface["disable"]) {
        const std::string device = device_of(tree, name);
        config.emplace(FrrKey{FrrKind::OspfInterface, device},
                       InterfaceLines(interface, device).build(area_id(key)));
      }
    }
  }
  return config;
}

}  // namespace millrace::appliers
