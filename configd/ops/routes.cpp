// SPDX-License-Identifier: GPL-2.0-or-later
//
// The two tables side by side. What is asked of the daemons follows what is wanted: one prefix,
// what is below one, one protocol, or everything. For everything below a prefix bgpd has no form
// with all attributes (10.3), so it is asked for the names and then for each of them.
#include "ops/routes.h"

#include <algorithm>
#include <format>
#include <utility>

#include "ops/bgp_peers.h"
#include "ops/frr_json.h"
#include "ops/layout.h"
#include "ops/routes_json.h"

namespace millrace::ops {
namespace {

using base::Family;
using base::Prefix;
using base::Result;
using nlohmann::json;
using system::FrrDaemon;
using Kind = Selection::Match;

constexpr std::size_t kBatch = 256;  // prefixes asked of bgpd on one connection

std::string zebra_table(Family family) {
  return family == Family::Inet ? "show ip route" : "show ipv6 route";
}

// zebra's word for a protocol; empty: it has none, so all are read.
std::string_view zebra_word(std::string_view shown) {
  for (const auto& [ours, theirs] :
       {std::pair<std::string_view, std::string_view>{"direct", "connected"},
        {"static", "static"},
        {"kernel", "kernel"},
        {"ospf", "ospf"},
        {"bgp", "bgp"}}) {
    if (ours == shown) {
      return theirs;
    }
  }
  return {};  // Local is told from Direct only beside it
}

struct Paths {
  Prefix prefix;
  std::vector<Route> routes;
};

std::vector<Route> paths_of(const Prefix& prefix, const json& paths, const Resolved& resolved) {
  std::vector<Route> routes;
  for (const json& path : paths) {
    const std::string peer = text_of(part_of(path, "peer"), "peerId");
    // What this router put into BGP is a route of another protocol.
    if (!flag_of(path, "sourced") && peer != "0.0.0.0" && peer != "::") {
      routes.push_back(bgp_route(prefix, path, resolved));
    }
  }
  return routes;
}

// bgpd's prefixes in order.
class BgpTable {
 public:
  static Result<BgpTable> open(Context& context, Family family, const Selection& selection) {
    const bool all = !selection.within || selection.within->length() == 0;
    auto list = members(context.system.frr, FrrDaemon::Bgpd,
                        all ? std::format("show bgp {} detail json", bgp_family(family))
                            : std::format("show bgp {} {} longer-prefixes json", bgp_family(family),
                                          selection.within->to_string()),
                        2);
    if (!list) {
      return std::unexpected(std::move(list.error()));
    }
    auto resolved = resolved_next_hops(context);
    if (!resolved) {
      return std::unexpected(std::move(resolved.error()));
    }
    return BgpTable(context, family, std::move(*list), all, std::move(*resolved));
  }

  Result<std::optional<Paths>> next() {
    while (ready_.empty()) {
      if (ended_) {
        return std::nullopt;
      }
      if (auto read = fill(); !read) {
        return std::unexpected(std::move(read.error()));
      }
      std::ranges::reverse(ready_);
    }
    Paths paths = std::move(ready_.back());
    ready_.pop_back();
    return paths;
  }

 private:
  BgpTable(Context& context, Family family, JsonMembers list, bool complete, Resolved resolved)
      : context_(&context),
        family_(family),
        list_(std::move(list)),
        complete_(complete),
        resolved_(std::move(resolved)) {}

  Result<void> fill() {
    std::vector<std::string> commands;
    while (ready_.size() < (complete_ ? 1 : kBatch)) {
      auto member = list_.next();
      if (!member) {
        return std::unexpected(std::move(member.error()));
      }
      if (!*member) {
        ended_ = true;
        break;
      }
      const auto prefix = Prefix::parse((*member)->key);
      if (!prefix) {
        continue;
      }
      ready_.push_back({*prefix, {}});
      if (complete_) {
        ready_.back().routes = paths_of(*prefix, (*member)->value, resolved_);
      } else {
        commands.push_back(
            std::format("show bgp {} {} json", bgp_family(family_), prefix->to_string()));
      }
    }
    if (commands.empty()) {
      return {};
    }
    const auto answers = context_->system.frr.show_each(FrrDaemon::Bgpd, commands);
    if (!answers) {
      return std::unexpected(answers.error());
    }
    for (std::size_t at = 0; at < answers->size() && at < ready_.size(); ++at) {
      const json answer = parsed((*answers)[at]);
      ready_[at].routes = paths_of(ready_[at].prefix, part_of(answer, "paths"), resolved_);
    }
    return {};
  }

