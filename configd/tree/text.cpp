// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/text.h"

#include "tree/layout.h"
#include "tree/set_lines.h"

namespace millrace::tree {

std::string to_text(const ConfigTree& tree, const Path& path, WriteOptions options) {
  std::string out;
  const Node* node = tree.find(path);
  if (!node) {
    return out;
  }
  syntax::TextWriter writer(out);
  Layout layout(writer, options);
  const schema::Kind kind = node->schema()->kind;
  const bool holds_statements =
      node->is_entry() ? kind == schema::Kind::List : kind == schema::Kind::Container;
  if (holds_statements) {
    layout.contents(*node);
  } else if (node->schema()->role == schema::Role::Groups) {
    layout.groups(*node);
  } else if (!node->is_entry()) {
    layout.statement(*node);
  } else {
    writer.leaf(tags_of(*node), Layout::Words{node->schema()->name, node->name()});
  }
  return out;
}

std::string to_set(const ConfigTree& tree, const Path& path, WriteOptions options) {
  std::string out;
  const Node* node = tree.find(path);
  if (!node) {
    return out;
  }
  LinePath words;
  if (!options.relative) {
    for (const std::string& word : path.words()) {
      words.word(word);
    }
  }
  const auto mark = [&](std::string_view verb) {
    out += verb;
    out += words.text();
    out += '\n';
  };
  // `set` and `deactivate` alone would name nothing.
  const auto is_named = [&] { return !words.text().empty(); };
  if (node->children().empty() && !is_named()) {
    return out;
  }
  append_set_lines(out, words, *node, {options.hide_secrets, options.explicit_presence},
                   [&](const Node& written) {
                     if (written.inactive() && is_named()) {
                       mark("deactivate");
                     }
                     if (written.is_protected() && is_named()) {
                       mark("protect");
                     }
                   });
  return out;
}

}  // namespace millrace::tree
