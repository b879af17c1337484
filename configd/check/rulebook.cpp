// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/rulebook.h"

#include <algorithm>
#include <ranges>
#include <variant>

#include "check/place.h"

namespace millrace::check {
namespace {

using schema::Kind;
using syntax::Expression;
using syntax::ExpressionPath;
using syntax::ExpressionStep;

void add_targets(const schema::Type& type, std::vector<const schema::Node*>& targets) {
  for (const schema::Type& member : type.members) {
    if (member.target) {
      targets.push_back(member.target);
    }
    add_targets(member, targets);
  }
}

// Whether some member takes the value as it is without asking for a definition.
bool taken_alone(const schema::Type& type, std::string_view value,
                 std::vector<const schema::Node*>& targets) {
  return std::ranges::any_of(type.members, [&](const schema::Type& member) {
    if (member.base == schema::BaseType::Union) {
      return taken_alone(member, value, targets);
    }
    const auto canonical = member.canonical(value);
    const bool takes = canonical && *canonical == value;
    if (takes && member.target) {
      targets.push_back(member.target);
    }
    return takes && !member.target;
  });
}

// The source of a key that depends on nothing but where the carrier is and its own value.
bool read_key(const Expression& expression, const schema::Node& carrier, Read::Step& step) {
  if (const auto* text = std::get_if<std::string>(&expression.value)) {
    step.key = Read::Step::Key::Text;
    step.text = *text;
    return true;
  }
  const auto* path = std::get_if<ExpressionPath>(&expression.value);
  if (!path || path->absolute) {
    return false;
  }
  const schema::Node* node = &carrier;
  for (const ExpressionStep& up : path->steps) {
    if (up.name == ".." && node->parent) {
      node = node->parent;
    } else if (up.name != ".") {
      return false;
    }
  }
  if (node == &carrier) {
    step.key = Read::Step::Key::Own;
    return carrier.kind != Kind::Container;
  }
  step.key = Read::Step::Key::Around;
  step.around = keys_to(*node) - 1;
  return node->kind == Kind::List;
}

bool has_list_between(const schema::Node& top, const schema::Node& carrier) {
  for (const schema::Node* at = carrier.parent; at && at != &top; at = at->parent) {
    if (at->kind == Kind::List) {
      return true;
    }
  }
  return false;
}

}  // namespace

const schema::Node* child_named(const schema::Node& node, std::string_view name) {
  if (const schema::Node* child = node.child(name)) {
    return child;
  }
  const schema::Node* list = node.nameless_list();
  return list && list->name == name ? list : nullptr;
}

std::vector<const schema::Node*> targets_of(const schema::Node& node, std::string_view value) {
  std::vector<const schema::Node*> targets;
  if (node.reference) {
    targets.push_back(node.reference->target);
  } else if (node.type.base == schema::BaseType::Union && taken_alone(node.type, value, targets)) {
    targets.clear();
  }
  return targets;
}

std::size_t keys_to(const schema::Node& node) {
  std::size_t keys = 0;
  for (const schema::Node* at = &node; at; at = at->parent) {
    keys += at->kind == Kind::List ? 1 : 0;
  }
  return keys;
}

Rulebook::Rulebook(const schema::Schema& schema) : schema_(schema) {
  visit(schema.root());
}

// Whether there are rules at or below the node.
bool Rulebook::visit(const schema::Node& node) {
  NodeRules& rules = rules_[&node];  // may be there already: others refer to it
  rules.id = ++ids_;
  by_id_[rules.id] = &node;
  bool any = node.reference || node.unique_in || !node.unique.empty() || !node.musts.empty() ||
             node.mandatory || node.min_elements != 0 || node.max_elements != 0 ||
             node.support == schema::Support::Warns;
  std::vector<const schema::Node*> targets;
  if (node.reference) {
    targets.push_back(node.reference->target);
  }
  add_targets(node.type, targets);
  for (const schema::Node* target : targets) {
    rules_[target].referred = true;
    mark(*target);
    any = true;
  }
  for (const schema::Unique& unique : node.unique) {
    rules.uniques.push_back({++ids_, &node, &unique, nullptr});
    for (const schema::Node* leaf : unique.leaves) {
      auto& lists = rules_[leaf].lists;
      if (std::ranges::find(lists, &node) == lists.end()) {
        lists.push_back(&node);
        mark(*leaf);
      }
    }
  }
  if (node.unique_in) {
    rules.uniques.push_back({++ids_, &node, nullptr, &*node.unique_in});
  }
  for (const schema::Must& must : node.musts) {
    collect(must.expression, node, must);
  }
  for (const auto& child : node.children) {
    any = visit(*child) || any;
  }
  rules.below = rules.below || any;
  return any;
}

void Rulebook::collect(const Expression& expression, const schema::Node& carrier,
                       const schema::Must& must) {
  if (const auto* call = std::get_if<Expression::Call>(&expression.value)) {
    for (const Expression& operand : call->operands) {
      collect(operand, carrier, must);
    }
  } else if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
    for (const ExpressionStep& step : path->steps) {
      if (step.key) {
        collect(*step.key, carrier, must);
      }
    }
    add_read(*path, carrier, must);
  }
}