  Context* context_;
  Family family_;
  JsonMembers list_;
  bool complete_;  // the list has all that is wanted
  Resolved resolved_;
  bool ended_ = false;
  std::vector<Paths> ready_;  // the next one last
};

std::vector<Route> zebra_routes(const Prefix& prefix, const json& entries) {
  std::vector<Route> routes;
  for (const json& entry : entries) {
    routes.push_back(zebra_route(prefix, entry));
  }
  return routes;
}

bool is_chosen(const Selection& selection, const Route& route) {
  return (selection.protocol.empty() || lower(route.protocol) == selection.protocol) &&
         (!selection.keep || selection.keep(route));
}

void give(const Selection& selection, std::vector<Route> zebra, std::vector<Route> paths,
          const std::function<void(const Destination&)>& take) {
  Destination routes = joined_routes(std::move(zebra), std::move(paths));
  std::erase_if(routes, [&](const Route& route) { return !is_chosen(selection, route); });
  if (!routes.empty()) {
    take(routes);
  }
}

// The most specific prefix that covers all of `wanted` and has a route.
Result<std::vector<Route>> longest(Context& context, const Prefix& wanted, Kind match) {
  const auto family = wanted.family();
  const bool host = wanted.length() == base::bits(family);
  for (int length = wanted.length(); length >= 0; --length) {
    const Prefix covering(wanted.address(), static_cast<std::uint8_t>(length));
    const auto answer =
        ask_json(context.system.frr, FrrDaemon::Zebra,
                 std::format("{} {} json", zebra_table(family),
                             host && match == Kind::Best ? wanted.address().to_string()
                                                         : covering.to_string()));
    if (!answer) {
      return std::unexpected(answer.error());
    }
    for (const auto& [key, entries] : answer->items()) {
      const auto prefix = Prefix::parse(key);
      auto routes = prefix ? zebra_routes(*prefix, entries) : std::vector<Route>();
      if (!routes.empty()) {
        return routes;
      }
    }
    if (match == Kind::Exact || host) {
      break;
    }
  }
  return std::vector<Route>();
}

Result<void> one_destination(Context& context, const Selection& selection,
                             const std::function<void(const Destination&)>& take) {
  auto zebra = longest(context, *selection.within, selection.match);
  if (!zebra) {
    return std::unexpected(std::move(zebra.error()));
  }
  const Prefix prefix = zebra->empty() ? *selection.within : zebra->front().prefix;
  std::vector<Route> paths;
  if (bgp_is_running(context)) {
    const auto answer = ask_json(
        context.system.frr, FrrDaemon::Bgpd,
        std::format("show bgp {} {} json", bgp_family(prefix.family()), prefix.to_string()));
    if (!answer) {
      return std::unexpected(answer.error());
    }
    const auto resolved = resolved_next_hops(context);
    if (!resolved) {
      return std::unexpected(resolved.error());
    }
    paths = paths_of(prefix, part_of(*answer, "paths"), *resolved);
  }
  if (selection.hidden) {
    auto rejected = rejected_routes(context, prefix.family());
    if (!rejected) {
      return std::unexpected(std::move(rejected.error()));
    }
    if (const auto found = rejected->find(prefix); found != rejected->end()) {
      std::ranges::move(found->second, std::back_inserter(paths));
    }
  }
  give(selection, std::move(*zebra), std::move(paths), take);
  return {};
}

std::string zebra_command(Family family, const Selection& selection) {
  if (selection.within && selection.within->length() > 0) {
    return std::format("{} {} longer-prefixes json", zebra_table(family),
                       selection.within->to_string());
  }
  const auto word = zebra_word(selection.protocol);
  return word.empty() ? zebra_table(family) + " json"
                      : std::format("{} {} json", zebra_table(family), word);
}

// The two lists with the hidden routes between, by prefix.
class Join {
 public:
  Join(JsonMembers zebra, std::optional<BgpTable> bgp, RejectedRoutes rejected)
      : zebra_(std::move(zebra)), bgp_(std::move(bgp)), rejected_(std::move(rejected)) {}

