// SPDX-License-Identifier: GPL-2.0-or-later
//
// What policy-options defines, read when it is asked for and then kept.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "appliers/policy/community.h"
#include "appliers/policy/model.h"
#include "tree/config_tree.h"

namespace millrace::appliers::policy {

class Definitions {
 public:
  explicit Definitions(tree::ConfigTree tree) : tree_(std::move(tree)) {}

  const tree::ConfigTree& tree() const { return tree_; }
  // Null or empty when it is not defined.
  const Policy* policy(std::string_view name);
  const std::vector<base::Prefix>& prefix_list(std::string_view name);
  std::optional<Community> community(std::string_view name) const;
  std::optional<std::string> as_path(std::string_view name) const;
  std::vector<std::string> as_path_group(std::string_view name) const;
  // Whether aggregates are configured, that is whether a static route of FRR may be one.
  bool has_aggregates() const;

 private:
  tree::ConfigTree tree_;
  std::map<std::string, std::unique_ptr<Policy>, std::less<>> policies_;
  std::map<std::string, std::vector<base::Prefix>, std::less<>> prefix_lists_;
};

}  // namespace millrace::appliers::policy
