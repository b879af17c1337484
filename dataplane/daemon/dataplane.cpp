// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/dataplane.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/log.h"

namespace millrace::daemon {
namespace {

using base::Level;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kProbesAtOnce = 64;
constexpr unsigned kRetryTicks = 10;
constexpr std::size_t kRoutesShown = 1000;

// The names of Ethernet interfaces in the configuration (base/interface_name.h).
bool is_port(const fib::Link& link) {
  const std::string& name = link.name;
  return name.size() > 3 && name.starts_with("eth") &&
         std::ranges::all_of(name.substr(3), [](char c) { return c >= '0' && c <= '9'; }) &&
         (link.kind.empty() || link.kind == "veth");
}

std::string text_of(fib::Family family, const fib::Key& key) {
  const std::size_t size = base::bits(family) / 8;
  return base::IpAddress(family, std::span(key.data(), size)).to_string();
}

json count_of(const loader::Count& count) {
  return {{"packets", count.packets}, {"bytes", count.bytes}};
}

const char* word_of(std::uint32_t reason) {
  static constexpr const char* kWords[] = {
#define MILLRACE_WORD(name, word, text) word,
      DP_REASONS(MILLRACE_WORD)
#undef MILLRACE_WORD
  };
  return reason < DP_REASON_COUNT ? kWords[reason] : "unknown";
}

}  // namespace

Dataplane::Dataplane(const Configuration& configuration, std::unique_ptr<loader::Programs> programs,
                     loader::Dispatcher dispatcher, const std::string& pins,
                     std::unique_ptr<fib::NetlinkSource> source)
    : configuration_(configuration),
      programs_(std::move(programs)),
      mirror_(programs_->memory(), programs_->hashes(), is_port),
      ports_(*programs_, std::move(dispatcher), pins),
      source_(std::move(source)) {}

base::Result<std::unique_ptr<Dataplane>> Dataplane::start(const Configuration& configuration,
                                                          const std::string& pins) {
  auto programs = loader::Programs::load(configuration.sizes);
  if (!programs) {
    return std::unexpected(std::move(programs.error()));
  }
  auto dispatcher = loader::Dispatcher::open(pins);
  if (!dispatcher) {
    return std::unexpected(std::move(dispatcher.error()));
  }
  auto source = fib::NetlinkSource::open();
  if (!source) {
    return std::unexpected(std::move(source.error()));
  }
  std::unique_ptr<Dataplane> dataplane(new Dataplane(
      configuration, std::move(*programs), std::move(*dispatcher), pins, std::move(*source)));
  if (!dataplane->programs_->watch_problem().empty()) {
    base::log(Level::Warning,
              "frames that drivers lose go unnoticed: " + dataplane->programs_->watch_problem());
  }
  // tables first, ports after: no port forwards by half a table
  if (auto result = dataplane->resync(); !result) {
    return std::unexpected(std::move(result.error()));
  }
  return dataplane;
}

base::Result<void> Dataplane::resync() {
  const auto began = Clock::now();
  mirror_.begin_epoch();
  if (auto result = source_->dump(mirror_); !result) {
    return result;
  }
  mirror_.end_epoch();
  last_resync_ = Clock::now();
  resync_took_ = last_resync_ - began;
  ++resyncs_;
  settle(true);
  return {};
}

// After any batch of news: tables, then ports, then what is asked of the kernel. Looking at ports
// costs system calls, so routes alone are no reason to.
void Dataplane::settle(bool look_at_ports) {
  mirror_.commit();
  if (look_at_ports || link_changes_ != mirror_.link_changes()) {
    link_changes_ = mirror_.link_changes();
    ports_.reconcile(mirror_,
                     [&](const std::string& name) { return configuration_.mode_of(name); });
  }
  std::size_t probes = 0;
  for (const fib::Neighbour& neighbour : mirror_.take_stale()) {
    if (++probes > kProbesAtOnce) {
      break;  // the rest is named again when it goes stale the next time
    }
    source_->probe(neighbour);
  }
}

base::Result<void> Dataplane::on_news() {
  const auto news = source_->read(mirror_);
  if (!news) {
    return std::unexpected(news.error());
  }
  if (*news == fib::RouteSource::News::Lost) {
    base::log(Level::Warning, "the kernel's messages came too fast; everything is read again");
    return resync();
  }
  settle(false);
  return {};
}

base::Result<void> Dataplane::on_tick() {
  // a resync is never more than a tenth of what we do
  const auto since = Clock::now() - last_resync_;
  if (mirror_.wants_resync() && since > 10 * resync_took_) {
    return resync();
  }
  if (++ticks_ % kRetryTicks == 0) {
    ports_.retry();
  }
  settle(true);
  return {};
}

void Dataplane::reconfigure(const Configuration& configuration) {
  configuration_ = configuration;
  settle(true);
}

json Dataplane::show() const {
  const auto summary = mirror_.summary();
  json interfaces = json::array();
  for (const loader::PortStatus& port : ports_.status()) {
    json counters = json::object();
    const loader::PortCounts counts = programs_->counts(port.number);
    for (std::uint32_t reason = 0; reason < DP_REASON_COUNT; ++reason) {
      if (counts[reason].packets != 0) {
        counters[word_of(reason)] = count_of(counts[reason]);
      }
    }
    json sent = json::object();
    for (const auto& each : mirror_.ports()) {
      if (each.number == port.number) {
        sent[each.link.name] = count_of(programs_->sent(mirror_.unit_of(each.link.ifindex)));
        for (const fib::Link& vlan : mirror_.vlans_of(each.link.ifindex)) {
          sent[vlan.name] = count_of(programs_->sent(mirror_.unit_of(vlan.ifindex)));
        }
      }
    }
    interfaces.push_back({{"name", port.name},
                          {"mode", port.mode},
                          {"mode-reason", port.mode_reason},
                          {"tier", port.tier},
                          {"tier-reason", port.tier_reason},
                          {"counters", std::move(counters)},
                          {"sent", std::move(sent)}});
  }
  const auto table = [](std::size_t used, std::size_t limit) {
    return json{{"used", used}, {"limit", limit}};
  };
  return {{"enabled", true},
          {"alarms", summary.alarms},
          {"interfaces", std::move(interfaces)},
          {"routes", {{"inet", summary.routes4}, {"inet6", summary.routes6}}},
          {"resyncs", resyncs_},
          {"tables",
           {{"nodes", table(summary.trie.nodes, summary.trie.node_limit)},
            {"entries", table(summary.trie.entries, summary.trie.entry_limit)},
            {"adjacencies", table(summary.adjacencies, summary.adjacency_limit)},
            {"groups", table(summary.groups, summary.group_limit)},
            {"neighbours", table(summary.neighbours, configuration_.sizes.neighbours)}}}};
}

json Dataplane::routes(const json& request) const {
  static constexpr const char* kKinds[] = {"none",  "kernel",    "discard", "adjacency",
                                           "group", "connected", "",        ""};
  const std::size_t limit =
      std::min<std::size_t>(request.value("limit", kRoutesShown), kRoutesShown);
  json list = json::array();
  std::size_t total = 0;
  mirror_.for_each_route([&](fib::Family family, std::uint32_t table, const fib::Key& key,
                             unsigned length, std::uint32_t leaf) {
    ++total;
    if (list.size() < limit) {
      const std::uint32_t kind = DP_KIND(leaf);
      json route = {{"prefix", text_of(family, key) + "/" + std::to_string(length)},
                    {"table", table},
                    {"kind", kKinds[kind]},
                    {"index", leaf & DP_INDEX}};
      if (kind == DP_KIND_PASS) {
        route["reason"] = word_of(leaf & DP_INDEX);
      }
      list.push_back(std::move(route));
    }
  });
  return {{"routes", std::move(list)}, {"total", total}};
}

json Dataplane::adjacencies() const {
  json list = json::array();
  for (const auto& [key, index] : mirror_.adjacencies().by_key()) {
    const dp_hop& hop = mirror_.adjacencies().hop(index);
    const fib::Link* link = mirror_.link(key.ifindex);
    base::MacAddress mac;
    std::ranges::copy(hop.destination, mac.bytes.begin());
    const bool forwards = hop.kind == DP_HOP_FORWARD;
    list.push_back({{"index", index},
                    {"address", text_of(key.family, key.address)},
                    {"interface", link != nullptr ? link->name : std::to_string(key.ifindex)},
                    {"state", forwards ? "forwarding" : word_of(hop.reason)},
                    {"mac", forwards ? mac.to_string() : ""},
                    {"mtu", hop.mtu}});
    if (list.size() >= kRoutesShown) {
      break;
    }
  }
  return {{"adjacencies", std::move(list)}};
}

json Dataplane::answer(const json& request) {
  const std::string what = request.value("request", "");
  if (what == "show") {
    return show();
  }
  if (what == "routes") {
    return routes(request);
  }
  if (what == "adjacencies") {
    return adjacencies();
  }
  if (what == "clear") {
    for (const auto& port : mirror_.ports()) {
      programs_->clear_counts(port.number);
      programs_->clear_sent(mirror_.unit_of(port.link.ifindex));
      for (const fib::Link& vlan : mirror_.vlans_of(port.link.ifindex)) {
        programs_->clear_sent(mirror_.unit_of(vlan.ifindex));
      }
    }
    return json::object();
  }
  return {
      {"error", "found the request '" + what + "', expected show, routes, adjacencies or clear"}};
}

}  // namespace millrace::daemon
