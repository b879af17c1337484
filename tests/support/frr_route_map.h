// SPDX-License-Identifier: GPL-2.0-or-later
//
// Evaluates route-maps as bgpd of FRR 10.3 does (lib/routemap.c, bgpd/bgp_routemap.c), from the
// lines that a compiler made. It refuses lines that it does not know. What it says is checked
// against a real bgpd in policy_frr_test.cpp.
#pragma once

#include <regex.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "appliers/frr_object.h"
#include "base/words.h"
#include "support/policy_route.h"

namespace millrace::support {

class FrrRouteMap {
 public:
  void add(const appliers::FrrObject& object) {
    for (const auto& line : object.lines) {
      const auto words = base::split_words(line.text);
      if (line.block.empty() && words[0] == "route-map") {
        maps_[words[1]][std::stoi(words[3])].permit = words[2] == "permit";
      } else if (!line.block.empty()) {
        const auto head = base::split_words(line.block);
        maps_[head[1]][std::stoi(head[3])].lines.push_back(words);
      } else {
        add_list(words, line.text);
      }
    }
  }

  // `neighbor`: the other end, `own`: ours, for next-hop peer-address.
  Outcome apply(const std::string& name, Route route, bool import, const std::string& neighbor,
                const std::string& own) const {
    const auto map = maps_.find(name);
    if (map == maps_.end()) {
      return {false, {}};
    }
    int from = 0;
    for (const auto& [number, entry] : map->second) {
      if (number < from || !matches(entry, route)) {
        continue;
      }
      if (!entry.permit) {
        return {false, {}};
      }
      int go = -1;
      for (const auto& words : entry.lines) {
        if (words[0] == "set") {
          change(words, route, import ? neighbor : own);
        } else if (words[0] == "on-match") {
          go = words[1] == "next" ? number + 1 : std::stoi(words[2]);
        }
      }
      if (go < 0) {
        return {true, route};
      }
      from = go;
    }
    throw std::runtime_error("evaluation runs over the end of " + name);
  }

 private:
  using Words = std::vector<std::string>;
  struct Entry {
    bool permit = true;
    std::vector<Words> lines;
  };
  struct PrefixRule {
    bool permit;
    base::Prefix prefix;
    unsigned low;
    unsigned high;
  };
  struct ListRule {
    bool permit;
    bool expanded;
    std::string text;
  };

  static std::string after(const std::string& line, const std::string& word) {
    return line.substr(line.find(word) + word.size());
  }

  void add_list(const Words& words, const std::string& line) {
    if (words[1] == "prefix-list") {  // ip prefix-list N seq S permit P [ge G] [le L]
      PrefixRule rule{words[5] == "permit", *base::Prefix::parse(words[6]), 0, 0};
      rule.low = rule.high = rule.prefix.length();
      for (std::size_t i = 7; i + 1 < words.size(); i += 2) {
        const auto value = static_cast<unsigned>(std::stoul(words[i + 1]));
        (words[i] == "ge" ? rule.low : rule.high) = value;
        if (words[i] == "ge" && words.size() == 9) {
          rule.high = base::bits(rule.prefix.family());
        }
      }
      prefixes_[words[2]].push_back(rule);
    } else if (words[1] == "as-path") {  // bgp as-path access-list N seq S permit REGEX
      lists_[words[3]].push_back({words[6] == "permit", true, after(line, words[6] + " ")});
    } else if (words[1].ends_with(
                   "community-list")) {  // bgp community-list standard N seq S permit
      lists_[words[3]].push_back(
          {words[6] == "permit", words[2] == "expanded", after(line, words[6] + " ")});
    } else {
      throw std::runtime_error("unknown line " + line);
    }
  }

  static bool regex_matches(const std::string& expression, const std::string& text) {
    regex_t compiled;
    if (regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
      throw std::runtime_error("no regular expression: " + expression);
    }
    const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
    regfree(&compiled);
    return found;
  }

