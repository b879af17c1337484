// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which policies a change reaches: those changed themselves, those that refer to a list that
// changed, and those that ask one of them as a subroutine.
#include <algorithm>
#include <map>

#include "appliers/policy/compiler.h"
#include "tree/view.h"

namespace millrace::appliers::policy {
namespace {

using Names = std::set<std::string, std::less<>>;

Names changed_in(const tree::Delta& delta, std::string_view list) {
  const schema::Node* const options = delta.after().schema().find("policy-options");
  tree::Path path;
  path.steps.push_back({options, {}, false});
  path.steps.push_back({options->child(list), {}, false});
  const auto keys = delta.changed_keys(path);
  return {keys.begin(), keys.end()};
}

bool names_one_of(const tree::View& names, const Names& changed) {
  return !changed.empty() && std::ranges::any_of(names.entries(), [&](const auto& entry) {
    return changed.contains(entry.first);
  });
}

struct Changed {
  Names prefix_lists;
  Names as_paths;
  Names as_path_groups;
  Names communities;
};

bool term_refers(const tree::View& term, const Changed& changed) {
  const tree::View from = term["from"];
  if (names_one_of(from["prefix-list"], changed.prefix_lists) ||
      names_one_of(from["prefix-list-filter"], changed.prefix_lists) ||
      names_one_of(from["as-path"], changed.as_paths) ||
      names_one_of(from["as-path-group"], changed.as_path_groups) ||
      names_one_of(from["community"], changed.communities)) {
    return true;
  }
  const auto acts = [&](const tree::View& actions) {
    return std::ranges::any_of(actions["community"].entries(), [&](const auto& operation) {
      return names_one_of(operation.second["name"], changed.communities);
    });
  };
  const auto filters_act = [&](const tree::View& filters) {
    return std::ranges::any_of(filters.entries(),
                               [&](const auto& filter) { return acts(filter.second); });
  };
  return !changed.communities.empty() && (acts(term["then"]) || filters_act(from["route-filter"]) ||
                                          filters_act(from["prefix-list-filter"]));
}

template <class See>
void for_each_term(const tree::View& statement, See see) {
  for (const auto& [name, term] : statement["term"].entries()) {
    see(term);
  }
  see(statement);
}

}  // namespace

std::set<std::string, std::less<>> changed_policies(const tree::Delta& delta) {
  // What the name of an interface means may change with vlan-tagging.
  const bool interfaces = delta.touches("interfaces interface vlan-tagging");
  if (!delta.touches("policy-options") && !interfaces) {
    return {};
  }
  Names policies = changed_in(delta, "policy-statement");
  const Changed changed{changed_in(delta, "prefix-list"), changed_in(delta, "as-path"),
                        changed_in(delta, "as-path-group"), changed_in(delta, "community")};
  std::multimap<std::string, std::string, std::less<>> asked_by;
  for (const tree::ConfigTree* tree : {&delta.before(), &delta.after()}) {
    for (const auto& [name, statement] :
         tree::View(*tree)["policy-options"]["policy-statement"].entries()) {
      for_each_term(statement, [&](const tree::View& term) {
        if (term_refers(term, changed) || (interfaces && term["from"]["interface"])) {
          policies.emplace(name);
        }
        for (const auto& [asked, view] : term["from"]["policy"].entries()) {
          asked_by.emplace(asked, name);
        }
      });
    }
  }
  std::vector<std::string> work(policies.begin(), policies.end());
  while (!work.empty()) {
    const std::string name = std::move(work.back());
    work.pop_back();
    for (auto [at, end] = asked_by.equal_range(name); at != end; ++at) {
      if (policies.insert(at->second).second) {
        work.push_back(at->second);
      }
    }
  }
  return policies;
}

}  // namespace millrace::appliers::policy
