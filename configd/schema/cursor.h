// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: the state of a walk between two words, shared by walk() and choices().
#pragma once

#include "schema/walk.h"

namespace millrace::schema {

class Cursor {
 public:
  Cursor(const Node& from, Abbreviations abbreviations, Keys keys, std::size_t expected_words);

  // Takes one word more. False when it cannot stand here: `error` says why, but for its index, and
  // the cursor is of no further use.
  bool take(std::string_view word, WalkError& error);

  // The node whose children may stand next; null when only a key or value may.
  const Node* level() const { return waiting_ == nullptr || may_leave() ? level_ : nullptr; }
  // The list, leaf or leaf-list whose key or value may stand next, or null.
  const Node* waiting() const { return waiting_; }

  // Whether keys may be patterns at level() and in waiting().
  Keys keys() const { return keys_; }

  std::vector<Walk> release() { return std::move(walks_); }

 private:
  // Whether the waiting leaf-list has a value already, so that a sibling may follow.
  bool may_leave() const {
    return waiting_->kind == Kind::LeafList && !walks_.back().values.empty();
  }
  bool resolve_key(const Node& list, std::string_view word, Abbreviations abbreviations,
                   std::string& key, WalkError& error) const;
  bool take_key(std::string_view word, WalkError& error);
  bool take_value(std::string_view word, WalkError& error);
  bool take_one_more(std::string_view word, WalkError& error);
  bool descend(std::string_view word, WalkError& error);
  bool enter(const Node& node, std::string_view key, WalkError& error);
  void begin_group();

  const Node* level_;
  const Node* waiting_ = nullptr;
  bool is_group_done_ = false;  // the last step is a complete leaf: the next word is its sibling
  Abbreviations abbreviations_;
  Keys keys_;
  std::vector<Walk> walks_;
};

}  // namespace millrace::schema
