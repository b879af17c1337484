// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/path_pattern.h"

#include <algorithm>

#include "base/glob.h"

namespace millrace::server {

using tree::Reach;

PathPattern::PathPattern(const tree::Path& path) : words_(path.words()) {
  for (const auto& step : path.steps) {
    if (step.keyed && schema::is_pattern(step.key)) {
      // The list itself is the level: its entries keep their names.
      if (!step.node->nameless) {
        fixed_.steps.push_back({step.node, {}, false});
      }
      break;
    }
    fixed_.steps.push_back(step);
  }
}

// `words` come unquoted, so a key with blanks is as many words as it looks: one that is typed out
// is compared as it is, and a pattern stands for keys without.
Reach PathPattern::view(const schema::Node& /*node*/, std::string_view words) const {
  for (const std::string& wanted : words_) {
    if (words.empty()) {
      return Reach::Below;
    }
    std::size_t end = std::min(words.find(' '), words.size());
    if (schema::is_pattern(wanted)) {
      const auto glob = std::string_view(wanted).substr(1, wanted.size() - 2);
      if (!base::glob_matches(glob, words.substr(0, end))) {
        return Reach::None;
      }
    } else {
      end = wanted.size();
      if (!words.starts_with(wanted) || (end < words.size() && words[end] != ' ')) {
        return Reach::None;
      }
    }
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return Reach::All;
}

bool has_patterns(const tree::Path& level, const schema::Schema& schema,
                  const std::vector<std::string_view>& words) {
  if (level.keys() == schema::Keys::Patterns || !std::ranges::any_of(words, schema::is_pattern)) {
    return false;
  }
  const auto first =
      schema::walk(level.schema(schema), std::span(words).first(1), schema::Abbreviations::Yes);
  return !first || (level / first->front().steps).keys() == schema::Keys::Names;
}

}  // namespace millrace::server
