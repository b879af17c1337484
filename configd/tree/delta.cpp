// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/delta.h"

namespace millrace::tree {
namespace {

class Finder {
 public:
  explicit Finder(std::vector<Change>& changes) : changes_(changes) {}

  // Requires: both are the same statement or entry; `path_` leads to it.
  void compare(const NodePtr& before, const NodePtr& after) {
    if (before == after) {
      return;
    }
    if (before->value() != after->value() || before->inactive() != after->inactive() ||
        before->is_protected() != after->is_protected() || before->comment() != after->comment() ||
        Children::moved(before->children(), after->children())) {
      changes_.push_back({path_, before, after});
    }
    children_of(before.get(), after.get());
  }

 private:
  void children_of(const Node* before, const Node* after) {
    const Children nothing;
    Children::diff(
        before ? before->children() : nothing, after ? after->children() : nothing,
        [&](const NodePtr& old_child, const NodePtr& new_child) { descend(old_child, new_child); });
  }

  void descend(const NodePtr& before, const NodePtr& after) {
    const Node& any = before ? *before : *after;
    // An entry shares the step that its list made.
    const schema::PathStep list_step{any.schema(), {}, false};
    if (any.is_entry()) {
      path_.steps.back() = {any.schema(), std::string(any.name()), true};
    } else {
      path_.steps.push_back(list_step);
    }
    if (before && after) {
      compare(before, after);
    } else if (!any.is_entry() && any.schema()->kind == schema::Kind::List) {
      // A list that came or went is no object of its own: its entries came or went.
      children_of(before.get(), after.get());
    } else {
      changes_.push_back({path_, before, after});
    }
    if (any.is_entry()) {
      path_.steps.back() = list_step;
    } else {
      path_.steps.pop_back();
    }
  }

  std::vector<Change>& changes_;
  Path path_;
};

bool at_or_below(const schema::Node* node, const schema::Node* top) {
  while (node && node != top) {
    node = node->parent;
  }
  return node == top;
}

}  // namespace

Delta::Delta(ConfigTree before, ConfigTree after)
    : before_(std::move(before)), after_(std::move(after)) {
  Finder(changes_).compare(before_.root_ptr(), after_.root_ptr());
}

bool Delta::touches(std::string_view schema_path) const {
  const schema::Node* wanted = after_.schema().find(schema_path);
  if (!wanted) {
    return false;
  }
  for (const Change& change : changes_) {
    const schema::Node* changed = &change.path.schema(after_.schema());
    if (at_or_below(changed, wanted) || at_or_below(wanted, changed)) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> Delta::changed_keys(const Path& list) const {
  const Node* before = before_.find(list);
  const Node* after = after_.find(list);
  const Children nothing;
  std::vector<std::string> keys;
  Children::diff(before ? before->children() : nothing, after ? after->children() : nothing,
                 [&](const NodePtr& old_entry, const NodePtr& new_entry) {
                   keys.emplace_back((old_entry ? old_entry : new_entry)->name());
                 });
  return keys;
}

}  // namespace millrace::tree
