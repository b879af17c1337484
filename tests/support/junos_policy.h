// SPDX-License-Identifier: GPL-2.0-or-later
//
// Evaluates a chain of policies for one route, straight from the configuration, as Juniper's policy
// guide describes it. It knows nothing of FRR and shares nothing with the compiler that it judges.
//
// Decisions that the guide leaves open: the subroutines of a term are asked after its other
// conditions; of several kinds of prefix conditions in a term route-filters come first, then
// prefix-list-filters, then prefix-lists; of one `then` the AS path is expanded before it is
// prepended to.
#pragma once

#include <algorithm>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "support/policy_route.h"
#include "tree/view.h"

namespace millrace::support {

class JunosPolicy {
 public:
  struct Where {
    bool import = true;
    std::string neighbor;     // at the other end of the session
    std::string own_address;  // our end
  };
  JunosPolicy(const tree::ConfigTree& tree, Where where)
      : options_(tree::View(tree)["policy-options"]), where_(std::move(where)) {}

  Outcome evaluate(const std::vector<std::string>& chain, Route route) const {
    const bool accepted = decide(chain, route);
    return {accepted, std::move(route)};
  }

 private:
  using View = tree::View;
  enum class Verdict { Accept, Reject, NextPolicy };

  // A chain with the default policy of BGP behind it. What it changes stays in `route`.
  bool decide(const std::vector<std::string>& chain, Route& route) const {
    std::optional<bool> by_default;
    for (const std::string& element : chain) {
      std::string_view rest = element;
      const Verdict verdict = element.starts_with('(') || element.starts_with('!')
                                  ? alternatives(rest, route, by_default, true)
                                  : policy(element, route, by_default);
      if (verdict != Verdict::NextPolicy) {
        return verdict == Verdict::Accept;
      }
    }
    return by_default.value_or(where_.import || route.protocol == "bgp");
  }

  // --- expressions: parsed while they are evaluated; `live` is off for parts that are skipped ---

  static void blanks(std::string_view& text) {
    while (text.starts_with(' ')) {
      text.remove_prefix(1);
    }
  }
  static bool take(std::string_view& text, std::string_view word) {
    blanks(text);
    const bool there = text.starts_with(word);
    text.remove_prefix(there ? word.size() : 0);
    return there;
  }
  Verdict alternatives(std::string_view& text, Route& route, std::optional<bool>& by_default,
                       bool live) const {
    Verdict value = conjunction(text, route, by_default, live);
    while (take(text, "||")) {
      const bool asks = live && value == Verdict::Reject;
      const Verdict right = conjunction(text, route, by_default, asks);
      value = asks ? right : value;
    }
    return value;
  }
  Verdict conjunction(std::string_view& text, Route& route, std::optional<bool>& by_default,
                      bool live) const {
    Verdict value = factor(text, route, by_default, live);
    while (take(text, "&&")) {
      const bool asks = live && value != Verdict::Reject;
      const Verdict right = factor(text, route, by_default, asks);
      value = asks ? right : value;
    }
    return value;
  }
  Verdict factor(std::string_view& text, Route& route, std::optional<bool>& by_default,
                 bool live) const {
    if (take(text, "!")) {
      const Verdict value = factor(text, route, by_default, live);
      return value == Verdict::Reject ? Verdict::Accept : Verdict::Reject;
    }
    if (take(text, "(")) {
      const Verdict value = alternatives(text, route, by_default, live);
      take(text, ")");
      return value;
    }
    blanks(text);
    const std::size_t end = std::min(text.find_first_of(" ()!&|"), text.size());
    const std::string name(text.substr(0, end));
    text.remove_prefix(end);
    return live ? policy(name, route, by_default) : Verdict::NextPolicy;
  }

  // --- policies and terms ---

  Verdict policy(const std::string& name, Route& route, std::optional<bool>& by_default) const {
    const View statement = options_["policy-statement"].entry(name);
    std::vector<View> terms;
    for (const auto& [key, term] : statement["term"].entries()) {
      terms.push_back(term);
    }
    terms.push_back(statement);  // the unnamed one is the last
    for (const View& term : terms) {
      const std::optional<View> actions = matched(term, route);
      if (!actions) {
        continue;
      }
      apply(*actions, route);
      if (const auto value = (*actions)["default-action"].value()) {
        by_default = *value == "accept";
      }
      if ((*actions)["accept"]) {
        return Verdict::Accept;
      }
      if ((*actions)["reject"]) {
        return Verdict::Reject;
      }
      if ((*actions)["next"].text() == "policy") {
        return Verdict::NextPolicy;
      }
    }
    return Verdict::NextPolicy;
  }

