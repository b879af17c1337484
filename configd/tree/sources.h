// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the parts of an effective statement come from; internal to tree/.
//
// At each place of the hierarchy there is a list of sources, the first with the last word: the
// configuration itself, then ranges that the place belongs to, then groups, those applied nearest
// before those applied further up. Going down, each source gives what it has of the next word: the
// statement or entry of that name, and in groups entries whose pattern matches. So one list does
// for groups, groups applied in groups, patterns and ranges.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/walk.h"
#include "tree/node.h"
#include "tree/range_members.h"

namespace millrace::tree {

// A group or range. Of one Origins, equal ones are one.
struct Origin {
  schema::Role role = schema::Role::Groups;  // or Range
  std::string name;
  const Origin* via = nullptr;  // the group that applies this group or holds this range, or null
};

class Origins {
 public:
  const Origin* of(schema::Role role, std::string_view name, const Origin* via);

 private:
  std::map<std::tuple<const Origin*, schema::Role, std::string>, Origin> all_;
};

struct Source {
  NodePtr node;
  const Origin* origin = nullptr;  // null: the configuration itself
  // Among the sources of a list: `node` is a range, an entry beside the list, and speaks for these.
  std::shared_ptr<const RangeMembers> members;

  bool is_group() const;  // what it says is inherited from a group; its keys may be patterns
  bool operator==(const Source&) const;
};
using Sources = std::vector<Source>;

// A step of the way down from the root: the statement, or an entry of the list before it.
struct Step {
  const schema::Node* schema = nullptr;
  std::string_view key;
  bool keyed = false;
};
using Steps = std::span<const Step>;

// Patterns of each source of a list, the one with the most characters of its own first.
class Patterns {
 public:
  // Requires: `list` outlives this.
  explicit Patterns(const Sources& list);
  explicit Patterns(Sources&&) = delete;
  // What the sources have of the entry. `exists`: whether one of them makes it be there.
  Sources entry(std::string_view key, bool& exists) const;

 private:
  const Sources& list_;
  std::vector<std::vector<NodePtr>> of_source_;
};

// As how many sources one applied group may count: itself, and what it applies in turn, once for
// each way to it. The ways multiply from group to group, so what is beyond is left out, and the
// checks of a commit refuse it.
constexpr std::size_t kMostApplied = 256;

// The groups of one version of the configuration.
class Groups {
 public:
  // Requires: `root` outlives this.
  Groups(const Node& root, Origins& origins);

  // What applies at a container or entry: `level`, and what its apply-groups bring, without what
  // its apply-groups-except take away. `place` leads there from the root.
  Sources resolved(const Sources& level, Steps place) const;
  // What the sources of a container or entry have of a statement of it, ranges beside a list too.
  Sources statement(const Sources& level, const schema::Node& schema) const;

  const Node* node() const { return groups_.get(); }

 private:
  void add(Sources& out, Source source, Steps place) const;
  void add_until(std::size_t most, Sources& out, Source source, Steps place) const;
  Sources lookup(std::string_view name, const Origin* via, Steps place) const;

  NodePtr groups_;  // the list, or null
  Origins& origins_;
};

// Whether expansion does away with the statement.
inline bool is_instruction(const Node& node) {
  const schema::Role role = node.schema()->role;
  return role != schema::Role::None && role != schema::Role::ApplyPath;
}
// Whether `key` of a list in `source` is a pattern.
inline bool is_pattern_in(const Source& source, const Node& entry) {
  return source.is_group() && entry.is_entry() && entry.schema()->kind == schema::Kind::List &&
         schema::is_pattern(entry.name());
}
// The range list beside `list`, or null.
const schema::Node* range_of(const schema::Node& list);

}  // namespace millrace::tree
