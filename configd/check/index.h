// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the rules between statements need to know of a whole tree, kept from revision to revision. A
// persistent set of lines, ordered, with a count each: a copy is one pointer, and an update costs
// what the change adds and takes. Every line is said by one statement of the tree alone, so that
// the index of a tree is the sum of what its statements say, in whatever order they came.
//
//   kind     line                                     said by               answers
//   Target   target, value, where                     what may be referred  is it defined?
//   Referrer target, value, who                       what refers           who needs it?
//   Owner    unique, place, values, who               entries, values       who else has it?
//   Key      read, place, keys, carrier               carriers of a must    who looks at that
//   entry? Carrier  statement, keys                          carriers of a must    who looks, below
//   here? Value    read, place, value                       what a must looks at  is one of them
//   equal? Count    read, place                              what a must looks at  how many are
//   there?
//
// Lines are bytes: a kind, a number of the rulebook, then fields, each ended by a zero, which no
// value can hold. What is known comes first and what is asked for last, so every question is one
// range.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tree/btree.h"

namespace millrace::check {

class Line {
 public:
  enum class Kind : char {
    Target = 'T',
    Referrer = 'R',
    Owner = 'O',
    Key = 'K',
    Carrier = 'C',
    Value = 'V',
    Count = 'N',
  };
  Line(Kind kind, std::uint32_t id);
  Line& operator<<(std::string_view field) {
    text_.append(field).push_back('\0');
    return *this;
  }
  Line& number(std::uint32_t value);
  template <class Fields>
  Line& fields(const Fields& fields, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      *this << fields[i];
    }
    return *this;
  }
  const std::string& text() const { return text_; }
  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

std::uint32_t number_at(std::string_view line, std::size_t at);
// What stands behind `used` bytes of a line, field by field.
std::vector<std::string> fields_of(std::string_view line, std::size_t used);

class Index {
 public:
  void add(std::string_view line);
  // Requires: the line is there.
  void take(std::string_view line);
  // Adds many at once: faster than one by one when there are few or none yet.
  void add_all(std::vector<std::string> lines);

  bool holds(std::string_view line) const { return lines_.find(line) != nullptr; }
  std::uint32_t count(std::string_view line) const;
  bool holds_any(std::string_view prefix) const;
  // visit(line, count) in order, until it returns false.
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    const Item* item = lines_.find(prefix);
    item = item ? item : lines_.after(prefix);
    while (item && item->line.starts_with(prefix) && visit(item->line, item->count)) {
      item = lines_.after(item->line);
    }
  }

  std::size_t size() const { return lines_.size(); }
  friend bool operator==(const Index& left, const Index& right);

 private:
  struct Item {
    std::string line;
    std::uint32_t count = 0;
  };
  struct Traits {
    using Item = Index::Item;
    using Key = std::string;
    using View = std::string_view;
    static View key(const Item& item) { return item.line; }
    static bool less(View left, View right) { return left < right; }
    static bool same(const Item& left, const Item& right) { return left.count == right.count; }
  };
  tree::BTree<Traits> lines_;
};

}  // namespace millrace::check
