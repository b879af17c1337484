// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/groups.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>

#include "tree/apply_path.h"
#include "tree/range_members.h"
#include "tree/sources.h"

namespace millrace::check {
namespace {

using base::Code;
using schema::Kind;
using schema::Role;
using tree::Children;
using tree::Node;
using tree::NodePtr;
using tree::Path;

const Node* groups_of(const tree::ConfigTree& tree) {
  const Node* found = nullptr;
  tree.root().children().for_each([&](const NodePtr& child) {
    found = child->schema()->role == Role::Groups ? child.get() : nullptr;
    return found == nullptr;
  });
  return found;
}

bool same_names(const Node* before, const Node* after) {
  if (before == after) {
    return true;
  }
  bool same = before != nullptr && after != nullptr;
  if (same) {
    Children::diff(
        before->children(), after->children(),
        [&](const NodePtr& left, const NodePtr& right) { same = same && left && right; });
  }
  return same;
}

std::string quoted(const Node& statement, std::string_view value) {
  return std::format("{} {}", statement.name(), value);
}

class Checker {
 public:
  explicit Checker(const Node* groups) : groups_(groups) {}

  // Every statement of groups or ranges below `node` that is not also below `known`.
  void visit(const Node& node, const Node* known) {
    if (&node == known || !node.holds_inheritance()) {
      return;
    }
    switch (node.schema()->role) {
      case Role::ApplyGroups:
      case Role::ExceptGroups:
        return defined(node);
      case Role::Range:
        if (node.is_entry()) {
          range(node);
        }
        break;
      case Role::ApplyPath:
        return leads_somewhere(node);
      case Role::Groups:
      case Role::RangeMember:
      case Role::None:
        break;
    }
    const Children nothing;
    const auto below = [&](const NodePtr& was, const NodePtr& is) {
      if (!is) {
        return;
      }
      if (is->is_entry()) {
        path_.steps.back().key = is->name();
        path_.steps.back().keyed = true;
        visit(*is, was.get());
        path_.steps.back() = {is->schema(), {}, false};
      } else {
        path_.steps.push_back({is->schema(), {}, false});
        visit(*is, was.get());
        path_.steps.pop_back();
      }
    };
    Children::diff(known ? known->children() : nothing, node.children(), below);
  }

  // Groups that come to themselves by what they apply anywhere in them, or to others along too
  // many ways.
  void applied_in_groups() {
    if (!groups_) {
      return;
    }
    Applies applies;
    groups_->children().for_each([&](const NodePtr& group) {
      names_below(*group, applies[group->name()]);
      return true;
    });
    const Counts sources = sources_of(applies);
    for (const auto& [name, direct] : applies) {
      const auto count = sources.find(name);
      if (count == sources.end()) {
        comes_to_itself(applies, name);
      } else if (count->second > tree::kMostApplied) {
        diagnostics_.error(Code::Constraint, "groups", std::string(name),
                           std::format("group '{}' applies other groups along more than {} ways",
                                       name, tree::kMostApplied - 1));
      }
    }
  }

  base::Diagnostics take() && { return std::move(diagnostics_); }

 private:
  using Applies = std::map<std::string_view, std::set<std::string_view>>;
  using Counts = std::map<std::string_view, std::size_t>;

  static void names_below(const Node& node, std::set<std::string_view>& names) {
    if (!node.holds_inheritance()) {
      return;
    }
    node.children().for_each([&](const NodePtr& child) {
      if (node.schema()->role == Role::ApplyGroups) {
        names.insert(child->name());
      } else {
        names_below(*child, names);
      }
      return true;
    });
  }

  static bool reaches(const Applies& applies, std::string_view from, std::string_view to) {
    std::set<std::string_view> seen{from};
    std::vector<std::string_view> open{from};
    while (!open.empty()) {
      const auto found = applies.find(open.back());
      open.pop_back();
      if (found == applies.end()) {
        continue;
      }
      for (const std::string_view next : found->second) {
        if (next == to) {
          return true;
        }
        if (seen.insert(next).second) {
          open.push_back(next);
        }
      }
    }
    return false;
  }

