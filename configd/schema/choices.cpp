// SPDX-License-Identifier: GPL-2.0-or-later
//
// Completion and `?`: what the walk would take next. Placeholders first, then keywords in byte
// order; refused statements are not offered.
#include <algorithm>
#include <format>

#include "schema/cursor.h"
#include "schema/values.h"

namespace millrace::schema {

namespace {

char marker_of(const Node& node) {
  switch (node.kind) {
    case Kind::Container:
    case Kind::List:
      return '>';
    case Kind::LeafList:
      return '+';
    case Kind::Leaf:
      break;
  }
  return ' ';
}

std::string help_with_range(const Node& node) {
  const Type& type = node.type;
  if (node.kind == Kind::List && type.base == BaseType::Integer && !type.ranges.empty()) {
    return std::format("{} ({})", node.help, ranges_text(type.ranges));
  }
  return type.units.empty() ? node.help : std::format("{} ({})", node.help, type.units);
}

void add_value(const Node& node, const Type& type, std::vector<Choice>& out) {
  const auto keyword = [&](std::string_view text, std::string_view help) {
    out.push_back({std::string(text), std::string(help), ' ', &node, false});
  };
  switch (type.base) {
    case BaseType::Enumeration:
      for (const EnumValue& value : type.values) {
        keyword(value.name, value.help);
      }
      return;
    case BaseType::Boolean:
      keyword("false", node.help);
      keyword("true", node.help);
      return;
    default:
      const std::string text =
          node.kind == Kind::List ? std::format("<{}>", node.key) : type.placeholder();
      out.push_back({text, help_with_range(node), ' ', &node, true});
  }
}

// Before or in place of a key: every entry, or those like it.
void add_pattern(char marker, std::vector<Choice>& out) {
  out.push_back({"<*>", "Every entry that is there; <a*> those that match", marker, nullptr, true});
}

void add_children(const Node& level, Keys keys, std::vector<Choice>& out) {
  for (const Node* at = &level; at != nullptr; at = at->like) {
    for (const auto& child : at->children) {
      if (child->support == Support::Refused ||
          (keys == Keys::Patterns && child->role == Role::Groups)) {
        continue;
      }
      if (child->kind == Kind::List && child->nameless) {
        if (keys == Keys::Patterns) {
          add_pattern('>', out);
        }
        add_value(*child, child->type, out);
        out.back().marker = '>';
      } else {
        out.push_back({child->name, child->help, marker_of(*child), child.get(), false});
      }
    }
  }
}

}  // namespace

std::vector<Choice> choices(const Node& from, std::span<const std::string_view> words,
                            std::string_view prefix, Keys keys) {
  Cursor cursor(from, Abbreviations::Yes, keys, words.size());
  for (const std::string_view word : words) {
    WalkError error;
    if (!cursor.take(word, error)) {
      return {};
    }
  }
  std::vector<Choice> out;
  if (const Node* waiting = cursor.waiting()) {
    if (cursor.keys() == Keys::Patterns && waiting->kind == Kind::List) {
      add_pattern(' ', out);
    }
    add_value(*waiting, waiting->type, out);
  }
  if (const Node* level = cursor.level()) {
    add_children(*level, cursor.keys(), out);
  }
  std::erase_if(out, [&](const Choice& choice) {
    return !choice.placeholder && !choice.text.starts_with(prefix);
  });
  std::ranges::stable_sort(out, [](const Choice& left, const Choice& right) {
    return left.placeholder != right.placeholder ? left.placeholder : left.text < right.text;
  });
  return out;
}

}  // namespace millrace::schema
