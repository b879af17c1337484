// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show route` and `show route summary`. The text grows as routes come; a table that nobody asked
// to have as data is not kept as data, too, when it is large.
#include <algorithm>
#include <array>
#include <format>
#include <optional>

#include "base/glob.h"
#include "ops/as_path_filter.h"
#include "ops/builtins.h"
#include "ops/layout.h"
#include "ops/route_text.h"

namespace millrace::ops {
namespace {

using base::Family;
using base::Result;
using nlohmann::json;

constexpr std::size_t kMostData = 1'000;  // routes of a reply that has data without being asked

constexpr std::array kFamilies = {Family::Inet, Family::Inet6};

bool is_wanted(const Match& match, Family family) {
  const auto* const table = match.argument("table");
  return !table || *table == table_name(family);
}

RouteForm form_of(const Match& match) {
  return match.has("terse")       ? RouteForm::Terse
         : match.has("extensive") ? RouteForm::Extensive
         : match.has("detail")    ? RouteForm::Detail
                                  : RouteForm::Brief;
}

// What a route must be besides being of a prefix and a protocol.
Result<std::function<bool(const Route&)>> filter(const Match& match) {
  std::optional<AsPathFilter> path;
  if (const auto* text = match.argument("aspath-regex")) {
    auto parsed = AsPathFilter::parse(*text);
    if (!parsed) {
      return std::unexpected(std::move(parsed.error()));
    }
    path = std::move(*parsed);
  }
  std::optional<std::string> community;
  if (const auto* text = match.argument("community")) {
    if (!base::is_glob(*text)) {
      return base::fail(base::Code::BadValue,
                        std::format("invalid community '{}', expected AS:NUMBER, a name, or a "
                                    "pattern of one as 65000:*",
                                    *text));
    }
    community = *text;
  }
  std::optional<std::string> next_hop;
  if (const auto* text = match.argument("next-hop")) {
    next_hop = *text;
  }
  const bool hidden = match.has("hidden");
  const bool all = match.has("all");
  const bool inactive = match.has("inactive-path");
  const bool active = match.has("active-path");
  return [=](const Route& route) {
    if (route.hidden != hidden && !all) {
      return false;
    }
    if ((inactive && route.active) || (active && !route.active)) {
      return false;
    }
    if (path && (!route.bgp || !path->matches(route.bgp->as_path))) {
      return false;
    }
    if (community &&
        (!route.bgp || std::ranges::none_of(route.bgp->communities, [&](const std::string& one) {
          return base::glob_matches(*community, one);
        }))) {
      return false;
    }
    return !next_hop || std::ranges::any_of(route.next_hops, [&](const NextHop& hop) {
      return hop.to == *next_hop;
    });
  };
}

Result<Selection> select(const Match& match) {
  Selection selection;
  using Kind = Selection::Match;
  selection.match = match.has("exact")    ? Kind::Exact
                    : match.has("longer") ? Kind::Longer
                    : match.has("best")   ? Kind::Best
                                          : Kind::OrLonger;
  if (match.has("exact") + match.has("longer") + match.has("best") > 1) {
    return base::fail(base::Code::BadValue, "exact, longer and best exclude each other");
  }
  if (const auto* destination = match.argument("destination")) {
    auto prefix = base::Prefix::parse(*destination);
    if (!prefix) {
      return std::unexpected(std::move(prefix.error()));
    }
    if (!destination->contains('/') && selection.match == Kind::OrLonger) {
      selection.match = Kind::Best;  // an address is looked up
    }
    selection.within = *prefix;
  } else if (selection.match != Kind::OrLonger) {
    return base::fail(base::Code::BadValue, "exact, longer and best need a prefix or an address");
  }
  selection.hidden = match.has("hidden") || match.has("all");
  if (const auto* protocol = match.argument("protocol")) {
    selection.protocol = lower(*protocol);
  } else if (match.has("aspath-regex") || match.has("community") || match.has("hidden")) {
    selection.protocol = "bgp";  // only routes of BGP have such
  }
  auto keep = filter(match);
  if (!keep) {
    return std::unexpected(std::move(keep.error()));
  }
  selection.keep = std::move(*keep);
  return selection;
}

}  // namespace

Result<Reply> route(const Match& match, Context& context) {
  const auto selection = select(match);
  if (!selection) {
    return std::unexpected(selection.error());
  }
  const RouteForm form = form_of(match);
  std::string text;
  json tables = json::array();
  std::size_t count = 0;
  bool has_data = true;
  for (const Family family : kFamilies) {
    if (!is_wanted(match, family) || (selection->within && selection->within->family() != family)) {
      continue;
    }
    const auto counted = totals(context, family);
    if (!counted) {
      return std::unexpected(counted.error());
    }
    std::string body;
    json routes = json::array();
    const auto shown =
        for_each_destination(context, family, *selection, [&](const Destination& destination) {
          append_routes(body, destination, form, counted->local_as);
          count += destination.size();
          has_data = has_data && (context.structured || count <= kMostData);
          for (const Route& route : destination) {
            if (has_data) {
              routes.push_back(route_json(route));
            }
          }
        });
    if (!shown) {
      return std::unexpected(shown.error());
    }
    // Asked for hidden routes, the header alone says that there are none.
    if (!body.empty() || match.has("hidden")) {
      text += "\n" + route_header(family, *counted, form) + body;
      tables.push_back({{"name", table_name(family)},
                        {"destinations", counted->destinations},
                        {"total-routes", counted->routes},
                        {"active-routes", counted->active},
                        {"hidden-routes", counted->hidden},
                        {"routes", std::move(routes)}});
    }
  }
  return Reply{std::move(text), has_data ? json{{"tables", std::move(tables)}} : json()};
}

Result<Reply> route_summary(const Match& match, Context& context) {
  std::string text;
  json tables = json::array();
  std::string router_id;
  std::int64_t as = 0;
  for (const Family family : kFamilies) {
    if (!is_wanted(match, family)) {
      continue;
    }
    const auto counted = totals(context, family);
    if (!counted) {
      return std::unexpected(counted.error());
    }
    router_id = counted->router_id.empty() ? router_id : counted->router_id;
    as = counted->local_as != 0 ? counted->local_as : as;
    if (counted->routes == 0) {
      continue;
    }
    text += route_header(family, *counted, RouteForm::Detail);
    text.pop_back();  // no blank line here
    json protocols = json::array();
    for (const auto& [name, protocol] : counted->protocols) {
      text += std::format("{:>20}: {:>6} routes, {:>6} active\n", name, protocol.routes,
                          protocol.active);
      protocols.push_back(
          {{"protocol", name}, {"routes", protocol.routes}, {"active-routes", protocol.active}});
    }
    text += '\n';
    tables.push_back({{"name", table_name(family)},
                      {"destinations", counted->destinations},
                      {"total-routes", counted->routes},
                      {"active-routes", counted->active},
                      {"hidden-routes", counted->hidden},
                      {"protocols", std::move(protocols)}});
  }
  std::string head = as == 0 ? "" : std::format("Autonomous system number: {}\n", as);
  head += router_id.empty() ? "" : std::format("Router ID: {}\n", router_id);
  return Reply{head + (head.empty() ? "" : "\n") + text, {{"tables", std::move(tables)}}};
}

}  // namespace millrace::ops
