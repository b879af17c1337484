// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks that need the whole schema. A path in a must or ref is read as the schema reads it: an
// entry and its list are one node, `..` of a node in an entry is the entry, and nameless lists are
// named.
#include <algorithm>
#include <string>
#include <variant>

#include "schema/builder.h"
#include "schema/parts.h"

namespace millrace::schema {

namespace {

class PathChecker {
 public:
  PathChecker(Problems& problems, const Deferred& at, const Node& root)
      : problems_(problems), at_(at), root_(root) {}

  void check(const syntax::Expression& expression) {
    if (const auto* path = std::get_if<syntax::ExpressionPath>(&expression.value)) {
      check_path(*path);
    } else if (const auto* call = std::get_if<syntax::Expression::Call>(&expression.value)) {
      for (const syntax::Expression& operand : call->operands) {
        check(operand);
      }
    }
  }

 private:
  void check_path(const syntax::ExpressionPath& path) {
    const Node* node = path.absolute ? &root_ : at_.node;
    for (const syntax::ExpressionStep& step : path.steps) {
      const Node* next = step.name == ".."  ? node->parent
                         : step.name == "." ? node
                                            : declared_child(*node, step.name);
      if (next == nullptr) {
        problems_.add(at_.place, "path step " + in_quotes(step.name),
                      std::format("a statement below '{}'", node->path()));
        return;
      }
      if (step.key != nullptr) {
        if (next->kind != Kind::List) {
          problems_.add(at_.place, std::format("a key of '{}'", step.name), "a key of a list");
        }
        check(*step.key);
      }
      node = next;
    }
  }

  Problems& problems_;
  const Deferred& at_;
  const Node& root_;
};

// The node at an absolute path, "/interfaces/interface"; null when there is none.
const Node* find_absolute(const Node& root, std::string path) {
  if (!path.starts_with('/')) {
    return nullptr;
  }
  for (char& byte : path) {
    byte = byte == '/' ? ' ' : byte;
  }
  return find_below(root, path);
}

const Node* settle_reference(Workspace& work, const Place& place, const std::string& path,
                             const Node& root) {
  const Node* target = find_absolute(root, path);
  if (target == nullptr || target->kind == Kind::Container ||
      target->type.base == BaseType::Empty) {
    work.problems.add(place, "ref " + in_quotes(path),
                      "the absolute path of a list, or of a leaf with values, such as "
                      "\"/interfaces/interface\"");
    return nullptr;
  }
  return target;
}

void settle_members(Workspace& work, const Place& place, Type& type, const Node& root) {
  for (Type& member : type.members) {
    if (!member.reference.empty()) {
      member.target = settle_reference(work, place, member.reference, root);
    }
    settle_members(work, place, member, root);
  }
}

void settle_types(Workspace& work, Node& node, const Node& root) {
  if (const auto place = work.places.find(&node); place != work.places.end()) {
    settle_members(work, place->second, node.type, root);
  }
  for (const auto& child : node.children) {
    settle_types(work, *child, root);
  }
}

// "address", "tcp/port": a leaf of the list's entries, or of containers in them.
const Node* leaf_of_entry(const Node& list, std::string_view path) {
  const Node* node = &list;
  while (node != nullptr) {
    const std::size_t slash = path.find('/');
    node = node->child(path.substr(0, slash));
    if (slash == std::string_view::npos) {
      return node != nullptr && node->kind == Kind::Leaf ? node : nullptr;
    }
    if (node != nullptr && node->kind != Kind::Container) {
      return nullptr;
    }
    path.remove_prefix(slash + 1);
  }
  return nullptr;
}

void settle_unique(Workspace& work, const Deferred& deferred) {
  Unique& unique = deferred.node->unique[deferred.index];
  std::string_view rest = unique.text;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) {
      return;
    }
    const std::string_view path = rest.substr(0, rest.find(' '));
    rest.remove_prefix(path.size());
    if (const Node* leaf = leaf_of_entry(*deferred.node, path)) {
      unique.leaves.push_back(leaf);
    } else {
      work.problems.add(deferred.place, "unique " + in_quotes(path), "a leaf of the list");
    }
  }
}

