// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/community.h"

#include <algorithm>
#include <format>

#include "base/words.h"

namespace millrace::appliers::policy {
namespace {

using base::Result;

// One list, not made yet.
struct Draft {
  FrrKind kind = FrrKind::CommunityList;
  bool expanded = false;
  std::vector<std::string> rules;
  std::vector<std::string> as_expressions;  // the same as an expanded list; empty: not possible
};

std::string_view keyword(FrrKind kind) {
  return kind == FrrKind::CommunityList      ? "community"
         : kind == FrrKind::ExtcommunityList ? "extcommunity"
                                             : "large-community";
}

Test make(const Draft& draft, bool negated, Lists& lists) {
  return {std::format("match {} {}", keyword(draft.kind),
                      lists.community_list(draft.kind, draft.expanded ? "expanded" : "standard",
                                           draft.rules)),
          negated};
}

Result<std::vector<Member>> read_members(const Community& community) {
  std::vector<Member> members;
  for (const std::string& text : community.members) {
    auto member = read_member(text);
    if (!member) {
      return std::unexpected(member.error());
    }
    members.push_back(std::move(*member));
  }
  return members;
}

// The values of a kind in FRR's order, each once.
std::vector<std::string> values_of(const std::vector<Member>& members, FrrKind kind) {
  std::vector<const Member*> chosen;
  for (const Member& member : members) {
    if (member.kind == kind && !member.value.empty()) {
      chosen.push_back(&member);
    }
  }
  std::ranges::stable_sort(chosen, {}, &Member::order);
  std::vector<std::string> values;
  for (const Member* member : chosen) {
    if (std::ranges::find(values, member->value) == values.end()) {
      values.push_back(member->value);
    }
  }
  return values;
}

std::vector<std::string> expanded_rules(const Member& member) {
  std::vector<std::string> rules{"permit " + member.expression};
  for (const std::string& name : member.names) {
    rules.push_back("permit " + name);
  }
  return rules;
}

constexpr FrrKind kKinds[] = {FrrKind::CommunityList, FrrKind::ExtcommunityList,
                              FrrKind::LargeCommunityList};

// All of them have to match.
std::vector<Draft> drafts_of(const std::vector<Member>& members) {
  std::vector<Draft> drafts;
  for (const FrrKind kind : kKinds) {
    const auto values = values_of(members, kind);
    if (!values.empty()) {
      Draft draft{kind, false, {"permit " + base::joined(values)}, {}};
      if (values.size() == 1) {
        for (const Member& member : members) {
          if (member.kind == kind && member.value == values.front()) {
            draft.as_expressions = {"permit " + member.expression};
          }
        }
      }
      drafts.push_back(std::move(draft));
    }
  }
  for (const Member& member : members) {
    if (member.value.empty()) {
      const auto rules = expanded_rules(member);
      drafts.push_back({member.kind, true, rules, rules});
    }
  }
  return drafts;
}

// One list for all, if there is one: FRR asks one list a clause, and its rules are alternatives.
std::optional<Draft> merged(const std::vector<std::vector<Draft>>& alternatives) {
  const bool alike = std::ranges::all_of(alternatives, [&](const std::vector<Draft>& drafts) {
    return drafts.size() == 1 && drafts.front().kind == alternatives.front().front().kind;
  });
  if (!alike) {
    return std::nullopt;
  }
  const bool plain = std::ranges::none_of(
      alternatives, [](const std::vector<Draft>& drafts) { return drafts.front().expanded; });
  Draft all{alternatives.front().front().kind, !plain, {}, {}};
  for (const auto& drafts : alternatives) {
    const auto& rules = plain ? drafts.front().rules : drafts.front().as_expressions;
    if (rules.empty()) {
      return std::nullopt;
    }
    for (const std::string& rule : rules) {
      // FRR drops what a list has already.
      if (std::ranges::find(all.rules, rule) == all.rules.end()) {
        all.rules.push_back(rule);
      }
    }
  }
  return all;
}

std::string set_line(FrrKind kind, std::string_view rest) {
  return std::format("set {} {}", keyword(kind), rest);
}

// `set extcommunity` has a line a kind, and always adds.
std::vector<std::string> extended_lines(const std::vector<std::string>& values) {
  std::vector<std::string> lines;
  for (const std::string_view type : {"rt ", "soo "}) {
    std::string line;
    for (const std::string& value : values) {
      if (value.starts_with(type)) {
        line += ' ' + value.substr(type.size());
      }
    }
    if (!line.empty()) {
      lines.push_back(std::format("set extcommunity {}{}", type.substr(0, type.size() - 1), line));
    }
  }
  return lines;
}

Result<std::vector<Member>> read_values(const Community& community, std::string_view purpose) {
  auto members = read_members(community);
  if (!members) {
    return members;
  }
  if (community.invert) {
    return base::fail(base::Code::BadValue,
                      std::format("a community with invert-match cannot be {}", purpose));
  }
  for (std::size_t i = 0; i < members->size(); ++i) {
    if ((*members)[i].value.empty()) {
      return base::fail(
          base::Code::BadValue,
          std::format("community member '{}' is a regular expression and cannot be {}",
                      community.members[i], purpose));
    }
  }
  return members;
}

}  // namespace

Result<Condition> community_condition(const std::vector<Community>& communities, Lists& lists) {
  std::vector<std::vector<Draft>> alternatives;
  Condition condition;
  for (const Community& community : communities) {
    const auto members = read_members(community);
    if (!members) {
      return std::unexpected(members.error());
    }
    auto drafts = drafts_of(*members);
    if (community.invert) {
      for (const Draft& draft : drafts) {
        condition.push_back({make(draft, true, lists)});
      }
    } else {
      alternatives.push_back(std::move(drafts));
    }
  }
  if (!alternatives.empty()) {
    if (const auto all = merged(alternatives)) {
      condition.insert(condition.begin(), {make(*all, false, lists)});
      return condition;
    }
  }
  for (const auto& drafts : alternatives) {
    AllOf all;
    for (const Draft& draft : drafts) {
      all.push_back(make(draft, false, lists));
    }
    condition.push_back(std::move(all));
  }
  return condition;
}

Result<void> add_communities(const Community& community, CommunitySets& sets) {
  const auto members = read_values(community, "added");
  if (!members) {
    return std::unexpected(members.error());
  }
  if (const auto values = values_of(*members, FrrKind::CommunityList); !values.empty()) {
    sets.standard.push_back(set_line(FrrKind::CommunityList, base::joined(values) + " additive"));
  }
  if (const auto values = values_of(*members, FrrKind::LargeCommunityList); !values.empty()) {
    sets.large.push_back(set_line(FrrKind::LargeCommunityList, base::joined(values) + " additive"));
  }
  for (std::string& line : extended_lines(values_of(*members, FrrKind::ExtcommunityList))) {
    sets.extended.push_back(std::move(line));
  }
  return {};
}

Result<void> delete_communities(const Community& community, Lists& lists, CommunitySets& sets) {
  const auto members = read_members(community);
  if (!members) {
    return std::unexpected(members.error());
  }
  const std::string_view verdict = community.invert ? "deny" : "permit";
  for (const FrrKind kind : kKinds) {
    std::vector<std::string> rules;
    bool expression = false;
    for (const Member& member : *members) {
      expression = expression || (member.kind == kind && member.value.empty());
    }
    for (const Member& member : *members) {
      if (member.kind != kind) {
        continue;
      }
      if (expression || community.invert) {
        rules.push_back(std::format("{} {}", verdict, member.expression));
        for (const std::string& name : member.names) {
          rules.push_back(std::format("{} {}", verdict, name));
        }
      } else if (rules.empty() ||
                 std::ranges::find(rules, "permit " + member.value) == rules.end()) {
        rules.push_back("permit " + member.value);
      }
    }
    if (kind == FrrKind::ExtcommunityList && (expression || community.invert)) {
      if (!rules.empty() || community.invert) {
        return base::fail(base::Code::BadValue,
                          "FRR deletes extended communities by value only, not by regular "
                          "expression and not all but some");
      }
    }
    if (community.invert) {
      rules.emplace_back("permit .*");
    }
    if (rules.empty()) {
      continue;
    }
    const std::string name =
        lists.community_list(kind, expression || community.invert ? "expanded" : "standard", rules);
    if (kind == FrrKind::CommunityList) {
      sets.standard.push_back(std::format("set comm-list {} delete", name));
    } else if (kind == FrrKind::LargeCommunityList) {
      sets.large.push_back(std::format("set large-comm-list {} delete", name));
    } else {
      sets.extended.push_back(std::format("set extended-comm-list {} delete", name));
    }
  }
  return {};
}

Result<void> replace_communities(const Community& community, CommunitySets& sets) {
  const auto members = read_values(community, "set");
  if (!members) {
    return std::unexpected(members.error());
  }
  const auto standard = values_of(*members, FrrKind::CommunityList);
  const auto large = values_of(*members, FrrKind::LargeCommunityList);
  sets.standard = {
      set_line(FrrKind::CommunityList, standard.empty() ? "none" : base::joined(standard))};
  sets.large = {
      set_line(FrrKind::LargeCommunityList, large.empty() ? "none" : base::joined(large))};
  sets.extended = {set_line(FrrKind::ExtcommunityList, "none")};
  for (std::string& line : extended_lines(values_of(*members, FrrKind::ExtcommunityList))) {
    sets.extended.push_back(std::move(line));
  }
  return {};
}

}  // namespace millrace::appliers::policy
