// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/fake_frr.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/words.h"

namespace millrace::test {
namespace {

using base::Family;
using base::Result;
using system::FrrDaemon;
using system::FrrReply;

// lib/command.h
constexpr int kNoMatch = 2;
constexpr int kConfigFailed = 13;

struct StaticRoute {
  base::Prefix prefix;
  std::string next_hop;
  unsigned distance = 1;
  std::optional<std::uint32_t> tag;
};

std::optional<unsigned> number(const std::string& text, unsigned low, unsigned high) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

bool is_interface_name(const std::string& word) {
  return !word.empty() && word.size() <= 15 && !number(word, 0, 0xffffffff) && word != "tag" &&
         word.find_first_of("/:") == std::string::npos;
}

std::optional<base::IpAddress> address_of(const std::string& word, Family family) {
  const auto address = base::IpAddress::parse(word);
  return address && address->family() == family ? std::optional(*address) : std::nullopt;
}

// PREFIX (GATEWAY [IF] | IF | blackhole | reject | Null0) [tag N] [DISTANCE] — staticd/static_vty.c
std::optional<StaticRoute> parse(Family family, const std::vector<std::string>& words) {
  if (words.size() < 2 || words[0].find('/') == std::string::npos) {
    return std::nullopt;
  }
  const auto network = base::InterfaceAddress::parse(words[0]);
  if (!network || network->address.family() != family) {
    return std::nullopt;
  }
  StaticRoute route;
  route.prefix = base::Prefix(network->address, network->length);
  std::size_t at = 1;
  if (const auto gateway = address_of(words[at], family)) {
    route.next_hop = gateway->to_string();
    ++at;
    if (at < words.size() && is_interface_name(words[at])) {
      route.next_hop += " " + words[at++];
    }
  } else if (words[at] == "blackhole" || words[at] == "reject" || words[at] == "Null0") {
    route.next_hop = words[at++];
  } else if (is_interface_name(words[at])) {
    route.next_hop = words[at++];
  } else {
    return std::nullopt;
  }
  if (at + 1 < words.size() && words[at] == "tag") {
    const auto tag = number(words[at + 1], 1, 0xffffffff);
    if (!tag) {
      return std::nullopt;
    }
    route.tag = *tag;
    at += 2;
  }
  if (at < words.size()) {
    const auto distance = number(words[at++], 1, 255);
    if (!distance) {
      return std::nullopt;
    }
    route.distance = *distance;
  }
  return at == words.size() ? std::optional(route) : std::nullopt;
}

}  // namespace

void FakeFrr::set_running(FrrDaemon daemon, bool running) {
  running ? static_cast<void>(stopped_.erase(daemon)) : static_cast<void>(stopped_.insert(daemon));
}

std::vector<std::string> FakeFrr::dump() const {
  std::vector<std::string> lines;
  for (const auto& [prefix, paths] : routes_) {
    for (const auto& [distance, path] : paths) {
      for (const std::string& next_hop : path.next_hops) {
        std::string line =
            std::format("{} route {} {}", prefix.family() == Family::Inet ? "ip" : "ipv6",
                        prefix.to_string(), next_hop);
        line += path.tag == 0 ? "" : std::format(" tag {}", path.tag);
        lines.push_back(line + (distance == 1 ? "" : std::format(" {}", distance)));
      }
    }
  }
  std::ranges::sort(lines);
  std::ranges::move(bgpd.dump(), std::back_inserter(lines));
  std::ranges::move(ospfd.dump(), std::back_inserter(lines));
  return lines;
}

FakeFrrDaemon* FakeFrr::own(FrrDaemon daemon) {
  return daemon == FrrDaemon::Bgpd ? &bgpd : daemon == FrrDaemon::Ospfd ? &ospfd : nullptr;
}

bool FakeFrr::stopped(FrrDaemon daemon) {
  const FakeFrrDaemon* const own_one = own(daemon);
  return stopped_.contains(daemon) || (own_one && !own_one->running());
}

bool FakeFrr::refused(const std::string& line) const {
  return std::ranges::any_of(
      refused_, [&](const std::string& text) { return line.find(text) != std::string::npos; });
}

FrrReply FakeFrr::run(const std::string& line, Routes& routes) const {
  if (refused(line)) {
    return {line, kConfigFailed, "% Configuration failed.\n"};
  }
  std::vector<std::string> words = base::split_words(line);
  const bool remove = !words.empty() && words[0] == "no";
  words.erase(words.begin(), words.begin() + (remove ? 1 : 0));
  const FrrReply unknown{line, kNoMatch, "% Unknown command: " + line + "\n"};
  if (words.size() < 2 || (words[0] != "ip" && words[0] != "ipv6") || words[1] != "route") {
    return unknown;
  }
  const Family family = words[0] == "ip" ? Family::Inet : Family::Inet6;
  words.erase(words.begin(), words.begin() + 2);
  const auto route = parse(family, words);
  if (!route) {
    return unknown;
  }
  if (!remove) {
    PathList& path = routes[route->prefix][route->distance];
    path.tag = route->tag.value_or(0);
    path.next_hops.insert(route->next_hop);
    return {line, 0, ""};
  }
  const auto paths = routes.find(route->prefix);
  const auto path = paths == routes.end() ? std::map<unsigned, PathList>::iterator()
                                          : paths->second.find(route->distance);
  if (paths == routes.end() || path == paths->second.end() ||
      path->second.next_hops.erase(route->next_hop) == 0) {
    return {line, kConfigFailed, "% Refusing to remove a non-existent route\n"};
  }
  if (path->second.next_hops.empty()) {
    paths->second.erase(path);
  }
  if (paths->second.empty()) {
    routes.erase(paths);
  }
  return {line, 0, ""};
}

Result<std::vector<FrrReply>> FakeFrr::configure_own(FakeFrrDaemon& daemon,
                                                     const std::vector<std::string>& lines) {
  daemon.end();  // a session of its own
  std::vector<FrrReply> replies;
  for (const std::string& line : lines) {
    if (const auto allowed = hook_ ? hook_(daemon.name() + ": " + line) : Result<void>();
        !allowed) {
      replies.push_back({line, kConfigFailed, "% " + allowed.error().message + "\n"});
      break;
    }
    const std::string text = refused(line) ? "% Configuration failed.\n" : daemon.run(line);
    replies.push_back({line, text.empty() ? 0 : kConfigFailed, text});
    if (replies.back().refused()) {
      break;
    }
  }
  return replies;
}

Result<std::vector<FrrReply>> FakeFrr::configure(FrrDaemon daemon,
                                                 const std::vector<std::string>& lines) {
  if (stopped(daemon)) {
    return base::fail(base::Code::Io, std::format("{} does not answer", system::to_string(daemon)));
  }
  if (FakeFrrDaemon* const own_one = own(daemon)) {
    return configure_own(*own_one, lines);
  }
  Routes after = routes_;
  std::vector<FrrReply> replies;
  for (const std::string& line : lines) {
    // What the hook refuses or interrupts is refused or interrupted before the transaction's end.
    const auto allowed = hook_ ? hook_("frr: " + line) : Result<void>();
    if (!allowed) {
      replies.push_back({line, kConfigFailed, "% " + allowed.error().message + "\n"});
      return replies;
    }
    replies.push_back(daemon == FrrDaemon::Mgmtd
                          ? run(line, after)
                          : FrrReply{line, kNoMatch, "% Unknown command: " + line + "\n"});
    if (replies.back().refused()) {
      return replies;
    }
  }
  if (daemon == FrrDaemon::Mgmtd) {
    replies.push_back({"XFRR_end_configuration", 0, ""});
    routes_ = std::move(after);
  }
  return replies;
}

Result<void> FakeFrr::answers(FrrDaemon daemon) {
  if (stopped(daemon)) {
    return base::fail(base::Code::Io, std::format("{} does not answer", system::to_string(daemon)));
  }
  return {};
}

// What mgmtd prints of one route of its data tree.
std::string FakeFrr::data_of(std::string_view command) const {
  const auto begin = command.find("[prefix='") + std::string_view("[prefix='").size();
  const auto prefix = base::Prefix::parse(command.substr(begin, command.find('\'', begin) - begin));
  const auto found = prefix ? routes_.find(*prefix) : routes_.end();
  if (found == routes_.end()) {
    return "(null)\n";
  }
  using Json = nlohmann::json;
  Json paths = Json::array();
  for (const auto& [distance, path] : found->second) {
    Json hops = Json::array();
    for (const std::string& next_hop : path.next_hops) {
      const std::string first = next_hop.substr(0, next_hop.find(' '));
      const bool gateway = base::IpAddress::parse(first).has_value();
      const bool through = gateway && first != next_hop;
      const std::string family = prefix->family() == Family::Inet ? "ip4" : "ip6";
      Json hop = {{"vrf", "default"},
                  {"gateway", gateway ? first : ""},
                  {"interface", through ? next_hop.substr(first.size() + 1) : "(null)"}};
      if (first == "blackhole" || first == "reject" || first == "Null0") {
        hop["nh-type"] = "blackhole";
        if (first != "Null0") {  // the default is left out
          hop["bh-type"] = first == "reject" ? "reject" : "unspec";
        }
      } else if (!gateway) {
        hop["nh-type"] = "ifindex";
        hop["interface"] = first;
      } else {
        hop["nh-type"] = family + (through ? "-ifindex" : "");
      }
      hops.push_back(std::move(hop));
    }
    Json one = {{"table-id", 0}, {"distance", distance}, {"frr-nexthops", {{"nexthop", hops}}}};
    if (path.tag != 0) {
      one["tag"] = path.tag;
    }
    paths.push_back(std::move(one));
  }
  return Json{{"frr-staticd:route-list", {{{"prefix", prefix->to_string()}, {"path-list", paths}}}}}
             .dump(2) +
         "\n\n";
}

Result<std::string> FakeFrr::show(FrrDaemon daemon, std::string_view command) {
  if (stopped(daemon)) {
    return base::fail(base::Code::Io, std::format("{} does not answer", system::to_string(daemon)));
  }
  if (daemon == FrrDaemon::Mgmtd && command.starts_with("show mgmt datastore-contents running ")) {
    return data_of(command);
  }
  if (command == "clear ip ospf process") {
    return std::string();
  }
  if (command != "show running-config") {
    return std::format("% Unknown command: {}\n", command);
  }
  std::string text =
      "Building configuration...\n\nCurrent configuration:\n!\nfrr version 10.3\n"
      "frr defaults traditional\nhostname r1\n!\n";
  if (daemon == FrrDaemon::Mgmtd) {
    for (const std::string& line : dump()) {
      text += line + "\n";
    }
    text += "!\n";
  }
  if (const FakeFrrDaemon* const own_one = own(daemon)) {
    text += own_one->running_config();
  }
  return text + "end\n";
}

}  // namespace millrace::test
