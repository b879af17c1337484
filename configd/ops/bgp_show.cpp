// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show bgp summary`, `show bgp neighbor` and `show bgp group`. Sessions are bgpd's; the names of
// groups are the configuration's, since a group of ours is no object of FRR.
#include <algorithm>
#include <array>
#include <format>
#include <optional>

#include "base/words.h"
#include "ops/bgp_peers.h"
#include "ops/builtins.h"
#include "ops/frr_json.h"
#include "ops/layout.h"
#include "ops/route_text.h"
#include "tree/effective.h"

namespace millrace::ops {
namespace {

using base::Family;
using base::Result;
using nlohmann::json;
using system::FrrDaemon;

constexpr std::array kFamilies = {Family::Inet, Family::Inet6};

// bgpd's name of a family in its JSON.
std::string_view frr_name(Family family) {
  return family == Family::Inet ? "ipv4Unicast" : "ipv6Unicast";
}

struct InFamily {
  Family family = Family::Inet;
  std::int64_t active = 0;
  std::int64_t received = 0;
  std::int64_t accepted = 0;
  std::int64_t advertised = 0;
};

struct Neighbor {
  std::string address;
  std::string group;            // empty: bgpd has it, the configuration not (yet)
  json state = json::object();  // of `show bgp neighbors`
  std::vector<InFamily> families = {};
  std::vector<std::string> import_policies = {};
  std::vector<std::string> export_policies = {};

  bool established() const { return text_of(state, "bgpState") == "Established"; }
};

struct Group {
  std::string name;
  bool external = true;
  std::int64_t local_as = 0;
  std::vector<const Neighbor*> neighbors = {};
};

// "Established" as it is; a session that an administrator keeps down is Idle.
std::string state_word(const Neighbor& neighbor) {
  const std::string state = text_of(neighbor.state, "bgpState");
  return state.empty() ? "Idle" : state;
}

std::string age_of(const json& state, std::string_view member) {
  return age(
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(state, member)) / 1000));
}

// When it came up, or went down.
std::string since(const Neighbor& neighbor) {
  return neighbor.established() ? age_of(neighbor.state, "bgpTimerUpMsec")
                                : age_of(neighbor.state, "lastResetTimerMsecs");
}

// What the configuration in force says of a neighbour.
struct Configured {
  std::string group;
  std::vector<std::string> import_policies;
  std::vector<std::string> export_policies;
};

// The policies of the most specific level that names some.
std::vector<std::string> policies(std::string_view name,
                                  std::initializer_list<const tree::Node*> levels) {
  std::vector<std::string> out;
  for (const tree::Node* const level : levels) {
    if (const tree::Node* const chain = level->child(name)) {
      chain->children().for_each([&](const tree::NodePtr& policy) {
        out.emplace_back(policy->name());
        return true;
      });
      return out;
    }
  }
  return out;
}

std::map<std::string, Configured, std::less<>> configured(Context& context) {
  std::map<std::string, Configured, std::less<>> out;
  const tree::ConfigTree tree = tree::Expander().effective(context.engine.running());
  const tree::Node* const protocols = tree.root().child("protocols");
  const tree::Node* const bgp = protocols ? protocols->child("bgp") : nullptr;
  const tree::Node* const groups = bgp ? bgp->child("group") : nullptr;
  if (!groups) {
    return out;
  }
  groups->children().for_each([&](const tree::NodePtr& group) {
    if (const tree::Node* const neighbors = group->child("neighbor")) {
      neighbors->children().for_each([&](const tree::NodePtr& neighbor) {
        const auto levels = {static_cast<const tree::Node*>(neighbor.get()),
                             static_cast<const tree::Node*>(group.get()), bgp};
        out.emplace(neighbor->name(),
                    Configured{std::string(group->name()), policies("import", levels),
                               policies("export", levels)});
        return true;
      });
    }
    return true;
  });
  return out;
}

