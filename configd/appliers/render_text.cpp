// SPDX-License-Identifier: GPL-2.0-or-later
//
// A leaf has two sides that mustache keeps under one name: whether it is there (sections), and its
// value or default (variables). The data has both, the value under the name and a tilde, and the
// text of the render is changed to match: {{version}} becomes {{version~}}, {{#version}} stays. A
// tilde cannot be in the name of a statement. Statements that are absent are false and not missing,
// so that a name is never looked for further out than where the schema has it.
#include "appliers/render_text.h"

#include <algorithm>
#include <format>
#include <kainjow/mustache.hpp>

#include "base/check.h"

namespace millrace::appliers {
namespace {

using kainjow::mustache::data;
using schema::BaseType;
using schema::Kind;
using tree::View;

constexpr std::string_view kValueSuffix = "~";

struct Tag {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the closing braces
  char kind = ' ';      // '#', '^', '/', '!', or ' ' for a variable
  std::string name;
};

// The next tag at or after `from`. Requires: renderable text.
std::optional<Tag> next_tag(std::string_view text, std::size_t from) {
  const std::size_t begin = text.find("{{", from);
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t close = std::min(text.find("}}", begin), text.size());
  std::string_view inside = text.substr(begin + 2, close - begin - 2);
  Tag tag{begin, std::min(close + 2, text.size()), ' ', {}};
  if (!inside.empty() && std::string_view("#^/!&{>=").contains(inside.front())) {
    tag.kind = inside.front();
    inside.remove_prefix(1);
  }
  const std::size_t first = inside.find_first_not_of(' ');
  if (first != std::string_view::npos) {
    tag.name = inside.substr(first, inside.find_last_not_of(' ') - first + 1);
  }
  return tag;
}

std::string with_value_names(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (const auto tag = next_tag(text, at)) {
    result += text.substr(at, tag->begin - at);
    result += tag->kind == ' ' && tag->name != "."
                  ? std::format("{{{{{}{}}}}}", tag->name, kValueSuffix)
                  : std::string(text.substr(tag->begin, tag->end - tag->begin));
    at = tag->end;
  }
  return result += text.substr(at);
}

void set_value(data& object, std::string_view name, std::string_view value) {
  object.set(std::format("{}{}", name, kValueSuffix), data(std::string(value)));
}

data data_of(const View& view);

void set_child(data& object, const schema::Node& node, const View& child) {
  const std::string& name = node.name;
  switch (node.kind) {
    case Kind::Container:
      object.set(name, child ? data_of(child) : data(false));
      return;
    case Kind::Leaf:
      set_value(object, name, child.value().value_or(""));
      object.set(name, data(child.exists()));
      return;
    case Kind::List:
    case Kind::LeafList: {
      data list(data::type::list);
      for (const auto& [key, entry] : child.entries()) {
        if (node.kind == Kind::LeafList) {
          list.push_back(data(std::string(key)));
          continue;
        }
        data item = data_of(entry);
        item.set(node.key, data(true));
        set_value(item, node.key, key);
        list.push_back(item);
      }
      object.set(name, list);
      return;
    }
  }
}

data data_of(const View& view) {
  data object(data::type::object);
  for (const auto& child : view.schema().children) {
    if (child->support != schema::Support::Refused) {
      set_child(object, *child, view[child->name]);
    }
  }
  return object;
}

bool is_word(std::string_view value) {
  return !value.empty() && std::ranges::all_of(value, [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool alphanumeric = (letter >= '0' && letter <= '9') ||
                              (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return alphanumeric || byte >= 0x80 || std::string_view("-._:/@+,=%*[]()~^").contains(letter);
  });
}

bool is_line(std::string_view value) {
  return std::ranges::all_of(value, [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte >= 0x20 && byte != 0x7f;
  });
}

}  // namespace

std::optional<std::string> why_not_renderable(std::string_view text) {
  std::size_t at = 0;
  while (const auto tag = next_tag(text, at)) {
    if (std::string_view("&{>=").contains(tag->kind)) {
      return std::format("'{}' is not possible in a render: values are always escaped",
                         text.substr(tag->begin, 3));
    }
    if (tag->name.empty() && tag->kind != '!') {
      return "a tag has no name";
    }
    at = tag->end;
  }
  const kainjow::mustache::mustache parsed{std::string(text)};
  return parsed.is_valid() ? std::nullopt : std::optional(parsed.error_message());
}

RenderedText render_text(const schema::Render& render, const View& subtree) {
  RenderedText result;
  kainjow::mustache::mustache mustache(with_value_names(render.text));
  base::check(mustache.is_valid(), "the text of a render has been checked");
  const auto fits = render.escape == "word" ? is_word : is_line;
  mustache.set_custom_escape([&](const std::string& value) -> std::string {
    // An absent leaf without a default has no value and adds nothing.
    if (value.empty() || fits(value)) {
      return value;
    }
    result.refused.push_back(value);
    return "?";
  });
  result.text = mustache.render(data_of(subtree));
  return result;
}

View subtree_at(const tree::ConfigTree& tree, std::string_view schema_path) {
  View view(tree);
  while (!schema_path.empty()) {
    const std::size_t end = std::min(schema_path.find(' '), schema_path.size());
    view = view[schema_path.substr(0, end)];
    schema_path.remove_prefix(std::min(end + 1, schema_path.size()));
  }
  return view;
}

}  // namespace millrace::appliers
