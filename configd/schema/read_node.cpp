// SPDX-License-Identifier: GPL-2.0-or-later
//
// One table says which word may stand in which kind of node and how it is read; what must hold of a
// node by itself is checked when its block ends, what needs other nodes is deferred.
#include "schema/read_node.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "schema/permission.h"
#include "schema/read_type.h"

namespace millrace::schema {

namespace {

constexpr unsigned kContainer = 1;
constexpr unsigned kList = 2;
constexpr unsigned kLeaf = 4;
constexpr unsigned kLeafList = 8;
constexpr unsigned kTyped = kList | kLeaf | kLeafList;
constexpr unsigned kAny = kContainer | kTyped;

unsigned mask(Kind kind) {
  return 1U << static_cast<unsigned>(kind);
}
static_assert(static_cast<unsigned>(Kind::Container) == 0 &&
              static_cast<unsigned>(Kind::List) == 1 && static_cast<unsigned>(Kind::Leaf) == 2 &&
              static_cast<unsigned>(Kind::LeafList) == 3);

// A node while its block is read.
struct Frame {
  Workspace& work;
  const Reading& reading;
  Node& node;
  const syntax::Statement* type = nullptr;
  const syntax::Statement* default_value = nullptr;
  std::string units;
};

using Read = void (*)(Frame&, const syntax::Statement&);

struct Property {
  std::string_view word;
  unsigned kinds;
  Read read;
};

void read_must(Frame& frame, const syntax::Statement& statement) {
  Must must;
  if (!frame.reading.take_word(statement, must.text)) {
    return;
  }
  for (const syntax::Statement& part : statement.children) {
    if (part.words[0].text == "error-message") {
      frame.reading.take_word(part, must.message);
    } else {
      frame.reading.unknown(part, "error-message");
    }
  }
  if (must.message.empty()) {
    frame.reading.problem(statement, "a must without a message", "error-message \"…\"");
  }
  auto expression = syntax::parse_expression(must.text);
  if (!expression) {
    frame.work.problems.add(frame.reading.place(statement),
                            std::format("must '{}': {}", must.text, expression.error().message));
    return;
  }
  must.expression = std::move(*expression);
  frame.work.musts.push_back(
      {&frame.node, frame.reading.place(statement), frame.node.musts.size()});
  frame.node.musts.push_back(std::move(must));
}

std::string areas() {
  std::string out;
  for (const std::string_view name : kAreas) {
    out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out;
}

void read_support(Frame& frame, const syntax::Statement& statement, Support support) {
  if (frame.node.support != Support::Works) {
    frame.reading.problem(statement, in_quotes(statement.words[0].text) + " again",
                          "one of warns and refused");
  }
  if (frame.reading.take_word(statement, frame.node.support_reason)) {
    frame.node.support = support;
  }
}

void read_like(Frame& frame, const syntax::Statement& statement) {
  std::string path;
  if (frame.reading.take_word(statement, path)) {
    frame.node.role = path == "/" ? Role::Groups : Role::Range;
    frame.work.likes.push_back({{&frame.node, frame.reading.place(statement), 0}, path});
  }
}

void read_unique_in(Frame& frame, const syntax::Statement& statement) {
  UniqueIn unique;
  if (!frame.reading.take_word(statement, unique.path)) {
    return;
  }
  for (const syntax::Statement& part : statement.children) {
    if (part.words[0].text == "by-address") {
      frame.reading.take_flag(part, unique.by_address);
    } else if (part.words[0].text == "error-message") {
      frame.reading.take_word(part, unique.message);
    } else {
      frame.reading.unknown(part, "by-address, error-message");
    }
  }
  frame.work.scopes.push_back({&frame.node, frame.reading.place(statement), 0});
  frame.node.unique_in = std::move(unique);
}

void read_count(Frame& frame, const syntax::Statement& statement, std::uint32_t& count) {
  std::string text;
  if (!frame.reading.take_word(statement, text) || !frame.reading.no_block(statement)) {
    return;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    frame.reading.problem(statement, in_quotes(text), "a number of at least 1");
  }
}

constexpr std::array<Property, 24> kProperties = {{
    {"help", kAny,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_word(s, f.node.help); }},
    {"type", kTyped,
     [](Frame& f, const syntax::Statement& s) {
       if (f.type != nullptr) {
         f.reading.problem(s, "a second type", "one type");
       }
       f.type = &s;
       f.node.type = read_type(f.reading, s);
     }},
    {"key", kList,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_name(s, f.node.key); }},
    {"nameless", kList,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_flag(s, f.node.nameless); }},
    {"presence", kContainer,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_flag(s, f.node.presence); }},
    {"one-liner", kContainer | kList,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_flag(s, f.node.one_liner); }},
    {"joined", kContainer,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_flag(s, f.node.joined); }},
    {"mandatory", kLeaf,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_flag(s, f.node.mandatory); }},
    {"secret", kLeaf | kLeafList,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_flag(s, f.node.secret); }},
    {"permission", kAny,
     [](Frame& f, const syntax::Statement& s) {
       if (f.reading.take_word(s, f.node.permission) && !is_area(f.node.permission)) {
         f.reading.problem(s, in_quotes(f.node.permission), "one of " + areas());
       }
     }},
    {"asks", kLeaf,
     [](Frame& f, const syntax::Statement& s) {
       if (f.reading.take_name(s, f.node.asks)) {
         f.work.asks.push_back({&f.node, f.reading.place(s), 0});
       }
     }},
    {"fills", kLeaf,
     [](Frame& f, const syntax::Statement& s) {
       std::string list;
       if (f.reading.take_name(s, list)) {
         f.node.role = Role::ApplyPath;
         f.work.fills.push_back({{&f.node, f.reading.place(s), 0}, list});
       }
     }},
    {"units", kLeaf | kLeafList,
     [](Frame& f, const syntax::Statement& s) { f.reading.take_word(s, f.units); }},
    {"default", kLeaf,
     [](Frame& f, const syntax::Statement& s) {
       std::string text;
       if (f.reading.take_word(s, text)) {
         f.node.default_value = text;
         f.default_value = &s;
       }
     }},
    {"ordered-by", kList | kLeafList,
     [](Frame& f, const syntax::Statement& s) {
       std::string by;
       if (f.reading.take_word(s, by) && by != "user") {
         f.reading.problem(s, in_quotes(by), "user");
       }
       f.node.ordered = true;
     }},
    {"unique", kList,
     [](Frame& f, const syntax::Statement& s) {
       Unique unique;
       if (f.reading.take_word(s, unique.text)) {
         f.work.uniques.push_back({&f.node, f.reading.place(s), f.node.unique.size()});
         f.node.unique.push_back(std::move(unique));
       }
     }},
    {"unique-in", kTyped, read_unique_in},
    {"min-elements", kList | kLeafList,
     [](Frame& f, const syntax::Statement& s) { read_count(f, s, f.node.min_elements); }},
    {"max-elements", kList | kLeafList,
     [](Frame& f, const syntax::Statement& s) { read_count(f, s, f.node.max_elements); }},
    {"ref", kTyped,
     [](Frame& f, const syntax::Statement& s) {
       Reference reference;
       if (f.reading.take_word(s, reference.path)) {
         f.node.reference = reference;
         f.work.references.push_back({&f.node, f.reading.place(s), 0});
       }
     }},
    {"like", kList, read_like},
    {"must", kAny, read_must},
    {"warns", kAny,
     [](Frame& f, const syntax::Statement& s) { read_support(f, s, Support::Warns); }},
    {"refused", kAny,
     [](Frame& f, const syntax::Statement& s) { read_support(f, s, Support::Refused); }},
}};

