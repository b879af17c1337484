// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/apply_path.h"

#include <algorithm>
#include <format>
#include <functional>
#include <optional>
#include <span>

#include "base/address.h"
#include "base/glob.h"
#include "base/words.h"
#include "tree/edit.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using base::Code;
using schema::Kind;
using Steps = std::span<const ApplyPathStep>;

// What a key or value is as an entry of a list of prefixes; nothing for what is no address.
std::optional<std::string> prefix_of(std::string_view text) {
  const auto address = base::InterfaceAddress::parse(text);
  return address ? std::optional(base::Prefix(address->address, address->length).to_string())
                 : std::nullopt;
}

bool matches(const ApplyPathStep& step, std::string_view name) {
  return step.pattern.empty() ? step.name == name : base::glob_matches(step.pattern, name);
}

// What `steps` lead to below one of the two and not below the other: `see(value, +1)` for what is
// new, -1 for what is gone. Either may be null.
using See = std::function<void(std::string_view value, int sign)>;

void see_differences(const Node* was, const Node* is, Steps steps, const See& see) {
  if (was == is) {
    return;
  }
  if (steps.empty()) {
    // Both there: the same key, so the same value.
    if ((was == nullptr) != (is == nullptr)) {
      see((is != nullptr ? is : was)->name(), is != nullptr ? 1 : -1);
    }
    return;
  }
  const ApplyPathStep& step = steps.front();
  const Steps rest = steps.subspan(1);
  if (!step.is_value) {
    see_differences(was ? was->child(step.node->name) : nullptr,
                    is ? is->child(step.node->name) : nullptr, rest, see);
  } else if (step.node->kind == Kind::Leaf) {
    const auto value = [&](const Node* leaf, int sign) {
      if (leaf != nullptr && matches(step, leaf->value())) {
        see(leaf->value(), sign);
      }
    };
    value(was, -1);
    value(is, 1);
  } else if (step.pattern.empty()) {
    see_differences(was ? was->child(step.name) : nullptr, is ? is->child(step.name) : nullptr,
                    rest, see);
  } else {
    const Children nothing;
    Children::diff(was ? was->children() : nothing, is ? is->children() : nothing,
                   [&](const NodePtr& before, const NodePtr& after) {
                     if (matches(step, (after ? after : before)->name())) {
                       see_differences(before.get(), after.get(), rest, see);
                     }
                   });
  }
}

const schema::Node& root_of(const schema::Node& node) {
  const schema::Node* at = &node;
  while (at->parent != nullptr) {
    at = at->parent;
  }
  return *at;
}

std::string words_of(const std::vector<schema::PathStep>& place) {
  return Path{place}.to_string();
}

}  // namespace

base::Result<std::vector<ApplyPathStep>> read_apply_path(const schema::Node& root,
                                                         std::string_view text) {
  std::vector<ApplyPathStep> steps;
  const schema::Node* level = &root;
  const schema::Node* waiting = nullptr;  // a list, leaf-list or leaf: its key or value comes next
  for (const std::string& word : base::split_words(text)) {
    if (waiting == nullptr && level == nullptr) {
      return base::fail(Code::Syntax, std::format("found '{}' after a value", word));
    }
    const schema::Node* child = waiting == nullptr ? level->child(word) : nullptr;
    if (waiting == nullptr && child == nullptr && level->nameless_list() != nullptr) {
      waiting = level->nameless_list();
      steps.push_back({waiting});
    }
    if (waiting != nullptr) {
      ApplyPathStep step{waiting, true, word};
      if (schema::is_pattern(word)) {
        step.pattern = word.substr(1, word.size() - 2);
        if (!base::is_glob(step.pattern)) {
          return base::fail(Code::Syntax, std::format("'{}' is no pattern", word));
        }
      }
      steps.push_back(std::move(step));
      level = waiting->kind == Kind::List ? waiting : nullptr;
      waiting = nullptr;
      continue;
    }
    const bool is_there = child != nullptr && child->support != schema::Support::Refused &&
                          child->role == schema::Role::None;
    if (!is_there) {
      return base::fail(Code::UnknownPath, std::format("there is no statement '{}' in '{}'", word,
                                                       level->parent ? level->path() : "/"));
    }
    steps.push_back({child});
    (child->kind == Kind::Container ? level : waiting) = child;
  }
  if (steps.empty() || !steps.back().is_value || steps.back().pattern.empty()) {
    return base::fail(Code::Syntax, "expected a path that ends with what to collect, such as <*>");
  }
  return steps;
}

