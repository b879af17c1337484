// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show ospf neighbor` and `show ospf interface`, from what ospfd says.
#include <format>
#include <map>

#include "base/address.h"
#include "ops/builtins.h"
#include "ops/frr_json.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;
using system::FrrDaemon;

Result<json> ask(Context& context, const std::string& command) {
  if (!context.system.frr.answers(FrrDaemon::Ospfd)) {
    return base::fail(base::Code::UnknownPath, "OSPF instance is not running");
  }
  return ask_json(context.system.frr, FrrDaemon::Ospfd, command);
}

const json& object_in(const json& answer, std::string_view key) {
  static const json kNone = json::object();
  const json& part = part_of(answer, key);
  return part.is_object() ? part : kNone;
}

// "Full" of "Full/DR".
std::string state_of(const json& neighbor) {
  const std::string state = text_of(neighbor, "nbrState");
  return state.substr(0, state.find('/'));
}

std::string interface_state(const json& interface) {
  const std::string state = text_of(interface, "state");
  for (const auto& [theirs, ours] : {std::pair<std::string_view, std::string_view>{"Backup", "BDR"},
                                     {"DROther", "DRother"},
                                     {"Point-To-Point", "PtToPt"},
                                     {"Loopback", "DRother"}}) {
    if (theirs == state) {
      return std::string(ours);
    }
  }
  return state;
}

std::string or_none(std::string id) {
  return id.empty() ? "0.0.0.0" : id;
}

json to_json(const std::string& id, const json& neighbor) {
  return {{"neighbor-address", text_of(neighbor, "ifaceAddress")},
          {"interface-name", logical_name(text_of(neighbor, "ifaceName"))},
          {"ospf-neighbor-state", state_of(neighbor)},
          {"neighbor-id", id},
          {"neighbor-priority", number_of(neighbor, "nbrPriority")},
          {"activity-timer", number_of(neighbor, "routerDeadIntervalTimerDueMsec") / 1000},
          {"ospf-area", text_of(neighbor, "areaId")},
          {"neighbor-up-time", number_of(neighbor, "lastPrgrsvChangeMsec") / 1000}};
}

}  // namespace

Result<Reply> ospf_neighbor(const Match& match, Context& context) {
  const auto answer = ask(context, "show ip ospf neighbor detail json");
  if (!answer) {
    return std::unexpected(answer.error());
  }
  const auto* const only = match.argument("address");
  std::map<std::pair<std::string, std::string>, json> sorted;  // by interface and address
  for (const auto& [id, there] : object_in(*answer, "neighbors").items()) {
    for (const json& neighbor : there) {
      const std::string address = text_of(neighbor, "ifaceAddress");
      if (!only || *only == address || *only == id) {
        sorted.emplace(std::pair(text_of(neighbor, "ifaceName"), address), to_json(id, neighbor));
      }
    }
  }
  if (only && sorted.empty()) {
    return base::fail(base::Code::UnknownPath, std::format("no OSPF neighbor {}", *only));
  }
  std::string text =
      row({{0, "Address"}, {17, "Interface"}, {40, "State"}, {50, "ID"}, {67, "Pri  Dead"}});
  json data = json::array();
  for (auto& [key, neighbor] : sorted) {
    const std::string last = std::format("{:>3}  {:>4}", number_of(neighbor, "neighbor-priority"),
                                         number_of(neighbor, "activity-timer"));
    text += row({{0, text_of(neighbor, "neighbor-address")},
                 {17, text_of(neighbor, "interface-name")},
                 {40, text_of(neighbor, "ospf-neighbor-state")},
                 {50, text_of(neighbor, "neighbor-id")},
                 {67, last}});
    if (match.has("detail")) {
      text += std::format("  Area {}, up for {}\n", text_of(neighbor, "ospf-area"),
                          age(static_cast<std::uint64_t>(number_of(neighbor, "neighbor-up-time"))));
    }
    data.push_back(std::move(neighbor));
  }
  return Reply{sorted.empty() ? "" : text, {{"ospf-neighbor", std::move(data)}}};
}

Result<Reply> ospf_interface(const Match& match, Context& context) {
  const auto answer = ask(context, "show ip ospf interface json");
  if (!answer) {
    return std::unexpected(answer.error());
  }
  std::string text = row(
      {{0, "Interface"}, {20, "State"}, {28, "Area"}, {44, "DR ID"}, {60, "BDR ID"}, {76, "Nbrs"}});
  json data = json::array();
  for (const auto& [device, interface] : object_in(*answer, "interfaces").items()) {
    if (!flag_of(interface, "ospfEnabled")) {
      continue;
    }
    json entry = {{"interface-name", logical_name(device)},
                  {"ospf-interface-state", interface_state(interface)},
                  {"ospf-area", text_of(interface, "area")},
                  {"dr-id", or_none(text_of(interface, "drId"))},
                  {"bdr-id", or_none(text_of(interface, "bdrId"))},
                  {"neighbor-count", number_of(interface, "nbrCount")},
                  {"interface-cost", number_of(interface, "cost")},
                  {"hello-interval", number_of(interface, "timerMsecs") / 1000},
                  {"dead-interval", number_of(interface, "timerDeadSecs")},
                  {"passive", flag_of(interface, "timerPassiveIface")}};
    text += row({{0, text_of(entry, "interface-name")},
                 {20, text_of(entry, "ospf-interface-state")},
                 {28, text_of(entry, "ospf-area")},
                 {44, text_of(entry, "dr-id")},
                 {60, text_of(entry, "bdr-id")},
                 {76, std::format("{:>4}", number_of(entry, "neighbor-count"))}});
    if (match.has("detail")) {
      text += std::format(
          "  Address: {}/{}, MTU: {}, Cost: {}\n  {}Hello: {}, Dead: {}, ReXmit: {}\n",
          text_of(interface, "ipAddress"), number_of(interface, "ipAddressPrefixlen"),
          number_of(interface, "mtuBytes"), number_of(entry, "interface-cost"),
          flag_of(entry, "passive") ? "Passive, " : "", number_of(entry, "hello-interval"),
          number_of(entry, "dead-interval"), number_of(interface, "timerRetransmitSecs"));
    }
    data.push_back(std::move(entry));
  }
  return Reply{data.empty() ? "" : text, {{"ospf-interface", std::move(data)}}};
}

}  // namespace millrace::ops
