// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/prefixes.h"

#include <algorithm>
#include <format>
#include <map>

namespace millrace::appliers::policy {
namespace {

using base::Family;
using base::Prefix;

std::string match_list(Family family, const std::string& name) {
  return std::format("match {} address prefix-list {}", family == Family::Inet ? "ip" : "ipv6",
                     name);
}

// Filters of one prefix, in the order of the term; the longest prefixes come first.
std::vector<std::vector<const RouteFilter*>> by_prefix(const From& from, Family family) {
  std::vector<std::vector<const RouteFilter*>> groups;
  std::map<Prefix, std::size_t> place;
  for (const RouteFilter& filter : from.route_filters) {
    if (filter.prefix.family() != family) {
      continue;
    }
    const auto [found, added] = place.emplace(filter.prefix, groups.size());
    if (added) {
      groups.emplace_back();
    }
    groups[found->second].push_back(&filter);
  }
  std::ranges::stable_sort(groups, [](const auto& left, const auto& right) {
    return left.front()->prefix.length() > right.front()->prefix.length();
  });
  return groups;
}

PrefixRange all_below(const Prefix& prefix) {
  return {prefix, prefix.length(), static_cast<std::uint8_t>(base::bits(prefix.family()))};
}

// Whether a filter of a shorter prefix would be asked if no deny stood behind those of `prefix`.
bool has_shorter(const std::vector<std::vector<const RouteFilter*>>& groups, const Prefix& prefix) {
  return std::ranges::any_of(groups, [&](const auto& group) {
    const Prefix& other = group.front()->prefix;
    return other.length() < prefix.length() && other.contains(prefix.address());
  });
}

// The prefix-list of the routes that filters with these actions decide about.
std::vector<Lists::Rule> filter_rules(const std::vector<std::vector<const RouteFilter*>>& groups,
                                      const std::optional<Actions>& actions) {
  std::vector<Lists::Rule> rules;
  for (const auto& group : groups) {
    for (const RouteFilter* filter : group) {
      for (const PrefixRange& range : filter->ranges) {
        rules.push_back({filter->actions == actions, range});
      }
    }
    if (has_shorter(groups, group.front()->prefix)) {
      rules.push_back({false, all_below(group.front()->prefix)});
    }
  }
  // Denies at the end say what FRR says anyway.
  while (!rules.empty() && !rules.back().permit) {
    rules.pop_back();
  }
  return rules;
}

void add_filters(const From& from, Family family, Lists& lists,
                 std::vector<PrefixChoice>& choices) {
  const auto groups = by_prefix(from, family);
  std::vector<std::optional<Actions>> kinds;
  for (const auto& group : groups) {
    for (const RouteFilter* filter : group) {
      if (std::ranges::find(kinds, filter->actions) == kinds.end()) {
        kinds.push_back(filter->actions);
      }
    }
  }
  for (const auto& actions : kinds) {
    const auto rules = filter_rules(groups, actions);
    if (!rules.empty()) {
      choices.push_back({match_list(family, lists.prefix_list(family, rules)), actions});
    }
  }
}

void add_rules(const Prefix& prefix, const std::vector<Length>& lengths,
               std::vector<Lists::Rule>& rules) {
  const auto longest = static_cast<std::uint8_t>(base::bits(prefix.family()));
  for (const Length length : lengths) {
    const auto low =
        static_cast<std::uint8_t>(prefix.length() + (length == Length::Longer ? 1 : 0));
    if (low <= longest) {
      rules.push_back({true, {prefix, low, length == Length::Exact ? low : longest}});
    }
  }
}

void add_list_filters(const From& from, Family family, const PrefixLists& prefixes, Lists& lists,
                      std::vector<PrefixChoice>& choices) {
  for (const PrefixListFilter& filter : from.prefix_list_filters) {
    std::vector<Lists::Rule> rules;
    for (const Prefix& prefix : prefixes(filter.list)) {
      if (prefix.family() == family) {
        add_rules(prefix, filter.lengths, rules);
      }
    }
    if (!rules.empty()) {
      choices.push_back({match_list(family, lists.prefix_list(family, rules)), filter.actions});
    }
  }
}

void add_lists(const From& from, Family family, const PrefixLists& prefixes, Lists& lists,
               std::vector<PrefixChoice>& choices) {
  std::vector<Lists::Rule> rules;
  for (const std::string& name : from.prefix_lists) {
    for (const Prefix& prefix : prefixes(name)) {
      if (prefix.family() == family) {
        rules.push_back({true, {prefix, prefix.length(), prefix.length()}});
      }
    }
  }
  if (!rules.empty()) {
    choices.push_back({match_list(family, lists.prefix_list(family, rules)), std::nullopt});
  }
}

}  // namespace

bool limits_prefixes(const From& from) {
  return !from.route_filters.empty() || !from.prefix_list_filters.empty() ||
         !from.prefix_lists.empty();
}

std::vector<PrefixChoice> prefix_choices(const From& from, Family family,
                                         const PrefixLists& prefixes, Lists& lists) {
  std::vector<PrefixChoice> choices;
  add_filters(from, family, lists, choices);
  add_list_filters(from, family, prefixes, lists, choices);
  add_lists(from, family, prefixes, lists, choices);
  return choices;
}

}  // namespace millrace::appliers::policy
