// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rules of a schema, read once into the form that checking needs: for every statement what it
// adds to the index (index.h), and whose rules look at it. Internal to check/ but for check.h.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "schema/schema.h"

namespace millrace::check {

// A path in a must. Most are regular: some steps up, to the anchor, then down by names; only those
// are in the index.
struct Read {
  // A list on the way down: all entries, or the one that `[…]` names.
  enum class Entries : std::uint8_t { None, All, Keyed };
  struct Step {
    const schema::Node* node;
    Entries entries = Entries::None;
    // Where the key comes from when it is `.` (the carrier's own value or key), a list that the
    // carrier is in, by the number of its key, or a text.
    enum class Key : std::uint8_t { Own, Around, Text } key = Key::Own;
    std::size_t around = 0;
    std::string text = {};
  };

  std::uint32_t id = 0;
  const schema::Node* carrier = nullptr;
  const schema::Must* must = nullptr;
  const schema::Node* target = nullptr;  // where it ends
  // The highest statement on the way: a change matters only to carriers below the same instance.
  const schema::Node* top = nullptr;
  std::vector<Step> steps = {};  // from `top` down, of a regular path
  bool regular = false;
  bool keyed = false;    // the index finds the carriers by the keys they name
  bool counted = false;  // the index counts the instances: there are lists on the way down
};

struct UniqueRule {
  std::uint32_t id = 0;
  const schema::Node* node = nullptr;        // the list; of unique-in the statement itself
  const schema::Unique* unique = nullptr;    // or, when null,
  const schema::UniqueIn* within = nullptr;  // this
};

// What concerns the instances of one statement.
struct NodeRules {
  std::uint32_t id = 0;
  bool referred = false;  // something must be defined here
  bool scanned = false;   // carriers of a must are found by the index: they may be few among many
  bool below = false;     // there are rules at or below it
  std::vector<UniqueRule> uniques = {};         // of a list, and of the statement itself
  std::vector<const schema::Node*> lists = {};  // of a leaf: lists whose unique it is part of
  std::vector<const Read*> readers = {};        // that end here
  std::vector<const Read*> keyed = {};          // carried here, found by key
};

class Rulebook {
 public:
  // Requires: `schema` outlives the rulebook.
  explicit Rulebook(const schema::Schema& schema);
  Rulebook(const Rulebook&) = delete;
  Rulebook& operator=(const Rulebook&) = delete;

  const schema::Schema& schema() const { return schema_; }
  // Statements that expansion takes away (schema::Role) have no rules.
  const NodeRules& of(const schema::Node& node) const {
    static const NodeRules none;
    const auto found = rules_.find(&node);
    return found == rules_.end() ? none : found->second;
  }
  const Read* read(const syntax::ExpressionPath& path) const {
    const auto found = by_path_.find(&path);
    return found == by_path_.end() ? nullptr : found->second;
  }
  const schema::Node& node(std::uint32_t id) const { return *by_id_.at(id); }

 private:
  bool visit(const schema::Node& node);
  void collect(const syntax::Expression& expression, const schema::Node& carrier,
               const schema::Must& must);
  void add_read(const syntax::ExpressionPath& path, const schema::Node& carrier,
                const schema::Must& must);
  void register_read(const Read& read);
  void mark(const schema::Node& node);

  const schema::Schema& schema_;
  std::unordered_map<const schema::Node*, NodeRules> rules_;
  std::vector<std::unique_ptr<Read>> reads_;
  std::unordered_map<const syntax::ExpressionPath*, const Read*> by_path_;
  std::unordered_map<std::uint32_t, const schema::Node*> by_id_;
  std::uint32_t ids_ = 0;
};

// Names in a must reach nameless lists too.
const schema::Node* child_named(const schema::Node& node, std::string_view name);
// Whose key a value must be, or value: of the node's own reference, or of the members of a union
// when no other member accepts the value. Empty when the value needs no definition.
std::vector<const schema::Node*> targets_of(const schema::Node& node, std::string_view value);
// How many keys lead to an instance of the node.
std::size_t keys_to(const schema::Node& node);

}  // namespace millrace::check