  // As how many sources each group counts when it is applied, at most kMostApplied + 1; without
  // those that come to a circle.
  static Counts sources_of(const Applies& applies) {
    std::map<std::string_view, std::vector<std::string_view>> users;
    Counts unknown;  // how many of the groups that it applies are not counted yet
    std::vector<std::string_view> ready;
    for (const auto& [name, direct] : applies) {
      for (const std::string_view other : direct) {
        if (applies.contains(other)) {
          users[other].push_back(name);
          ++unknown[name];
        }
      }
      if (!unknown.contains(name)) {
        ready.push_back(name);
      }
    }
    Counts sources;
    while (!ready.empty()) {
      const std::string_view group = ready.back();
      ready.pop_back();
      std::size_t count = 1;
      for (const std::string_view other : applies.at(group)) {
        const auto known = sources.find(other);
        count =
            std::min(count + (known == sources.end() ? 0 : known->second), tree::kMostApplied + 1);
      }
      sources[group] = count;
      for (const std::string_view user : users[group]) {
        if (--unknown[user] == 0) {
          ready.push_back(user);
        }
      }
    }
    return sources;
  }

  void comes_to_itself(const Applies& applies, std::string_view name) {
    for (const std::string_view other : applies.at(name)) {
      if (other == name || reaches(applies, other, name)) {
        diagnostics_.error(
            Code::Constraint, std::format("groups {}", name), std::format("apply-groups {}", other),
            other == name ? std::format("group '{}' applies itself", name)
                          : std::format("group '{}' applies itself by way of '{}'", name, other));
      }
    }
  }

  void defined(const Node& names) {
    names.children().for_each([&](const NodePtr& name) {
      if (!groups_ || !groups_->child(name->name())) {
        diagnostics_.error(Code::Constraint, path_.parent().to_string(),
                           quoted(names, name->name()),
                           std::format("groups '{}' is not defined", name->name()));
      }
      return true;
    });
  }

  void leads_somewhere(const Node& path) {
    const schema::Node* root = path.schema();
    while (root->parent != nullptr) {
      root = root->parent;
    }
    if (const auto steps = tree::read_apply_path(*root, path.value()); !steps) {
      diagnostics_.error(Code::BadValue, path_.parent().to_string(), quoted(path, path.value()),
                         steps.error().message);
    }
  }

  void range(const Node& entry) {
    const schema::Node& list = *entry.schema()->like;
    tree::RangeMembers members;
    bool any = false;
    entry.children().for_each([&](const NodePtr& child) {
      if (child->schema()->role == Role::RangeMember) {
        any = true;
        child->children().for_each([&](const NodePtr& value) {
          member(*child, *value, list);
          return true;
        });
      }
      return true;
    });
    const bool in_group = path_.keys() == schema::Keys::Patterns;
    if (!any && !in_group) {
      diagnostics_.warning(path_.parent().to_string(), quoted_range(entry),
                           "has no member and so no effect");
    }
  }

  static std::string quoted_range(const Node& entry) {
    return std::format("{} {}", entry.schema()->name, entry.name());
  }

  void member(const Node& statement, const Node& value, const schema::Node& list) {
    tree::RangeMembers members;
    base::Result<void> read;
    if (statement.schema()->kind == Kind::LeafList) {
      read = tree::add_member(members, value.name());
    } else if (const Node* to = value.child("to")) {
      auto names = tree::names_between(value.name(), to->value());
      read = names ? base::Result<void>() : std::unexpected(names.error());
      members.names = names ? std::move(*names) : std::vector<std::string>();
    } else {
      read = base::fail(Code::Constraint, "Missing mandatory statement: 'to'");
    }
    const auto refuse = [&](std::string message) {
      diagnostics_.error(Code::Constraint, path_.to_string(), quoted(statement, value.name()),
                         std::move(message));
    };
    if (!read) {
      refuse(read.error().message);
      return;
    }
    for (const std::string& name : members.names) {
      if (const auto key = list.type.canonical(name); !key) {
        refuse(key.error().message);
        return;
      }
    }
  }

  const Node* groups_;
  Path path_;
  base::Diagnostics diagnostics_;
};

}  // namespace

base::Diagnostics check_groups(const tree::ConfigTree* before, const tree::ConfigTree& after) {
  const Node* was = before ? groups_of(*before) : nullptr;
  const Node* is = groups_of(after);
  const bool all = !before || !same_names(was, is);
  Checker checker(is);
  checker.visit(after.root(), all ? nullptr : &before->root());
  if (all || was != is) {
    checker.applied_in_groups();
  }
  return std::move(checker).take();
}

}  // namespace millrace::check