std::string words_of(Kind kind) {
  std::string out;
  for (const Property& property : kProperties) {
    if ((property.kinds & mask(kind)) != 0) {
      out += (out.empty() ? "" : ", ") + std::string(property.word);
    }
  }
  if (kind == Kind::Container || kind == Kind::List) {
    out += ", container, list, leaf, leaf-list, uses, order";
  }
  return out;
}

std::optional<Kind> kind_of(std::string_view word) {
  if (word == "container") {
    return Kind::Container;
  }
  if (word == "list") {
    return Kind::List;
  }
  if (word == "leaf") {
    return Kind::Leaf;
  }
  if (word == "leaf-list") {
    return Kind::LeafList;
  }
  return std::nullopt;
}

void check_type(Frame& frame, const syntax::Statement& statement) {
  const Node& node = frame.node;
  if (frame.type == nullptr) {
    frame.reading.problem(statement, std::format("'{}' without a type", node.name), "type NAME;");
  } else if (node.type.base == BaseType::Empty && node.kind != Kind::Leaf) {
    frame.reading.problem(*frame.type, "type 'empty'", "a type with values");
  }
  if (node.kind == Kind::List && node.key.empty()) {
    frame.reading.problem(statement, std::format("list '{}' without a key", node.name),
                          "key NAME;");
  }
}

