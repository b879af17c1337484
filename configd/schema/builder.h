// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: one build of a Schema, in passes:
//
//   parse     every file into statements
//   collect   features: groupings by name; the rest in order of files and lines
//   place     nodes at the root, then augments: an augment waits until its target exists, so the
//             order of files does not matter
//   sort      siblings by `order` statements, else as declared; the index by name
//   everywhere  what may stand at every level becomes part of all
//   read      renders and commands
//   settle    what needs the whole: references, paths of musts, unique, layout words
//
// Every pass runs whatever the others found, and run() reports everything at once.
#pragma once

#include <vector>

#include "schema/read_node.h"
#include "schema/schema.h"

namespace millrace::schema {

class Builder {
 public:
  explicit Builder(std::vector<Source> sources) : sources_(std::move(sources)) {}

  // Call once. Errors: Syntax, with all problems in the message.
  base::Result<Schema> run();

  static Node& mutable_root(Schema& schema);

 private:
  struct Part {
    std::string_view file;
    const syntax::Statement* statement;
  };

  void parse();
  void collect(const Part& feature);
  void place_nodes();
  void place_augments();
  void place_augment(const Part& part, Node& target);
  void sort(Node& node, Support inherited);
  void number(Node& node);
  void place_everywhere();
  void add_everywhere(Node& node);
  void read_renders();
  void read_commands();
  void check_groupings();

  std::vector<Source> sources_;
  std::vector<syntax::Document> documents_;
  Workspace work_;
  std::map<std::string, Place, std::less<>> features_;
  std::vector<Part> nodes_;
  std::vector<Part> augments_;
  std::vector<Part> everywhere_;
  std::vector<Part> renders_;
  std::vector<Part> commands_;
  Schema schema_;
};

// The last pass (settle.cpp): notes problems in `work`, resolves references.
void settle(Workspace& work, Node& root);

}  // namespace millrace::schema
