// SPDX-License-Identifier: GPL-2.0-or-later
//
// The part of XML that configuration needs: elements, attributes, text, character references,
// CDATA; comments and processing instructions are skipped. No document type, so no entities: there
// is nothing to expand.
#include "syntax/xml.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <format>

#include "syntax/lexeme.h"

namespace millrace::syntax {
namespace {

using Kind = Element::Kind;

constexpr std::string_view kBlanks = " \t\n";
constexpr std::string_view kComment = "junos:comment";
constexpr std::size_t kMaxFound = 60;

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += c;
    }
  }
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void elements(const std::vector<Element>& elements, unsigned depth) {
    for (const Element& element : elements) {
      write(element, depth);
    }
  }

 private:
  void indent(unsigned depth) { out_.append(std::size_t{depth} * 4, ' '); }

  void attribute(std::string_view name, std::string_view value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    append_escaped(out_, value);
    out_ += '"';
  }

  void write(const Element& element, unsigned depth) {
    for (const Attribute& each : element.attributes) {
      if (each.name == "comment") {
        indent(depth);
        out_ += std::format("<{}>/* ", kComment);
        append_escaped(out_, each.value);
        out_ += std::format(" */</{}>\n", kComment);
      }
    }
    indent(depth);
    out_ += '<' + element.name;
    for (const Attribute& each : element.list_attributes) {
      attribute("list-" + each.name, each.value);
    }
    for (const Attribute& each : element.attributes) {
      if (each.name != "comment") {
        attribute(each.name, each.value);
      }
    }
    if (element.kind == Kind::Empty || (element.kind == Kind::Object && element.children.empty())) {
      out_ += "/>\n";
      return;
    }
    out_ += '>';
    if (element.kind == Kind::Object) {
      out_ += '\n';
      elements(element.children, depth + 1);
      indent(depth);
    } else {
      append_escaped(out_, element.text);
    }
    out_ += "</" + element.name + ">\n";
  }

  std::string& out_;
};

bool is_name_byte(char c) {
  return is_word_byte(c) && std::string_view("<>&=/'\"").find(c) == std::string_view::npos;
}

// `nc:operation` is `operation`.
std::string local_name(std::string_view name) {
  const auto colon = name.find(':');
  const bool is_kept = colon == std::string_view::npos || name.starts_with("junos:");
  return std::string(is_kept ? name : name.substr(colon + 1));
}

// Line breaks around text belong to the layout: no value holds one.
std::string_view trim(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  if (text.substr(0, first).find('\n') != std::string_view::npos || first == text.size()) {
    text.remove_prefix(first);
  }
  const std::size_t last = text.find_last_not_of(kBlanks);
  if (last != std::string_view::npos && text.substr(last).find('\n') != std::string_view::npos) {
    text = text.substr(0, last + 1);
  }
  return text;
}

class Parser {
 public:
  Parser(std::string_view source, ElementDocument& document)
      : source_(source), document_(document) {}

  void run() {
    while (at_ < source_.size() && step()) {
    }
    if (document_.errors.empty() && !open_.empty()) {
      fail(source_.size(), "end of input", "'</" + open_.back().name + ">'");
    }
  }

 private:
  bool fail(std::size_t offset, std::string found, std::string expected) {
    document_.errors.push_back(error_at(source_, offset, std::move(found), std::move(expected)));
    return false;
  }

  std::string found_here() const {
    return at_ >= source_.size() ? "end of input"
                                 : "'" + printable(source_.substr(at_, 1), 8) + "'";
  }

  bool starts(std::string_view mark) const { return source_.substr(at_).starts_with(mark); }

  bool skip_past(std::string_view mark) {
    const std::size_t end = source_.find(mark, at_);
    if (end == std::string_view::npos) {
      return fail(source_.size(), "end of input", "'" + std::string(mark) + "'");
    }
    at_ = end + mark.size();
    return true;
  }