  // The actions to take, or nothing.
  std::optional<View> matched(const View& term, Route& route) const {
    const View from = term["from"];
    if (!plain_conditions(from, route)) {
      return std::nullopt;
    }
    const View to = term["to"];
    if (to["neighbor"] && !has(to["neighbor"], where_.neighbor)) {
      return std::nullopt;
    }
    if (to["protocol"] && !has(to["protocol"], "bgp")) {
      return std::nullopt;
    }
    std::optional<View> actions = term["then"];
    if (from["route-filter"] || from["prefix-list"] || from["prefix-list-filter"]) {
      actions = by_prefix(from, term["then"], route.prefix);
      if (!actions) {
        return std::nullopt;
      }
    }
    if (from["policy"]) {
      std::vector<std::string> chain;
      for (const auto& [name, view] : from["policy"].entries()) {
        chain.emplace_back(name);
      }
      if (!decide(chain, route)) {
        return std::nullopt;
      }
    }
    return actions;
  }

  static bool has(const View& list, std::string_view word) {
    return std::ranges::any_of(list.entries(),
                               [&](const auto& entry) { return entry.first == word; });
  }

  bool plain_conditions(const View& from, const Route& route) const {
    const auto one_of = [](const View& list, std::string_view value) {
      return !list || std::ranges::any_of(list.entries(),
                                          [&](const auto& entry) { return entry.first == value; });
    };
    const auto equals = [](const View& leaf, const std::string& value) {
      return !leaf || leaf.text() == value;
    };
    const bool inet = route.prefix.family() == base::Family::Inet;
    return one_of(from["protocol"], route.protocol) && one_of(from["neighbor"], route.neighbor) &&
           one_of(from["next-hop"], route.next_hop) &&
           one_of(from["tag"], std::to_string(route.tag)) &&
           equals(from["family"], inet ? "inet" : "inet6") &&
           equals(from["rib"], inet ? "inet.0" : "inet6.0") &&
           equals(from["local-preference"], std::to_string(route.local_preference)) &&
           equals(from["metric"], std::to_string(route.med)) &&
           equals(from["origin"], route.origin) && path_matches(from, route) &&
           (!from["community"] ||
            std::ranges::any_of(from["community"].entries(), [&](const auto& entry) {
              return community_matches(entry.first, route);
            }));
  }

  // --- prefixes ---

  static unsigned length_of(std::string_view text) {  // "/24"
    return static_cast<unsigned>(std::stoul(std::string(text.substr(1))));
  }

  static bool type_matches(const View& filter, const base::Prefix& prefix,
                           const base::Prefix& route) {
    const unsigned own = prefix.length();
    const unsigned length = route.length();
    if ((filter["exact"] && length == own) || (filter["longer"] && length > own) ||
        filter["orlonger"]) {
      return true;
    }
    if (filter.schema().child("upto") == nullptr) {
      return false;  // of a prefix-list-filter
    }
    for (const auto& [text, view] : filter["upto"].entries()) {
      if (length <= length_of(text)) {
        return true;
      }
    }
    for (const auto& [text, view] : filter["prefix-length-range"].entries()) {
      const std::size_t dash = text.find('-');
      if (length >= length_of(text.substr(0, dash)) && length <= length_of(text.substr(dash + 1))) {
        return true;
      }
    }
    for (const auto& [text, view] : filter["through"].entries()) {
      const base::Prefix end = *base::Prefix::parse(text);
      if (length <= end.length() && base::Prefix(end.address(), route.length()) == route) {
        return true;
      }
    }
    return false;
  }

  static bool covers(const base::Prefix& prefix, const base::Prefix& route) {
    return prefix.family() == route.family() && prefix.length() <= route.length() &&
           prefix.contains(route.address());
  }

  static bool acts(const View& filter) {
    bool found = false;
    filter.node()->children().for_each([&](const tree::NodePtr& child) {
      static const std::vector<std::string_view> kTypes = {
          "exact", "longer", "orlonger", "upto", "prefix-length-range", "through"};
      found = found || std::ranges::find(kTypes, child->name()) == kTypes.end();
      return true;
    });
    return found;
  }

