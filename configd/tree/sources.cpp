// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/sources.h"

#include <algorithm>
#include <set>

#include "base/glob.h"

namespace millrace::tree {
namespace {

using schema::Role;

const Origin* group_of(const Origin* origin) {
  return origin != nullptr && origin->role == Role::Range ? origin->via : origin;
}

bool comes_by(const Origin* origin, std::string_view group) {
  for (; origin != nullptr; origin = origin->via) {
    if (origin->role == Role::Groups && origin->name == group) {
      return true;
    }
  }
  return false;
}

// Whether `origin` is a group that `outer` applies, directly or not, and one of those on the way
// down from `outer` is called `group`.
bool comes_below(const Origin* origin, const Origin* outer, std::string_view group) {
  bool found = false;
  for (; origin != nullptr && origin != outer; origin = origin->via) {
    found = found || (origin->role == Role::Groups && origin->name == group);
  }
  return found && origin == outer;
}

const Node* instruction(const Node& level, Role role) {
  const Node* found = nullptr;
  if (level.applies_groups()) {
    found = level.child(role == Role::ApplyGroups ? "apply-groups" : "apply-groups-except");
  }
  return found != nullptr && found->schema()->role == role ? found : nullptr;
}

template <class Use>
void each_name(const Node* names, const Use& use) {
  if (names != nullptr) {
    names->children().for_each([&](const NodePtr& name) {
      use(name->name());
      return true;
    });
  }
}

// The members that an entry of a range list gives.
void add_members(RangeMembers& members, const Node& range) {
  range.children().for_each([&](const NodePtr& child) {
    const schema::Node& schema = *child->schema();
    if (schema.role != Role::RangeMember) {
      return true;
    }
    child->children().for_each([&](const NodePtr& entry) {
      // What names nothing is for the checks of a commit to say.
      if (schema.kind == schema::Kind::LeafList) {
        static_cast<void>(add_member(members, entry->name()));
      } else if (const Node* last = entry->child("to")) {
        if (auto names = names_between(entry->name(), last->value())) {
          std::ranges::move(*names, std::back_inserter(members.names));
        }
      }
      return true;
    });
    return true;
  });
}

std::size_t own_characters(std::string_view pattern) {
  return static_cast<std::size_t>(
      std::ranges::count_if(pattern, [](char c) { return c != '*' && c != '?'; }));
}

std::vector<NodePtr> patterns_of(const Source& source) {
  std::vector<NodePtr> patterns;
  const Node& list = *source.node;
  if (source.members || !source.is_group() || !list.holds_inheritance() ||
      list.schema()->kind != schema::Kind::List) {
    return patterns;
  }
  const auto take = [&](const NodePtr& entry) {
    if (is_pattern_in(source, *entry)) {
      patterns.push_back(entry);
    }
  };
  if (list.children().order() == Order::Natural) {
    // They are neighbours, so a large list need not be searched.
    for (const Node* at = list.children().after("<"); at && at->name().starts_with('<');
         at = list.children().after(at->name())) {
      take(list.children().find_shared(at->name()));
    }
  } else {
    list.children().for_each([&](const NodePtr& entry) {
      take(entry);
      return true;
    });
  }
  std::ranges::stable_sort(patterns, std::greater(),
                           [](const NodePtr& entry) { return own_characters(entry->name()); });
  return patterns;
}

}  // namespace

const Origin* Origins::of(Role role, std::string_view name, const Origin* via) {
  const auto [at, is_new] = all_.try_emplace({via, role, std::string(name)});
  if (is_new) {
    at->second = {role, std::string(name), via};
  }
  return &at->second;
}

bool Source::is_group() const {
  return group_of(origin) != nullptr;
}

bool Source::operator==(const Source& other) const {
  return node == other.node && origin == other.origin &&
         (members == other.members || (members && other.members && *members == *other.members));
}

Patterns::Patterns(const Sources& list) : list_(list) {
  of_source_.reserve(list.size());
  for (const Source& source : list) {
    of_source_.push_back(patterns_of(source));
  }
}

Sources Patterns::entry(std::string_view key, bool& exists) const {
  Sources out;
  exists = false;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Source& source = list_[i];
    if (source.members) {
      if (source.members->matches(key)) {
        exists = exists || source.members->names_it(key);
        out.push_back({source.node, source.origin, nullptr});
      }
      continue;
    }
    if (NodePtr entry = source.node->children().find_shared(key);
        entry && !is_pattern_in(source, *entry)) {
      exists = true;
      out.push_back({std::move(entry), source.origin, nullptr});
    }
    for (const NodePtr& pattern : of_source_[i]) {
      const std::string_view text = pattern->name();
      if (base::glob_matches(text.substr(1, text.size() - 2), key)) {
        out.push_back({pattern, source.origin, nullptr});
      }
    }
  }
  return out;
}

Groups::Groups(const Node& root, Origins& origins) : origins_(origins) {
  root.children().for_each([&](const NodePtr& child) {
    if (child->schema()->role == Role::Groups) {
      groups_ = child;
    }
    return !groups_;
  });
}

