// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "tree/path.h"
#include "tree/text.h"

namespace millrace::tree {

// Puts the statements of a document into owned nodes; internal to tree/.
class TextLoader {
 public:
  // `tagged`: whether `replace:` and `delete:` mean something (load replace), else the one is a
  // plain statement and the other an error.
  TextLoader(const syntax::Document& document, bool tagged, LoadReport& report)
      : document_(document), tagged_(tagged), report_(report) {}

  // Loads all statements into `node`, which is at `path`, and then the syntax errors into the
  // report, in order of place.
  void run(Node& node, const Path& path);

 private:
  using Words = std::vector<std::string_view>;

  // `prefix`: words of blocks around it that name a list or leaf-list without a key.
  void statement(Node& level, const schema::Node& from, const syntax::Statement& statement,
                 const Words& prefix);
  void remove(Node& level, const syntax::Statement& statement, const schema::Walk& walk);
  void simple(Node& level, const syntax::Statement& statement,
              const std::vector<schema::Walk>& walks, bool is_value);
  void block(Node& level, const schema::Node& from, const syntax::Statement& statement,
             const schema::Walk& walk, const Words& head);
  bool refused(const Node& level, const syntax::Statement& statement,
               const std::vector<schema::Walk>& walks);
  static void tag(Node& node, const syntax::Statement& statement);
  void error(syntax::Position at, std::string message, std::string hint = {});
  void warn(const syntax::Statement& statement, std::string_view message);
  std::string line_at(std::uint32_t line);

  const syntax::Document& document_;
  bool tagged_;
  LoadReport& report_;
  Path path_;
  // The place of the last error: a configuration of another router may hold 100,000 of them, in
  // order.
  std::uint32_t seen_line_ = 1;
  std::size_t seen_offset_ = 0;
};

}  // namespace millrace::tree
