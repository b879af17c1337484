// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "base/address.h"

namespace millrace::check {
namespace {

using schema::Kind;
using Say = std::function<void(std::string)>;

// The value of a leaf or of a leaf-list, the key of an entry.
std::optional<std::string_view> value_of(const tree::Node& node) {
  if (node.is_entry()) {
    return node.name();
  }
  return node.schema()->kind == Kind::Leaf ? std::optional(node.value()) : std::nullopt;
}

// Where an instance of the node is found by keys: of a leaf-list the statement carries the rules,
// and its values say what it says.
void say_keys(const Read& read, const Spot& spot, const Say& say) {
  const std::size_t around = keys_to(*read.top);
  Line line(Line::Kind::Key, read.id);
  line.fields(spot.keys, 0, around);
  for (const Read::Step& step : read.steps) {
    if (step.entries == Read::Entries::Keyed) {
      line << (step.key == Read::Step::Key::Text     ? std::string_view(step.text)
               : step.key == Read::Step::Key::Around ? std::string_view(spot.keys[step.around])
                                                     : *value_of(*spot.node));
    }
  }
  say(std::move(line.fields(spot.keys, around, spot.keys.size())).take());
}

void say_all(const Rulebook& book, const Spot& spot, const Say& say) {
  const tree::Node& node = *spot.node;
  const schema::Node& schema = *node.schema();
  const NodeRules& rules = book.of(schema);
  const auto value = value_of(node);
  if (value && rules.referred) {
    say(std::move(
            (Line(Line::Kind::Target, rules.id) << *value).fields(spot.keys, 0, spot.keys.size()))
            .take());
  }
  if (value) {
    for (const schema::Node* target : targets_of(schema, *value)) {
      say(std::move((Line(Line::Kind::Referrer, book.of(*target).id) << *value)
                        .number(rules.id)
                        .fields(spot.keys, 0, spot.keys.size()))
              .take());
    }
  }
  for (const UniqueRule& rule : rules.uniques) {
    if (auto owner = ownership(rule, spot)) {
      say(std::move(owner->line));
    }
  }
  for (const Read* read : rules.keyed) {
    if (schema.kind != Kind::LeafList || spot.is_value()) {
      say_keys(*read, spot, say);
    }
  }
  if (rules.scanned && !spot.is_value()) {
    say(std::move(Line(Line::Kind::Carrier, rules.id).fields(spot.keys, 0, spot.keys.size()))
            .take());
  }
  for (const Read* read : rules.readers) {
    if (read->counted && read->target == &schema &&
        (schema.kind != Kind::LeafList || spot.is_value())) {
      const std::size_t around = keys_to(*read->top);
      say(std::move(Line(Line::Kind::Count, read->id).fields(spot.keys, 0, around)).take());
      say(std::move(Line(Line::Kind::Value, read->id).fields(spot.keys, 0, around)
                    << normal(value.value_or("")))
              .take());
    }
  }
}

Spot spot_at(const tree::Path& path, const tree::Node& node) {
  return {path, keys_of(path), &node};
}

}  // namespace

void each_spot(const Rulebook& book, Spot& spot, const std::function<void(const Spot&)>& visit) {
  if (!book.of(*spot.node->schema()).below) {
    return;
  }
  visit(spot);
  const tree::Node* const node = spot.node;
  node->children().for_each([&](const tree::NodePtr& child) {
    const schema::Node& schema = *child->schema();
    if (child->is_entry()) {  // a value: `spot` is its leaf-list
      spot.path.steps.back() = {&schema, std::string(child->name()), true};
      spot.node = child.get();
      visit(spot);
      spot.path.steps.back() = {&schema, {}, false};
    } else if (schema.kind == Kind::List) {
      if (!book.of(schema).below) {
        return true;
      }
      child->children().for_each([&](const tree::NodePtr& entry) {
        spot.path.steps.push_back({&schema, std::string(entry->name()), true});
        spot.keys.emplace_back(entry->name());
        spot.node = entry.get();
        each_spot(book, spot, visit);
        spot.keys.pop_back();
        spot.path.steps.pop_back();
        return true;
      });
    } else {
      spot.path.steps.push_back({&schema, {}, false});
      spot.node = child.get();
      each_spot(book, spot, visit);
      spot.path.steps.pop_back();
    }
    spot.node = node;
    return true;
  });
}

void each_atom(const Rulebook& book, const tree::Delta& delta, const VisitAtom& visit) {
  for (const tree::Change& change : delta.changes()) {
    if (change.path.empty()) {
      continue;
    }
    if (change.before && change.after) {
      // Marks, comments and the order of things concern no rule.
      if (change.after->schema()->kind == Kind::Leaf &&
          change.before->value() != change.after->value()) {
        visit(spot_at(change.path, *change.before), Side::Before, change);
        visit(spot_at(change.path, *change.after), Side::After, change);
      }
      continue;
    }
    const Side side = change.after ? Side::After : Side::Before;
    Spot spot = spot_at(change.path, change.after ? *change.after : *change.before);
    each_spot(book, spot, [&](const Spot& at) { visit(at, side, change); });
  }
}

std::string normal(std::string_view text) {
  // from_chars takes "inf" and "nan" for numbers, and they are names.
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() <= sign || text[sign] < '0' || text[sign] > '9') {
    return std::string(text);
  }
  if (text.find_first_not_of("0123456789", sign) == std::string_view::npos) {
    // Whole numbers stay exact, which doubles beyond 2^53 are not.
    const std::size_t digits = std::min(text.find_first_not_of('0', sign), text.size() - 1);
    return (sign > 0 && text.substr(digits) != "0" ? "-" : "") + std::string(text.substr(digits));
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::string(text);
  }
  std::array<char, 32> buffer{};
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const bool is_whole = std::trunc(value) == value && std::abs(value) <= kExact;
  const auto result = is_whole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                               static_cast<std::int64_t>(value))
                               : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::optional<std::vector<std::string>> unique_values(const schema::Unique& unique,
                                                      const tree::Node& entry) {
  std::vector<std::string> values;
  for (const schema::Node* leaf : unique.leaves) {
    const tree::Node* at = &entry;
    std::vector<const schema::Node*> way;
    for (const schema::Node* step = leaf; step != entry.schema(); step = step->parent) {
      way.push_back(step);
    }
    for (auto step = way.rbegin(); step != way.rend() && at; ++step) {
      at = at->child((*step)->name);
    }
    if (!at && !leaf->default_value) {
      return std::nullopt;
    }
    values.emplace_back(at ? at->value() : *leaf->default_value);
  }
  return values;
}