  Result<void> run(const Selection& selection,
                   const std::function<void(const Destination&)>& take) {
    if (auto read = advance_zebra(); !read) {
      return read;
    }
    if (auto read = advance_bgp(); !read) {
      return read;
    }
    while (zebra_now_ || bgp_now_ || !rejected_.empty()) {
      Prefix prefix = zebra_now_ ? zebra_now_->prefix
                      : bgp_now_ ? bgp_now_->prefix
                                 : rejected_.begin()->first;
      if (bgp_now_) {
        prefix = std::min(prefix, bgp_now_->prefix);
      }
      if (!rejected_.empty()) {
        prefix = std::min(prefix, rejected_.begin()->first);
      }
      std::vector<Route> routes;
      std::vector<Route> paths;
      if (zebra_now_ && zebra_now_->prefix == prefix) {
        routes = std::move(zebra_now_->routes);
        if (auto read = advance_zebra(); !read) {
          return read;
        }
      }
      if (bgp_now_ && bgp_now_->prefix == prefix) {
        paths = std::move(bgp_now_->routes);
        if (auto read = advance_bgp(); !read) {
          return read;
        }
      }
      if (!rejected_.empty() && rejected_.begin()->first == prefix) {
        std::ranges::move(rejected_.begin()->second, std::back_inserter(paths));
        rejected_.erase(rejected_.begin());
      }
      const auto& within = selection.within;
      const bool outside =
          within && (prefix.length() < within->length() || !within->contains(prefix.address()));
      const bool too_short = selection.match == Kind::Longer && within && prefix == *within;
      if (!outside && !too_short) {
        give(selection, std::move(routes), std::move(paths), take);
      }
    }
    return {};
  }

 private:
  Result<void> advance_zebra() {
    while (true) {
      auto member = zebra_.next();
      if (!member) {
        return std::unexpected(std::move(member.error()));
      }
      if (!*member) {
        zebra_now_.reset();
        return {};
      }
      if (const auto prefix = Prefix::parse((*member)->key)) {
        zebra_now_ = Paths{*prefix, zebra_routes(*prefix, (*member)->value)};
        return {};
      }
    }
  }
  Result<void> advance_bgp() {
    if (!bgp_) {
      return {};
    }
    auto next = bgp_->next();
    if (!next) {
      return std::unexpected(std::move(next.error()));
    }
    bgp_now_ = std::move(*next);
    return {};
  }

  JsonMembers zebra_;
  std::optional<BgpTable> bgp_;
  RejectedRoutes rejected_;
  std::optional<Paths> zebra_now_;
  std::optional<Paths> bgp_now_;
};

}  // namespace

std::string_view table_name(Family family) {
  return family == Family::Inet ? "inet.0" : "inet6.0";
}

std::string_view bgp_family(Family family) {
  return family == Family::Inet ? "ipv4 unicast" : "ipv6 unicast";
}

Result<void> for_each_destination(Context& context, Family family, const Selection& selection,
                                  const std::function<void(const Destination&)>& take) {
  if (selection.within && selection.within->family() != family) {
    return {};
  }
  if (selection.match == Kind::Best || selection.match == Kind::Exact) {
    return one_destination(context, selection, take);
  }
  auto zebra = members(context.system.frr, FrrDaemon::Zebra, zebra_command(family, selection), 1);
  if (!zebra) {
    return std::unexpected(std::move(zebra.error()));
  }
  std::optional<BgpTable> bgp;
  RejectedRoutes rejected;
  const bool wants_bgp = selection.protocol.empty() || selection.protocol == "bgp";
  if (wants_bgp && bgp_is_running(context)) {
    auto opened = BgpTable::open(context, family, selection);
    if (!opened) {
      return std::unexpected(std::move(opened.error()));
    }
    bgp.emplace(std::move(*opened));
    if (selection.hidden) {
      auto read = rejected_routes(context, family);
      if (!read) {
        return std::unexpected(std::move(read.error()));
      }
      rejected = std::move(*read);
    }
  }
  return Join(std::move(*zebra), std::move(bgp), std::move(rejected)).run(selection, take);
}

}  // namespace millrace::ops
