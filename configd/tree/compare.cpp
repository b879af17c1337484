// SPDX-License-Identifier: GPL-2.0-or-later
//
// A walk over the pairs of nodes that differ, in order of display. A hunk's header names the
// deepest level around its lines; a joined container is no level, its name stands before its
// child's. Lines begin with a sign and then as many blanks as the level is deep, and one more for a
// leaf, two for a block or entry, three for a changed state (Junos has it so).
#include "tree/compare.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "tree/encode.h"
#include "tree/layout.h"
#include "tree/reorder.h"

namespace millrace::tree {
namespace {

using schema::Kind;
using Words = Layout::Words;
using Pair = std::pair<NodePtr, NodePtr>;

class Comparer {
 public:
  Comparer(Path level, WriteOptions options) : level_(std::move(level)), options_(options) {}
  std::string take() && { return std::move(out_); }

  // The statements of a container or entry at the level.
  void contents(const Children& before, const Children& after, const Words& joined) {
    std::vector<Pair> pairs;
    Children::diff(before, after, [&](const NodePtr& old_child, const NodePtr& new_child) {
      pairs.emplace_back(old_child, new_child);
    });
    for (const auto& [old_child, new_child] : pairs) {
      statement(old_child, new_child, joined);
    }
  }

  // One statement that is not the same on both sides; null where it is absent.
  void statement(const NodePtr& before, const NodePtr& after, const Words& joined) {
    const schema::Node& schema = *(before ? before : after)->schema();
    const Children nothing;
    const Children& old_children = before ? before->children() : nothing;
    const Children& new_children = after ? after->children() : nothing;
    Words words = joined;
    words.push_back(schema.name);
    if (schema.kind == Kind::List) {
      entries(old_children, new_children, joined);
    } else if (schema.kind == Kind::Container && schema.joined) {
      contents(old_children, new_children, words);
    } else if (!before || !after) {
      whole(before ? '-' : '+', *(before ? before : after), joined);
    } else if (schema.kind == Kind::Container) {
      both(*before, *after, {&schema, {}, false}, joined);
    } else {
      values(*before, *after, words);
    }
  }

 private:
  std::size_t depth() const { return level_.steps.size(); }

