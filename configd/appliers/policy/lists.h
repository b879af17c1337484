// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lists and route-maps of one compilation, named by their content, each once. What a match or
// set clause says is returned, such as "match community c-0123456789abcdef".
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "appliers/frr_object.h"
#include "appliers/policy/compiler.h"
#include "appliers/policy/model.h"
#include "appliers/policy/program.h"

namespace millrace::appliers::policy {

// 64 bits of FNV-1a in hexadecimal.
std::string content_hash(std::string_view content);

class Lists {
 public:
  // One rule of a prefix-list, in the order of evaluation.
  struct Rule {
    bool permit = true;
    PrefixRange range;
  };
  std::string prefix_list(base::Family family, const std::vector<Rule>& rules);
  // Regular expressions of FRR; any of them matches.
  std::string as_path_list(const std::vector<std::string>& expressions);
  // Lines "permit …" of a list of `kind`; `style` is "standard" or "expanded".
  std::string community_list(FrrKind kind, std::string_view style, std::vector<std::string> rules);
  std::string route_map(Program& program);

  // What `names` and all they refer to are made of, lists first.
  std::vector<Object> take();

 private:
  bool has(FrrKind kind, const std::string& name) const { return objects_.contains({kind, name}); }
  std::map<FrrKey, std::shared_ptr<const FrrObject>> objects_;
};

}  // namespace millrace::appliers::policy
