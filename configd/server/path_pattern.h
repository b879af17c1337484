// SPDX-License-Identifier: GPL-2.0-or-later
//
// Paths that stand for several places: `show interfaces <eth*> unit 0`. Only what shows takes them,
// and only outside of groups, where `<eth*>` is the name of an entry. What is shown is the tree
// without the rest, made as for somebody who may see nothing else (tree/filter.h), so every form
// that a configuration is written in works, and `compare` too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/walk.h"
#include "tree/filter.h"

namespace millrace::server {

class PathPattern : public tree::Rights {
 public:
  // Requires: keys of `path` may be patterns.
  explicit PathPattern(const tree::Path& path);

  // The part of the path before its first pattern: what is shown begins there.
  const tree::Path& fixed() const { return fixed_; }

  tree::Reach view(const schema::Node& node, std::string_view words) const override;
  tree::Reach edit(const schema::Node& /*node*/, std::string_view /*words*/) const override {
    return tree::Reach::None;
  }

 private:
  std::vector<std::string> words_;
  tree::Path fixed_;
};

// Whether `words` below `level` are such a path: one of them is `<…>`, and it is outside of groups.
bool has_patterns(const tree::Path& level, const schema::Schema& schema,
                  const std::vector<std::string_view>& words);

}  // namespace millrace::server
