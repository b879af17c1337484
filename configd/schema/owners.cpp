// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who puts a statement into effect. An owner is named at the top of a subtree and holds all of it
// but what a deeper owner takes; a statement nobody owns would be accepted and do nothing, so the
// daemon refuses to start over it.
#include <map>

#include "schema/builder.h"
#include "schema/parts.h"

namespace millrace::schema {

namespace {

// What has an effect by itself and so needs an owner. Warned and refused statements have none;
// groups and ranges have theirs in what they become.
bool needs_owner(const Node& node) {
  return node.role == Role::None && node.support == Support::Works &&
         (node.kind != Kind::Container || node.presence);
}

void spread(Node& node, const std::map<const Node*, std::string>& owners,
            std::vector<std::string>& problems) {
  if (const auto found = owners.find(&node); found != owners.end()) {
    node.owner = found->second;
  } else if (node.parent != nullptr) {
    node.owner = node.parent->owner;
  }
  if (needs_owner(node) && node.parent != nullptr && node.owner.empty()) {
    problems.push_back(
        std::format("'{}' ({}) has no owner, expected an applier or render that owns it",
                    node.path(), node.origin));
    return;  // its children would only repeat it
  }
  for (const auto& child : node.children) {
    spread(*child, owners, problems);
  }
}

}  // namespace

base::Result<void> assign_owners(Schema& schema, std::span<const Ownership> owners) {
  std::vector<Ownership> all(owners.begin(), owners.end());
  for (const Render& render : schema.renders()) {
    all.push_back({render.name, {render.path}});
  }
  std::map<const Node*, std::string> by_node;
  std::vector<std::string> problems;
  for (const Ownership& ownership : all) {
    for (const std::string& path : ownership.owns) {
      const Node* node = schema.find(path);
      if (node == nullptr) {
        problems.push_back(
            std::format("'{}' owns '{}', expected a declared statement", ownership.name, path));
        continue;
      }
      const auto [first, is_new] = by_node.try_emplace(node, ownership.name);
      if (!is_new) {
        problems.push_back(std::format("'{}' owns '{}', expected one owner, found '{}' too",
                                       ownership.name, path, first->second));
      }
    }
  }
  spread(Builder::mutable_root(schema), by_node, problems);
  if (problems.empty()) {
    return {};
  }
  std::string message = std::format("{} problem{} with the owners of statements:", problems.size(),
                                    problems.size() == 1 ? "" : "s");
  for (const std::string& problem : problems) {
    message += "\n  " + problem;
  }
  return base::fail(base::Code::Internal, std::move(message));
}

}  // namespace millrace::schema
