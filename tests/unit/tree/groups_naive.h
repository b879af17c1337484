// SPDX-License-Identifier: GPL-2.0-or-later
//
// Expansion as one would explain it, to compare the real one with: change the configuration in
// place, ranges first, then groups, deepest level first, one group after the other, local
// statements winning. What entries there are is found first, by doing that without the leaves of
// groups until nothing is new. Groups in groups and
// ranges in groups are left out.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/glob.h"
#include "tree/node.h"

namespace millrace::tree::testing {

class NaiveExpansion {
 public:
  // The `set` lines of the effective form of `root`, sorted.
  static std::vector<std::string> lines(const Node& root) {
    NaiveExpansion self;
    self.config_ = copy(root);
    for (std::size_t before = 0, now = 1; now != before;) {
      before = now;
      self.spread_ranges();
      self.inherit(*self.config_, {}, true);
      now = count(*self.config_);
    }
    self.inherit(*self.config_, {}, false);
    std::vector<std::string> out;
    print(*self.config_, "set", out);
    std::ranges::sort(out);
    return out;
  }

 private:
  struct Plain {
    const schema::Node* schema = nullptr;
    bool entry = false;
    std::string text;
    std::vector<std::unique_ptr<Plain>> kids;

    std::string name() const { return entry ? text : schema->name; }
    Plain* kid(std::string_view wanted) const {
      for (const auto& each : kids) {
        if (each->name() == wanted) {
          return each.get();
        }
      }
      return nullptr;
    }
    Plain& make(const Plain& like) {
      if (Plain* there = kid(like.name())) {
        return *there;
      }
      kids.push_back(std::make_unique<Plain>(Plain{like.schema, like.entry, like.text, {}}));
      return *kids.back();
    }
    bool is_list() const { return schema->kind == schema::Kind::List && !entry; }
    bool is_pattern() const { return entry && schema::is_pattern(text); }
    std::vector<std::string> names(std::string_view word) const {
      std::vector<std::string> out;
      if (const Plain* list = kid(word)) {
        for (const auto& each : list->kids) {
          out.push_back(each->text);
        }
      }
      return out;
    }
  };
  using Path = std::vector<std::string>;

  static std::unique_ptr<Plain> copy(const Node& node) {
    auto made =
        std::make_unique<Plain>(Plain{node.schema(),
                                      node.is_entry(),
                                      std::string(node.is_entry() ? node.name() : node.value()),
                                      {}});
    node.children().for_each([&](const NodePtr& child) {
      if (!child->inactive()) {
        made->kids.push_back(copy(*child));
      }
      return true;
    });
    return made;
  }

  static std::size_t count(const Plain& node) {
    std::size_t all = 1;
    for (const auto& kid : node.kids) {
      all += count(*kid);
    }
    return all;
  }

  void spread_ranges() {
    Plain* interfaces = config_->kid("interfaces");
    Plain* ranges = interfaces ? interfaces->kid("interface-range") : nullptr;
    if (!ranges) {
      return;
    }
    const Plain list{ranges->schema->like, false, {}, {}};
    Plain& all = interfaces->make(list);
    const auto match = [](const Plain& range, std::string_view name) {
      return std::ranges::any_of(range.names("member"), [&](const std::string& member) {
        return base::glob_matches(member, name);
      });
    };
    for (const auto& range : ranges->kids) {
      for (const std::string name : {"eth0", "eth1", "eth2", "eth3", "lo0"}) {
        bool named = false;
        for (const std::string& member : range->names("member")) {
          named =
              named || (member.find('*') == std::string::npos && base::glob_matches(member, name));
        }
        if (named) {
          all.make({list.schema, true, name, {}});
        }
      }
    }
    for (const auto& entry : all.kids) {
      for (const auto& range : ranges->kids) {
        if (match(*range, entry->text)) {
          merge(*entry, *range, "", false, true);
        }
      }
    }
  }