void check_default(Frame& frame) {
  Node& node = frame.node;
  auto canonical = node.type.canonical(*node.default_value);
  if (!canonical) {
    frame.reading.problem(*frame.default_value, canonical.error().message,
                          "a value of the leaf's type");
  } else {
    node.default_value = *canonical;
  }
  if (node.mandatory) {
    frame.reading.problem(*frame.default_value, "a default in a mandatory leaf",
                          "either of the two");
  }
}

void check_node(Frame& frame, const syntax::Statement& statement) {
  Node& node = frame.node;
  node.type.units = frame.units;
  if (node.support == Support::Refused) {
    if (!node.children.empty()) {
      frame.reading.problem(statement, "statements in a refused one", "none");
    }
    return;
  }
  if (node.help.empty()) {
    frame.reading.problem(statement, std::format("'{}' without help", node.name), "help \"…\"");
  }
  if (node.kind != Kind::Container) {
    check_type(frame, statement);
  }
  if (node.max_elements != 0 && node.max_elements < node.min_elements) {
    frame.reading.problem(statement, std::format("at most {} elements", node.max_elements),
                          std::format("at least the min-elements, {}", node.min_elements));
  }
  if (node.default_value) {
    check_default(frame);
  }
}

}  // namespace

Node* unsorted_child(Node& parent, std::string_view name) {
  for (const auto& child : parent.children) {
    if (child->name == name) {
      return child.get();
    }
  }
  return nullptr;
}

bool NodeReader::is_child_word(std::string_view word) {
  return word == "uses" || word == "order" || kind_of(word).has_value();
}

void NodeReader::read_child(const syntax::Statement& statement, Node& parent) {
  const std::string_view word = statement.words[0].text;
  if (word == "uses") {
    read_uses(statement, parent);
  } else if (word == "order") {
    read_order(statement, parent);
  } else {
    read_node(statement, *kind_of(word), parent);
  }
}

void NodeReader::read_node(const syntax::Statement& statement, Kind kind, Node& parent) {
  auto made = std::make_unique<Node>();
  Node& node = *made;
  node.kind = kind;
  node.parent = &parent;
  node.origin = reading_.place(statement).origin();
  if (!reading_.take_name(statement, node.name) || !reading_.needs_block(statement)) {
    return;
  }
  if (const Node* other = unsorted_child(parent, node.name)) {
    reading_.problem(statement, in_quotes(node.name) + " again",
                     std::format("one of a name; the first is at {}", other->origin));
  }
  work_.places[&node] = reading_.place(statement);
  parent.children.push_back(std::move(made));

  Frame frame{work_, reading_, node, nullptr, nullptr, {}};
  for (const syntax::Statement& part : statement.children) {
    const std::string_view word = part.words[0].text;
    const auto* property = std::ranges::find(kProperties, word, &Property::word);
    const bool has_children = kind == Kind::Container || kind == Kind::List;
    if (property != kProperties.end() && (property->kinds & mask(kind)) != 0) {
      property->read(frame, part);
    } else if (has_children && is_child_word(word)) {
      read_child(part, node);
    } else {
      reading_.unknown(part, words_of(kind));
    }
  }
  check_node(frame, statement);
}

void NodeReader::read_uses(const syntax::Statement& statement, Node& parent) {
  std::string name;
  if (!reading_.take_name(statement, name) || !reading_.no_block(statement)) {
    return;
  }
  const auto found = work_.groupings.find(name);
  if (found == work_.groupings.end()) {
    reading_.problem(statement, in_quotes(name), "the name of a grouping");
    return;
  }
  Grouping& grouping = found->second;
  grouping.used = true;
  if (grouping.open) {
    reading_.problem(statement, in_quotes(name) + " inside of itself", "another grouping");
    return;
  }
  grouping.open = true;
  NodeReader reader(work_, grouping.file);
  for (const syntax::Statement& part : grouping.statement->children) {
    if (is_child_word(part.words[0].text)) {
      reader.read_child(part, parent);
    } else {
      reader.reading_.unknown(part, "container, list, leaf, leaf-list, uses");
    }
  }
  grouping.open = false;
}

void NodeReader::read_order(const syntax::Statement& statement, Node& node) {
  Workspace::Order order{reading_.place(statement), {}};
  if (!reading_.take_words(statement, order.names) || !reading_.no_block(statement)) {
    return;
  }
  if (!work_.orders.try_emplace(&node, order).second) {
    reading_.problem(statement, "a second order", "one order a level");
  }
}

}  // namespace millrace::schema