std::vector<std::string> collected(const Node& root, std::string_view text) {
  std::set<std::string, decltype(&schema::natural_less)> found(&schema::natural_less);
  if (const auto steps = read_apply_path(root_of(*root.schema()), text)) {
    see_differences(nullptr, &root, *steps, [&](std::string_view value, int) {
      if (auto prefix = prefix_of(value)) {
        found.insert(std::move(*prefix));
      }
    });
  }
  return {found.begin(), found.end()};
}

// The places of paths that came, went or changed. Nothing but them holds inheritance here.
void ApplyPaths::find(const Node* before, const Node* after, Place& place) {
  const bool was = before != nullptr && before->holds_inheritance();
  const bool is = after != nullptr && after->holds_inheritance();
  if (before == after || (!was && !is)) {
    return;
  }
  const schema::Node& schema = *(after ? after : before)->schema();
  if (schema.role == schema::Role::ApplyPath) {
    const Place entry(place.begin(), place.end() - 1);
    const std::string name = words_of(entry);
    if (after == nullptr) {
      filled_.erase(name);
    } else if (before == nullptr || before->value() != after->value()) {
      filled_[name] = {entry, &schema, std::string(after->value()), {}};
      fresh_.insert(name);
    }
    return;
  }
  const Children nothing;
  Children::diff(before ? before->children() : nothing, after ? after->children() : nothing,
                 [&](const NodePtr& left, const NodePtr& right) {
                   const Node& any = right ? *right : *left;
                   if (any.is_entry()) {
                     place.back().key = any.name();
                     place.back().keyed = true;
                   } else {
                     place.push_back({any.schema(), {}, false});
                   }
                   find(left.get(), right.get(), place);
                   if (any.is_entry()) {
                     place.back() = {any.schema(), {}, false};
                   } else {
                     place.pop_back();
                   }
                 });
}

// What differs from the last version in what the path leads to and in what the list has itself.
std::set<std::string> ApplyPaths::touched(const Node& root, Filled& filled, const Node* own_before,
                                          const Node* own) const {
  std::set<std::string> names;
  const bool is_fresh = fresh_.contains(words_of(filled.place));
  if (const auto steps = read_apply_path(root_of(*filled.path), filled.text)) {
    see_differences(is_fresh ? nullptr : source_.get(), &root, *steps,
                    [&](std::string_view value, int sign) {
                      if (auto prefix = prefix_of(value)) {
                        filled.found[*prefix] += static_cast<std::uint32_t>(sign);
                        names.insert(std::move(*prefix));
                      }
                    });
  }
  const Children nothing;
  Children::diff(own_before ? own_before->children() : nothing, own ? own->children() : nothing,
                 [&](const NodePtr& before, const NodePtr& after) {
                   names.emplace((after ? after : before)->name());
                 });
  return names;
}

NodePtr ApplyPaths::with_entries(const NodePtr& result, const NodePtr& root, Filled& filled) const {
  const schema::Node& list = *filled.path->like;
  const bool is_fresh = fresh_.contains(words_of(filled.place));
  const Node* own = edit::find(*root, filled.place)->child(list.name);
  const Node* own_before =
      is_fresh ? nullptr : edit::find(*source_, filled.place)->child(list.name);
  const Node* before = is_fresh ? own : edit::find(*result_, filled.place)->child(list.name);
  Children entries = before ? before->children() : NodeBuilder::statement(list)->children();
  for (const std::string& name : touched(*root, filled, own_before, own)) {
    const auto count = filled.found.find(name);
    const bool is_found = count != filled.found.end() && count->second > 0;
    if (NodePtr entry = own ? own->children().find_shared(name) : nullptr) {
      entries.put(std::move(entry));
    } else if (is_found) {
      entries.put(NodeBuilder::entry(list, name));
    } else {
      entries.erase(name);
    }
    if (count != filled.found.end() && !is_found) {
      filled.found.erase(count);
    }
  }
  NodePtr made = result;
  Node& top = NodeBuilder::own(made);
  NodeBuilder::change_at(top, filled.place, [&](Node& entry) {
    const NodeBuilder::Open opened = NodeBuilder::open(entry, list);
    NodeBuilder::children(*opened.node) = std::move(entries);
    NodeBuilder::close(entry, opened);
    NodeBuilder::children(entry).erase(filled.path->name);
  });
  NodeBuilder::refresh(top);
  return made;
}

NodePtr ApplyPaths::run(const NodePtr& root) {
  if (root == source_) {
    return result_;
  }
  Place place;
  find(source_.get(), root.get(), place);
  NodePtr result = root;
  for (auto& [name, filled] : filled_) {
    result = with_entries(result, root, filled);
  }
  // What came out as it was is what it was, so that a delta sees no more than what changed.
  result_ = result_ ? edit::shared(result_, result) : std::move(result);
  source_ = root;
  fresh_.clear();
  return result_;
}

}  // namespace millrace::tree