  bool step() {
    if (!starts("<")) {
      return text(source_.substr(at_, std::min(source_.find('<', at_), source_.size()) - at_));
    }
    if (starts("<!--")) {
      return skip_past("-->");
    }
    if (starts("<?")) {
      return skip_past("?>");
    }
    if (starts("<![CDATA[")) {
      const std::size_t start = at_ += 9;
      if (!skip_past("]]>")) {
        return false;
      }
      text_ += source_.substr(start, at_ - 3 - start);
      return true;
    }
    if (starts("<!")) {
      return fail(at_, "a declaration", "an element");
    }
    return starts("</") ? close() : open();
  }

  bool text(std::string_view raw) {
    const std::size_t start = at_;
    if (open_.empty() && raw.find_first_not_of(kBlanks) != std::string_view::npos) {
      return fail(start + raw.find_first_not_of(kBlanks), "text", "an element");
    }
    at_ += raw.size();
    return unescape(raw, start, text_);
  }

  bool unescape(std::string_view raw, std::size_t start, std::string& out) {
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '&') {
        out += raw[i];
        continue;
      }
      const std::size_t end = raw.find(';', i);
      const std::string_view name =
          end == std::string_view::npos ? std::string_view() : raw.substr(i + 1, end - i - 1);
      if (!entity(name, out)) {
        return fail(start + i, "'&" + printable(name, kMaxFound) + "'",
                    "a character reference such as '&amp;'");
      }
      i = end;
    }
    return true;
  }

  static bool entity(std::string_view name, std::string& out) {
    static constexpr std::pair<std::string_view, char> kNamed[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [known, character] : kNamed) {
      if (name == known) {
        out += character;
        return true;
      }
    }
    if (!name.starts_with('#')) {
      return false;
    }
    name.remove_prefix(1);
    const bool hexadecimal = name.starts_with('x');
    name.remove_prefix(hexadecimal ? 1 : 0);
    std::uint32_t point = 0;
    const auto [end, code] =
        std::from_chars(name.data(), name.data() + name.size(), point, hexadecimal ? 16 : 10);
    if (code != std::errc() || end != name.data() + name.size() || point > 0x10ffff) {
      return false;
    }
    std::string encoded;
    append_utf8(encoded, point);
    if (find_bad_byte(encoded) != std::string_view::npos) {
      return false;
    }
    out += encoded;
    return true;
  }

  static void append_utf8(std::string& out, std::uint32_t point) {
    const auto tail = [&](unsigned shift) {
      out += static_cast<char>(0x80 | ((point >> shift) & 0x3f));
    };
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else if (point < 0x800) {
      out += static_cast<char>(0xc0 | (point >> 6));
      tail(0);
    } else if (point < 0x10000) {
      out += static_cast<char>(0xe0 | (point >> 12));
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xf0 | (point >> 18));
      tail(12);
      tail(6);
      tail(0);
    }
  }

  std::string_view name() {
    const std::size_t start = at_;
    while (at_ < source_.size() && is_name_byte(source_[at_])) {
      ++at_;
    }
    return source_.substr(start, at_ - start);
  }

  void skip_blanks() { at_ = std::min(source_.find_first_not_of(kBlanks, at_), source_.size()); }

  // Text before an element inside of it is layout or a mistake.
  bool no_text() {
    if (text_.find_first_not_of(kBlanks) != std::string::npos) {
      return fail(at_, "text '" + printable(trim(text_), kMaxFound) + "' beside an element",
                  "one or the other");
    }
    text_.clear();
    return true;
  }

  Position here() {
    for (; seen_ < at_; ++seen_) {
      if (source_[seen_] == '\n') {
        ++line_;
        line_start_ = seen_ + 1;
      }
    }
    return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  }

  bool open() {
    if (!no_text()) {
      return false;
    }
    if (open_.size() > kMaxDepth) {
      return fail(at_, "element within too many elements", "fewer levels");
    }
    Element element{.name = {}, .kind = Kind::Object, .at = here()};
    ++at_;
    raw_names_.emplace_back(name());
    element.name = local_name(raw_names_.back());
    if (element.name.empty()) {
      return fail(at_, found_here(), "the name of an element");
    }
    for (;;) {
      skip_blanks();
      if (starts("/>")) {
        at_ += 2;
        element.kind = Kind::Empty;
        open_.push_back(std::move(element));
        return end_element();
      }
      if (starts(">")) {
        ++at_;
        open_.push_back(std::move(element));
        return true;
      }
      if (!attribute(element)) {
        return false;
      }
    }
  }

  bool attribute(Element& element) {
    const std::string raw_name(name());
    skip_blanks();
    if (raw_name.empty() || !starts("=")) {
      return fail(at_, found_here(), raw_name.empty() ? "an attribute or '>'" : "'='");
    }
    ++at_;
    skip_blanks();
    const char quote = at_ < source_.size() ? source_[at_] : ' ';
    const std::size_t end =
        quote == '"' || quote == '\'' ? source_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      return fail(at_, found_here(), "a value in quotes");
    }
    Attribute read{local_name(raw_name), {}};
    if (!unescape(source_.substr(at_ + 1, end - at_ - 1), at_ + 1, read.value)) {
      return false;
    }
    at_ = end + 1;
    if (raw_name == "xmlns" || raw_name.starts_with("xmlns:")) {
      return true;
    }
    if (read.name.starts_with("list-")) {
      element.list_attributes.push_back({read.name.substr(5), std::move(read.value)});
    } else {
      element.attributes.push_back(std::move(read));
    }
    return true;
  }

  bool close() {
    const std::size_t start = at_;
    at_ += 2;
    const std::string_view closed = name();
    skip_blanks();
    if (open_.empty() || raw_names_.back() != closed) {
      return fail(start, "'</" + printable(closed, kMaxFound) + ">'",
                  open_.empty() ? "an element" : "'</" + raw_names_.back() + ">'");
    }
    if (!starts(">")) {
      return fail(at_, found_here(), "'>'");
    }
    ++at_;
    Element& element = open_.back();
    if (element.children.empty()) {
      element.text = trim(text_);
      element.kind = element.text.empty() ? Kind::Empty : Kind::Text;
      text_.clear();
    } else if (!no_text()) {
      return false;
    }
    return end_element();
  }

  bool end_element() {
    Element element = std::move(open_.back());
    open_.pop_back();
    raw_names_.pop_back();
    auto& siblings = open_.empty() ? document_.elements : open_.back().children;
    comments_.resize(std::min(comments_.size(), open_.size() + 1));
    if (element.name == kComment) {
      comments_.resize(open_.size() + 1);
      comments_.back() = element.text;
      return true;
    }
    if (comments_.size() > open_.size() && !comments_[open_.size()].empty()) {
      element.attributes.push_back({"comment", std::move(comments_[open_.size()])});
      comments_[open_.size()].clear();
    }
    siblings.push_back(std::move(element));
    return true;
  }

  std::string_view source_;
  ElementDocument& document_;
  std::size_t at_ = 0;
  std::string text_;  // of the innermost element
  std::vector<Element> open_;
  std::vector<std::string> raw_names_;  // of those, prefixes included
  std::vector<std::string> comments_;   // by depth: what waits for the next element there
  // Up to where lines were counted.
  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::string write_xml(const std::vector<Element>& elements, unsigned depth) {
  std::string out;
  Writer(out).elements(elements, depth);
  return out;
}

ElementDocument parse_xml(std::string_view source) {
  ElementDocument document;
  if (const std::size_t bad = find_bad_byte(source); bad != std::string_view::npos) {
    document.errors.push_back(error_at(source, bad, describe_bad_byte(source, bad), "UTF-8 text"));
    return document;
  }
  Parser(source, document).run();
  return document;
}

}  // namespace millrace::syntax
