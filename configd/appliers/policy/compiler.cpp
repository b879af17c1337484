// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/compiler.h"

#include <algorithm>
#include <array>
#include <format>
#include <map>
#include <tuple>
#include <utility>

#include "appliers/policy/conditions.h"
#include "appliers/policy/expression.h"
#include "appliers/policy/flatten.h"

namespace millrace::appliers::policy {
namespace {

constexpr std::size_t kMostEntries = 65535;  // FRR's route-maps end there
constexpr std::uint32_t kJunosLocalPreference = 100;

constexpr std::array<Source, 7> kOthers = {Source::Direct, Source::Static, Source::Aggregate,
                                           Source::Ospf,   Source::Ospf3,  Source::Isis,
                                           Source::Rip};

// All policies that a chain can come to, subroutines too.
std::vector<const Policy*> reachable(const std::vector<Expression>& chain, Definitions& definitions,
                                     bool subroutines) {
  std::vector<std::string> names;
  for (const Expression& element : chain) {
    collect_names(element, names);
  }
  std::vector<const Policy*> policies;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Policy* const policy = definitions.policy(names[i]);
    if (!policy || std::ranges::find(policies, policy) != policies.end()) {
      continue;
    }
    policies.push_back(policy);
    for (const Term& term : policy->terms) {
      if (subroutines) {
        names.insert(names.end(), term.from.policies.begin(), term.from.policies.end());
      }
    }
  }
  return policies;
}

// Calls `see` with everything that the term may do.
template <class See>
void for_each_actions(const Term& term, See see) {
  see(term.then);
  for (const RouteFilter& filter : term.from.route_filters) {
    if (filter.actions) {
      see(*filter.actions);
    }
  }
  for (const PrefixListFilter& filter : term.from.prefix_list_filters) {
    if (filter.actions) {
      see(*filter.actions);
    }
  }
}

bool may_accept(const Term& term, bool negated) {
  bool may = false;
  for_each_actions(term, [&](const Actions& actions) {
    may = may || actions.flow == Flow::Accept || actions.default_accept == true ||
          (negated && actions.flow == Flow::Reject);
  });
  return may;
}

std::set<Source> sources_of(const std::vector<Expression>& chain, Definitions& definitions) {
  const bool negated = std::ranges::any_of(chain, negates);
  std::set<Source> sources;
  for (const Policy* policy : reachable(chain, definitions, false)) {
    for (const Term& term : policy->terms) {
      if (may_accept(term, negated)) {
        std::ranges::copy_if(kOthers, std::inserter(sources, sources.end()),
                             [&](Source source) { return lets_through(term, source); });
      }
    }
  }
  return sources;
}

bool prepends_another(const std::vector<const Policy*>& policies, std::uint32_t local_as) {
  bool another = false;
  for (const Policy* policy : policies) {
    for (const Term& term : policy->terms) {
      for_each_actions(term, [&](const Actions& actions) {
        another = another || std::ranges::any_of(actions.prepend, [&](std::uint32_t system) {
                    return system != local_as;
                  });
      });
    }
  }
  return another;
}

bool asks_neighbor(const std::vector<std::string>& elements, Definitions& definitions) {
  std::vector<Expression> chain;
  for (const std::string& element : elements) {
    if (auto expression = read_expression(element)) {
      chain.push_back(std::move(*expression));
    }
  }
  return std::ranges::any_of(reachable(chain, definitions, true), [](const Policy* policy) {
    return std::ranges::any_of(policy->terms, [](const Term& term) {
      return !term.from.neighbors.empty() || !term.to.neighbors.empty();
    });
  });
}

// With our own AS in the path from the start, what looks at the path would see it.
void refuse_looks_at_path(const std::vector<const Policy*>& policies, Scope& scope) {
  constexpr std::string_view kReason =
      "FRR cannot look at the path in a chain that prepends another AS than our own on the way to "
      "another AS";
  for (const Policy* policy : policies) {
    scope.policy = policy->name;
    for (const Term& term : policy->terms) {
      scope.term = term.name;
      if (!term.from.as_paths.empty() || !term.from.as_path_groups.empty()) {
        scope.refuse("from as-path", std::string(kReason));
      }
      for_each_actions(term, [&](const Actions& actions) {
        if (actions.expand_last_as > 0) {
          scope.refuse("then as-path-expand", std::string(kReason));
        }
      });
    }
  }
}

using Key = std::tuple<Direction, base::Family, Source, bool, std::vector<std::string>,
                       std::uint32_t, std::optional<base::IpAddress>, std::optional<Source>>;

}  // namespace

class Compiler::State {
 public:
  explicit State(tree::ConfigTree tree) : definitions(std::move(tree)) {}

  struct Done {
    Compiled compiled;
    base::Diagnostics findings;
  };

  Definitions definitions;
  std::map<Key, Done> done;
  // By chain: whether it asks who the neighbour is. Most do not, and then one compilation serves
  // all neighbours.
  std::map<std::vector<std::string>, bool> asks_neighbor;
  std::set<std::string> said;
};

