// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which rules a change can have broken. From each changed node we know the schema nodes that came,
// went or got another value; from the schema, which rules look at those, and how far up a rule and
// what it looks at have a common place. The rules to run are first collected, each with the place
// below which its carriers are to be visited, and then run once each, so that a thousand changes
// that meet one rule do not run it a thousand times.
//
// What needs a look at the whole of a list (unique values, referrers of a deleted key) costs that
// list, whatever the size of the rest.
#include "check/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "check/must.h"
#include "check/rules.h"

namespace millrace::check {
namespace {

using schema::Kind;

struct PathLess {
  bool operator()(const tree::Path& left, const tree::Path& right) const {
    return comes_before(left, right);
  }
};

// The rules of a schema that look beyond their own place.
struct Lookers {
  struct Must {
    const schema::Node* carrier;
    const schema::Must* rule;
    Read read;
  };
  std::vector<Must> musts;
  std::unordered_map<const schema::Node*, std::vector<const schema::Node*>> referrers;

  explicit Lookers(const schema::Node& node) { add(node); }

 private:
  void add(const schema::Node& node) {
    for (const schema::Must& rule : node.musts) {
      for (const Read& read : reads(rule.expression, node)) {
        musts.push_back({&node, &rule, read});
      }
    }
    if (node.reference) {
      referrers[node.reference->target].push_back(&node);
    }
    for (const auto& child : node.children) {
      add(*child);
    }
  }
};

class Incremental {
 public:
  explicit Incremental(const tree::Delta& delta)
      : delta_(delta), lookers_(delta.after().schema().root()), rules_(delta.after()) {}

  base::Diagnostics run() && {
    for (const tree::Change& change : delta_.changes()) {
      if (change.path.empty()) {
        continue;
      }
      collect_musts(change);
      if (change.after) {
        came(change);
      } else {
        went(change);
      }
    }
    run_musts();
    run_referrers();
    for (const auto& [parent, leaves] : uniques_) {
      const auto place = find_place(delta_.after(), parent);
      for (const auto& [leaf, values] : leaves) {
        rules_.unique(*place, *leaf, &values);
      }
    }
    return std::move(rules_).take();
  }

 private:
  void collect_musts(const tree::Change& change) {
    const schema::Node& changed = *change.path.steps.back().node;
    const bool whole = !change.before || !change.after;
    for (const Lookers::Must& must : lookers_.musts) {
      const bool meets =
          must.read.node == &changed || (whole && is_at_or_below(*must.read.node, changed));
      const std::size_t top = depth(*must.read.top);
      // With all of `top` new or gone its carriers are so too: new ones are checked as such.
      if (!meets || change.path.steps.size() < top) {
        continue;
      }
      const auto end = change.path.steps.begin() + static_cast<std::ptrdiff_t>(top);
      tree::Path around{{change.path.steps.begin(), end}};
      if (!around.empty() && around.steps.back().node->kind == Kind::LeafList) {
        around.steps.back() = {
            around.steps.back().node, {}, false};  // the rule is not of one value
      }
      musts_[std::move(around)].insert({must.carrier, must.rule});
    }
  }

  void came(const tree::Change& change) {
    const schema::PathStep& last = change.path.steps.back();
    auto place = find_place(delta_.after(), change.path);
    if (!place) {
      return;
    }
    const bool is_value = last.node->kind == Kind::LeafList && last.keyed;
    if (is_value) {
      // One value among others: the rules of the statement are found by what they read.
      rules_.reference(*place);
    } else if (!change.before) {
      rules_.subtree(*place);
    } else if (last.node->kind == Kind::Leaf) {
      rules_.node(*place);
    }
    note_unique(change);
  }

  // Values that the change can have made equal to others: of the entry it is or is in. Lists inside
  // of what is new were visited with it.
  void note_unique(const tree::Change& change) {
    tree::Path around = change.path;
    const schema::Node* list = change.path.steps.back().node;
    const auto note = [&](const schema::Node& leaf, const tree::Node* value) {
      if (value) {
        uniques_[around][&leaf].emplace(value->value());
      }
    };
    around.steps.pop_back();
    if (list->kind == Kind::List && change.after->is_entry()) {
      for (const std::string& name : list->unique) {
        note(*list->child(name), change.after->child(name));
      }
    } else if (list->kind == Kind::Leaf && !around.empty()) {
      const schema::Node& leaf = *list;
      around.steps.pop_back();
      if (std::ranges::find(leaf.parent->unique, leaf.name) != leaf.parent->unique.end()) {
        note(leaf, change.after.get());
      }
    }
  }

  void went(const tree::Change& change) {
    const schema::PathStep& last = change.path.steps.back();
    if (last.node->mandatory) {
      if (const auto parent = find_place(delta_.after(), change.path.parent())) {
        rules_.mandatory(*parent, *last.node);
      }
    }
    if (last.node->kind == Kind::List) {
      note_gone(*last.node, last.key);
    }
    keys_below(*change.before);
  }

  void note_gone(const schema::Node& list, std::string_view key) {
    if (lookers_.referrers.contains(&list)) {
      gone_[&list].emplace(key);
    }
  }

  void keys_below(const tree::Node& node) {
    node.children().for_each([&](const tree::NodePtr& child) {
      if (child->is_entry() && child->schema()->kind == Kind::List) {
        note_gone(*child->schema(), child->name());
      }
      keys_below(*child);
      return true;
    });
  }

  void run_musts() {
    for (const auto& [top, carriers] : musts_) {
      auto place = find_place(delta_.after(), top);
      if (!place) {
        continue;
      }
      for (const auto& [carrier, rule] : carriers) {
        each_instance(*place, *carrier, [&](const Place& at) { rules_.must(at, *rule); });
      }
    }
  }

  void run_referrers() {
    for (const auto& [target, keys] : gone_) {
      for (const schema::Node* referrer : lookers_.referrers.at(target)) {
        Place root = root_place(delta_.after());
        each_instance(root, *referrer, [&](const Place& at) {
          if (names_any(at.node(), keys)) {
            rules_.reference(at);
          }
        });
      }
    }
  }

  static bool names_any(const tree::Node& node, const Rules::Values& keys) {
    if (node.schema()->kind != Kind::LeafList) {
      return keys.contains(node.is_entry() ? node.name() : node.value());
    }
    return std::ranges::any_of(keys, [&](const std::string& key) { return node.child(key); });
  }

  const tree::Delta& delta_;
  Lookers lookers_;
  Rules rules_;
  std::map<tree::Path, std::set<std::pair<const schema::Node*, const schema::Must*>>, PathLess>
      musts_;
  std::map<tree::Path, std::map<const schema::Node*, Rules::Values>, PathLess> uniques_;
  std::map<const schema::Node*, Rules::Values> gone_;
};

}  // namespace

base::Diagnostics check(const tree::Delta& delta) {
  return delta.empty() ? base::Diagnostics() : Incremental(delta).run();
}

base::Diagnostics check_all(const tree::ConfigTree& tree) {
  Rules rules(tree);
  Place root = root_place(tree);
  rules.subtree(root);
  return std::move(rules).take();
}

}  // namespace millrace::check