std::optional<std::string> unique_value(const schema::UniqueIn& unique, std::string_view value) {
  if (unique.by_address) {
    if (const auto address = base::InterfaceAddress::parse(value)) {
      return address->address.is_link_local() ? std::nullopt
                                              : std::optional(address->address.to_string());
    }
  }
  return std::string(value);
}

std::optional<Ownership> ownership(const UniqueRule& rule, const Spot& spot) {
  Line line(Line::Kind::Owner, rule.id);
  std::size_t around = 0;
  if (rule.unique) {
    const auto values = unique_values(*rule.unique, *spot.node);
    if (!values) {
      return std::nullopt;
    }
    around = spot.keys.size() - 1;
    line.fields(spot.keys, 0, around).fields(*values, 0, values->size());
  } else {
    const auto own = value_of(*spot.node);
    const auto value = own ? unique_value(*rule.within, *own) : std::nullopt;
    if (!value) {
      return std::nullopt;
    }
    around = keys_to(*rule.within->scope);
    line.fields(spot.keys, 0, around) << *value;
  }
  const std::size_t prefix = line.text().size();
  line.fields(spot.keys, around, spot.keys.size());
  if (spot.is_value()) {
    line << spot.node->name();
  }
  return Ownership{std::move(line).take(), prefix};
}

std::string key_prefix(const Read& read, const std::vector<std::string>& keys) {
  const std::size_t around = keys_to(*read.top);
  Line line(Line::Kind::Key, read.id);
  line.fields(keys, 0, around);
  std::size_t key = around;
  for (const Read::Step& step : read.steps) {
    if (step.entries == Read::Entries::Keyed) {
      line << keys[key];
    }
    key += step.entries == Read::Entries::None ? 0 : 1;
  }
  return std::move(line).take();
}

Index index_of(const Rulebook& book, const tree::ConfigTree& tree) {
  std::vector<std::string> lines;
  Spot root{{}, {}, &tree.root()};
  each_spot(book, root, [&](const Spot& spot) {
    say_all(book, spot, [&](std::string line) { lines.push_back(std::move(line)); });
  });
  Index index;
  index.add_all(std::move(lines));
  return index;
}

std::vector<tree::Path> touched_entries(const Rulebook& book, const tree::Delta& delta) {
  std::set<tree::Path, PathLess> touched;
  each_atom(book, delta, [&](const Spot& spot, Side, const tree::Change& change) {
    if (spot.node->schema()->kind != Kind::Leaf) {
      return;
    }
    for (const schema::Node* list : book.of(*spot.node->schema()).lists) {
      const std::size_t steps = depth(*list);
      // An entry that came or went says everything itself.
      if (change.path.steps.size() > steps) {
        const auto end = spot.path.steps.begin() + static_cast<std::ptrdiff_t>(steps);
        touched.insert(tree::Path{{spot.path.steps.begin(), end}});
      }
    }
  });
  return {touched.begin(), touched.end()};
}

Index updated(const Rulebook& book, Index before, const tree::Delta& delta) {
  std::vector<std::string> gone;
  std::vector<std::string> come;
  each_atom(book, delta, [&](const Spot& spot, Side side, const tree::Change&) {
    auto& lines = side == Side::Before ? gone : come;
    say_all(book, spot, [&](std::string line) { lines.push_back(std::move(line)); });
  });
  for (const tree::Path& path : touched_entries(book, delta)) {
    const auto say = [&](const tree::ConfigTree& tree, std::vector<std::string>& lines) {
      const Spot spot = spot_at(path, *tree.find(path));
      for (const UniqueRule& rule : book.of(*spot.node->schema()).uniques) {
        auto owner = rule.unique ? ownership(rule, spot) : std::nullopt;
        if (owner) {
          lines.push_back(std::move(owner->line));
        }
      }
    };
    say(delta.before(), gone);
    say(delta.after(), come);
  }
  for (const std::string& line : gone) {
    before.take(line);
  }
  before.add_all(std::move(come));
  return before;
}

}  // namespace millrace::check
