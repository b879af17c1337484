// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/yang.h"

#include <format>

#include "base/words.h"
#include "schema/yang_parts.h"

namespace millrace::schema {

namespace {

// Whether a node that is there asks for something below it, so that it must not always be there.
bool asks(const Node& node) {
  if (node.mandatory || node.min_elements > 0) {
    return true;
  }
  if (node.kind != Kind::Container || node.presence) {
    return false;
  }
  if (!node.musts.empty()) {
    return true;
  }
  for (const auto& child : node.children) {
    if (asks(*child)) {
      return true;
    }
  }
  return false;
}

class ModuleWriter {
 public:
  explicit ModuleWriter(const Schema& schema) {
    add_undefaulted(schema.root(), undefaulted_);
    for (const auto& child : schema.root().children) {
      write(*child, "  ");
    }
  }
  std::string take() && { return std::move(out_); }

 private:
  void line(const std::string& indent, std::string_view word, std::string_view argument) {
    out_ += std::format("{}{} {};\n", indent, word, argument);
  }

  void write(const Node& node, const std::string& indent) {
    if (node.support == Support::Refused || node.role != Role::None || !node.asks.empty()) {
      return;
    }
    static constexpr std::string_view kWords[] = {"container", "list", "leaf", "leaf-list"};
    out_ += std::format("{}{} {} {{\n", indent, kWords[static_cast<std::size_t>(node.kind)],
                        yang_name(node));
    const std::string inside = indent + "  ";
    switch (node.kind) {
      case Kind::Container:
        if (asks(node)) {
          line(inside, "presence", "\"There while something is in it.\"");
        } else if (node.presence) {
          line(inside, "presence", base::quoted(node.help));
        }
        break;
      case Kind::List:
        line(inside, "key", base::quoted(yang_key(node)));
        for (const Unique& unique : node.unique) {
          line(inside, "unique", base::quoted(leaves_of(unique, node)));
        }
        break;
      case Kind::Leaf:
      case Kind::LeafList:
        value(node, inside);
        break;
    }
    common(node, inside);
    if (node.kind == Kind::List) {
      out_ +=
          std::format("{}leaf {} {{\n{}", inside, yang_key(node), yang_type(node, inside + "  "));
      line(inside + "  ", "description", base::quoted(node.help));
      out_ += inside + "}\n";
    }
    for (const auto& child : node.children) {
      write(*child, inside);
    }
    out_ += indent + "}\n";
  }

  static std::string leaves_of(const Unique& unique, const Node& list) {
    std::string out;
    for (const Node* leaf : unique.leaves) {
      std::string path = yang_name(*leaf);
      for (const Node* at = leaf->parent; at != &list; at = at->parent) {
        path = yang_name(*at) + "/" + path;
      }
      out += (out.empty() ? "" : " ") + path;
    }
    return out;
  }

  void value(const Node& node, const std::string& indent) {
    out_ += yang_type(node, indent);
    if (!node.type.units.empty()) {
      line(indent, "units", base::quoted(node.type.units));
    }
    if (node.default_value && !undefaulted_.contains(&node)) {
      line(indent, "default", base::quoted(*node.default_value));
    }
    if (node.mandatory) {
      line(indent, "mandatory", "true");
    }
  }

  void common(const Node& node, const std::string& indent) {
    if (node.ordered) {
      line(indent, "ordered-by", "user");
    }
    if (node.min_elements > 0) {
      line(indent, "min-elements", std::to_string(node.min_elements));
    }
    if (node.max_elements > 0) {
      line(indent, "max-elements", std::to_string(node.max_elements));
    }
    const auto must = [&](const std::string& expression, const std::string& message) {
      out_ += std::format("{}must {} {{\n{}  error-message {};\n{}}}\n", indent,
                          base::quoted(expression), indent, base::quoted(message), indent);
    };
    for (const Must& rule : node.musts) {
      must(yang_must(rule, node, undefaulted_), rule.message);
    }
    if (node.unique_in) {
      must(yang_unique_in(node),
           node.unique_in->message.empty() ? "used already" : node.unique_in->message);
    }
    std::string description = node.help;
    if (node.default_value && undefaulted_.contains(&node)) {
      description += std::format(" (default: {})", *node.default_value);
    }
    if (node.support == Support::Warns) {
      description += std::format(" (without effect: {})", node.support_reason);
    }
    line(indent, "description", base::quoted(description));
  }

  Undefaulted undefaulted_;
  std::string out_;
};

}  // namespace

std::string yang_name(const Node& node) {
  const char first = node.name.front();
  const bool begins_well =
      first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  return begins_well ? node.name : "_" + node.name;
}

std::string yang_key(const Node& list) {
  return list.child(list.key) != nullptr ? list.name + "-" + list.key : list.key;
}

std::string yang_path(const Node& node) {
  std::string path = node.kind == Kind::List ? "/" + yang_key(node) : std::string();
  for (const Node* at = &node; at->parent != nullptr; at = at->parent) {
    path = "/" + yang_name(*at) + path;
  }
  return path;
}

std::string to_yang(const Schema& schema) {
  std::string out = std::format(
      "module {} {{\n"
      "  yang-version 1.1;\n"
      "  namespace \"{}\";\n"
      "  prefix mr;\n\n"
      "  import ietf-inet-types {{\n    prefix inet;\n  }}\n"
      "  import ietf-yang-types {{\n    prefix yang;\n  }}\n\n"
      "  organization \"Millrace\";\n"
      "  description \"The configuration of a Millrace router.\";\n",
      kYangModule, kYangNamespace);
  out += yang_typedefs();
  out += '\n';
  out += ModuleWriter(schema).take();
  return out + "}\n";
}

}  // namespace millrace::schema
