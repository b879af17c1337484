// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: statements of a template that make nodes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/reading.h"
#include "schema/schema.h"

namespace millrace::schema {

// A fragment of statements, read anew at each `uses`.
struct Grouping {
  std::string_view file;
  const syntax::Statement* statement = nullptr;
  bool open = false;  // being read: a use of it now would never end
  bool used = false;
};

// Something about a node that only the whole schema can settle.
struct Deferred {
  Node* node = nullptr;
  Place place;
  std::size_t index = 0;  // into musts or unique
};

struct Like : Deferred {
  std::string path;
};

// What the passes of one build share.
struct Workspace {
  Problems problems;
  std::map<std::string, Grouping, std::less<>> groupings;
  std::vector<Deferred> musts;
  std::vector<Deferred> references;
  std::vector<Deferred> uniques;
  std::vector<Like> likes;
  std::vector<Deferred> scopes;  // of unique-in
  std::vector<Deferred> asks;
  std::vector<Like> fills;  // `path` is the name of the list
  struct Order {
    Place place;
    std::vector<std::string> names;
  };
  std::map<const Node*, Order> orders;
  std::map<const Node*, Place> places;
};

class NodeReader {
 public:
  NodeReader(Workspace& work, std::string_view file) : work_(work), reading_(work.problems, file) {}

  // True for container, list, leaf, leaf-list, uses and order: what may stand in any body.
  static bool is_child_word(std::string_view word);

  // Requires: is_child_word. Appends to `parent` what the statement makes, problems included, so
  // that later statements find their place.
  void read_child(const syntax::Statement& statement, Node& parent);

 private:
  void read_node(const syntax::Statement& statement, Kind kind, Node& parent);
  void read_uses(const syntax::Statement& statement, Node& parent);
  void read_order(const syntax::Statement& statement, Node& node);

  Workspace& work_;
  Reading reading_;
};

// The node `parent`'s child of that name, nameless or not, before it is sorted; null when none.
Node* unsorted_child(Node& parent, std::string_view name);

}  // namespace millrace::schema