Sources Groups::resolved(const Sources& level, Steps place) const {
  const bool is_plain = std::ranges::none_of(level, [](const Source& source) {
    return instruction(*source.node, Role::ApplyGroups) ||
           instruction(*source.node, Role::ExceptGroups);
  });
  if (is_plain) {
    return level;
  }
  Sources out;
  std::vector<std::string_view> except;
  for (const Source& source : level) {
    if (!source.is_group()) {
      out.push_back(source);
      each_name(instruction(*source.node, Role::ExceptGroups),
                [&](std::string_view name) { except.push_back(name); });
    }
  }
  const std::size_t own = out.size();
  for (std::size_t i = 0; i < own; ++i) {
    each_name(instruction(*out[i].node, Role::ApplyGroups), [&](std::string_view name) {
      for (Source& found : lookup(name, nullptr, place)) {
        add(out, std::move(found), place);
      }
    });
  }
  for (const Source& source : level) {
    const bool taken = std::ranges::any_of(
        except, [&](std::string_view name) { return comes_by(source.origin, name); });
    if (source.is_group() && !taken) {
      add(out, source, place);
    }
  }
  // What a group excepts concerns what it applies itself further up.
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Origin* outer = group_of(out[i].origin);
    const Node* names = outer ? instruction(*out[i].node, Role::ExceptGroups) : nullptr;
    each_name(names, [&](std::string_view name) {
      out.erase(std::remove_if(
                    out.begin() + static_cast<std::ptrdiff_t>(i) + 1, out.end(),
                    [&](const Source& source) { return comes_below(source.origin, outer, name); }),
                out.end());
    });
  }
  return out;
}

// Adds a source, and behind it those of the groups that it applies itself at this place.
void Groups::add(Sources& out, Source source, Steps place) const {
  add_until(out.size() + kMostApplied, out, std::move(source), place);
}

void Groups::add_until(std::size_t most, Sources& out, Source source, Steps place) const {
  if (out.size() >= most || std::ranges::contains(out, source)) {
    return;
  }
  const Origin* group = group_of(source.origin);
  const NodePtr node = source.node;
  out.push_back(std::move(source));
  each_name(instruction(*node, Role::ApplyGroups), [&](std::string_view name) {
    // A group that comes to itself again is an error that the checks of a commit report.
    if (!comes_by(group, name)) {
      for (Source& found : lookup(name, group, place)) {
        add_until(most, out, std::move(found), place);
      }
    }
  });
}

// What the group has at `place`. Groups that it applies further up are in the result; those at
// `place` itself are not.
Sources Groups::lookup(std::string_view name, const Origin* via, Steps place) const {
  NodePtr group = groups_ ? groups_->children().find_shared(name) : nullptr;
  if (!group) {
    return {};
  }
  Sources at{{std::move(group), origins_.of(Role::Groups, name, via), nullptr}};
  for (std::size_t depth = 0; depth < place.size() && !at.empty(); ++depth) {
    const Step& step = place[depth];
    if (step.keyed) {
      bool exists = false;
      at = Patterns(at).entry(step.key, exists);
    } else {
      at = statement(resolved(at, place.first(depth)), *step.schema);
    }
  }
  return at;
}

const schema::Node* range_of(const schema::Node& list) {
  if (list.parent != nullptr && list.kind == schema::Kind::List) {
    for (const auto& sibling : list.parent->children) {
      if (sibling->role == Role::Range && sibling->like == &list) {
        return sibling.get();
      }
    }
  }
  return nullptr;
}

Sources Groups::statement(const Sources& level, const schema::Node& schema) const {
  Sources out;
  const schema::Node* range = range_of(schema);
  std::map<std::string_view, std::shared_ptr<const RangeMembers>> known;
  Sources ranges;  // the range lists, to know all that the sources say of one range
  if (range != nullptr) {
    for (const Source& source : level) {
      if (NodePtr node = source.node->children().find_shared(range->name)) {
        ranges.push_back({std::move(node), source.origin, nullptr});
      }
    }
  }
  const Patterns patterns(ranges);
  const auto members_of = [&](std::string_view name) {
    auto& members = known[name];
    if (!members) {
      RangeMembers all;
      bool exists = false;
      for (const Source& source : patterns.entry(name, exists)) {
        add_members(all, *source.node);
      }
      all.settle();
      std::erase_if(all.names,
                    [&](const std::string& member) { return !schema.type.canonical(member); });
      members = std::make_shared<const RangeMembers>(std::move(all));
    }
    return members;
  };
  std::set<std::string_view> names;
  for (const Source& source : ranges) {
    source.node->children().for_each([&](const NodePtr& entry) {
      if (!is_pattern_in(source, *entry)) {
        names.insert(entry->name());
      }
      return true;
    });
  }
  for (const Source& source : level) {
    if (NodePtr node = source.node->children().find_shared(schema.name);
        node && node->schema() == &schema) {
      out.push_back({std::move(node), source.origin, nullptr});
    }
    if (range == nullptr || !source.node->child(range->name)) {
      continue;
    }
    const Sources own{{source.node->children().find_shared(range->name), source.origin, nullptr}};
    const Patterns own_patterns(own);
    for (const std::string_view name : names) {
      bool exists = false;
      for (Source& body : own_patterns.entry(name, exists)) {
        out.push_back({std::move(body.node), origins_.of(Role::Range, name, source.origin),
                       members_of(name)});
      }
    }
  }
  return out;
}

}  // namespace millrace::tree
