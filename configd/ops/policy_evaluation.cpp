// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/policy_evaluation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/pattern.h"
#include "base/words.h"
#include "ops/as_path_filter.h"
#include "ops/layout.h"
#include "tree/view.h"

namespace millrace::ops {
namespace {

using base::Prefix;
using tree::View;

constexpr unsigned kDeepest = 64;  // of subroutines, which a commit keeps from asking themselves
constexpr std::int64_t kMost = 4294967295;

constexpr std::array kWellKnown = {
    std::pair<std::string_view, std::string_view>{"no-export", "65535:65281"},
    std::pair<std::string_view, std::string_view>{"no-advertise", "65535:65282"},
    std::pair<std::string_view, std::string_view>{"no-export-subconfed", "65535:65283"},
    std::pair<std::string_view, std::string_view>{"local-AS", "65535:65283"},  // bgpd's name
    std::pair<std::string_view, std::string_view>{"no-peer", "65535:65284"},
    std::pair<std::string_view, std::string_view>{"graceful-shutdown", "65535:0"},
    std::pair<std::string_view, std::string_view>{"accept-own", "65535:1"},
    std::pair<std::string_view, std::string_view>{"llgr-stale", "65535:6"},
    std::pair<std::string_view, std::string_view>{"no-llgr", "65535:7"},
    std::pair<std::string_view, std::string_view>{"blackhole", "65535:666"},
};

std::string numeric(std::string_view community) {
  for (const auto& [name, number] : kWellKnown) {
    if (name == community) {
      return std::string(number);
    }
  }
  return std::string(community);
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string_view kind_of(std::string_view community) {
  for (const std::string_view kind : {"large:", "target:", "origin:"}) {
    if (community.starts_with(kind)) {
      return kind;
    }
  }
  return {};
}

bool has_entry(const View& list, std::string_view word) {
  return list.entry(word).exists();
}

// No list means no condition.
bool one_of(const View& list, std::string_view word) {
  return !list || has_entry(list, word);
}

bool covers(const Prefix& prefix, const Prefix& route) {
  return prefix.family() == route.family() && prefix.length() <= route.length() &&
         prefix.contains(route.address());
}

bool has_length(const View& filter, const Prefix& prefix, const Prefix& route) {
  const auto own = prefix.length();
  const auto length = static_cast<std::int64_t>(route.length());
  if ((filter["exact"] && length == own) || (filter["longer"] && length > own) ||
      filter["orlonger"]) {
    return true;
  }
  if (filter.schema().child("upto") == nullptr) {
    return false;  // of a prefix-list-filter
  }
  const auto slashed = [](std::string_view text) { return number(text.substr(1)); };
  for (const auto& [text, entry] : filter["upto"].entries()) {
    if (length <= slashed(text)) {
      return true;
    }
  }
  for (const auto& [text, entry] : filter["prefix-length-range"].entries()) {
    const std::size_t dash = text.find('-');
    if (length >= slashed(text.substr(0, dash)) && length <= slashed(text.substr(dash + 1))) {
      return true;
    }
  }
  for (const auto& [text, entry] : filter["through"].entries()) {
    const auto end = Prefix::parse(text);
    if (end && length <= end->length() && Prefix(end->address(), route.length()) == route) {
      return true;
    }
  }
  return false;
}

// Whether a filter says more than which prefixes it means.
bool has_actions(const View& filter) {
  constexpr std::array<std::string_view, 6> kTypes = {
      "exact", "longer", "orlonger", "upto", "prefix-length-range", "through"};
  bool found = false;
  filter.node()->children().for_each([&](const tree::NodePtr& child) {
    found = found || std::ranges::find(kTypes, child->name()) == kTypes.end();
    return !found;
  });
  return found;
}

void change(const View& list, std::int64_t& value) {
  for (const auto& [word, entry] : list.entries()) {
    std::int64_t amount = 0;
    for (const auto& [text, view] : entry["amount"].entries()) {
      amount = number(text);
    }
    if (word == "add") {
      value = std::min(value + amount, kMost);
    } else if (word == "subtract") {
      value = std::max<std::int64_t>(value - amount, 0);
    } else if (word != "igp") {
      value = number(word);
    }
  }
}

// `*` begins no expression of POSIX: alone, or behind a colon, it is any number.
std::string posix(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '*' && (at == 0 || text[at - 1] == ':')) {
      out += '.';
    }
    out += text[at];
  }
  return out;
}

}  // namespace

struct PolicyEvaluation::Definitions {
  explicit Definitions(tree::ConfigTree the_tree)
      : tree(std::move(the_tree)), options(View(tree)["policy-options"]) {}

  enum class Verdict : std::uint8_t { Accept, Reject, Neither };
  struct Run {
    PolicyRoute& route;
    std::optional<bool> by_default = {};
    unsigned depth = 0;
  };

