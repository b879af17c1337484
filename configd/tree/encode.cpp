// SPDX-License-Identifier: GPL-2.0-or-later
//
// A delta as command lines. Three groups: what is set, what is deleted, marks and comments. Setting
// comes first so that no container that exists on both sides is ever empty in between, which would
// lose its marks. In ranked lists an entry that does not end up at the end is followed by the
// `insert` that puts it behind its neighbour; they are written in the order of the result, so the
// neighbour is in place by then.
#include "tree/encode.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

#include "tree/reorder.h"
#include "tree/set_lines.h"

namespace millrace::tree {
namespace {

using Names = std::unordered_set<std::string_view>;

class Encoder {
 public:
  explicit Encoder(bool hide_secrets) : hide_secrets_(hide_secrets) {}
  std::string take() && { return std::move(sets_) + deletes_ + marks_; }
  LinePath& path() { return path_; }

  // Requires: both are the same statement or entry, at path().
  void compare(const Node& before, const Node& after) {
    if (before.value() != after.value()) {
      append_set_lines(sets_, path_, after, {hide_secrets_}, [](const Node&) {});
    }
    mark(before.inactive(), after.inactive(), "activate", "deactivate");
    mark(before.is_protected(), after.is_protected(), "unprotect", "protect");
    if (before.comment() != after.comment()) {
      annotate(after.comment());
    }
    children_of(before.children(), after.children());
  }

  void children_of(const Children& before, const Children& after) {
    Names added;
    std::vector<const Node*> in_order;
    Children::diff(before, after, [&](const NodePtr& old_child, const NodePtr& new_child) {
      const LinePath::Level level = path_.enter(old_child ? *old_child : *new_child);
      if (old_child && new_child) {
        compare(*old_child, *new_child);
      } else if (old_child) {
        removed(*old_child);
      } else {
        added.insert(new_child->name());
        in_order.push_back(new_child.get());
      }
    });
    if (after.order() == Order::Ranked) {
      place(before, after, added, in_order);
      return;
    }
    for (const Node* node : in_order) {
      add(*node);
    }
  }

 private:
  void line(std::string& out, std::string_view verb) {
    out += verb;
    out += path_.text();
    out += '\n';
  }

  void mark(bool was, bool is, std::string_view off, std::string_view on) {
    if (was != is) {
      line(marks_, is ? on : off);
    }
  }

  void annotate(std::string_view comment) {
    marks_ += "annotate" + path_.text() + ' ' + syntax::quote(comment) + '\n';
  }

  void add(const Node& node) {
    const LinePath::Level level = path_.enter(node);
    append_set_lines(sets_, path_, node, {hide_secrets_}, [&](const Node& made) {
      mark(false, made.inactive(), "activate", "deactivate");
      mark(false, made.is_protected(), "unprotect", "protect");
      if (!made.comment().empty()) {
        annotate(made.comment());
      }
    });
  }

  void removed(const Node& node) {
    if (node.is_entry() || !node.schema()->nameless) {
      line(deletes_, "delete");
      return;
    }
    node.children().for_each([&](const NodePtr& entry) {
      const LinePath::Level level = path_.enter(*entry);
      line(deletes_, "delete");
      return true;
    });
  }

  // Adds the new entries of a ranked list and moves those that stand elsewhere now.
  void place(const Children& before, const Children& after, const Names& added,
             const std::vector<const Node*>& in_order) {
    const std::vector<std::string_view> moved = moved_names(before, after);
    const Names movers(moved.begin(), moved.end());
    Names done;
    std::unordered_map<std::string_view, bool> at_end;
    const auto is_pending = [&](const Node* node) {
      return node && (added.contains(node->name()) || movers.contains(node->name())) &&
             !done.contains(node->name());
    };
    const auto place_run = [&](std::string_view name) {
      // First what stands before it, so that it can be put behind that.
      std::vector<const Node*> run;
      for (const Node* at = after.find(name); is_pending(at); at = after.before(at->name())) {
        run.push_back(at);
      }
      for (const Node* node : std::views::reverse(run)) {
        done.insert(node->name());
        const bool is_new = added.contains(node->name());
        if (is_new) {
          add(*node);
        }
        if (!is_new || !stands_at_end(after, added, *node, at_end)) {
          insert(after, *node, added, movers);
        }
      }
    };
    std::ranges::for_each(moved, place_run);
    for (const Node* node : in_order) {
      place_run(node->name());
    }
  }

  // Whether only new entries follow: then setting them in order is enough.
  static bool stands_at_end(const Children& after, const Names& added, const Node& node,
                            std::unordered_map<std::string_view, bool>& known) {
    std::vector<std::string_view> run;
    const Node* at = &node;
    while (at && added.contains(at->name()) && !known.contains(at->name())) {
      run.push_back(at->name());
      at = after.after(at->name());
    }
    const bool result = !at || (known.contains(at->name()) && known[at->name()]);
    for (const std::string_view name : run) {
      known[name] = result;
    }
    return result;
  }

  void insert(const Children& after, const Node& node, const Names& added, const Names& movers) {
    const Node* neighbour = after.before(node.name());
    std::string_view side = "after";
    if (!neighbour) {
      side = "before";
      neighbour = after.after(node.name());
      while (neighbour &&
             (added.contains(neighbour->name()) || movers.contains(neighbour->name()))) {
        neighbour = after.after(neighbour->name());
      }
    }
    if (!neighbour) {
      return;
    }
    const LinePath::Level level = path_.enter(node);
    path_.word(side);
    if (!node.schema()->nameless) {
      path_.word(node.schema()->name);
    }
    path_.word(neighbour->name());
    line(sets_, "insert");
  }

  bool hide_secrets_;
  LinePath path_;
  std::string sets_;
  std::string deletes_;
  std::string marks_;
};

}  // namespace

std::string encode_at(const Delta& delta, const Path& base, bool hide_secrets) {
  Encoder encoder(hide_secrets);
  for (const std::string& word : base.words()) {
    encoder.path().word(word);
  }
  const Node* before = delta.before().find(base);
  const Node* after = delta.after().find(base);
  if (before && after) {
    encoder.compare(*before, *after);
  } else {
    const Children nothing;
    encoder.children_of(before ? before->children() : nothing, after ? after->children() : nothing);
  }
  return std::move(encoder).take();
}

std::string encode(const Delta& delta) {
  return encode_at(delta, {});
}

}  // namespace millrace::tree