  static std::string name_of(std::uint32_t community) {
    return community == 0xFFFFFF01U   ? "no-export"
           : community == 0xFFFFFF02U ? "no-advertise"
           : community == 0xFFFFFF03U ? "local-AS"
                                      : std::format("{}:{}", community >> 16U, community & 0xFFFFU);
  }

  static Words tokens(const std::string& kind, const Route& route) {
    Words result;
    if (kind == "community") {
      for (const auto value : route.communities) {
        result.push_back(name_of(value));
      }
    } else if (kind == "extcommunity") {
      for (const auto& value : route.extended) {
        result.push_back((value.starts_with("target:") ? "RT:" : "SoO:") + value.substr(7));
      }
    } else {
      result.assign(route.large.begin(), route.large.end());
    }
    return result;
  }

  // "rt 1:2 rt 3:4" as "RT:1:2", "RT:3:4".
  static Words values_of(const std::string& text) {
    Words values;
    std::string type;
    for (const std::string& word : base::split_words(text)) {
      if (word == "rt" || word == "soo") {
        type = word == "rt" ? "RT:" : "SoO:";
      } else {
        values.push_back(type + word);
      }
    }
    return values;
  }

  bool list_permits(const std::string& name, const Words& present) const {
    const auto list = lists_.find(name);
    if (list == lists_.end()) {
      return false;
    }
    for (const ListRule& rule : list->second) {
      const bool hit = rule.expanded
                           ? !present.empty() && regex_matches(rule.text, base::joined(present))
                           : std::ranges::all_of(values_of(rule.text), [&](const auto& v) {
                               return std::ranges::find(present, v) != present.end();
                             });
      if (hit) {
        return rule.permit;
      }
    }
    return false;
  }

  bool list_deletes(const std::string& name, const std::string& value) const {
    for (const ListRule& rule : lists_.at(name)) {
      const auto values = values_of(rule.text);
      const bool hit = rule.expanded ? regex_matches(rule.text, value)
                                     : std::ranges::find(values, value) != values.end();
      if (hit) {
        return rule.permit;
      }
    }
    return false;
  }

  bool prefix_permits(const std::string& name, const base::Prefix& route) const {
    const auto list = prefixes_.find(name);
    if (list == prefixes_.end()) {
      return false;
    }
    for (const PrefixRule& rule : list->second) {
      if (rule.prefix.family() == route.family() && rule.prefix.contains(route.address()) &&
          route.length() >= rule.low && route.length() <= rule.high) {
        return rule.permit;
      }
    }
    return false;
  }

  bool matches(const Entry& entry, const Route& route) const {
    return std::ranges::all_of(entry.lines, [&](const Words& words) {
      return words[0] != "match" || holds(words, route);
    });
  }

  bool holds(const Words& words, const Route& route) const {
    const std::string& what = words[1];
    const std::string& value = words.back();
    if (what == "ip" || what == "ipv6") {
      if (words[2] == "next-hop") {
        const auto hop = base::IpAddress::parse(route.next_hop);
        return prefix_permits(
            value, base::Prefix(*hop, static_cast<std::uint8_t>(base::bits(hop->family()))));
      }
      return prefix_permits(value, route.prefix);
    }
    if (what == "as-path") {
      std::string text;
      for (const auto system : route.path) {
        text += (text.empty() ? "" : " ") + std::to_string(system);
      }
      const auto list = lists_.find(value);
      return list != lists_.end() && std::ranges::any_of(list->second, [&](const ListRule& rule) {
               return regex_matches(rule.text, text);
             });
    }
    if (what.ends_with("community")) {
      return list_permits(value, tokens(what, route));
    }
    if (what == "source-protocol") {
      return value == (route.protocol == "direct" ? "connected" : route.protocol);
    }
    return what == "local-preference" ? value == std::to_string(route.local_preference)
           : what == "metric"         ? value == std::to_string(route.med)
           : what == "origin"         ? value == route.origin
           : what == "tag"            ? value == std::to_string(route.tag)
           : what == "peer" || what == "src-peer"
               ? value == route.neighbor
               : throw std::runtime_error("unknown clause match " + what);
  }