  Verdict policy(std::string_view name, Run& run) const {
    const View statement = options["policy-statement"].entry(name);
    if (!statement) {
      return Verdict::Neither;
    }
    std::vector<View> terms;
    for (const auto& [key, term] : statement["term"].entries()) {
      terms.push_back(term);
    }
    terms.push_back(statement);  // the one without a name comes last
    for (const View& term : terms) {
      const auto actions = matched(term, run);
      if (!actions) {
        continue;
      }
      apply(*actions, run.route);
      if (const auto value = (*actions)["default-action"].value()) {
        run.by_default = *value == "accept";
      }
      if ((*actions)["accept"]) {
        return Verdict::Accept;
      }
      if ((*actions)["reject"]) {
        return Verdict::Reject;
      }
      if ((*actions)["next"].text() == "policy") {
        return Verdict::Neither;
      }
    }
    return Verdict::Neither;
  }

  // The actions to take; nothing when the term does not match.
  std::optional<View> matched(const View& term, Run& run) const {
    const View from = term["from"];
    if (term["to"] || !holds(from, run.route)) {
      return std::nullopt;
    }
    std::optional<View> actions = term["then"];
    if (from["route-filter"] || from["prefix-list"] || from["prefix-list-filter"]) {
      actions = by_prefix(from, term["then"], run.route.prefix);
    }
    if (actions && from["policy"] && !subroutines(from["policy"], run)) {
      return std::nullopt;
    }
    return actions;
  }

  // A chain of its own, with the default policy of BGP behind it.
  bool subroutines(const View& list, Run& run) const {
    if (run.depth == kDeepest) {
      return false;
    }
    Run inner{run.route, {}, run.depth + 1};
    for (const auto& [name, entry] : list.entries()) {
      if (const Verdict verdict = policy(name, inner); verdict != Verdict::Neither) {
        return verdict == Verdict::Accept;
      }
    }
    return inner.by_default.value_or(run.route.protocol == "bgp");
  }

  bool holds(const View& from, const PolicyRoute& route) const {
    const auto equals = [](const View& leaf, const std::string& value) {
      return !leaf || leaf.text() == value;
    };
    const bool inet = route.prefix.family() == base::Family::Inet;
    const View interfaces = from["interface"];
    return one_of(from["protocol"], route.protocol) && one_of(from["neighbor"], route.neighbor) &&
           one_of(from["next-hop"], route.next_hop) &&
           one_of(from["tag"], std::to_string(route.tag)) &&
           equals(from["family"], inet ? "inet" : "inet6") &&
           equals(from["rib"], inet ? "inet.0" : "inet6.0") &&
           equals(from["local-preference"], std::to_string(route.local_preference)) &&
           equals(from["metric"], std::to_string(route.med)) &&
           equals(from["origin"], route.origin) &&
           (!interfaces || std::ranges::any_of(route.interfaces,
                                               [&](const std::string& name) {
                                                 return has_entry(interfaces, name);
                                               })) &&
           has_path(from, route) && has_community(from["community"], route);
  }

  std::optional<View> by_prefix(const View& from, const View& then, const Prefix& route) const {
    // Of route-filters the longest that covers the route decides alone.
    std::optional<View> longest;
    Prefix best;
    for (const auto& [key, filter] : from["route-filter"].entries()) {
      const auto prefix = Prefix::parse(key);
      if (prefix && covers(*prefix, route) && (!longest || prefix->length() > best.length())) {
        longest = filter;
        best = *prefix;
      }
    }
    if (longest && has_length(*longest, best, route)) {
      return has_actions(*longest) ? *longest : then;
    }
    for (const auto& [name, filter] : from["prefix-list-filter"].entries()) {
      for (const auto& [key, entry] : options["prefix-list"].entry(name)["prefix"].entries()) {
        const auto prefix = Prefix::parse(key);
        if (prefix && covers(*prefix, route) && has_length(filter, *prefix, route)) {
          return has_actions(filter) ? filter : then;
        }
      }
    }
    for (const auto& [name, entry] : from["prefix-list"].entries()) {
      if (has_entry(options["prefix-list"].entry(name)["prefix"], route.to_string())) {
        return then;
      }
    }
    return std::nullopt;
  }

  bool has_path(const View& from, const PolicyRoute& route) const {
    if (!from["as-path"] && !from["as-path-group"]) {
      return true;
    }
    const auto any = [&](const View& definition) {
      return std::ranges::any_of(definition["path"].entries(), [&](const auto& path) {
        return path_filter(path.first).matches(route.as_path);
      });
    };
    for (const auto& [name, entry] : from["as-path"].entries()) {
      if (any(options["as-path"].entry(name))) {
        return true;
      }
    }
    for (const auto& [group, entry] : from["as-path-group"].entries()) {
      for (const auto& [name, path] : options["as-path-group"].entry(group)["as-path"].entries()) {
        if (any(path)) {
          return true;
        }
      }
    }
    return false;
  }

  const AsPathFilter& path_filter(std::string_view text) const {
    const auto found = paths.find(text);
    if (found != paths.end()) {
      return found->second;
    }
    auto filter = AsPathFilter::parse(text);
    // What a commit let through and this does not understand matches nothing.
    return paths
        .emplace(text, filter ? std::move(*filter) : *AsPathFilter::parse("4294967295{255}"))
        .first->second;
  }

