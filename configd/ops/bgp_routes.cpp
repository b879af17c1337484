// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show route receive-protocol bgp N` and `show route advertising-protocol bgp N`: what a neighbour
// said before policy, and what it is told after.
//
//   inet.0: 8 destinations, 11 routes (7 active, 0 holddown, 1 hidden)
//     Prefix                  Nexthop              MED     Lclpref    AS path
//   * 203.0.113.0/24          10.0.0.2             0                  65002 I
#include <algorithm>
#include <format>
#include <optional>

#include "ops/bgp_peers.h"
#include "ops/builtins.h"
#include "ops/frr_json.h"
#include "ops/route_text.h"

namespace millrace::ops {
namespace {

using base::Family;
using base::Prefix;
using base::Result;
using nlohmann::json;
using system::FrrDaemon;

constexpr std::size_t kMostData = 1'000;

struct Exchange {
  bool sent = false;
  std::string peer;
  bool external = true;
  std::int64_t local_as = 0;
  std::int64_t peer_as = 0;
};

// Preference of local use has no meaning between two AS.
std::string preference(const Exchange& exchange, const json& entry) {
  return exchange.external || part_of(entry, "locPrf").is_null()
             ? ""
             : std::to_string(number_of(entry, "locPrf"));
}

std::string next_hop(const Exchange& exchange, const BgpPath& bgp) {
  const bool own = bgp.protocol_next_hop == "0.0.0.0" || bgp.protocol_next_hop == "::";
  return exchange.sent && own ? "Self" : bgp.protocol_next_hop;
}

// The own AS, which bgpd puts into the path on the way out, in brackets.
std::string path_text(const Exchange& exchange, const BgpPath& bgp, bool detail) {
  return exchange.sent && exchange.external && detail
             ? std::format("[{}] {}", exchange.local_as, as_path_text(bgp))
             : as_path_text(bgp);
}

void append_brief(std::string& out, const Exchange& exchange, const Route& route, bool active,
                  const json& entry) {
  const BgpPath& bgp = *route.bgp;
  std::string line = std::format("{} {}", active ? '*' : ' ', route.prefix.to_string());
  if (line.size() >= 25) {
    out += line + "\n";
    line.clear();
  }
  out += std::format("{:<25} {:<20} {:<7} {:<10} {}\n", line, next_hop(exchange, bgp),
                     bgp.med ? std::to_string(*bgp.med) : "", preference(exchange, entry),
                     path_text(exchange, bgp, false));
}

void append_detail(std::string& out, const Exchange& exchange, const Route& route, bool active,
                   const json& entry) {
  const BgpPath& bgp = *route.bgp;
  out += std::format("{} {} (1 entry, {} announced)\n", active ? '*' : ' ',
                     route.prefix.to_string(), active ? 1 : 0);
  const auto line = [&](const std::string& text) { out += "     " + text + "\n"; };
  if (!exchange.sent) {
    line(route.hidden ? "Hidden reason: rejected by import policy" : "Accepted");
  }
  line("Nexthop: " + next_hop(exchange, bgp));
  if (bgp.med) {
    line(std::format("MED: {}", *bgp.med));
  }
  if (const auto value = preference(exchange, entry); !value.empty()) {
    line("Localpref: " + value);
  }
  line("AS path: " + path_text(exchange, bgp, true));
  out += '\n';
}

json to_json(const Exchange& exchange, const Route& route, bool active, const json& entry) {
  json out = {{"destination", route.prefix.to_string()},
              {"active", active},
              {"next-hop", next_hop(exchange, *route.bgp)},
              {"as-path", path_text(exchange, *route.bgp, true)}};
  if (route.bgp->med) {
    out["med"] = *route.bgp->med;
  }
  if (const auto value = preference(exchange, entry); !value.empty()) {
    out["local-preference"] = value;
  }
  return out;
}

Result<Exchange> exchange_with(Context& context, const std::string& peer, bool sent) {
  if (!bgp_is_running(context)) {
    return bgp_not_running();
  }
  const auto known = ask_json(context.system.frr, FrrDaemon::Bgpd, "show bgp neighbors json");
  if (!known) {
    return std::unexpected(known.error());
  }
  const json& state = part_of(*known, peer);
  if (state.is_null()) {
    return base::fail(base::Code::UnknownPath, std::format("no BGP neighbor {}", peer));
  }
  return Exchange{sent, peer, !flag_of(state, "nbrInternalLink"), number_of(state, "localAs"),
                  number_of(state, "remoteAs")};
}

struct Wanted {
  std::optional<Prefix> within;
  bool exact = false;
  bool detail = false;

