// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/merge_order.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <unordered_map>
#include <unordered_set>

namespace millrace::tree {
namespace {

using Set = std::unordered_set<std::string_view>;

Set set_of(const Names& names) {
  return {names.begin(), names.end()};
}

Names only(const Names& names, const Set& wanted) {
  Names out;
  std::ranges::copy_if(names, std::back_inserter(out),
                       [&](std::string_view name) { return wanted.contains(name); });
  return out;
}

bool moved(const Names& left, const Names& right) {
  return only(left, set_of(right)) != only(right, set_of(left));
}

// Requires: the names in both stand in the same order.
MergedOrder interleave(const Names& mine, const Names& theirs) {
  const Set in_mine = set_of(mine);
  const Set in_theirs = set_of(theirs);
  MergedOrder out;
  std::size_t mine_at = 0;
  std::size_t theirs_at = 0;
  while (mine_at < mine.size() || theirs_at < theirs.size()) {
    const std::size_t start = out.names.size();
    while (theirs_at < theirs.size() && !in_mine.contains(theirs[theirs_at])) {
      out.names.push_back(theirs[theirs_at++]);
    }
    const std::size_t middle = out.names.size();
    while (mine_at < mine.size() && !in_theirs.contains(mine[mine_at])) {
      out.names.push_back(mine[mine_at++]);
    }
    out.conflict = out.conflict || (middle > start && out.names.size() > middle);
    if (mine_at < mine.size()) {
      out.names.push_back(mine[mine_at++]);
      ++theirs_at;
    }
  }
  return out;
}

// `spine` as it is, and each further name of `extra` behind the one it follows there.
MergedOrder hang_on(const Names& spine, const Names& extra) {
  const Set in_spine = set_of(spine);
  const Set in_extra = set_of(extra);
  std::list<std::string_view> names(spine.begin(), spine.end());
  std::unordered_map<std::string_view, std::list<std::string_view>::iterator> places;
  for (auto at = names.begin(); at != names.end(); ++at) {
    places.emplace(*at, at);
  }
  bool conflict = false;
  auto place = names.begin();  // where the next one goes
  for (const auto name : extra) {
    if (in_spine.contains(name)) {
      place = std::next(places.at(name));
      continue;
    }
    conflict = conflict || (place != names.end() && !in_extra.contains(*place));
    names.insert(place, name);
  }
  return {{names.begin(), names.end()}, conflict};
}

}  // namespace

MergedOrder merge_order(const Names& base, const Names& mine, const Names& theirs) {
  if (!moved(mine, theirs)) {
    return interleave(mine, theirs);
  }
  const bool mine_moved = moved(base, mine);
  const bool theirs_moved = moved(base, theirs);
  const Set in_base = set_of(base);
  const Set in_theirs = set_of(theirs);
  const bool both_added = std::ranges::any_of(mine, [&](std::string_view name) {
    return !in_base.contains(name) && in_theirs.contains(name);
  });
  MergedOrder out = theirs_moved && !mine_moved ? hang_on(theirs, mine) : hang_on(mine, theirs);
  out.conflict = out.conflict || both_added || mine_moved == theirs_moved;
  return out;
}

}  // namespace millrace::tree
