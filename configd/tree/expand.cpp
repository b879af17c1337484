// SPDX-License-Identifier: GPL-2.0-or-later
//
// Top down along the sources of each place (tree/sources.h), for this version and an earlier one
// side by side. Where both have the same sources, and these do not themselves depend on groups that
// changed, the earlier result is the result. A list goes by the differences of its sources when
// nothing concerns all of its entries, so one edit beside 100,000 entries visits one.
#include "tree/expand.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/check.h"
#include "tree/node_builder.h"
#include "tree/reorder.h"

namespace millrace::tree {
namespace {

using schema::Kind;

// The source that is the thing itself, no pattern for it and no range that speaks for it; or null.
const Source* itself(const schema::Node& schema, const Step& step, const Sources& in) {
  for (const Source& source : in) {
    if (source.node->schema() == &schema && (!step.keyed || source.node->name() == step.key) &&
        !is_pattern_in(source, *source.node)) {
      return &source;
    }
  }
  return nullptr;
}

bool is_level(const schema::Node& schema, const Step& step) {
  return schema.kind == Kind::Container || (schema.kind == Kind::List && step.keyed);
}

bool holds_children(const Node& node) {
  return node.schema()->kind != Kind::Leaf &&
         !(node.is_entry() && node.schema()->kind == Kind::LeafList);
}

}  // namespace

NodePtr Expansion::run(const Expansion* was, const NodePtr& was_result) {
  was_groups_ = was ? &was->groups_ : nullptr;
  Sources was_in;
  if (was) {
    was_in.push_back({was->root_, nullptr, nullptr});
  }
  const Sources in{{root_, nullptr, nullptr}};
  return merged(*root_->schema(), in, {was ? &was_in : nullptr, was_result});
}

NodePtr Expansion::run_recorded(Inherited& inherited, Steps only) {
  inherited_ = &inherited;
  only_ = only;
  return run(nullptr, nullptr);
}

bool Expansion::is_same(const Sources& in, const Sources& was) const {
  const bool same_groups = was_groups_->node() == groups_.node();
  return in == was && (same_groups || std::ranges::none_of(in, [](const Source& source) {
                         return source.node->applies_groups();
                       }));
}

// The node at place_ that the sources make together, null when there is none.
NodePtr Expansion::merged(const schema::Node& schema, const Sources& in, const Version& was) {
  if (in.empty()) {
    return nullptr;
  }
  if (was.sources && is_same(in, *was.sources)) {
    return was.result;
  }
  const Step step = place_.empty() ? Step{&schema, {}, false} : place_.back();
  const Source* self = itself(schema, step, in);
  const Source& maker = self ? *self : in.front();
  const bool is_local = self && !self->origin;
  const bool may_share = !inherited_ || is_local;
  if (self && !holds_children(*self->node)) {
    return may_share ? self->node : finished(std::make_shared<Node>(*self->node), maker, false);
  }
  if (self && in.size() == 1 && may_share && !self->node->holds_inheritance()) {
    return self->node;
  }
  NodePtr made = self         ? std::make_shared<Node>(*self->node)
                 : step.keyed ? NodeBuilder::entry(schema, step.key)
                              : NodeBuilder::statement(schema);
  Node& node = NodeBuilder::own(made);
  Children result = NodeBuilder::statement(schema)->children();
  if (is_level(schema, step)) {
    result = Children();
    const Sources level = groups_.resolved(in, place_);
    if (was.sources) {
      const Sources was_level = was_groups_->resolved(*was.sources, place_);
      statements(result, level, &was_level, was);
    } else {
      statements(result, level, nullptr, was);
    }
  } else {
    entries(result, schema, in, was);
  }
  NodeBuilder::children(node) = std::move(result);
  NodeBuilder::refresh(node);
  if (schema.parent && NodeBuilder::vanishes(node)) {
    return nullptr;
  }
  return finished(std::move(made), maker, is_local);
}

NodePtr Expansion::finished(NodePtr made, const Source& maker, bool is_local) {
  if (inherited_ && !is_local) {
    inherited_->emplace(made.get(), maker.origin);
  }
  return made;
}

// All statements of a container or entry: few enough to look at each.
void Expansion::statements(Children& result, const Sources& level, const Sources* was_level,
                           const Version& was) {
  struct ByOrder {
    bool operator()(const schema::Node* left, const schema::Node* right) const {
      return left->order < right->order;
    }
  };
  std::set<const schema::Node*, ByOrder> all;
  for (const Source& source : level) {
    source.node->children().for_each([&](const NodePtr& child) {
      if (child->schema()->role == schema::Role::Range) {
        all.insert(child->schema()->like);
      } else if (!is_instruction(*child)) {
        all.insert(child->schema());
      }
      return true;
    });
  }
  for (const schema::Node* schema : all) {
    if (const Step* step = wanted(); step && step->schema != schema) {
      continue;
    }
    const Sources in = groups_.statement(level, *schema);
    Sources was_in;
    Version before;
    if (was_level) {
      was_in = was_groups_->statement(*was_level, *schema);
      before.sources = &was_in;
      before.result = was.result ? was.result->children().find_shared(schema->name) : nullptr;
    }
    place_.push_back({schema, {}, false});
    if (NodePtr made = merged(*schema, in, before)) {
      result.put(std::move(made));
    }
    place_.pop_back();
  }
}

void Expansion::put_entry(Children& result, const schema::Node& list, std::string_view key,
                          const Sources& in, const Sources* was_in, NodePtr was_result) {
  place_.push_back({&list, key, true});
  NodePtr made = merged(list, in, {was_in, was_result});
  place_.pop_back();
  base::check(made != nullptr, "an entry stays when it holds nothing");
  if (made != result.find_shared(key)) {
    result.put(std::move(made));
  }
}

// The entries of a list or values of a leaf-list.
void Expansion::entries(Children& result, const schema::Node& list, const Sources& in,
                        const Version& was) {
  // There the first source that has an entry has the last word.
  const bool has_room_for_one = list.kind == Kind::List && list.max_elements == 1;
  if (!has_room_for_one && was.sources && was.result && follow(result, list, in, was)) {
    return;
  }
  const Patterns patterns(in);
  const Sources nothing;
  const Patterns was_patterns(was.sources ? *was.sources : nothing);
  const bool is_ranked = result.order() == Order::Ranked;
  if (was.result && !is_ranked) {
    result = was.result->children();
  }
  if (const Step* step = wanted()) {
    bool exists = false;
    const Sources entry = patterns.entry(step->key, exists);
    if (exists) {
      put_entry(result, list, step->key, entry, nullptr, nullptr);
    }
    return;
  }
  std::unordered_set<std::string_view> done;
  const auto take = [&](std::string_view key) {
    if ((has_room_for_one && !done.empty()) || !done.insert(key).second) {
      return;
    }
    bool exists = false;
    Sources was_in;
    if (was.sources) {
      was_in = was_patterns.entry(key, exists);
    }
    put_entry(result, list, key, patterns.entry(key, exists), exists ? &was_in : nullptr,
              was.result ? was.result->children().find_shared(key) : nullptr);
  };
  for (const Source& source : in) {
    if (source.members) {
      std::ranges::for_each(source.members->names, take);
      continue;
    }
    source.node->children().for_each([&](const NodePtr& entry) {
      if (!is_pattern_in(source, *entry)) {
        take(entry->name());
      }
      return true;
    });
  }
  if (result.size() > done.size()) {
    std::vector<std::string> gone;
    result.for_each([&](const NodePtr& entry) {
      if (!done.contains(entry->name())) {
        gone.emplace_back(entry->name());
      }
      return true;
    });
    std::ranges::for_each(gone, [&](const std::string& key) { result.erase(key); });
  }
}

// Only what differs from the earlier version. False, and `result` as it was, when that is not
// enough to know.
bool Expansion::follow(Children& result, const schema::Node& list, const Sources& in,
                       const Version& was) {
  const Sources& was_in = *was.sources;
  const bool same_groups = was_groups_->node() == groups_.node();
  if (in.size() != was_in.size()) {
    return false;
  }
  const bool is_ranked = was.result->children().order() == Order::Ranked;
  std::set<std::string, std::less<>> touched;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Source& source = in[i];
    const Source& was_source = was_in[i];
    const bool depends = !same_groups && source.node->applies_groups();
    if (source.origin != was_source.origin || depends ||
        ((source.members || was_source.members) && !(source == was_source))) {
      return false;
    }
    if (source.node == was_source.node) {
      continue;
    }
    bool concerns_all = is_ranked && (i > 0 || Children::moved(was_source.node->children(),
                                                               source.node->children()));
    Children::diff(was_source.node->children(), source.node->children(),
                   [&](const NodePtr& before, const NodePtr& after) {
                     const Node& any = before ? *before : *after;
                     concerns_all = concerns_all || is_pattern_in(source, any);
                     touched.emplace(any.name());
                   });
    if (concerns_all) {
      return false;
    }
  }
  const Patterns patterns(in);
  const Patterns was_patterns(was_in);
  Children changed = was.result->children();
  for (const std::string& key : touched) {
    bool existed = false;
    bool exists = false;
    const Sources before = was_patterns.entry(key, existed);
    const Sources after = patterns.entry(key, exists);
    // What is in several sources of a ranked list stands where the first of them has it.
    const bool has_moved =
        existed != exists || (exists && before.front().origin != after.front().origin);
    if (is_ranked && has_moved && std::max(before.size(), after.size()) > 1) {
      return false;
    }
    if (!exists) {
      changed.erase(key);
      continue;
    }
    NodePtr was_entry = changed.find_shared(key);
    if (is_ranked && !was_entry) {
      Children one(Order::Ranked);
      put_entry(one, list, key, after, nullptr, nullptr);
      if (!put_in_place(changed, in.front().node->children(), one.find_shared(key))) {
        if (!changed.empty()) {
          return false;
        }
        changed.put(one.find_shared(key));
      }
      continue;
    }
    put_entry(changed, list, key, after, existed ? &before : nullptr, std::move(was_entry));
  }
  result = std::move(changed);
  return true;
}

}  // namespace millrace::tree