  bool has(const Prefix& prefix) const {
    return !within ||
           (exact ? prefix == *within
                  : prefix.length() >= within->length() && within->contains(prefix.address()));
  }
};

// The prefixes of this neighbour whose path is the best one.
Result<std::map<Prefix, bool>> best_from(Context& context, Family family, const Exchange& exchange,
                                         const Wanted& wanted) {
  std::map<Prefix, bool> best;
  Selection selection;
  selection.within = wanted.within;
  selection.match = wanted.exact ? Selection::Match::Exact : Selection::Match::OrLonger;
  selection.protocol = "bgp";
  selection.keep = [&](const Route& route) {
    return route.active && route.bgp && route.bgp->peer == exchange.peer;
  };
  auto read = for_each_destination(context, family, selection, [&](const Destination& routes) {
    best.emplace(routes.front().prefix, true);
  });
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return best;
}

Result<Reply> exchanged(const Match& match, Context& context, bool sent) {
  const auto exchange = exchange_with(context, *match.argument("neighbor"), sent);
  if (!exchange) {
    return std::unexpected(exchange.error());
  }
  Wanted wanted;
  wanted.exact = match.has("exact");
  wanted.detail = match.has("detail") || match.has("extensive");
  if (const auto* const destination = match.argument("destination")) {
    auto prefix = Prefix::parse(*destination);
    if (!prefix) {
      return std::unexpected(std::move(prefix.error()));
    }
    wanted.within = *prefix;
  }
  std::string text;
  json tables = json::array();
  std::size_t count = 0;
  for (const Family family : {Family::Inet, Family::Inet6}) {
    if (wanted.within && wanted.within->family() != family) {
      continue;
    }
    std::map<Prefix, bool> best;
    RejectedRoutes rejected;
    if (!sent) {
      auto known = best_from(context, family, *exchange, wanted);
      auto hidden = rejected_routes(context, family);
      if (!known || !hidden) {
        return std::unexpected(known ? hidden.error() : known.error());
      }
      best = std::move(*known);
      rejected = std::move(*hidden);
    }
    auto list = members(context.system.frr, FrrDaemon::Bgpd,
                        std::format("show bgp {} neighbors {} {}-routes json", bgp_family(family),
                                    exchange->peer, sent ? "advertised" : "received"),
                        2);
    if (!list) {
      return std::unexpected(std::move(list.error()));
    }
    std::string body;
    json routes = json::array();
    while (true) {
      auto member = list->next();
      if (!member) {
        return std::unexpected(std::move(member.error()));
      }
      if (!*member) {
        break;
      }
      const auto prefix = Prefix::parse((*member)->key);
      if (!prefix || !wanted.has(*prefix)) {
        continue;
      }
      const json& entry = (*member)->value;
      Route route = listed_route(*prefix, entry, exchange->peer);
      const auto kept_out = rejected.find(*prefix);
      route.hidden = kept_out != rejected.end() &&
                     std::ranges::any_of(kept_out->second, [&](const Route& one) {
                       return one.bgp->peer == exchange->peer;
                     });
      // What is sent is in use; what was rejected is shown where hidden routes are asked for.
      if (!sent && route.hidden != match.has("hidden") && !match.has("all")) {
        continue;
      }
      const bool active = sent || best.contains(*prefix);
      (wanted.detail ? append_detail : append_brief)(body, *exchange, route, active, entry);
      if (++count <= kMostData || context.structured) {
        routes.push_back(to_json(*exchange, route, active, entry));
      }
    }
    if (body.empty()) {
      continue;
    }
    const auto counted = totals(context, family);
    if (!counted) {
      return std::unexpected(counted.error());
    }
    std::string header = route_header(family, *counted, RouteForm::Detail);
    header.pop_back();
    text += "\n" + header;
    if (!wanted.detail) {
      text += std::format("{:<25} {:<20} {:<7} {:<10} {}\n", "  Prefix", "Nexthop", "MED",
                          "Lclpref", "AS path");
    }
    text += body;
    tables.push_back({{"name", table_name(family)}, {"routes", std::move(routes)}});
  }
  const bool has_data = context.structured || count <= kMostData;
  return Reply{std::move(text), has_data ? json{{"tables", std::move(tables)}} : json()};
}

}  // namespace

Result<Reply> received_routes(const Match& match, Context& context) {
  return exchanged(match, context, false);
}

Result<Reply> advertised_routes(const Match& match, Context& context) {
  return exchanged(match, context, true);
}

}  // namespace millrace::ops