// How many routes of each neighbour are in use. Costs a walk of bgpd's table for each.
Result<void> count(Context& context, Neighbor& neighbor) {
  const json& info = part_of(neighbor.state, "addressFamilyInfo");
  for (const Family family : kFamilies) {
    const json& here = part_of(info, frr_name(family));
    if (here.is_null()) {
      continue;
    }
    InFamily counts{family};
    counts.accepted = number_of(here, "acceptedPrefixCounter");
    counts.advertised = number_of(here, "sentPrefixCounter");
    counts.received = counts.accepted;
    if (neighbor.established()) {
      const auto answer = ask_json(context.system.frr, FrrDaemon::Bgpd,
                                   std::format("show bgp {} neighbors {} prefix-counts json",
                                               bgp_family(family), neighbor.address));
      if (!answer) {
        return std::unexpected(answer.error());
      }
      const json& walked = part_of(*answer, "ribTableWalkCounters");
      counts.active = number_of(walked, "PfxCt Best Selected");
      counts.received = std::max(counts.accepted, number_of(walked, "Adj-in"));
    }
    neighbor.families.push_back(counts);
  }
  return {};
}

// All of them, or the one of that address. Errors: BGP is not running; no such neighbour.
Result<std::vector<Neighbor>> neighbors(Context& context, const std::string* only) {
  if (!bgp_is_running(context)) {
    return bgp_not_running();
  }
  const auto answer = ask_json(context.system.frr, FrrDaemon::Bgpd, "show bgp neighbors json");
  if (!answer) {
    return std::unexpected(answer.error());
  }
  const auto known = configured(context);
  std::map<base::IpAddress, Neighbor> sorted;
  for (const auto& [key, state] : answer->items()) {
    const auto address = base::IpAddress::parse(key);
    if (!address || (only && *only != key)) {
      continue;
    }
    Neighbor neighbor{key, text_of(state, "peerGroup"), state};
    if (const auto found = known.find(key); found != known.end()) {
      neighbor.group = found->second.group;
      neighbor.import_policies = found->second.import_policies;
      neighbor.export_policies = found->second.export_policies;
    }
    if (auto counted = count(context, neighbor); !counted) {
      return std::unexpected(std::move(counted.error()));
    }
    sorted.emplace(*address, std::move(neighbor));
  }
  std::vector<Neighbor> out;
  for (auto& [address, neighbor] : sorted) {
    out.push_back(std::move(neighbor));
  }
  return out;
}

std::vector<Group> grouped(const std::vector<Neighbor>& all) {
  std::map<std::pair<std::string, bool>, Group> groups;
  for (const Neighbor& neighbor : all) {
    const bool external = !flag_of(neighbor.state, "nbrInternalLink");
    Group& group = groups[{neighbor.group, external}];
    group.name = neighbor.group;
    group.external = external;
    group.local_as = number_of(neighbor.state, "localAs");
    group.neighbors.push_back(&neighbor);
  }
  std::vector<Group> out;
  for (auto& [key, group] : groups) {
    out.push_back(std::move(group));
  }
  return out;
}

json to_json(const InFamily& counts) {
  return {{"name", table_name(counts.family)},
          {"active-prefix-count", counts.active},
          {"received-prefix-count", counts.received},
          {"accepted-prefix-count", counts.accepted},
          {"advertised-prefix-count", counts.advertised}};
}

json to_json(const Neighbor& neighbor) {
  const json& messages = part_of(neighbor.state, "messageStats");
  json families = json::array();
  for (const InFamily& counts : neighbor.families) {
    families.push_back(to_json(counts));
  }
  return {{"peer-address", neighbor.address},
          {"peer-as", number_of(neighbor.state, "remoteAs")},
          {"local-as", number_of(neighbor.state, "localAs")},
          {"group", neighbor.group},
          {"description", text_of(neighbor.state, "nbrDesc")},
          {"peer-state", state_word(neighbor)},
          {"elapsed-time", since(neighbor)},
          {"input-messages", number_of(messages, "totalRecv")},
          {"output-messages", number_of(messages, "totalSent")},
          {"route-queue-count", number_of(messages, "depthOutq")},
          {"flap-count", number_of(neighbor.state, "connectionsDropped")},
          {"bgp-rib", std::move(families)}};
}

