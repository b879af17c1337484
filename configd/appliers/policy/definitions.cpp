// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/definitions.h"

namespace millrace::appliers::policy {
namespace {

using tree::View;

View options(const tree::ConfigTree& tree, std::string_view list) {
  return View(tree)["policy-options"][list];
}

std::optional<std::string> first_key(const View& list) {
  for (const auto& [key, entry] : list.entries()) {
    return std::string(key);
  }
  return std::nullopt;
}

}  // namespace

const Policy* Definitions::policy(std::string_view name) {
  const auto found = policies_.find(name);
  if (found != policies_.end()) {
    return found->second.get();
  }
  const View statement = options(tree_, "policy-statement").entry(name);
  auto policy = statement ? std::make_unique<Policy>(read_policy(statement)) : nullptr;
  return policies_.emplace(name, std::move(policy)).first->second.get();
}

const std::vector<base::Prefix>& Definitions::prefix_list(std::string_view name) {
  const auto found = prefix_lists_.find(name);
  if (found != prefix_lists_.end()) {
    return found->second;
  }
  std::vector<base::Prefix> prefixes;
  for (const auto& [key, entry] : options(tree_, "prefix-list").entry(name)["prefix"].entries()) {
    if (const auto prefix = base::Prefix::parse(key)) {
      prefixes.push_back(*prefix);
    }
  }
  return prefix_lists_.emplace(name, std::move(prefixes)).first->second;
}

std::optional<Community> Definitions::community(std::string_view name) const {
  const View entry = options(tree_, "community").entry(name);
  if (!entry) {
    return std::nullopt;
  }
  Community community;
  community.invert = entry["invert-match"].exists();
  for (const auto& [member, view] : entry["members"].entries()) {
    community.members.emplace_back(member);
  }
  return community;
}

std::optional<std::string> Definitions::as_path(std::string_view name) const {
  return first_key(options(tree_, "as-path").entry(name)["path"]);
}

std::vector<std::string> Definitions::as_path_group(std::string_view name) const {
  std::vector<std::string> paths;
  for (const auto& [key, entry] :
       options(tree_, "as-path-group").entry(name)["as-path"].entries()) {
    if (auto path = first_key(entry["path"])) {
      paths.push_back(std::move(*path));
    }
  }
  return paths;
}

bool Definitions::has_aggregates() const {
  // The hierarchy may not have the statements yet.
  for (const std::string_view path :
       {"routing-options aggregate", "routing-options generate", "routing-options rib aggregate",
        "routing-options rib generate"}) {
    const schema::Node* const node = tree_.schema().find(path);
    if (node && node->support == schema::Support::Works) {
      return true;
    }
  }
  return false;
}

}  // namespace millrace::appliers::policy