void Rulebook::add_read(const ExpressionPath& path, const schema::Node& carrier,
                        const schema::Must& must) {
  auto made = std::make_unique<Read>();
  Read& read = *made;
  read.id = ++ids_;
  read.carrier = &carrier;
  read.must = &must;
  read.regular = true;
  read.top = path.absolute ? &schema_.root() : &carrier;
  const schema::Node* node = read.top;
  bool keys_known = true;
  std::size_t own_keys = 0;
  for (const ExpressionStep& step : path.steps) {
    if (step.name == ".") {
      continue;
    }
    if (step.name == "..") {
      node = node->parent;
      read.regular = read.regular && read.steps.empty();
      if (is_at_or_below(*read.top, *node)) {
        read.top = node;
      }
      continue;
    }
    node = child_named(*node, step.name);
    Read::Step down{node};
    if (node->kind == Kind::List) {
      down.entries = step.key ? Read::Entries::Keyed : Read::Entries::All;
      if (step.key) {
        keys_known = read_key(*step.key, carrier, down) && keys_known;
        own_keys += down.key == Read::Step::Key::Own ? 1 : 0;
      }
    }
    read.steps.push_back(std::move(down));
  }
  read.target = node;
  const auto has = [&](Read::Entries entries) {
    return std::ranges::any_of(read.steps,
                               [&](const Read::Step& step) { return step.entries == entries; });
  };
  // The values of a leaf-list are many: of two keys from them each goes with each.
  read.keyed = read.regular && has(Read::Entries::Keyed) && keys_known &&
               (carrier.kind != Kind::LeafList || own_keys < 2);
  // What an absent leaf's default adds is no instance that could be counted.
  read.counted = read.regular && has(Read::Entries::All) && !has(Read::Entries::Keyed) &&
                 !read.target->default_value;
  by_path_[&path] = &read;
  reads_.push_back(std::move(made));
  register_read(read);
}

void Rulebook::register_read(const Read& read) {
  rules_[read.target].readers.push_back(&read);
  if (read.target->default_value && read.target->parent) {
    // With what it stands in, the default comes.
    rules_[read.target->parent].readers.push_back(&read);
  }
  mark(*read.target);
  NodeRules& carrier = rules_[read.carrier];
  if (read.keyed) {
    carrier.keyed.push_back(&read);
  } else if (has_list_between(*read.top, *read.carrier)) {
    carrier.scanned = true;
  }
}

void Rulebook::mark(const schema::Node& node) {
  for (const schema::Node* at = &node; at; at = at->parent) {
    rules_[at].below = true;
  }
}

}  // namespace millrace::check
