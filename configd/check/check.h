// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules between statements: mandatory, ref, unique, must, numbers of elements, and warnings for
// statements that have no effect. Pure functions of trees; they never look at the live system, so
// that the answer does not depend on the hour. All findings are reported, in tree order.
//
// What is asked of the whole tree stands in an index (index.h), which belongs to the tree that runs
// and goes from revision to revision with it: checking a candidate is asking the rules of what it
// adds, those that look at what it changes, and those who refer to what it takes away.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "check/index.h"
#include "tree/delta.h"

namespace millrace::check {

class Rulebook;

struct Finding {
  enum class Kind : std::uint8_t { Missing, Undefined, Other };
  tree::Path path;  // of the statement; of one that is missing, what it belongs in
  Kind kind = Kind::Other;
  std::string name;  // what is missing or not defined
  base::Diagnostic diagnostic;
};

class Findings {
 public:
  const std::vector<Finding>& items() const { return items_; }
  bool has_errors() const;
  base::Diagnostics diagnostics() const;

 private:
  friend class Rules;
  std::vector<Finding> items_;
};

// Immutable, and safe to use from several threads.
class Checker {
 public:
  // Requires: `schema` outlives the checker.
  explicit Checker(const schema::Schema& schema);
  ~Checker();

  Index index_of(const tree::ConfigTree& tree) const;

  struct Checked {
    Findings findings;
    Index index;  // of delta.after()
  };
  // What the change can have broken: the errors that check_all finds in delta.after(), and the
  // warnings of what came or changed. Requires: delta.before() passed check_all, both trees are
  // effective, and `running` is the index of delta.before(). Cost: the size of the delta and the
  // number of rules that look at what it changes.
  Checked check(const tree::Delta& delta, const Index& running) const;

  // Everything, without an index; for the first tree of a process and for tests.
  Findings check_all(const tree::ConfigTree& tree) const;

 private:
  std::unique_ptr<const Rulebook> book_;
};

// The same for one tree of any schema.
base::Diagnostics check_all(const tree::ConfigTree& tree);

}  // namespace millrace::check
