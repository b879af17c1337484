// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/route_text.h"

#include <algorithm>
#include <format>

#include "base/words.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using nlohmann::json;

constexpr std::size_t kColumn = 19;  // of the flag before the protocol

std::string state_words(const Route& route) {
  const bool external = route.bgp && !route.bgp->internal;
  std::string words = route.active ? "Active " : route.hidden ? "Hidden " : "NotBest ";
  words += external ? "Ext" : "Int";
  return std::format("<{}{}>", words, route.protocol == "Local" ? " NoReadvrt" : "");
}

std::string type_of(const Route& route) {
  if (!route.next_hops.empty() && !route.next_hops.front().type.empty()) {
    return route.next_hops.front().type;
  }
  if (route.protocol == "Direct") {
    return "Interface";
  }
  return route.protocol == "Local" ? "Local" : "Router";
}

std::string hop_text(const NextHop& hop) {
  std::string text;
  if (!hop.to.empty()) {
    text = hop.via.empty() ? hop.to : hop.to + " ";
  }
  return hop.via.empty() ? text : text + "via " + hop.via;
}

void append_brief(std::string& out, const Route& route, bool first) {
  const std::string prefix = first ? route.prefix.to_string() : "";
  out += prefix;
  if (prefix.size() + 1 > kColumn) {
    out += '\n';
    out.append(kColumn, ' ');
  } else {
    out.append(kColumn - prefix.size(), ' ');
  }
  out += route.active ? "*[" : " [";
  out += route.protocol + (route.rejected ? " ]" : std::format("/{}]", route.preference));
  std::vector<std::string> facts;
  if (route.metric != 0 && !route.bgp) {
    facts.push_back(std::format("metric {}", route.metric));
  }
  if (route.tag != 0) {
    facts.push_back(std::format("tag {}", route.tag));
  }
  if (route.bgp) {
    if (route.bgp->med) {
      facts.push_back(std::format("MED {}", *route.bgp->med));
    }
    facts.push_back(std::format("localpref {}", route.bgp->local_preference));
    if (route.bgp->peer != route.bgp->protocol_next_hop) {
      facts.push_back("from " + route.bgp->peer);
    }
  }
  if (!route.age.empty()) {
    facts.insert(facts.begin(), route.age);
  }
  out += facts.empty() ? "\n" : " " + base::joined(facts, ", ") + "\n";
  if (route.bgp) {
    out += std::format("{:22}AS path: {}, validation-state: unverified\n", "",
                       as_path_text(*route.bgp));
  }
  for (const NextHop& hop : route.next_hops) {
    if (!hop.type.empty()) {
      out += std::format("{:22}{}\n", "", hop.type);
    } else if (route.protocol == "Local") {
      out += std::format("{:22}Local via {}\n", "", hop.via);
    } else if (hop.via.empty()) {
      out += std::format("{:20}{} to {}\n", "", hop.selected ? '>' : ' ', hop.to);
    } else {
      out += std::format("{:20}{} {}{}\n", "", hop.selected ? '>' : ' ',
                         hop.to.empty() ? "" : "to ", hop_text(hop));
    }
  }
}

// Text right-aligned with its last letter at `column`.
void right(std::string& line, std::size_t column, const std::string& text) {
  const std::size_t width = column + 1 > line.size() ? column + 1 - line.size() : 0;
  line += std::format("{:>{}}", text, std::max(width, text.size() + (line.empty() ? 0 : 1)));
}

void append_terse(std::string& out, const Route& route, bool first) {
  constexpr std::size_t kProtocol = 23;
  constexpr std::size_t kNextHop = 51;
  constexpr std::size_t kAsPath = 68;
  std::string line = std::format("{} {} {}", route.active ? '*' : ' ', route.bgp ? '?' : ' ',
                                 first ? route.prefix.to_string() : "");
  if (line.size() >= kProtocol) {
    out += line + "\n";
    line.clear();
  }
  line.resize(std::max(line.size(), kProtocol), ' ');
  line += route.protocol.front();
  right(line, 27, route.rejected ? "" : std::to_string(route.preference));
  if (route.bgp) {
    right(line, 38, std::to_string(route.bgp->local_preference));
    if (route.bgp->med) {
      right(line, 49, std::to_string(*route.bgp->med));
    }
    line.resize(std::max(line.size() + 1, kAsPath), ' ');
    out += line + as_path_text(*route.bgp) + "\n";
    line = "  unverified";
  } else if (route.metric != 0 || route.protocol == "OSPF") {
    right(line, 38, std::to_string(route.metric));
  }
  bool one = false;
  for (const NextHop& hop : route.next_hops) {
    line.resize(std::max(line.size() + 1, kNextHop), ' ');
    out += line + (hop.selected && hop.type.empty() ? ">" : " ") +
           (!hop.type.empty() ? hop.type
            : hop.to.empty()  ? hop.via
                              : hop.to) +
           "\n";
    line.clear();
    one = true;
  }
  if (!one) {
    out += line + "\n";
  }
}

std::string inactive_reason(const Route& route, const Destination& all) {
  const Route& best = all.front();
  if (!best.active || route.hidden) {
    return {};
  }
  if (best.protocol != route.protocol || !best.bgp) {
    return "Route Preference";
  }
  // bgpd says what decided for the best one at last; of two paths that is what the other one lost
  // by.
  const auto paths =
      std::ranges::count_if(all, [](const Route& other) { return other.bgp && !other.hidden; });
  return paths == 2 ? best.bgp->why_best : "Not Best in its group";
}