std::string summary_line(const Neighbor& neighbor) {
  const json& messages = part_of(neighbor.state, "messageStats");
  // The number of the AS ends at one column as long as the address leaves it room.
  constexpr std::size_t kAs = 27;
  const std::string as = std::to_string(number_of(neighbor.state, "remoteAs"));
  const std::size_t used = neighbor.address.size() + as.size();
  std::string line = neighbor.address + std::string(used < kAs ? kAs - used : 1, ' ') + as;
  line += std::format("{:>11}{:>11}{:>8}{:>8}{:>12} ", number_of(messages, "totalRecv"),
                      number_of(messages, "totalSent"), number_of(messages, "depthOutq"),
                      number_of(neighbor.state, "connectionsDropped"), since(neighbor));
  if (!neighbor.established()) {
    return line + state_word(neighbor) + "\n";
  }
  line += "Establ\n";
  for (const InFamily& counts : neighbor.families) {
    line += std::format("  {}: {}/{}/{}/0\n", table_name(counts.family), counts.active,
                        counts.received, counts.accepted);
  }
  return line;
}

// How many routes of BGP are in use: fewer than bgpd's best ones where another protocol has a
// better one.
Result<std::map<Family, std::int64_t>> in_use(Context& context) {
  std::map<Family, std::int64_t> out;
  for (const Family family : kFamilies) {
    const auto summary =
        ask_json(context.system.frr, FrrDaemon::Zebra,
                 std::format("show {} route summary json", family == Family::Inet ? "ip" : "ipv6"));
    if (!summary) {
      return std::unexpected(summary.error());
    }
    for (const json& source : part_of(*summary, "routes")) {
      if (protocol_name(text_of(source, "type")) == "BGP") {
        out[family] += number_of(source, "fib");
      }
    }
  }
  return out;
}

std::string summary_text(const std::vector<Neighbor>& all,
                         const std::map<Family, std::int64_t>& active) {
  const auto down =
      std::ranges::count_if(all, [](const Neighbor& one) { return !one.established(); });
  std::string text = std::format("Threading mode: BGP I/O\nGroups: {} Peers: {} Down peers: {}\n",
                                 grouped(all).size(), all.size(), down);
  text += "Table          Tot Paths  Act Paths Suppressed    History Damp State    Pending\n";
  for (const Family family : kFamilies) {
    InFamily sum;
    bool some = false;
    for (const Neighbor& neighbor : all) {
      for (const InFamily& counts : neighbor.families) {
        if (counts.family == family) {
          some = true;
          sum.received += counts.received;
        }
      }
    }
    if (const auto found = active.find(family); found != active.end()) {
      sum.active = found->second;
    }
    if (some) {
      text += std::format("{}\n{:>24} {:>10} {:>10} {:>10} {:>10} {:>10}\n", table_name(family),
                          sum.received, sum.active, 0, 0, 0, 0);
    }
  }
  text +=
      "Peer                     AS      InPkt     OutPkt    OutQ   Flaps Last Up/Dwn "
      "State|#Active/Received/Accepted/Damped...\n";
  for (const Neighbor& neighbor : all) {
    text += summary_line(neighbor);
  }
  return text;
}

std::string endpoint(const json& state, std::string_view host, std::string_view port) {
  const std::string address = text_of(state, host);
  const auto number = number_of(state, port, -1);
  if (address.empty() || address == "Unknown") {
    return "unspecified";
  }
  return number > 0 ? std::format("{}+{}", address, number) : address;
}

