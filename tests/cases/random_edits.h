// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines that a person could type, made from the schema alone: whatever a template brings is edited
// from its first day. Names and values come from small pools, and from what is there already, so
// that edits meet. Most of what comes out is valid by type; rules between statements are broken as
// often as it happens.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/random.h"
#include "tree/config_tree.h"

namespace millrace::cases {

class RandomEdits {
 public:
  RandomEdits(support::Random& random, const schema::Schema& schema)
      : random_(random), schema_(schema) {}

  // A set line or a handful that belong together, a delete, a rename, a load …
  std::vector<std::string> edit(const tree::ConfigTree& candidate);
  // Set lines below what `words` name; none when that is no object.
  std::vector<std::string> more(const tree::ConfigTree& candidate, const std::string& words);

 private:
  struct Place {
    std::string words;
    const tree::Node* node;
    std::string parent;  // the words up to the list of an entry
  };

  std::vector<std::string> set_lines(const tree::ConfigTree& candidate);
  void grow(const schema::Node& node, const tree::Node* at, const std::string& words,
            std::vector<std::string>& out);
  void grow_child(const schema::Node& node, const tree::Node* at, const std::string& words,
                  std::vector<std::string>& out);
  void share(std::vector<std::string>& lines);
  std::string load_line(const tree::ConfigTree& candidate);

  // A canonical value of the type, or nothing when none of a few tries is one.
  std::string value(const schema::Type& type, unsigned tries = 8);
  std::string guess(const schema::Type& type);
  std::string guess_integer(const schema::Type& type);
  std::string key(const schema::Node& list, const tree::Node* at);
  std::string reference(const schema::Node& node);

  std::vector<Place> places(const tree::ConfigTree& tree);
  unsigned weight(const schema::Node& node);

  support::Random& random_;
  const schema::Schema& schema_;
  std::map<const schema::Node*, unsigned> weights_;
  const tree::ConfigTree* tree_ = nullptr;  // during edit()
};

}  // namespace millrace::cases