void append_detail(std::string& out, const Route& route, const Destination& all, bool extensive,
                   std::int64_t local_as) {
  const std::string indent(16, ' ');
  const auto line = [&](const std::string& text) { out += indent + text + "\n"; };
  const std::string local =
      route.bgp ? std::format("/-{}", route.bgp->local_preference + 1) : std::string();
  out += std::format("        {}{:<7}", route.active ? '*' : ' ', route.protocol);
  // What policy rejects has no preference.
  out += route.rejected ? std::string(13, ' ') + local
                        : std::format("Preference: {}{}", route.preference, local);
  out += '\n';
  line("Next hop type: " + type_of(route));
  if (route.bgp) {
    line("Source: " + route.bgp->peer);
  }
  for (const NextHop& hop : route.next_hops) {
    if (hop.type.empty()) {
      line(std::format("Next hop: {}{}", hop_text(hop), hop.selected ? ", selected" : ""));
    }
  }
  if (extensive && route.bgp) {
    line("Protocol next hop: " + route.bgp->protocol_next_hop);
  }
  line("State: " + state_words(route));
  if (!route.active) {
    if (const std::string reason = inactive_reason(route, all); !reason.empty()) {
      line("Inactive reason: " + reason);
    }
  }
  if (route.rejected) {
    line("Hidden reason: rejected by import policy");
  } else if (route.hidden) {
    line("Hidden reason: protocol nexthop is not on the interface or is not reachable");
  }
  if (route.bgp && local_as != 0) {
    const BgpPath& bgp = *route.bgp;
    const std::int64_t peer_as = bgp.internal ? local_as : bgp.peer_as;
    line(std::format("Local AS: {}", local_as) +
         (peer_as != 0 ? std::format(" Peer AS: {}", peer_as) : ""));
  }
  std::string age = route.age.empty() ? "" : "Age: " + route.age;
  const std::int64_t metric = route.bgp ? route.bgp->med.value_or(0) : route.metric;
  if (metric != 0 || (route.bgp && route.bgp->med)) {
    age += std::format("{}Metric: {}", age.empty() ? "" : "   ", metric);
  }
  if (!age.empty()) {
    line(age);
  }
  if (route.tag != 0) {
    line(std::format("Tag: {}", route.tag));
  }
  if (!route.bgp) {
    line("AS path: I");
    out += '\n';
    return;
  }
  const BgpPath& bgp = *route.bgp;
  line("Validation State: unverified");
  line("AS path: " + as_path_text(bgp));
  if (!bgp.aggregator.empty()) {
    line("Aggregator: " + bgp.aggregator);
  }
  if (!bgp.originator.empty()) {
    line("Originator ID: " + bgp.originator);
  }
  if (!bgp.cluster_list.empty()) {
    line("Cluster list: " + bgp.cluster_list);
  }
  if (!bgp.communities.empty()) {
    line("Communities: " + base::joined(bgp.communities));
  }
  if (!route.hidden) {
    line("Accepted");
  }
  line(std::format("Localpref: {}", bgp.local_preference));
  if (!bgp.peer_id.empty()) {
    line("Router ID: " + bgp.peer_id);
  }
  out += '\n';
}

}  // namespace

std::string as_path_text(const BgpPath& bgp) {
  return bgp.as_path.empty() ? std::string(1, bgp.origin)
                             : std::format("{} {}", bgp.as_path, bgp.origin);
}

std::string route_header(base::Family family, const Totals& totals, RouteForm form) {
  std::string out = std::format(
      "{}: {} destinations, {} routes ({} active, 0 holddown, {} hidden)\n", table_name(family),
      totals.destinations, totals.routes, totals.active, totals.hidden);
  if (form == RouteForm::Brief || form == RouteForm::Terse) {
    out += "+ = Active Route, - = Last Active, * = Both\n";
  }
  out += '\n';
  if (form == RouteForm::Terse) {
    out += "A V Destination        P Prf   Metric 1   Metric 2  Next hop        AS path\n";
  }
  return out;
}

void append_routes(std::string& out, const Destination& routes, RouteForm form,
                   std::int64_t local_as) {
  if (form == RouteForm::Detail || form == RouteForm::Extensive) {
    out +=
        std::format("{} ({} {}, {} announced)\n", routes.front().prefix.to_string(), routes.size(),
                    routes.size() == 1 ? "entry" : "entries",
                    std::ranges::count_if(routes, [](const Route& route) { return route.active; }));
  }
  for (const Route& route : routes) {
    const bool first = &route == &routes.front();
    if (form == RouteForm::Brief) {
      append_brief(out, route, first);
    } else if (form == RouteForm::Terse) {
      append_terse(out, route, first);
    } else {
      append_detail(out, route, routes, form == RouteForm::Extensive, local_as);
    }
  }
}

json route_json(const Route& route) {
  json hops = json::array();
  for (const NextHop& hop : route.next_hops) {
    json entry = {{"selected", hop.selected}};
    const auto add = [&](const char* name, const std::string& text) {
      if (!text.empty()) {
        entry[name] = text;
      }
    };
    add("type", hop.type);
    add("to", hop.to);
    add("via", hop.via);
    hops.push_back(std::move(entry));
  }
  json out = {{"destination", route.prefix.to_string()},
              {"protocol", route.protocol},
              {"preference", route.preference},
              {"metric", route.metric},
              {"age", route.age},
              {"active", route.active},
              {"next-hops", std::move(hops)}};
  if (route.tag != 0) {
    out["tag"] = route.tag;
  }
  if (route.hidden) {
    out["hidden"] = true;
  }
  if (route.bgp) {
    const BgpPath& bgp = *route.bgp;
    out["from"] = bgp.peer;
    out["as-path"] = as_path_text(bgp);
    out["local-preference"] = bgp.local_preference;
    if (bgp.med) {
      out["med"] = *bgp.med;
    }
    out["communities"] = bgp.communities;
    out["protocol-next-hop"] = bgp.protocol_next_hop;
  }
  return out;
}

}  // namespace millrace::ops
