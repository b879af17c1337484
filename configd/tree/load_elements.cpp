// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/load_elements.h"

#include <algorithm>

#include "syntax/json.h"
#include "syntax/xml.h"
#include "tree/edit.h"
#include "tree/elements.h"

namespace millrace::tree {
namespace {

using schema::Kind;
using syntax::Attribute;
using syntax::Element;
using syntax::Statement;

// Elements of a dialogue around the configuration.
constexpr std::string_view kEnvelopes[] = {"rpc-reply", "rpc",    "data",
                                           "config",    "target", "load-configuration"};

class Converter {
 public:
  explicit Converter(StatementsOfElements& out) : out_(out) {}

  void contents(std::vector<Statement>& statements, const std::vector<Element>& elements,
                const schema::Node& level, std::string_view key) {
    std::vector<std::string_view> done;  // leaf-lists, which are taken together
    for (const Element& element : elements) {
      if (!key.empty() && element.name == key) {
        continue;
      }
      const schema::Node* node = child(level, element.name);
      if (node && node->kind == Kind::LeafList) {
        if (!std::ranges::contains(done, element.name)) {
          done.push_back(element.name);
          leaf_list(statements, elements, element, *node);
        }
      } else if (node && node->kind == Kind::List) {
        entry(statements, element, *node);
      } else {
        plain(statements, element, node ? *node : level);
      }
    }
  }

 private:
  static const schema::Node* child(const schema::Node& level, std::string_view name) {
    if (const schema::Node* list = level.nameless_list(); list && list->name == name) {
      return list;
    }
    return level.child(name);
  }

  syntax::Word word(std::string text, syntax::Position at) {
    return {out_.document.unescaped.emplace_back(std::move(text)), true, at};
  }

  void error(const Element& element, std::string found, std::string expected) {
    out_.document.errors.push_back(
        {element.at, std::move(found), std::move(expected), "<" + element.name + ">"});
  }

  // Marks of `element` onto `statement`; false when an attribute is unknown. Requires: its words
  // are there, and `path_` leads to the level around it.
  bool marks(Statement& statement, const Element& element,
             const std::vector<Attribute>& attributes) {
    const auto operation = [&](std::string_view value) {
      statement.tags.remove = value == "delete" || value == "remove";
      statement.tags.replace = value == "replace";
      return statement.tags.remove || statement.tags.replace || value == "merge" ||
             value == "create" || value == "none";
    };
    const auto value_of = [&](std::string_view name) -> const std::string* {
      const auto found = std::ranges::find(attributes, name, &Attribute::name);
      return found == attributes.end() ? nullptr : &found->value;
    };
    for (const auto& [name, value] : attributes) {
      bool known = true;
      if (name == "inactive") {
        statement.tags.inactive = true;
      } else if (name == "protect") {
        statement.tags.protect = true;
      } else if (name == "unprotect") {
        statement.tags.unprotect = true;
      } else if (name == "comment") {
        statement.comment = edit::comment_text(value);
        if (statement.comment.empty()) {
          command(out_.after, element, {"annotate"}, statement, {""});
        }
      } else if (name == "active") {
        command(out_.after, element, {"activate"}, statement, {});
      } else if (name == "delete" || name == "replace" || name == "operation") {
        known = operation(name == "operation" ? std::string_view(value) : std::string_view(name));
      } else if (name == "insert") {
        const std::string* other = value_of("name");
        known = other && (value == "before" || value == "after");
        if (known) {
          command(out_.after, element, {"insert"}, statement, {value, *other});
        }
      } else if (name == "rename") {
        const std::string* other = value_of("name");
        known = other != nullptr;
        if (known) {
          command(out_.before, element, {"rename"}, statement, {"to", *other});
        }
      } else {
        // What `display` and Junos add about the history of a configuration says nothing new.
        known =
            name.starts_with("junos:") ||
            (name == "name" && (value_of("insert") != nullptr || value_of("rename") != nullptr));
      }
      if (!known) {
        error(element, "attribute '" + name + "' of '" + value + "'", "one that is known");
        return false;
      }
    }
    return true;
  }

  void command(std::vector<StatementsOfElements::Command>& commands, const Element& element,
               std::vector<std::string> words, const Statement& statement,
               std::vector<std::string> rest) {
    words.insert(words.end(), path_.begin(), path_.end());
    for (const syntax::Word& each : statement.words) {
      words.emplace_back(each.text);
    }
    words.insert(words.end(), rest.begin(), rest.end());
    commands.push_back({element.at, std::move(words)});
  }

  // The children of `element` into the block of `statement`.
  void block(Statement& statement, const Element& element, const schema::Node& level,
             std::string_view key) {
    const std::size_t depth = path_.size();
    for (const syntax::Word& each : statement.words) {
      path_.emplace_back(each.text);
    }
    contents(statement.children, element.children, level, key);
    path_.resize(depth);
    statement.block = !statement.children.empty();
  }