  std::optional<View> by_prefix(const View& from, const View& then,
                                const base::Prefix& route) const {
    // The longest filter that covers the route decides alone, in all its match types.
    std::optional<View> longest;
    base::Prefix best;
    for (const auto& [key, filter] : from["route-filter"].entries()) {
      const base::Prefix prefix = *base::Prefix::parse(key);
      if (covers(prefix, route) && (!longest || prefix.length() > best.length())) {
        longest = filter;
        best = prefix;
      }
    }
    if (longest && type_matches(*longest, best, route)) {
      return acts(*longest) ? *longest : then;
    }
    for (const auto& [name, filter] : from["prefix-list-filter"].entries()) {
      for (const auto& [key, entry] : options_["prefix-list"].entry(name)["prefix"].entries()) {
        const base::Prefix prefix = *base::Prefix::parse(key);
        if (covers(prefix, route) && type_matches(filter, prefix, route)) {
          return acts(filter) ? filter : then;
        }
      }
    }
    for (const auto& [name, view] : from["prefix-list"].entries()) {
      for (const auto& [key, entry] : options_["prefix-list"].entry(name)["prefix"].entries()) {
        if (*base::Prefix::parse(key) == route) {
          return then;
        }
      }
    }
    return std::nullopt;
  }

  // --- AS paths: a word a system, matched by backtracking over the expression itself ---

  bool path_matches(const View& from, const Route& route) const {
    if (!from["as-path"] && !from["as-path-group"]) {
      return true;
    }
    std::vector<std::string> expressions;
    for (const auto& [name, view] : from["as-path"].entries()) {
      for (const auto& [text, entry] : options_["as-path"].entry(name)["path"].entries()) {
        expressions.emplace_back(text);
      }
    }
    for (const auto& [group, view] : from["as-path-group"].entries()) {
      for (const auto& [name, path] : options_["as-path-group"].entry(group)["as-path"].entries()) {
        for (const auto& [text, entry] : path["path"].entries()) {
          expressions.emplace_back(text);
        }
      }
    }
    return std::ranges::any_of(expressions, [&](const std::string& expression) {
      return path_matches(expression, route.path);
    });
  }

  // Each system becomes ten digits and each number of the expression too, so that letters and
  // systems correspond; a range becomes its numbers (ranges in tests are short).
  static bool path_matches(const std::string& expression, const std::vector<std::uint32_t>& path) {
    std::string pattern;
    bool one_of = false;  // in [ … ]
    for (std::size_t at = 0; at < expression.size();) {
      const char letter = expression[at];
      one_of = (one_of || letter == '[') && letter != ']';
      if (letter == '{') {
        const std::size_t end = expression.find('}', at);
        pattern += expression.substr(at, end + 1 - at);
        at = end + 1;
      } else if (letter >= '0' && letter <= '9') {
        std::size_t used = 0;
        std::uint64_t low = std::stoull(expression.substr(at), &used);
        at += used;
        std::uint64_t high = low;
        if (at < expression.size() && expression[at] == '-') {
          high = std::stoull(expression.substr(at + 1), &used);
          at += used + 1;
        }
        pattern += "(?:";
        for (std::uint64_t system = low; system <= high; ++system) {
          pattern += std::format("{}{:010}", system == low ? "" : "|", system);
        }
        pattern += ')';
      } else {
        pattern += letter == '.'                              ? "(?:[0-9]{10})"
                   : letter == '(' || letter == '['           ? "(?:"
                   : letter == ']'                            ? ")"
                   : letter == ' ' && one_of                  ? "|"
                   : std::string_view(" ^$").contains(letter) ? ""
                                                              : std::string(1, letter);
        ++at;
      }
    }
    std::string text;
    for (const std::uint32_t system : path) {
      text += std::format("{:010}", system);
    }
    return std::regex_match(text, std::regex(pattern));
  }

  // --- communities ---

  static std::vector<std::string> texts_of(const Route& route) {
    std::vector<std::string> texts;
    for (const std::uint32_t community : route.communities) {
      texts.push_back(std::format("{}:{}", community >> 16U, community & 0xFFFFU));
    }
    texts.insert(texts.end(), route.extended.begin(), route.extended.end());
    for (const std::string& community : route.large) {
      texts.push_back("large:" + community);
    }
    return texts;
  }

  static std::string plain(std::string_view member) {
    return member == "no-export"             ? "65535:65281"
           : member == "no-advertise"        ? "65535:65282"
           : member == "no-export-subconfed" ? "65535:65283"
                                             : std::string(member);
  }

  static bool is_value(std::string_view member) {
    return member.find_first_of("*.[^$+?{|(") == std::string_view::npos;
  }