  void line(char sign, std::size_t indent, std::string_view text) {
    std::string header = level_.to_string();
    if (out_.empty() || header != header_) {
      out_ += header.empty() ? "[edit]\n" : "[edit " + header + "]\n";
      header_ = std::move(header);
    }
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out_ += sign;
      out_.append(indent, ' ');
      out_ += text.substr(0, end);
      out_ += '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  template <class Write>
  std::string written(const Write& write) const {
    std::string text;
    syntax::TextWriter writer(text);
    Layout layout(writer, options_);
    write(layout);
    return text;
  }

  // Everything of a node that is on one side only.
  void whole(char sign, const Node& node, const Words& joined) {
    const bool is_value =
        node.schema()->kind == Kind::Leaf || node.schema()->kind == Kind::LeafList;
    line(sign, depth() + (is_value ? 1 : 2), written([&](Layout& layout) {
           node.is_entry() ? layout.entry(node, joined) : layout.statement(node, joined);
         }));
  }

  void values(const Node& before, const Node& after, const Words& words) {
    const std::string was = written([&](Layout& layout) { layout.value(before, words); });
    const std::string is = written([&](Layout& layout) { layout.value(after, words); });
    const bool same_contents = before.value() == after.value() &&
                               before.children().size() == after.children().size() &&
                               same_values(before.children(), after.children());
    if (!same_contents) {
      line('-', depth() + 1, was);
      line('+', depth() + 1, is);
    }
    const Words prefix(words.begin(), words.end() - 1);
    state(before, after, prefix, !same_contents);
  }

  static bool same_values(const Children& before, const Children& after) {
    bool same = !Children::moved(before, after);
    Children::diff(before, after, [&](const NodePtr&, const NodePtr&) { same = false; });
    return same;
  }

  // The same object on both sides: its own state, then what is in it.
  void both(const Node& before, const Node& after, schema::PathStep step, const Words& joined) {
    state(before, after, joined, false);
    const Path around = level_;
    if (!joined.empty()) {
      add_joined(after);
    }
    level_ = level_ / std::move(step);
    contents(before.children(), after.children(), {});
    level_ = around;
  }

  // The levels of joined containers above `node` that headers leave out but paths have.
  void add_joined(const Node& node) {
    std::vector<const schema::Node*> joined;
    for (const schema::Node* at = node.schema()->parent; at && at->joined; at = at->parent) {
      joined.push_back(at);
    }
    for (auto at = joined.rbegin(); at != joined.rend(); ++at) {
      level_.steps.push_back({*at, {}, false});
    }
  }

  void entries(const Children& before, const Children& after, const Words& joined) {
    std::vector<Pair> pairs;
    Children::diff(before, after, [&](const NodePtr& old_entry, const NodePtr& new_entry) {
      pairs.emplace_back(old_entry, new_entry);
    });
    const std::vector<std::string_view> moved = moved_names(before, after);
    const std::unordered_set<std::string_view> movers(moved.begin(), moved.end());
    const bool ranked = before.order() == Order::Ranked || after.order() == Order::Ranked;
    if (ranked) {
      pairs = in_order(before, after, pairs, movers);
    }
    const Node* added = nullptr;  // the entry that the last line belongs to, when it is new
    for (const auto& [old_entry, new_entry] : pairs) {
      if (new_entry && movers.contains(new_entry->name())) {
        was_moved(after, *new_entry, joined);
      }
      if (!old_entry) {
        was_added(before, after, *new_entry, joined, ranked, added);
        added = new_entry.get();
        continue;
      }
      added = nullptr;
      if (!new_entry) {
        whole('-', *old_entry, joined);
      } else if (old_entry != new_entry) {
        both(*old_entry, *new_entry, {new_entry->schema(), std::string(new_entry->name()), true},
             joined);
      }
    }
  }

  // Pairs of a ranked list as a reader of the result meets them: what is gone stands behind the
  // entry that it stood behind.
  static std::vector<Pair> in_order(const Children& before, const Children& after,
                                    const std::vector<Pair>& pairs,
                                    const std::unordered_set<std::string_view>& movers) {
    std::unordered_map<std::string_view, Pair> by_name;
    for (const Pair& pair : pairs) {
      by_name.emplace((pair.first ? pair.first : pair.second)->name(), pair);
    }
    std::unordered_map<std::string_view, std::vector<Pair>> gone_after;
    std::string_view anchor;
    before.for_each([&](const NodePtr& node) {
      if (after.find(node->name())) {
        anchor = node->name();
      } else {
        gone_after[anchor].emplace_back(node, nullptr);
      }
      return true;
    });
    std::vector<Pair> ordered = gone_after[std::string_view()];
    after.for_each([&](const NodePtr& node) {
      if (const auto pair = by_name.find(node->name()); pair != by_name.end()) {
        ordered.push_back(pair->second);
      } else if (movers.contains(node->name())) {
        ordered.emplace_back(node, node);
      }
      if (const auto gone = gone_after.find(node->name()); gone != gone_after.end()) {
        std::ranges::copy(gone->second, std::back_inserter(ordered));
      }
      return true;
    });
    return ordered;
  }

  // A new entry; in a ranked list between its neighbours, as far as they are not new themselves and
  // shown next to it.
  void was_added(const Children& before, const Children& after, const Node& entry,
                 const Words& joined, bool ranked, const Node* last_added) {
    const Node* previous = ranked ? after.before(entry.name()) : nullptr;
    if (previous && previous != last_added) {
      line(' ', depth() + 2, collapsed(*previous, joined));
    }
    whole('+', entry, joined);
    const Node* next = ranked ? after.after(entry.name()) : nullptr;
    if (next && before.find(next->name())) {
      line(' ', depth() + 2, collapsed(*next, joined));
    }
  }

  // A new place in a ranked list, between its neighbours.
  void was_moved(const Children& after, const Node& entry, const Words& joined) {
    if (const Node* previous = after.before(entry.name())) {
      line(' ', depth() + 2, collapsed(*previous, joined));
    }
    line('!', depth() + 3, collapsed(entry, joined));
    if (const Node* next = after.after(entry.name())) {
      line(' ', depth() + 2, collapsed(*next, joined));
    }
  }

  // Marks and comment. `marks_shown`: the tags stood in the lines already.
  void state(const Node& before, const Node& after, const Words& joined, bool marks_shown) {
    if (before.inactive() != after.inactive() && !marks_shown) {
      line('!', depth() + 3,
           (after.inactive() ? "inactive: " : "active: ") + collapsed(after, joined));
    }
    if (before.is_protected() != after.is_protected() && !marks_shown) {
      line('!', depth() + 3,
           (after.is_protected() ? "protect: " : "unprotect: ") + collapsed(after, joined));
    }
    if (before.comment() == after.comment()) {
      return;
    }
    for (const Node* side : {&before, &after}) {
      if (!side->comment().empty()) {
        std::string text;
        syntax::TextWriter(text).comment(side->comment());
        line(side == &before ? '-' : '+', depth() + 2, text);
      }
    }
    line(' ', depth() + 2, collapsed(after, joined));
  }

  // "name { ... }", or the whole line of what has no block.
  std::string collapsed(const Node& node, const Words& joined) const {
    Words words = joined;
    std::string text;
    if (!node.is_entry() || !node.schema()->nameless) {
      words.push_back(node.schema()->name);
    }
    if (node.is_entry()) {
      words.push_back(node.name());
    } else if (node.schema()->kind == Kind::Leaf && !node.value().empty()) {
      words.push_back(options_.hide_secrets && node.schema()->secret ? kSecretText : node.value());
    }
    for (const std::string_view word : words) {
      text += text.empty() ? "" : " ";
      syntax::append_quoted(text, word);
    }
    return text + (node.children().empty() ? ";" : " { ... }");
  }

  Path level_;
  WriteOptions options_;
  std::string header_;
  std::string out_;
};

}  // namespace

std::string compare_text(const Delta& delta, const Path& base, WriteOptions options) {
  const auto side = [&](const ConfigTree& tree) { return tree.find(base); };
  const Node* before = side(delta.before());
  const Node* after = side(delta.after());
  if (before == after) {
    return {};
  }
  const bool is_level =
      base.empty() || base.steps.back().keyed || base.steps.back().node->kind == Kind::Container;
  const Children nothing;
  if (is_level) {
    Comparer comparer(base, options);
    comparer.contents(before ? before->children() : nothing, after ? after->children() : nothing,
                      {});
    return std::move(comparer).take();
  }
  // A leaf or a whole list has its lines in the level around it.
  const auto shared = [&](const ConfigTree& tree) {
    const Node* parent = tree.find(base.parent());
    return parent ? parent->children().find_shared(base.steps.back().node->name) : nullptr;
  };
  Comparer comparer(base.parent(), options);
  comparer.statement(shared(delta.before()), shared(delta.after()), {});
  return std::move(comparer).take();
}

std::string compare_set(const Delta& delta, const Path& base, WriteOptions options) {
  return encode_at(delta, base, options.hide_secrets);
}

}  // namespace millrace::tree
