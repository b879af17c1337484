// SPDX-License-Identifier: GPL-2.0-or-later
//
// Conditions on prefixes as prefix-lists. Junos looks among all route-filters of a term for the
// longest prefix that covers the route, and only the filters of that prefix are asked; if none of
// them takes the route, no shorter one is asked. FRR takes the first rule that matches, so the
// rules go from long prefixes to short ones and behind those of a prefix stands a deny for
// everything below it.
//
// prefix-list and prefix-list-filter look for any of their prefixes, and a term that has several
// kinds is content with one of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "appliers/policy/lists.h"
#include "appliers/policy/model.h"

namespace millrace::appliers::policy {

// The prefixes of a prefix-list, of both families.
using PrefixLists = std::function<const std::vector<base::Prefix>&(std::string_view)>;

// Routes that this clause matches are meant.
struct PrefixChoice {
  std::string match;
  std::optional<Actions> actions;  // instead of those of the term
};

bool limits_prefixes(const From& from);

// In this order the first that matches counts. Empty: no route of the family is meant.
// Requires: limits_prefixes(from).
std::vector<PrefixChoice> prefix_choices(const From& from, base::Family family,
                                         const PrefixLists& prefixes, Lists& lists);

}  // namespace millrace::appliers::policy