std::string families_in(const json& capabilities) {
  std::string out;
  for (const Family family : kFamilies) {
    const json& entry = part_of(part_of(capabilities, "multiprotocolExtensions"), frr_name(family));
    if (flag_of(entry, "advertisedAndReceived")) {
      out += out.empty() ? "" : " ";
      out += family == Family::Inet ? "inet-unicast" : "inet6-unicast";
    }
  }
  return out;
}

std::string neighbor_text(const Neighbor& neighbor) {
  const json& state = neighbor.state;
  const bool external = !flag_of(state, "nbrInternalLink");
  std::string text =
      std::format("Peer: {} AS {}  Local: {} AS {}\n",
                  endpoint(state, "hostForeign", "portForeign") == "unspecified"
                      ? neighbor.address
                      : endpoint(state, "hostForeign", "portForeign"),
                  number_of(state, "remoteAs"), endpoint(state, "hostLocal", "portLocal"),
                  number_of(state, "localAs"));
  const auto line = [&](const std::string& words) { text += "  " + words + "\n"; };
  if (const std::string description = text_of(state, "nbrDesc"); !description.empty()) {
    line("Description: " + description);
  }
  if (!neighbor.group.empty()) {
    line("Group: " + neighbor.group);
  }
  line(std::format("Type: {}    State: {}{}", external ? "External" : "Internal",
                   state_word(neighbor),
                   flag_of(state, "adminShutDown") ? " (Administratively down)" : ""));
  line(std::format("Number of flaps: {}", number_of(state, "connectionsDropped")));
  if (const std::string reason = text_of(state, "lastResetDueTo");
      !reason.empty() && !neighbor.established()) {
    line("Last reset: " + reason);
  }
  std::vector<std::string> chains;
  for (const auto& [name, chain] :
       {std::pair("Export", &neighbor.export_policies), {"Import", &neighbor.import_policies}}) {
    if (!chain->empty()) {
      chains.push_back(std::format("{}: [ {} ]", name, base::joined(*chain)));
    }
  }
  if (!chains.empty()) {
    line(base::joined(chains));
  }
  line(std::format("Holdtime: {}", number_of(state, "bgpTimerConfiguredHoldTimeMsecs") / 1000));
  if (!neighbor.established()) {
    return text + "\n";
  }
  line(std::format("Peer ID: {}    Local ID: {}    Active Holdtime: {}",
                   text_of(state, "remoteRouterId"), text_of(state, "localRouterId"),
                   number_of(state, "bgpTimerHoldTimeMsecs") / 1000));
  line(std::format("Keepalive Interval: {}    Up: {}",
                   number_of(state, "bgpTimerKeepAliveIntervalMsecs") / 1000, since(neighbor)));
  const json& capabilities = part_of(state, "neighborCapabilities");
  line("NLRI for this session: " + families_in(capabilities));
  if (text_of(capabilities, "routeRefresh").contains("eceived")) {
    line("Peer supports Refresh capability (2)");
  }
  if (text_of(capabilities, "4byteAs").contains("eceived")) {
    line(std::format("Peer supports 4 byte AS extension (peer-as {})",
                     number_of(state, "remoteAs")));
  }
  for (const InFamily& counts : neighbor.families) {
    line(std::format("Table {}", table_name(counts.family)));
    line(std::format("  Active prefixes:              {}", counts.active));
    line(std::format("  Received prefixes:            {}", counts.received));
    line(std::format("  Accepted prefixes:            {}", counts.accepted));
    line("  Suppressed due to damping:    0");
    line(std::format("  Advertised prefixes:          {}", counts.advertised));
  }
  line(std::format("Last traffic (seconds): Received {}    Sent {}",
                   number_of(state, "bgpTimerLastRead") / 1000,
                   number_of(state, "bgpTimerLastWrite") / 1000));
  const json& messages = part_of(state, "messageStats");
  for (const auto& [name, end] :
       {std::pair<std::string_view, std::string_view>{"Input", "Recv"}, {"Output", "Sent"}}) {
    line(std::format("{} messages:  Total {}    Updates {}    Refreshes {}    Keepalives {}", name,
                     number_of(messages, std::format("total{}", end)),
                     number_of(messages, std::format("updates{}", end)),
                     number_of(messages, std::format("routeRefresh{}", end)),
                     number_of(messages, std::format("keepalives{}", end))));
  }
  line(std::format("Output Queue: {}", number_of(messages, "depthOutq")));
  return text + "\n";
}