  // Everything below first, then the groups that this level applies.
  void inherit(Plain& node, const Path& path, bool entries_only) {
    const bool is_root = path.empty();
    for (const auto& kid : node.kids) {
      if (is_root && kid->name() == "groups") {
        continue;
      }
      Path below = path;
      below.push_back(kid->name());
      inherit(*kid, below, entries_only);
    }
    if (node.is_list() || node.schema->kind == schema::Kind::LeafList) {
      return;
    }
    for (const std::string& group : node.names("apply-groups")) {
      const Plain* groups = config_->kid("groups");
      const Plain* start = groups ? groups->kid(group) : nullptr;
      std::vector<const Plain*> found;
      if (start) {
        found.push_back(start);
      }
      for (const std::string& word : path) {
        std::vector<const Plain*> next;
        for (const Plain* at : found) {
          if (const Plain* literal = at->kid(word)) {
            next.push_back(literal);
          }
          for (const Plain* pattern : patterns(*at)) {
            if (fits(*pattern, word)) {
              next.push_back(pattern);
            }
          }
        }
        found = next;
      }
      for (const Plain* source : found) {
        merge(node, *source, group, entries_only, true);
      }
    }
  }

  static bool fits(const Plain& pattern, std::string_view name) {
    return base::glob_matches(std::string_view(pattern.text).substr(1, pattern.text.size() - 2),
                              name);
  }

  static std::vector<const Plain*> patterns(const Plain& list) {
    std::vector<const Plain*> out;
    for (const auto& kid : list.kids) {
      if (list.is_list() && kid->is_pattern()) {
        out.push_back(kid.get());
      }
    }
    const auto stars = [](const Plain* pattern) {
      return std::ranges::count_if(pattern->text, [](char c) { return c != '*' && c != '?'; });
    };
    std::ranges::stable_sort(out,
                             [&](const Plain* a, const Plain* b) { return stars(a) > stars(b); });
    return out;
  }

  static void merge(Plain& to, const Plain& from, const std::string& group, bool entries_only,
                    bool here) {
    if (!here && !group.empty() && std::ranges::contains(to.names("apply-groups-except"), group)) {
      return;
    }
    for (const auto& kid : from.kids) {
      const auto role = kid->schema->role;
      const bool is_apply = role == schema::Role::ApplyGroups || role == schema::Role::ExceptGroups;
      if (kid->is_pattern() && from.is_list()) {
        continue;
      }
      // A range counts as written at its members, so what it applies is theirs.
      if (role != schema::Role::None && !(is_apply && group.empty())) {
        continue;
      }
      const bool is_leaf =
          kid->schema->kind == schema::Kind::Leaf || kid->schema->kind == schema::Kind::LeafList;
      if (entries_only && is_leaf) {
        continue;
      }
      merge(to.make(*kid), *kid, group, entries_only, false);
    }
    for (const Plain* pattern : group.empty() ? std::vector<const Plain*>() : patterns(from)) {
      for (const auto& entry : to.kids) {
        if (fits(*pattern, entry->text)) {
          merge(*entry, *pattern, group, entries_only, false);
        }
      }
    }
  }

  static bool print(const Plain& node, const std::string& line, std::vector<std::string>& out) {
    bool any = false;
    for (const auto& kid : node.kids) {
      if (kid->schema->role != schema::Role::None) {
        continue;
      }
      any = print(*kid, kid->entry || !kid->schema->nameless ? line + ' ' + kid->name() : line,
                  out) ||
            any;
    }
    const auto kind = node.schema->kind;
    const bool is_there = node.entry || kind == schema::Kind::Leaf || node.schema->presence;
    if (!any && is_there) {
      const bool has_value = kind == schema::Kind::Leaf && !node.text.empty() && !node.entry;
      out.push_back(has_value ? line + ' ' + node.text : line);
    }
    return any || is_there;
  }

  std::unique_ptr<Plain> config_;
};

}  // namespace millrace::tree::testing