  void entry(std::vector<Statement>& statements, const Element& element, const schema::Node& list) {
    const auto is_key = [&](const Element& each) {
      return each.name == key_name(list) || (each.name == list.key && !list.child(list.key));
    };
    const auto key = std::ranges::find_if(element.children, is_key);
    if (key == element.children.end() || key->kind == Element::Kind::Object) {
      const bool removes_all = std::ranges::any_of(element.attributes, [](const Attribute& each) {
        return each.name == "delete" || each.value == "delete";
      });
      if (removes_all && !list.nameless && element.children.empty()) {
        plain(statements, element, list);  // the list as a whole
      } else {
        error(element, "an entry without its key", "<" + std::string(key_name(list)) + ">");
      }
      return;
    }
    Statement statement;
    statement.at = element.at;
    if (!list.nameless) {
      statement.words.push_back(word(element.name, element.at));
    }
    statement.words.push_back(word(key->text, key->at));
    if (!marks(statement, element, element.attributes)) {
      return;
    }
    block(statement, element, list, key->name);
    if (std::ranges::any_of(element.attributes,
                            [](const Attribute& each) { return each.name == "rename"; })) {
      return;  // which is all that it does
    }
    statements.push_back(std::move(statement));
  }

  void plain(std::vector<Statement>& statements, const Element& element,
             const schema::Node& level) {
    Statement statement;
    statement.at = element.at;
    statement.words.push_back(word(element.name, element.at));
    if (!marks(statement, element, element.attributes)) {
      return;
    }
    block(statement, element, level, {});
    if (level.kind == Kind::Container && !level.presence && !statement.block &&
        level.name == element.name && !statement.tags.remove && !element.attributes.empty()) {
      only_marks(element, statement);
      return;
    }
    const bool has_text =
        element.kind != Element::Kind::Object && element.kind != Element::Kind::Empty;
    // `delete` of a leaf names the leaf.
    if (has_text && !statement.tags.remove && !is_set_flag(level, element)) {
      statement.words.push_back(word(element.text, element.at));
    }
    statements.push_back(std::move(statement));
  }

  // A container of which nothing but its state is said.
  void only_marks(const Element& element, const Statement& statement) {
    for (const auto& [on, verb] : {std::pair(statement.tags.inactive, "deactivate"),
                                   std::pair(statement.tags.protect, "protect"),
                                   std::pair(statement.tags.unprotect, "unprotect")}) {
      if (on) {
        command(out_.after, element, {verb}, statement, {});
      }
    }
    if (!statement.comment.empty()) {
      command(out_.after, element, {"annotate"}, statement, {statement.comment});
    }
  }

  // `"disable": true`, as some write what has no value.
  static bool is_set_flag(const schema::Node& node, const Element& element) {
    return node.kind == Kind::Leaf && node.type.base == schema::BaseType::Empty &&
           element.kind == Element::Kind::Boolean && element.text == "true";
  }

  // All values of `first.name`, as a block, so that each can have marks of its own.
  void leaf_list(std::vector<Statement>& statements, const std::vector<Element>& elements,
                 const Element& first, const schema::Node& node) {
    Statement all;
    all.at = first.at;
    all.words.push_back(word(first.name, first.at));
    if (!marks(all, first, first.list_attributes)) {
      return;
    }
    for (const Element& element : elements) {
      if (element.name != first.name) {
        continue;
      }
      Statement value;
      value.at = element.at;
      if (element.kind == Element::Kind::Empty || element.kind == Element::Kind::Object) {
        plain(statements, element, node);
        continue;
      }
      value.words.push_back(word(element.text, element.at));
      path_.push_back(first.name);
      const bool good = marks(value, element, element.attributes);
      path_.pop_back();
      if (!good) {
        continue;
      }
      if (value.tags.remove || value.tags.replace) {
        value.words.insert(value.words.begin(), word(first.name, element.at));
        statements.push_back(std::move(value));
        continue;
      }
      all.children.push_back(std::move(value));
    }
    if (!all.children.empty()) {
      all.block = true;
      statements.push_back(std::move(all));
    }
  }

  StatementsOfElements& out_;
  std::vector<std::string> path_;  // words below the level that is loaded
};

// The element `configuration`, perhaps within a dialogue; null when there is none.
const Element* find_configuration(const std::vector<Element>& elements) {
  for (const Element& element : elements) {
    if (element.name == "configuration") {
      return &element;
    }
    if (std::ranges::find(kEnvelopes, element.name) != std::end(kEnvelopes)) {
      if (const Element* found = find_configuration(element.children)) {
        return found;
      }
    }
  }
  return nullptr;
}

}  // namespace

StatementsOfElements statements_of(std::string text, LoadForm form, const schema::Node& level) {
  StatementsOfElements out;
  syntax::ElementDocument read =
      form == LoadForm::Json ? syntax::parse_json(text) : syntax::parse_xml(text);
  out.document.source = std::make_shared<const std::string>(std::move(text));
  out.document.errors = std::move(read.errors);
  if (!out.document.errors.empty()) {
    return out;  // not well-formed: nothing of it is to be trusted
  }
  const Element* configuration = find_configuration(read.elements);
  if (!configuration) {
    out.document.errors.push_back(
        {{},
         read.elements.empty() ? "nothing" : "'" + read.elements.front().name + "'",
         "'configuration'",
         ""});
    return out;
  }
  Converter(out).contents(out.document.statements, configuration->children, level, {});
  return out;
}

}  // namespace millrace::tree