void settle_scope(Workspace& work, const Deferred& deferred, const Node& root) {
  UniqueIn& unique = *deferred.node->unique_in;
  const Node* scope = find_absolute(root, unique.path);
  const Node* at = deferred.node;
  while (at != nullptr && at != scope) {
    at = at->parent;
  }
  if (scope == nullptr || at == nullptr) {
    work.problems.add(deferred.place, "unique-in " + in_quotes(unique.path),
                      "the absolute path of a statement around this one");
  }
  unique.scope = scope;
}

void settle_like(Workspace& work, const Like& like, const Node& root) {
  if (like.path == "/") {
    if (like.node->parent != &root || !like.node->children.empty()) {
      work.problems.add(like.place, "like \"/\" in " + in_quotes(like.node->path()),
                        "a list at the top without statements of its own");
    }
    like.node->like = &root;
    return;
  }
  std::string path = like.path;
  std::ranges::replace(path, '/', ' ');
  const Node* target = find_below(root, path);
  if (target == nullptr || target->kind != Kind::List || target->parent != like.node->parent) {
    work.problems.add(like.place, "like " + in_quotes(like.path),
                      "\"/\" or the absolute path of a list beside this one");
    return;
  }
  like.node->like = target;
}

// `asks` names the secret leaf beside it that takes the hash.
void settle_asks(Workspace& work, const Deferred& deferred) {
  const Node& node = *deferred.node;
  const Node* target = node.parent->child(node.asks);
  if (target == nullptr || target->kind != Kind::Leaf || !target->secret ||
      node.type.base != BaseType::Empty) {
    work.problems.add(deferred.place, "asks " + in_quotes(node.asks),
                      "in a leaf of type empty, the name of a secret leaf beside it");
  }
}

// `fills` names the list beside it that gets the entries.
void settle_fills(Workspace& work, const Like& fills) {
  const Node* target = fills.node->parent->child(fills.path);
  if (target == nullptr) {
    target = fills.node->parent->nameless_list();
  }
  if (target == nullptr || target->kind != Kind::List || target->name != fills.path ||
      target->type.base != BaseType::IpPrefix || fills.node->type.base != BaseType::String) {
    work.problems.add(fills.place, "fills " + in_quotes(fills.path),
                      "in a leaf of type string, the name of a list of ip-prefix beside it");
    return;
  }
  fills.node->like = target;
}

void inherit_permissions(Node& node) {
  for (const auto& child : node.children) {
    if (child->permission.empty()) {
      child->permission = node.permission;
    }
    inherit_permissions(*child);
  }
}

// The layout words: what the writer of the text form could not print.
void check_layout(Workspace& work, const Node& node) {
  const auto report = [&](std::string_view found, std::string_view expected) {
    if (const auto place = work.places.find(&node); place != work.places.end()) {
      work.problems.add(place->second, found, expected);
    }
  };
  std::size_t nameless = 0;
  for (const auto& child : node.children) {
    nameless += child->kind == Kind::List && child->nameless ? 1 : 0;
    if (node.joined && child->kind != Kind::Container && child->support != Support::Refused) {
      report(std::format("'{}' in joined '{}'", child->name, node.name), "only containers");
    }
    check_layout(work, *child);
  }
  if (nameless > 1) {
    report(std::format("{} nameless lists in '{}'", nameless, node.name), "at most one");
  }
  if (node.kind == Kind::Container && node.children.empty() && !node.presence &&
      node.support != Support::Refused) {
    report(std::format("container '{}' with nothing in it", node.name), "statements or presence;");
  }
}

}  // namespace

void settle(Workspace& work, Node& root) {
  for (const Deferred& deferred : work.musts) {
    PathChecker(work.problems, deferred, root)
        .check(deferred.node->musts[deferred.index].expression);
  }
  for (const Deferred& deferred : work.references) {
    Reference& reference = *deferred.node->reference;
    reference.target = settle_reference(work, deferred.place, reference.path, root);
  }
  for (const Like& like : work.likes) {
    settle_like(work, like, root);
  }
  settle_types(work, root, root);
  for (const Deferred& deferred : work.uniques) {
    settle_unique(work, deferred);
  }
  for (const Deferred& deferred : work.scopes) {
    settle_scope(work, deferred, root);
  }
  for (const Deferred& deferred : work.asks) {
    settle_asks(work, deferred);
  }
  for (const Like& fills : work.fills) {
    settle_fills(work, fills);
  }
  inherit_permissions(root);
  for (const auto& child : root.children) {
    check_layout(work, *child);
  }
}

}  // namespace millrace::schema
