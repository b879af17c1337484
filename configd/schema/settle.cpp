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

void settle_reference(Workspace& work, const Deferred& deferred, const Node& root) {
  Reference& reference = *deferred.node->reference;
  std::string path = reference.path;
  const bool is_absolute = path.starts_with('/');
  for (char& byte : path) {
    byte = byte == '/' ? ' ' : byte;
  }
  const Node* target = is_absolute ? find_below(root, path) : nullptr;
  if (target == nullptr || target->kind != Kind::List) {
    work.problems.add(deferred.place, "ref " + in_quotes(reference.path),
                      "the absolute path of a list, such as \"/interfaces/interface\"");
    return;
  }
  reference.target = target;
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
    settle_reference(work, deferred, root);
  }
  for (const Like& like : work.likes) {
    settle_like(work, like, root);
  }
  for (const Deferred& deferred : work.uniques) {
    const std::string& name = deferred.node->unique[deferred.index];
    const Node* leaf = deferred.node->child(name);
    if (leaf == nullptr || leaf->kind != Kind::Leaf) {
      work.problems.add(deferred.place, "unique " + in_quotes(name), "a leaf of the list");
    }
  }
  for (const auto& child : root.children) {
    check_layout(work, *child);
  }
}

}  // namespace millrace::schema
