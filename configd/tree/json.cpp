// SPDX-License-Identifier: GPL-2.0-or-later
//
// The shape that Junos and RFC 7951 share: a list is an array of objects with their key, an empty
// leaf is [null], attributes of an object are under "@", those of a leaf under "@NAME" beside it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tree/layout.h"
#include "tree/text.h"

namespace millrace::tree {
namespace {

using Json = nlohmann::ordered_json;
using schema::BaseType;
using schema::Kind;

class Writer {
 public:
  explicit Writer(WriteOptions options) : options_(options) {}

  // Adds what `node`, a statement, is to the object it stands in.
  void statement(Json& object, const Node& node) const {
    Json attributes = attributes_of(node);
    switch (node.schema()->kind) {
      case Kind::Container:
        object[node.name()] = contents(node);
        return;
      case Kind::List: {
        Json& entries = object[node.name()] = Json::array();
        node.children().for_each([&](const NodePtr& entry) {
          entries.push_back(contents(*entry));
          return true;
        });
        return;
      }
      case Kind::LeafList: {
        Json& values = object[node.name()] = Json::array();
        node.children().for_each([&](const NodePtr& value) {
          values.push_back(scalar(*node.schema(), value->name()));
          return true;
        });
        break;
      }
      case Kind::Leaf:
        object[node.name()] = scalar(*node.schema(), node.value());
        break;
    }
    if (!attributes.empty()) {
      object["@" + std::string(node.name())] = std::move(attributes);
    }
  }

  // A container or entry as an object.
  Json contents(const Node& node) const {
    Json object = Json::object();
    if (Json attributes = attributes_of(node); !attributes.empty()) {
      object["@"] = std::move(attributes);
    }
    if (node.is_entry()) {
      object[node.schema()->key] = scalar(*node.schema(), node.name());
    }
    node.children().for_each([&](const NodePtr& child) {
      statement(object, *child);
      return true;
    });
    return object;
  }

 private:
  static Json attributes_of(const Node& node) {
    Json attributes = Json::object();
    if (node.inactive()) {
      attributes["inactive"] = true;
    }
    if (node.is_protected()) {
      attributes["protect"] = true;
    }
    if (!node.comment().empty()) {
      attributes["comment"] = "/* " + node.comment() + " */";
    }
    return attributes;
  }

  static bool takes_numbers(const schema::Type& type) {
    return type.base == BaseType::Integer || type.base == BaseType::AsNumber ||
           (type.base == BaseType::Union && std::ranges::any_of(type.members, takes_numbers));
  }

  Json scalar(const schema::Node& schema, std::string_view text) const {
    if (schema.secret && options_.hide_secrets) {
      return kSecretText;
    }
    if (schema.type.base == BaseType::Empty) {
      return Json::array({nullptr});
    }
    if (schema.type.base == BaseType::Boolean) {
      return text == "true";
    }
    if (takes_numbers(schema.type) && !text.empty() &&
        text.find_first_not_of("0123456789", text.front() == '-' ? 1 : 0) == std::string::npos) {
      // Canonical, so it is a number of JSON too.
      return Json::parse(text, nullptr, false);
    }
    return text;
  }

  WriteOptions options_;
};

// The containers and entries on the way, around what is at the path.
void wrap(Json& object, const ConfigTree& tree, const Path& path, std::size_t depth,
          const Writer& writer) {
  const Path here{{path.steps.begin(), path.steps.begin() + static_cast<std::ptrdiff_t>(depth)}};
  const bool last = depth == path.steps.size();
  const schema::PathStep& step = here.steps.back();
  const Node& node = *tree.find(here);
  if (last && !step.keyed) {
    writer.statement(object, node);
    return;
  }
  if (!step.keyed) {
    wrap(object[step.node->name] = Json::object(), tree, path, depth + 1, writer);
    return;
  }
  Json& entries = object[step.node->name] = Json::array();
  if (step.node->kind == Kind::LeafList) {
    entries.push_back(step.key);
  } else if (last) {
    entries.push_back(writer.contents(node));
  } else {
    entries.push_back(Json::object({{step.node->key, step.key}}));
    wrap(entries.back(), tree, path, depth + 1, writer);
  }
}

}  // namespace

std::string to_json(const ConfigTree& tree, const Path& path, WriteOptions options) {
  Json root = Json::object();
  const Writer writer(options);
  if (path.empty()) {
    root["configuration"] = writer.contents(tree.root());
  } else {
    Json& inside = root["configuration"] = Json::object();
    if (tree.find(path)) {
      wrap(inside, tree, path, 1, writer);
    }
  }
  // Strings of the tree are valid text, but bytes that are not UTF-8 must not throw.
  return root.dump(4, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace millrace::tree
