// SPDX-License-Identifier: GPL-2.0-or-later
//
// Communities of the configuration as lists and values of FRR. Junos has one attribute with all
// kinds in it, FRR has three. A definition with several members is matched by a route that has all
// of them, each either a value or a regular expression over the text of one community.
//
// FRR matches regular expressions against all communities of a route in one text, with blanks
// between them and names in place of well-known numbers. So anchors become "start, end or blank",
// `.` a digit or colon, and names whose number matches are added.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "appliers/policy/lists.h"
#include "base/error.h"

namespace millrace::appliers::policy {

struct Community {
  bool invert = false;
  std::vector<std::string> members;
};

// A clause of an entry, or that it does not match.
struct Test {
  std::string match;
  bool negated = false;
};
using AllOf = std::vector<Test>;
// Empty: never holds. With an empty AllOf: always.
using Condition = std::vector<AllOf>;

// One member, understood.
struct Member {
  FrrKind kind = FrrKind::CommunityList;
  std::string value;        // of FRR: "65000:1", "rt 65000:1", "1:2:3"; empty for an expression
  std::string expression;   // of FRR, also of a value
  std::uint64_t order = 0;  // of values in FRR's canonical form
  std::vector<std::string> names = {};  // well-known ones that the expression means
};

// Errors: BadValue, with the member.
base::Result<Member> read_member(std::string_view text);

// Whether a route has one of `communities`. Errors: those of read_member.
base::Result<Condition> community_condition(const std::vector<Community>& communities,
                                            Lists& lists);

// What changes one attribute after the other: element i of each has to come before i + 1.
struct CommunitySets {
  std::vector<std::string> standard;
  std::vector<std::string> extended;
  std::vector<std::string> large;
};
// Errors: BadValue for what FRR cannot do.
base::Result<void> add_communities(const Community& community, CommunitySets& sets);
base::Result<void> delete_communities(const Community& community, Lists& lists,
                                      CommunitySets& sets);
base::Result<void> replace_communities(const Community& community, CommunitySets& sets);

}  // namespace millrace::appliers::policy