  static void change_number(const std::string& text, std::uint32_t& value) {
    const auto amount = std::stoull(text.find_first_of("+-") == 0 ? text.substr(1) : text);
    if (text.starts_with('+')) {
      value = static_cast<std::uint32_t>(std::min<std::uint64_t>(value + amount, 4294967295U));
    } else if (text.starts_with('-')) {
      value = value > amount ? static_cast<std::uint32_t>(value - amount) : 0;
    } else {
      value = static_cast<std::uint32_t>(amount);
    }
  }

  static std::uint32_t number_of(const std::string& community) {
    for (const std::uint32_t known : {0xFFFFFF01U, 0xFFFFFF02U, 0xFFFFFF03U}) {
      if (name_of(known) == community) {
        return known;
      }
    }
    const std::size_t colon = community.find(':');
    return static_cast<std::uint32_t>(std::stoul(community.substr(0, colon)) << 16U |
                                      std::stoul(community.substr(colon + 1)));
  }

  void change(const Words& words, Route& route, const std::string& peer_address) const {
    const std::string& what = words[1];
    if (what == "local-preference") {
      change_number(words[2], route.local_preference);
    } else if (what == "metric") {
      change_number(words[2], route.med);
    } else if (what == "origin") {
      route.origin = words[2];
    } else if (what == "tag") {
      route.tag = static_cast<std::uint32_t>(std::stoul(words[2]));
    } else if (what == "ip" || what == "ipv6") {
      const bool inet = route.prefix.family() == base::Family::Inet;
      if (inet == (what == "ip")) {
        route.next_hop = words.back() == "peer-address" ? peer_address : words.back();
      }
    } else if (what == "as-path" && words[3] == "last-as") {
      if (!route.path.empty()) {
        route.path.insert(route.path.begin(), std::stoul(words[4]), route.path.front());
      }
    } else if (what == "as-path") {
      std::vector<std::uint32_t> systems;
      for (std::size_t i = 3; i < words.size(); ++i) {
        systems.push_back(static_cast<std::uint32_t>(std::stoul(words[i])));
      }
      route.path.insert(route.path.begin(), systems.begin(), systems.end());
    } else {
      change_communities(words, route);
    }
  }

  void change_communities(const Words& words, Route& route) const {
    const std::string& what = words[1];
    const bool additive = words.back() == "additive";
    const Words values(words.begin() + 2, words.end() - (additive ? 1 : 0));
    if (what == "comm-list") {
      std::erase_if(route.communities,
                    [&](std::uint32_t value) { return list_deletes(words[2], name_of(value)); });
    } else if (what == "large-comm-list") {
      std::erase_if(route.large,
                    [&](const std::string& value) { return list_deletes(words[2], value); });
    } else if (what == "extended-comm-list") {
      // An expression is matched against all of them together (bgpd/bgp_clist.c).
      std::erase_if(route.extended, [&](const std::string& value) {
        return list_deletes(words[2],
                            (value.starts_with("target:") ? "RT:" : "SoO:") + value.substr(7));
      });
    } else if (what == "community") {
      if (!additive) {
        route.communities.clear();
      }
      for (const std::string& value : values) {
        if (value != "none") {
          route.communities.insert(number_of(value));
        }
      }
    } else if (what == "large-community") {
      if (!additive) {
        route.large.clear();
      }
      for (const std::string& value : values) {
        if (value != "none") {
          route.large.insert(value);
        }
      }
    } else if (what == "extcommunity") {
      if (values.front() == "none") {
        route.extended.clear();
        return;
      }
      for (std::size_t i = 1; i < values.size(); ++i) {
        route.extended.insert((values.front() == "rt" ? "target:" : "origin:") + values[i]);
      }
    } else {
      throw std::runtime_error("unknown clause set " + what);
    }
  }

  std::map<std::string, std::map<int, Entry>> maps_;
  std::map<std::string, std::vector<PrefixRule>> prefixes_;
  std::map<std::string, std::vector<ListRule>> lists_;
};

}  // namespace millrace::support
