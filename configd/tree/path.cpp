// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/path.h"

#include "base/check.h"
#include "syntax/writer.h"

namespace millrace::tree {

const schema::Node& Path::schema(const schema::Schema& schema) const {
  return steps.empty() ? schema.root() : *steps.back().node;
}

schema::Keys Path::keys() const {
  return !steps.empty() && steps.front().node->role == schema::Role::Groups ? schema::Keys::Patterns
                                                                            : schema::Keys::Names;
}

Path Path::parent() const {
  base::check(!steps.empty(), "the root has no parent");
  return Path{{steps.begin(), steps.end() - 1}};
}

Path Path::operator/(schema::PathStep step) const {
  Path path = *this;
  path.steps.push_back(std::move(step));
  return path;
}

Path Path::operator/(std::span<const schema::PathStep> more) const {
  Path path = *this;
  path.steps.insert(path.steps.end(), more.begin(), more.end());
  return path;
}

std::vector<std::string> Path::words() const {
  std::vector<std::string> words;
  words.reserve(steps.size() + 2);
  for (const schema::PathStep& step : steps) {
    if (!step.node->nameless) {
      words.push_back(step.node->name);
    }
    if (step.keyed) {
      words.push_back(step.key);
    }
  }
  return words;
}

std::string Path::to_string() const {
  std::string text;
  for (const std::string& word : words()) {
    if (!text.empty()) {
      text += ' ';
    }
    syntax::append_quoted(text, word);
  }
  return text;
}

}  // namespace millrace::tree
