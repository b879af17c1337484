// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words of where a writer of lines stands; internal to tree/. Kept as text, since every line
// below a node begins with the same words.
#pragma once

#include <string>

#include "syntax/writer.h"
#include "tree/node.h"

namespace millrace::tree {

class LinePath {
 public:
  // Leaves the level again at its end.
  class Level {
   public:
    Level(LinePath& path, std::size_t size) : path_(path), size_(size) {}
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { path_.text_.resize(size_); }

   private:
    LinePath& path_;
    std::size_t size_;
  };

  // The word of one node: its keyword or key; a nameless list has none.
  [[nodiscard]] Level enter(const Node& node) {
    const std::size_t size = text_.size();
    if (node.is_entry() || !node.schema()->nameless) {
      word(node.name());
    }
    return Level(*this, size);
  }
  void word(std::string_view word) {
    text_ += ' ';
    syntax::append_quoted(text_, word);
  }
  // " interfaces eth0": every word after a blank.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Appends the `set` lines that make `node`, which `path` already leads to, and nothing else of it:
// no marks, no comments. `marks(node)` is called after the lines of each node.
struct SetLines {
  bool hide_secrets = false;
  bool explicit_presence = false;  // also of entries and presence containers that hold something
};
template <class Marks>
void append_set_lines(std::string& out, LinePath& path, const Node& node, SetLines how,
                      const Marks& marks) {
  const schema::Node& schema = *node.schema();
  const bool is_object = schema.kind == schema::Kind::List ? node.is_entry() : schema.presence;
  if (node.children().empty() || (how.explicit_presence && is_object && !path.text().empty())) {
    out += "set";
    out += path.text();
    if (schema.kind == schema::Kind::Leaf && schema.type.base != schema::BaseType::Empty) {
      out += ' ';
      syntax::append_quoted(out,
                            schema.secret && how.hide_secrets ? "/* SECRET-DATA */" : node.value());
    }
    out += '\n';
  }
  node.children().for_each([&](const NodePtr& child) {
    const LinePath::Level level = path.enter(*child);
    append_set_lines(out, path, *child, how, marks);
    return true;
  });
  marks(node);
}

}  // namespace millrace::tree