std::string group_text(const Group& group) {
  const auto up = std::ranges::count_if(group.neighbors,
                                        [](const Neighbor* one) { return one->established(); });
  std::string text = std::format("Group Type: {}    Local AS: {}\n",
                                 group.external ? "External" : "Internal", group.local_as);
  if (!group.name.empty()) {
    text += std::format("  Name: {}\n", group.name);
  }
  text += std::format("  Total peers: {:<8}Established: {}\n", group.neighbors.size(), up);
  std::map<Family, InFamily> tables;
  for (const Neighbor* const neighbor : group.neighbors) {
    const std::string foreign = endpoint(neighbor->state, "hostForeign", "portForeign");
    text += "  " + (neighbor->established() ? foreign : neighbor->address) + "\n";
    for (const InFamily& counts : neighbor->families) {
      InFamily& sum = tables[counts.family];
      sum.active += counts.active;
      sum.received += counts.received;
      sum.accepted += counts.accepted;
      sum.advertised += counts.advertised;
    }
  }
  for (const auto& [family, sum] : tables) {
    text += std::format("  {}: {}/{}/{}/0\n", table_name(family), sum.active, sum.received,
                        sum.accepted);
  }
  return text + "\n";
}

}  // namespace

Result<Reply> bgp_summary(const Match& /*match*/, Context& context) {
  const auto all = neighbors(context, nullptr);
  if (!all) {
    return std::unexpected(all.error());
  }
  json list = json::array();
  for (const Neighbor& neighbor : *all) {
    list.push_back(to_json(neighbor));
  }
  const auto down =
      std::ranges::count_if(*all, [](const Neighbor& one) { return !one.established(); });
  const auto active = in_use(context);
  if (!active) {
    return std::unexpected(active.error());
  }
  return Reply{summary_text(*all, *active),
               {{"group-count", grouped(*all).size()},
                {"peer-count", all->size()},
                {"down-peer-count", down},
                {"bgp-peer", std::move(list)}}};
}

Result<Reply> bgp_neighbor(const Match& match, Context& context) {
  const auto* const address = match.argument("address");
  const auto all = neighbors(context, address);
  if (!all) {
    return std::unexpected(all.error());
  }
  if (address && all->empty()) {
    return base::fail(base::Code::UnknownPath, std::format("no BGP neighbor {}", *address));
  }
  std::string text;
  json list = json::array();
  for (const Neighbor& neighbor : *all) {
    text += neighbor_text(neighbor);
    list.push_back(to_json(neighbor));
  }
  return Reply{std::move(text), {{"bgp-peer", std::move(list)}}};
}

Result<Reply> bgp_group(const Match& match, Context& context) {
  const auto* const name = match.argument("name");
  const auto all = neighbors(context, nullptr);
  if (!all) {
    return std::unexpected(all.error());
  }
  std::string text;
  json list = json::array();
  for (const Group& group : grouped(*all)) {
    if (name && group.name != *name) {
      continue;
    }
    text += group_text(group);
    json peers = json::array();
    for (const Neighbor* const neighbor : group.neighbors) {
      peers.push_back(neighbor->address);
    }
    list.push_back({{"name", group.name},
                    {"type", group.external ? "External" : "Internal"},
                    {"local-as", group.local_as},
                    {"peer-count", group.neighbors.size()},
                    {"peer-address", std::move(peers)}});
  }
  if (name && list.empty()) {
    return base::fail(base::Code::UnknownPath, std::format("no BGP group '{}'", *name));
  }
  return Reply{std::move(text), {{"bgp-group", std::move(list)}}};
}

}  // namespace millrace::ops