Compiler::Compiler(tree::ConfigTree tree) : state_(std::make_unique<State>(std::move(tree))) {}
Compiler::~Compiler() = default;
Compiler::Compiler(Compiler&&) noexcept = default;
Compiler& Compiler::operator=(Compiler&&) noexcept = default;

namespace {

// What has to stand before the policies themselves.
void add_preamble(Program& program, Scope& scope, bool own_as) {
  std::vector<std::string> sets;
  if (scope.imports() && scope.use.external) {
    sets.push_back(std::format("set local-preference {}", kJunosLocalPreference));
  }
  if (own_as) {
    sets.push_back(std::format("set as-path prepend {}", scope.use.local_as));
  }
  if (!sets.empty()) {
    const Label policies = program.label();
    program.add({}, std::move(sets), policies);
    program.place(policies);
  }
}

Compiled make(const std::vector<Expression>& chain, Scope& scope) {
  const Use& use = scope.use;
  Compiled compiled;
  if (use.direction == Direction::Import && !use.external && chain.empty()) {
    return compiled;
  }
  const auto policies = reachable(chain, scope.definitions, true);
  compiled.writes_own_as = use.direction == Direction::Export && use.external &&
                           use.local_as != 0 && prepends_another(policies, use.local_as);
  if (compiled.writes_own_as) {
    refuse_looks_at_path(policies, scope);
  }
  Program program;
  add_preamble(program, scope, compiled.writes_own_as);
  flatten(chain, program, scope);
  if (program.size() > kMostEntries) {
    scope.findings.error(
        base::Code::Constraint, use.level, use.statement,
        std::format("the policies become more than {} entries in FRR", kMostEntries),
        "use fewer terms, or prefix-lists in place of single route filters");
  }
  if (scope.findings.has_errors()) {
    return {};
  }
  compiled.route_map = scope.lists.route_map(program);
  compiled.objects = scope.lists.take();
  if (use.direction == Direction::Export) {
    compiled.redistributed = sources_of(chain, scope.definitions);
  }
  return compiled;
}

}  // namespace

Compiled Compiler::compile(const Use& original, base::Diagnostics& out) {
  auto asks = state_->asks_neighbor.find(original.chain);
  if (asks == state_->asks_neighbor.end()) {
    asks = state_->asks_neighbor
               .emplace(original.chain, asks_neighbor(original.chain, state_->definitions))
               .first;
  }
  Use use = original;
  if (!asks->second) {
    use.neighbor.reset();
  }
  if (use.direction == Direction::Import || !use.external) {
    use.local_as = 0;
  }
  const Key key{use.direction, use.family,   use.protocol, use.external,
                use.chain,     use.local_as, use.neighbor, use.source};
  auto found = state_->done.find(key);
  if (found == state_->done.end()) {
    Scope scope(use, state_->definitions);
    std::vector<Expression> chain;
    for (const std::string& element : use.chain) {
      auto expression = read_expression(element);
      if (!expression) {
        scope.findings.error(base::Code::BadValue, use.level, use.statement,
                             expression.error().message);
        continue;
      }
      std::vector<std::string> names;
      collect_names(*expression, names);
      for (const std::string& name : names) {
        if (!state_->definitions.policy(name)) {
          scope.findings.error(base::Code::Constraint, use.level, use.statement,
                               std::format("policy '{}' is not defined", name));
        }
      }
      chain.push_back(std::move(*expression));
    }
    State::Done done;
    done.compiled = make(chain, scope);
    done.findings = std::move(scope.findings);
    found = state_->done.emplace(key, std::move(done)).first;
  }
  for (const base::Diagnostic& finding : found->second.findings.items()) {
    if (state_->said.insert(finding.to_string()).second) {
      out.add(finding);
    }
  }
  return found->second.compiled;
}

base::Result<std::vector<std::string>> policies_of(std::string_view element) {
  const auto expression = read_expression(element);
  if (!expression) {
    return std::unexpected(expression.error());
  }
  std::vector<std::string> names;
  collect_names(*expression, names);
  return names;
}

std::string_view to_string(Source source) {
  switch (source) {
    case Source::Bgp:
      return "bgp";
    case Source::Direct:
      return "direct";
    case Source::Static:
      return "static";
    case Source::Aggregate:
      return "aggregate";
    case Source::Ospf:
      return "ospf";
    case Source::Ospf3:
      return "ospf3";
    case Source::Isis:
      return "isis";
    case Source::Rip:
      return "rip";
    case Source::Ripng:
      return "ripng";
  }
  return "";
}

std::string_view frr_protocol(Source source) {
  switch (source) {
    case Source::Direct:
      return "connected";
    case Source::Aggregate:
      return "static";
    case Source::Ospf3:
      return "ospf6";
    default:
      return to_string(source);
  }
}

}  // namespace millrace::appliers::policy
