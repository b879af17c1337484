// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reading goes through the SAX interface of the library with an iterator that counts, so that every
// element knows its place; nesting is a stack of limited depth.
#include "syntax/json.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "syntax/lexeme.h"

namespace millrace::syntax {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Element::Kind;

Json object_of(const std::vector<Element>& elements, const std::vector<Attribute>& attributes);

Json attributes_of(const std::vector<Attribute>& attributes) {
  Json object = Json::object();
  for (const Attribute& attribute : attributes) {
    if (attribute.name == attribute.value) {
      object[attribute.name] = true;
    } else if (attribute.name == "comment") {
      object[attribute.name] = "/* " + attribute.value + " */";
    } else {
      object[attribute.name] = attribute.value;
    }
  }
  return object;
}

Json value_of(const Element& element) {
  switch (element.kind) {
    case Kind::Object:
      return object_of(element.children, element.attributes);
    case Kind::Number:
      return Json::parse(element.text, nullptr, false);
    case Kind::Boolean:
      return element.text == "true";
    case Kind::Empty:
      return Json::array({nullptr});
    case Kind::Text:
      break;
  }
  return element.text;
}

// Attributes of text have no object to stand in, so they stand beside it.
void add_beside(Json& object, const Element& element) {
  if (element.kind == Kind::Object) {
    return;
  }
  const std::string name = "@" + element.name;
  if (!element.listed) {
    if (!element.attributes.empty()) {
      object[name] = attributes_of(element.attributes);
    }
    return;
  }
  if (!element.list_attributes.empty()) {
    object[name] = attributes_of(element.list_attributes);
  }
  const auto found = object.find(name);
  if (element.attributes.empty() && found == object.end()) {
    return;
  }
  Json& beside = object[name];
  Json& values = beside.is_object() ? beside["values"] : beside;
  // One for each value up to this one.
  const std::size_t count = object[element.name].size();
  if (element.attributes.empty() && beside.is_object() && values.is_null()) {
    beside.erase("values");
    return;
  }
  while (values.size() + 1 < count) {
    values.push_back(nullptr);
  }
  values.push_back(element.attributes.empty() ? Json() : attributes_of(element.attributes));
}

Json object_of(const std::vector<Element>& elements, const std::vector<Attribute>& attributes) {
  Json object = Json::object();
  if (!attributes.empty()) {
    object["@"] = attributes_of(attributes);
  }
  for (const Element& element : elements) {
    if (element.listed) {
      object[element.name].push_back(value_of(element));
    } else {
      object[element.name] = value_of(element);
    }
    add_beside(object, element);
  }
  return object;
}

// Where the lexer of the library is in the source.
class Counting {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Counting(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  Counting& operator++() {
    ++at_;
    if (furthest_) {
      *furthest_ = std::max(*furthest_, at_);
    }
    return *this;
  }
  bool operator==(const Counting& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// Attributes that stand beside what they belong to, until the object ends.
struct Beside {
  std::string name;  // "" for the object itself
  Json value;
};

class Reader {
 public:
  Reader(std::string_view source, ElementDocument& document)
      : source_(source), document_(document), furthest_(source.data()) {}

  const char** furthest() { return &furthest_; }

  bool null() { return scalar(Kind::Empty, {}); }
  bool boolean(bool value) { return scalar(Kind::Boolean, value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return scalar(Kind::Number, std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return scalar(Kind::Number, std::to_string(value)); }
  bool number_float(double, const std::string& text) { return scalar(Kind::Number, text); }
  bool string(std::string& value) { return scalar(Kind::Text, std::move(value)); }
  bool binary(std::vector<std::uint8_t>&) { return refuse("binary data", "text"); }

  bool start_object(std::size_t) {
    if (attributes_depth_ > 0) {
      return start_attributes(Json::object());
    }
    if (levels_.size() > kMaxDepth) {
      return refuse("object within too many objects", "fewer levels");
    }
    levels_.push_back({.element = {.name = in_array() ? levels_.back().element.name : name_,
                                   .kind = Kind::Object,
                                   .listed = in_array(),
                                   .at = here(1)},
                       .is_array = false,
                       .beside = {}});
    return true;
  }

  bool key(std::string& name) {
    if (attributes_depth_ > 0) {
      attribute_keys_.back() = name;
      return true;
    }
    at_key_ = here(name.size() + 2);
    name_ = std::move(name);
    if (name_.starts_with('@')) {
      levels_.back().beside.push_back({name_.substr(1), nullptr});
      attributes_depth_ = 1;
      attribute_values_ = {Json()};
      attribute_keys_ = {""};
    }
    return true;
  }

  bool end_object() {
    if (attributes_depth_ > 0) {
      return end_attributes();
    }
    Level level = std::move(levels_.back());
    levels_.pop_back();
    attach(level);
    if (levels_.empty()) {
      document_.elements = std::move(level.element.children);
      return true;
    }
    children().push_back(std::move(level.element));
    return true;
  }

  bool start_array(std::size_t) {
    if (attributes_depth_ > 0) {
      return start_attributes(Json::array());
    }
    if (levels_.empty() || levels_.back().is_array) {
      return refuse("'['", "an object or a value");
    }
    levels_.push_back({.element = {.name = name_}, .is_array = true, .beside = {}});
    return true;
  }

  bool end_array() {
    if (attributes_depth_ > 0) {
      return end_attributes();
    }
    levels_.pop_back();
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string& token, const Exception&) {
    const std::size_t offset = std::min(position > 0 ? position - 1 : 0, source_.size());
    const bool ended = offset >= source_.size() || token.empty();
    const std::string last = token.empty() ? token : token.substr(token.size() - 1);
    document_.errors.push_back(
        error_at(source_, offset, ended ? "end of input" : "'" + printable(last, 8) + "'", "JSON"));
    return false;
  }

 private:
  struct Level {
    Element element;
    bool is_array = false;
    std::vector<Beside> beside;
  };

  bool in_array() const { return !levels_.empty() && levels_.back().is_array; }
  std::vector<Element>& children() {
    return (in_array() ? levels_[levels_.size() - 2] : levels_.back()).element.children;
  }

  // The place `back` bytes before what was read last. Places come in order.
  Position here(std::size_t back) {
    const auto end = static_cast<std::size_t>(furthest_ - source_.data());
    const std::size_t offset = std::max(end - std::min(back, end), seen_);
    const std::string_view between = source_.substr(seen_, offset - seen_);
    line_ += static_cast<std::uint32_t>(std::ranges::count(between, '\n'));
    if (const auto newline = between.rfind('\n'); newline != std::string_view::npos) {
      line_start_ = seen_ + newline + 1;
    }
    seen_ = offset;
    return {line_, static_cast<std::uint32_t>(offset - line_start_ + 1)};
  }

  bool refuse(std::string found, std::string expected) {
    const auto end = static_cast<std::size_t>(furthest_ - source_.data());
    document_.errors.push_back(
        error_at(source_, end > 0 ? end - 1 : 0, std::move(found), std::move(expected)));
    return false;
  }

  bool scalar(Kind kind, std::string text) {
    if (attributes_depth_ > 0) {
      Json value = kind == Kind::Boolean ? Json(text == "true")
                   : kind == Kind::Empty ? Json()
                                         : Json(std::move(text));
      attribute_values_.push_back(std::move(value));
      attribute_keys_.emplace_back();
      ++attributes_depth_;
      return end_attributes();
    }
    if (levels_.empty()) {
      return refuse("a value", "an object");
    }
    Element element{.name = in_array() ? levels_.back().element.name : name_,
                    .kind = kind,
                    .listed = in_array() && kind != Kind::Empty,
                    .text = std::move(text)};
    element.at = in_array() ? here(element.text.size() + 1) : at_key_;
    children().push_back(std::move(element));
    return true;
  }

  bool start_attributes(Json value) {
    if (attributes_depth_ > 4) {
      return refuse("attributes within attributes", "a value");
    }
    ++attributes_depth_;
    attribute_values_.push_back(std::move(value));
    attribute_keys_.emplace_back();
    return true;
  }

  // The innermost value of attributes is whole and goes into the one around it.
  bool end_attributes() {
    Json value = std::move(attribute_values_.back());
    attribute_values_.pop_back();
    attribute_keys_.pop_back();
    --attributes_depth_;
    Json& around = attribute_values_.back();
    if (around.is_object()) {
      around[attribute_keys_.back()] = std::move(value);
    } else if (around.is_array()) {
      around.push_back(std::move(value));
    } else {
      levels_.back().beside.back().value = std::move(value);
      attributes_depth_ = 0;
    }
    return true;
  }

  static std::vector<Attribute> read_attributes(const Json& object) {
    std::vector<Attribute> attributes;
    if (!object.is_object()) {
      return attributes;
    }
    for (const auto& [name, value] : object.items()) {
      if (value.is_boolean() && value.get<bool>()) {
        attributes.push_back({name, name});
      } else if (value.is_string()) {
        attributes.push_back({name, value.get<std::string>()});
      }
    }
    return attributes;
  }

  // Gives the attributes of a level to what they stand beside.
  static void attach(Level& level) {
    std::unordered_map<std::string_view, std::vector<Element*>> children;
    if (!level.beside.empty()) {
      for (Element& child : level.element.children) {
        children[child.name].push_back(&child);
      }
    }
    for (const Beside& beside : level.beside) {
      if (beside.name.empty()) {
        level.element.attributes = read_attributes(beside.value);
        continue;
      }
      const Json* values = beside.value.is_array() ? &beside.value : nullptr;
      if (const auto found = beside.value.find("values");
          beside.value.is_object() && found != beside.value.end()) {
        values = &*found;
      }
      std::size_t index = 0;
      for (Element* child : children[beside.name]) {
        if (index == 0 && beside.value.is_object()) {
          (child->listed ? child->list_attributes : child->attributes) =
              read_attributes(beside.value);
        }
        if (values && index < values->size()) {
          child->attributes = read_attributes((*values)[index]);
        }
        ++index;
      }
    }
  }

  std::string_view source_;
  ElementDocument& document_;
  const char* furthest_;
  std::vector<Level> levels_;
  std::string name_;  // of the member that is being read
  Position at_key_;
  // What stands after an `@` is read as a plain value.
  std::size_t attributes_depth_ = 0;
  std::vector<Json> attribute_values_;
  std::vector<std::string> attribute_keys_;
  // Up to where lines were counted.
  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

Json to_json(const std::vector<Element>& elements) {
  return object_of(elements, {});
}

std::string write_json(const std::vector<Element>& elements) {
  // Strings of the tree are valid text, but bytes that are not UTF-8 must not throw.
  return to_json(elements).dump(4, ' ', false, Json::error_handler_t::replace) + '\n';
}

ElementDocument parse_json(std::string_view source) {
  ElementDocument document;
  if (const std::size_t bad = find_bad_byte(source); bad != std::string_view::npos) {
    document.errors.push_back(error_at(source, bad, describe_bad_byte(source, bad), "UTF-8 text"));
    return document;
  }
  Reader reader(source, document);
  const Counting begin(source.data(), reader.furthest());
  const Counting end(source.data() + source.size(), nullptr);
  if (!Json::sax_parse(begin, end, &reader) && document.errors.empty()) {
    document.errors.push_back(error_at(source, source.size(), "end of input", "JSON"));
  }
  return document;
}

}  // namespace millrace::syntax