  // Whether a member means the community: a value is equal to it, an expression matches anywhere in
  // its text, but from the beginning of what stands behind `target:` and `origin:`.
  bool means(std::string_view member, const std::string& community) const {
    const std::string text = numeric(member);
    if (text.find_first_of("*.[^$+?{|(") == std::string::npos) {
      return text == community;
    }
    const std::string_view kind = kind_of(text);
    if (kind_of(community) != kind) {
      return false;
    }
    const bool anchored = kind == "target:" || kind == "origin:";
    const std::string pattern = (anchored ? "^" : "") + posix(text.substr(kind.size()));
    auto found = patterns.find(pattern);
    if (found == patterns.end()) {
      auto compiled = base::Pattern::compile(pattern);
      found =
          patterns.emplace(pattern, compiled ? std::optional(std::move(*compiled)) : std::nullopt)
              .first;
    }
    return found->second && found->second->matches(community.substr(kind.size()));
  }

  bool has_community(const View& names, const PolicyRoute& route) const {
    return !names || std::ranges::any_of(names.entries(), [&](const auto& name) {
      const View community = options["community"].entry(name.first);
      const bool all = std::ranges::all_of(community["members"].entries(), [&](const auto& member) {
        return std::ranges::any_of(
            route.communities, [&](const std::string& one) { return means(member.first, one); });
      });
      return all != community["invert-match"].exists();
    });
  }

  void change_communities(std::string_view operation, std::string_view name,
                          PolicyRoute& route) const {
    const View community = options["community"].entry(name);
    const auto members = community["members"].entries();
    if (operation == "delete" || operation == "-") {
      const bool invert = community["invert-match"].exists();
      std::erase_if(route.communities, [&](const std::string& one) {
        return invert != std::ranges::any_of(
                             members, [&](const auto& member) { return means(member.first, one); });
      });
      return;
    }
    if (operation == "set" || operation == "=") {
      route.communities.clear();
    }
    for (const auto& [member, entry] : members) {
      const std::string text = numeric(member);
      if (std::ranges::find(route.communities, text) == route.communities.end()) {
        route.communities.push_back(text);
      }
    }
  }

  void apply(const View& actions, PolicyRoute& route) const {
    change(actions["local-preference"], route.local_preference);
    change(actions["metric"], route.med);
    route.origin = actions["origin"].text(route.origin);
    if (const auto tag = actions["tag"].number()) {
      route.tag = *tag;
    }
    if (const auto hop = actions["next-hop"].value();
        hop && *hop != "self" && *hop != "peer-address") {
      route.next_hop = *hop;
    }
    const auto times = actions["as-path-expand"]["last-as"]["count"].number().value_or(0);
    const auto own = base::split_words(route.as_path);
    std::vector<std::string> path = base::split_words(actions["as-path-prepend"].text());
    if (!own.empty()) {
      path.insert(path.end(), static_cast<std::size_t>(times), own.front());
    }
    path.insert(path.end(), own.begin(), own.end());
    route.as_path = base::joined(path);
    for (const auto& [operation, entry] : actions["community"].entries()) {
      for (const auto& [name, view] : entry["name"].entries()) {
        change_communities(operation, name, route);
      }
    }
  }

  tree::ConfigTree tree;
  View options;
  // Compiled when they are first asked.
  mutable std::map<std::string, AsPathFilter, std::less<>> paths;
  mutable std::map<std::string, std::optional<base::Pattern>, std::less<>> patterns;
};

PolicyEvaluation::PolicyEvaluation(tree::ConfigTree tree)
    : definitions_(std::make_unique<Definitions>(std::move(tree))) {}

PolicyEvaluation::~PolicyEvaluation() = default;

bool PolicyEvaluation::has(std::string_view policy) const {
  return definitions_->options["policy-statement"].entry(policy).exists();
}

bool PolicyEvaluation::accepts(std::string_view policy, PolicyRoute& route, bool by_default) const {
  Definitions::Run run{route};
  const auto verdict = definitions_->policy(policy, run);
  return verdict == Definitions::Verdict::Neither ? run.by_default.value_or(by_default)
                                                  : verdict == Definitions::Verdict::Accept;
}

PolicyRoute policy_route(const Route& route) {
  PolicyRoute out{.prefix = route.prefix, .protocol = lower(route.protocol)};
  for (const NextHop& hop : route.next_hops) {
    out.interfaces.push_back(hop.via);
    out.next_hop = out.next_hop.empty() ? hop.to : out.next_hop;
  }
  out.med = route.metric;
  out.tag = route.tag;
  if (route.bgp) {
    const BgpPath& bgp = *route.bgp;
    out.neighbor = bgp.peer;
    out.next_hop = bgp.protocol_next_hop;
    out.as_path = bgp.as_path;
    out.origin = bgp.origin == 'I' ? "igp" : bgp.origin == 'E' ? "egp" : "incomplete";
    out.local_preference = bgp.local_preference;
    out.med = bgp.med.value_or(0);
    for (const std::string& community : bgp.communities) {
      out.communities.push_back(numeric(community));
    }
  }
  return out;
}

}  // namespace millrace::ops