  // Whether the member means the community; an expression may match anywhere in its text.
  static bool means(std::string_view member, const std::string& community) {
    const std::string text = plain(member);
    if (is_value(text)) {
      return text == community;
    }
    const auto kind = [](std::string_view words) {
      const bool named = words.starts_with("large:") || words.starts_with("target:") ||
                         words.starts_with("origin:");
      return std::string(named ? words.substr(0, words.find(':') + 1) : std::string_view());
    };
    const std::string type = kind(text);
    if (kind(community) != type) {
      return false;
    }
    std::string pattern =
        std::regex_replace(text.substr(type.size()), std::regex("(^|:)\\*"), "$1.*");
    // What stands behind the type begins there.
    pattern = (type == "target:" || type == "origin:" ? "^" : "") + pattern;
    return std::regex_search(community.substr(type.size()),
                             std::regex(pattern, std::regex::extended));
  }

  bool community_matches(std::string_view name, const Route& route) const {
    const View community = options_["community"].entry(name);
    const auto texts = texts_of(route);
    const bool all = std::ranges::all_of(community["members"].entries(), [&](const auto& member) {
      return std::ranges::any_of(
          texts, [&](const std::string& text) { return means(member.first, text); });
    });
    return all != community["invert-match"].exists();
  }

  void change_communities(std::string_view operation, std::string_view name, Route& route) const {
    const View community = options_["community"].entry(name);
    std::vector<std::string> members;
    for (const auto& [member, view] : community["members"].entries()) {
      members.push_back(plain(member));
    }
    if (operation == "delete" || operation == "-") {
      const bool invert = community["invert-match"].exists();
      const auto goes = [&](const std::string& text) {
        return invert != std::ranges::any_of(members, [&](const std::string& member) {
                 return means(member, text);
               });
      };
      std::erase_if(route.communities, [&](std::uint32_t value) {
        return goes(std::format("{}:{}", value >> 16U, value & 0xFFFFU));
      });
      std::erase_if(route.extended, goes);
      std::erase_if(route.large, [&](const std::string& text) { return goes("large:" + text); });
      return;
    }
    if (operation == "set" || operation == "=") {
      route.communities.clear();
      route.extended.clear();
      route.large.clear();
    }
    for (const std::string& member : members) {
      if (member.starts_with("large:")) {
        route.large.insert(member.substr(6));
      } else if (member.starts_with("target:") || member.starts_with("origin:")) {
        route.extended.insert(member);
      } else {
        const std::size_t colon = member.find(':');
        route.communities.insert(static_cast<std::uint32_t>(
            std::stoul(member.substr(0, colon)) << 16U | std::stoul(member.substr(colon + 1))));
      }
    }
  }

  // --- actions ---

  static void change_number(const View& list, std::uint32_t& value) {
    for (const auto& [word, entry] : list.entries()) {
      std::uint64_t amount = 0;
      for (const auto& [text, view] : entry["amount"].entries()) {
        amount = std::stoull(std::string(text));
      }
      if (word == "add") {
        value = static_cast<std::uint32_t>(std::min<std::uint64_t>(value + amount, 4294967295U));
      } else if (word == "subtract") {
        value = value > amount ? static_cast<std::uint32_t>(value - amount) : 0;
      } else {
        value = static_cast<std::uint32_t>(std::stoull(std::string(word)));
      }
    }
  }

  void apply(const View& actions, Route& route) const {
    change_number(actions["local-preference"], route.local_preference);
    change_number(actions["metric"], route.med);
    route.origin = actions["origin"].text(route.origin);
    if (const auto tag = actions["tag"].number()) {
      route.tag = static_cast<std::uint32_t>(*tag);
    }
    if (const auto hop = actions["next-hop"].value()) {
      route.next_hop = *hop == "self"           ? where_.own_address
                       : *hop == "peer-address" ? where_.neighbor
                                                : std::string(*hop);
    }
    const auto count = actions["as-path-expand"]["last-as"]["count"].number().value_or(0);
    if (!route.path.empty()) {
      route.path.insert(route.path.begin(), static_cast<std::size_t>(count), route.path.front());
    }
    std::vector<std::uint32_t> prepended;
    const std::string words = actions["as-path-prepend"].text();
    for (std::size_t at = 0; at < words.size();) {
      std::size_t used = 0;
      prepended.push_back(static_cast<std::uint32_t>(std::stoul(words.substr(at), &used)));
      at += used;
      at = std::min(words.find_first_not_of(' ', at), words.size());
    }
    route.path.insert(route.path.begin(), prepended.begin(), prepended.end());
    for (const auto& [operation, entry] : actions["community"].entries()) {
      for (const auto& [name, view] : entry["name"].entries()) {
        change_communities(operation, name, route);
      }
    }
  }

  View options_;
  Where where_;
};

}  // namespace millrace::support
