// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pages about one statement or one command, from what its template says of it.
#include <algorithm>
#include <vector>

#include "server/help_commands.h"
#include "tree/details.h"

namespace millrace::server {
namespace {

using schema::Kind;
using schema::Node;

std::string word_of(const Node& node) {
  std::string out = node.nameless ? "" : node.name;
  if (node.kind == Kind::List) {
    out += (out.empty() ? "<" : " <") + node.key + ">";
  }
  return out;
}

std::string syntax_of(const Node& node) {
  const std::string word = word_of(node);
  if (takes_value(node)) {
    const std::string value = node.type.placeholder();
    return node.kind == Kind::LeafList ? word + " [ " + value + " … ];" : word + " " + value + ";";
  }
  if (node.kind == Kind::Leaf) {
    return word + ";";
  }
  return word + " { … }";
}

std::string syntax_of(const schema::Command& command) {
  std::string out = command.words;
  for (const bool positional : {true, false}) {
    for (const auto& argument : command.arguments) {
      if (argument.positional != positional) {
        continue;
      }
      std::string word = positional ? "<" + argument.name + ">" : argument.name;
      if (!positional && argument.type.base != schema::BaseType::Empty) {
        word += " " + argument.type.placeholder();
      }
      out += argument.mandatory ? " " + word : " [" + word + "]";
    }
  }
  return out;
}

// "  name               help", aligned as in a listing.
std::string entry(std::string_view name, std::string_view help) {
  std::string out = "    " + std::string(name);
  out.append(name.size() < 19 ? 21 - name.size() : 2, ' ');
  return out + std::string(help) + "\n";
}

std::vector<const Node*> statements_in(const Node& node) {
  std::vector<const Node*> out;
  for (const auto& child : node.children) {
    if (child->support != schema::Support::Refused &&
        (child->role == schema::Role::None || child->role == schema::Role::ApplyPath)) {
      out.push_back(child.get());
    }
  }
  return out;
}

std::string statements_list(const Node& node) {
  std::string out;
  for (const Node* child : statements_in(node)) {
    out += entry(word_of(*child), child->help);
  }
  return out;
}

std::string sentence(std::string text) {
  return text + (text.ends_with('.') || text.ends_with('?') ? "" : ".");
}

// What details_of says, without the blank lines and the name: "range: 256 .. 9192".
std::vector<std::string> facts_of(const Node& node) {
  std::vector<std::string> facts;
  for (auto& line : tree::details_of(node)) {
    if (!line.empty() && !line.starts_with(node.name + ": ") && !line.starts_with("module: ")) {
      facts.push_back(std::move(line));
    }
  }
  for (const auto& must : node.musts) {
    if (!must.message.empty()) {
      facts.push_back("constraint: " + must.message);
    }
  }
  if (node.support == schema::Support::Warns) {
    facts.push_back("it has no effect: " + node.support_reason);
  }
  return facts;
}

}  // namespace

bool takes_value(const Node& node) {
  return (node.kind == Kind::Leaf || node.kind == Kind::LeafList) &&
         node.type.base != schema::BaseType::Empty;
}

std::string hierarchy_of(const Node& node) {
  std::string words;
  for (const Node* level = node.parent; level && level->parent; level = level->parent) {
    words = " " + word_of(*level) + words;
  }
  return "[edit" + words + "]";
}

std::string topic(const Node& node) {
  if (node.support == schema::Support::Refused) {
    return "  " + word_of(node) + "\n\n  " +
           sentence("It is not supported: " + node.support_reason) + "\n";
  }
  std::string out = "  " + word_of(node) + "\n\n  " + sentence(node.help) +
                    " It is configured at " + hierarchy_of(node) + ".\n";
  const auto facts = facts_of(node);
  if (!facts.empty()) {
    out += '\n';
    for (const auto& fact : facts) {
      out += "    " + fact + "\n";
    }
  }
  if (!statements_in(node).empty()) {
    out += "\n  Statements in it:\n\n" + statements_list(node);
  }
  return out;
}

std::string topic(const schema::Command& command) {
  std::string out = "  " + command.words + "\n\n  " + sentence(command.help) + "\n";
  for (const auto& argument : command.arguments) {
    out += (&argument == &command.arguments.front() ? "\n" : "") +
           entry(argument.positional ? "<" + argument.name + ">" : argument.name, argument.help);
  }
  return out;
}

std::string reference(const Node& node) {
  if (node.support == schema::Support::Refused) {
    return topic(node);
  }
  std::string out = "Syntax\n    " + syntax_of(node) + "\n\nHierarchy Level\n    " +
                    hierarchy_of(node) + "\n\nDescription\n    " + sentence(node.help) + "\n";
  std::string options;
  for (const auto& fact : facts_of(node)) {
    options += "    " + fact + "\n";
  }
  for (const auto& value : node.type.values) {
    options += entry(value.name, value.help);
  }
  options += statements_list(node);
  return options.empty() ? out : out + "\nOptions\n" + options;
}

std::string reference(const schema::Command& command) {
  std::string out =
      "Syntax\n    " + syntax_of(command) + "\n\nDescription\n    " + sentence(command.help) + "\n";
  for (const auto& argument : command.arguments) {
    out += (&argument == &command.arguments.front() ? "\nOptions\n" : "") +
           entry(argument.positional ? "<" + argument.name + ">" : argument.name, argument.help);
    for (const auto& value : argument.type.values) {
      out += "  " + entry("  " + value.name, value.help);
    }
  }
  if (!command.permission.empty()) {
    out += "\nRequired Privilege Level\n    " + command.permission + "\n";
  }
  return out;
}

}  // namespace millrace::server
