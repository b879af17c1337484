// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/flatten.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>
#include <set>

#include "appliers/policy/actions.h"
#include "appliers/policy/conditions.h"
#include "appliers/policy/prefixes.h"

namespace millrace::appliers::policy {
namespace {

// What the last default-action said.
enum State : std::uint8_t { Unset, AcceptByDefault, RejectByDefault, kStates };
using ByState = std::array<Label, kStates>;

struct Exits {
  ByState accept;
  ByState reject;
  ByState next;  // no decision: the next policy
};

constexpr ByState all(Label label) {
  return {label, label, label};
}

std::string kind_of(const std::string& match) {
  return match.substr(0, match.rfind(' '));
}

// The tests that one entry can carry: one of a kind.
class Clauses {
 public:
  bool add(const std::string& match) {
    if (!kinds_.insert(kind_of(match)).second) {
      return false;
    }
    matches_.push_back(match);
    return true;
  }
  bool reserve(const std::string& match) { return kinds_.insert(kind_of(match)).second; }
  const std::vector<std::string>& matches() const { return matches_; }

 private:
  std::vector<std::string> matches_;
  std::set<std::string> kinds_;
};

// One way to match a term and what then happens.
struct Variant {
  std::optional<std::string> prefix;  // the clause, if prefixes are asked for
  const Actions* actions = nullptr;
};

class Flattener {
 public:
  Flattener(Program& program, Scope& scope) : program_(program), scope_(scope) {}

  void chain(const std::vector<Expression>& elements, const ByState& in, const Exits& exits) {
    ByState at = in;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const ByState next = i + 1 == elements.size() ? exits.next : fresh();
      expression(elements[i], at, {exits.accept, exits.reject, next});
      at = next;
    }
    if (elements.empty()) {
      for (std::size_t state = 0; state < kStates; ++state) {
        program_.place(in[state]);
        program_.jump(exits.next[state]);
      }
    }
  }

  // What applies when no policy has decided.
  void defaults(const ByState& at, Label accept, Label reject) {
    program_.place(at[AcceptByDefault]);
    program_.jump(accept);
    program_.place(at[RejectByDefault]);
    program_.jump(reject);
    program_.place(at[Unset]);
    if (scope_.imports()) {
      program_.jump(accept);
      return;
    }
    if (scope_.use.source || scope_.use.protocol != Source::Bgp) {
      program_.jump(scope_.use.source == scope_.use.protocol ? accept : reject);
      return;
    }
    program_.add({"match source-protocol bgp"}, {}, accept);
    program_.jump(reject);
  }

  ByState fresh() { return {program_.label(), program_.label(), program_.label()}; }

 private:
  void expression(const Expression& expr, const ByState& in, const Exits& exits) {
    switch (expr.kind) {
      case Expression::Kind::Name:
        if (const Policy* const named = scope_.definitions.policy(expr.name)) {
          policy(*named, in, exits);
          return;
        }
        pass(in, exits.next);
        return;
      case Expression::Kind::Not:
        expression(expr.parts[0], in, {exits.reject, exits.accept, exits.reject});
        return;
      case Expression::Kind::And: {
        const ByState middle = fresh();
        expression(expr.parts[0], in, {middle, exits.reject, middle});
        expression(expr.parts[1], middle, exits);
        return;
      }
      case Expression::Kind::Or: {
        const ByState middle = fresh();
        expression(expr.parts[0], in, {exits.accept, middle, exits.next});
        expression(expr.parts[1], middle, exits);
        return;
      }
    }
  }

  void pass(const ByState& in, const ByState& out) {
    for (std::size_t state = 0; state < kStates; ++state) {
      program_.place(in[state]);
      program_.jump(out[state]);
    }
  }

  void policy(const Policy& policy, const ByState& in, const Exits& exits) {
    const std::string outer_policy = std::exchange(scope_.policy, policy.name);
    const std::string outer_term = std::exchange(scope_.term, {});
    if (std::ranges::find(open_, policy.name) != open_.end()) {
      scope_.refuse("from policy", "the policy asks itself");
      pass(in, exits.next);
    } else {
      open_.push_back(policy.name);
      terms(policy, in, exits);
      open_.pop_back();
    }
    scope_.policy = outer_policy;
    scope_.term = outer_term;
  }

  void terms(const Policy& policy, const ByState& in, const Exits& exits) {
    if (policy.terms.empty()) {
      pass(in, exits.next);
      return;
    }
    ByState at = in;
    for (std::size_t i = 0; i < policy.terms.size(); ++i) {
      const ByState next = i + 1 == policy.terms.size() ? exits.next : fresh();
      scope_.term = policy.terms[i].name;
      for (std::size_t state = 0; state < kStates; ++state) {
        program_.place(at[state]);
        if (program_.reached() && program_.size() <= kLargest) {
          term(policy.terms[i], static_cast<State>(state), next, exits);
          program_.jump(next[state]);
        }
      }
      at = next;
    }
  }

  std::optional<std::vector<Variant>> variants(const Term& term) {
    if (!limits_prefixes(term.from)) {
      return std::vector<Variant>{{std::nullopt, &term.then}};
    }
    choices_.push_back(prefix_choices(
        term.from, scope_.use.family,
        [this](std::string_view name) -> const std::vector<base::Prefix>& {
          return scope_.definitions.prefix_list(name);
        },
        scope_.lists));
    std::vector<Variant> result;
    for (const PrefixChoice& choice : choices_.back()) {
      result.push_back({choice.match, choice.actions ? &*choice.actions : &term.then});
    }
    return result.empty() ? std::nullopt : std::optional(std::move(result));
  }

  void term(const Term& term, State state, const ByState& next, const Exits& exits) {
    const auto conditions = conditions_of(term, scope_);
    const auto ways = variants(term);
    const bool never = !ways || std::ranges::any_of(conditions, [](const Condition& condition) {
      return condition.empty();
    });
    if (never) {
      return;
    }
    const Label fail = next[state];
    Clauses clauses;
    if (ways->front().prefix) {
      clauses.reserve(*ways->front().prefix);
    }
    std::vector<std::string> alternatives;
    for (const Condition& condition : conditions) {
      condition_tests(condition, fail, clauses, alternatives);
    }
    // Blocks come behind the entries that jump to them.
    std::vector<std::pair<Label, const Actions*>> blocks;
    for (const Variant& way : *ways) {
      matched(term, way, clauses.matches(), alternatives, state, next, exits, blocks);
    }
    if (!blocks.empty()) {
      program_.jump(fail);
    }
    for (const auto& [label, actions] : blocks) {
      program_.place(label);
      block(term, *actions, state, fail, next, exits);
    }
  }

  // Adds the condition to what the final entry asks, or emits tests that jump to `fail`.
  void condition_tests(const Condition& condition, Label fail, Clauses& clauses,
                       std::vector<std::string>& alternatives) {
    if (condition.size() == 1) {
      for (const Test& test : condition.front()) {
        if (test.negated) {
          program_.add({test.match}, {}, fail);
        } else if (!clauses.add(test.match)) {
          any_of({{test}}, fail);
        }
      }
      return;
    }
    if (std::ranges::any_of(condition, [](const AllOf& all) { return all.empty(); })) {
      return;
    }
    const bool simple =
        alternatives.empty() && std::ranges::all_of(condition, [](const AllOf& all) {
          return all.size() == 1 && !all.front().negated;
        });
    const std::string kind = kind_of(condition.front().front().match);
    const bool alike = simple && std::ranges::all_of(condition, [&](const AllOf& all) {
                         return kind_of(all.front().match) == kind;
                       });
    if (alike && clauses.reserve(condition.front().front().match)) {
      for (const AllOf& all : condition) {
        alternatives.push_back(all.front().match);
      }
      return;
    }
    any_of(condition, fail);
  }

  void any_of(const Condition& condition, Label fail) {
    const Label holds = program_.label();
    for (const AllOf& all : condition) {
      const Label other = program_.label();
      Clauses clauses;
      for (const Test& test : all) {
        if (test.negated) {
          program_.add({test.match}, {}, other);
        } else if (!clauses.add(test.match)) {
          any_of({{test}}, other);
        }
      }
      program_.add(clauses.matches(), {}, holds);
      program_.place(other);
    }
    program_.jump(fail);
    program_.place(holds);
  }

  Label target(const Actions& actions, State state, const ByState& next, const Exits& exits) const {
    const State after = !actions.default_accept   ? state
                        : *actions.default_accept ? AcceptByDefault
                                                  : RejectByDefault;
    switch (actions.flow) {
      case Flow::Accept:
        return exits.accept[after];
      case Flow::Reject:
        return exits.reject[after];
      case Flow::NextPolicy:
        return exits.next[after];
      case Flow::None:
      case Flow::NextTerm:
        break;
    }
    return next[after];
  }

  void matched(const Term& term, const Variant& way, const std::vector<std::string>& common,
               const std::vector<std::string>& alternatives, State state, const ByState& next,
               const Exits& exits, std::vector<std::pair<Label, const Actions*>>& blocks) {
    const Label to = target(*way.actions, state, next, exits);
    const auto groups = set_groups(*way.actions, scope_);
    const bool single = groups.size() <= 1 && term.from.policies.empty();
    Label go = to;
    if (!single) {
      go = program_.label();
      blocks.emplace_back(go, way.actions);
    }
    const auto sets = single && !groups.empty() ? groups.front() : std::vector<std::string>();
    std::vector<std::string> matches = common;
    if (way.prefix) {
      matches.push_back(*way.prefix);
    }
    if (alternatives.empty()) {
      program_.add(std::move(matches), sets, go);
      return;
    }
    for (const std::string& alternative : alternatives) {
      std::vector<std::string> all = matches;
      all.push_back(alternative);
      program_.add(std::move(all), sets, go);
    }
  }

  void block(const Term& term, const Actions& actions, State state, Label fail, const ByState& next,
             const Exits& exits) {
    if (!term.from.policies.empty()) {
      subroutine(term.from.policies, fail);
    }
    const Label to = target(actions, state, next, exits);
    const auto groups = set_groups(actions, scope_);
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
      const Label after = program_.label();
      program_.add({}, groups[i], after);
      program_.place(after);
    }
    program_.add({}, groups.empty() ? std::vector<std::string>() : groups.back(), to);
  }

  // Goes on behind it when the policies accept.
  void subroutine(const std::vector<std::string>& names, Label fail) {
    std::vector<Expression> elements;
    for (const std::string& name : names) {
      elements.push_back({Expression::Kind::Name, name, {}});
    }
    const Label holds = program_.label();
    const ByState in = fresh();
    const ByState end = fresh();
    chain(elements, in, {all(holds), all(fail), end});
    defaults(end, holds, fail);
    program_.place(holds);
  }

  static constexpr std::size_t kLargest = 65535;

  Program& program_;
  Scope& scope_;
  std::vector<std::string> open_;                   // policies at work, outermost first
  std::vector<std::vector<PrefixChoice>> choices_;  // what variants point to
};

}  // namespace

void flatten(const std::vector<Expression>& chain, Program& program, Scope& scope) {
  Flattener flattener(program, scope);
  const ByState in = flattener.fresh();
  const ByState end = flattener.fresh();
  flattener.chain(chain, in, {all(kAccept), all(kReject), end});
  flattener.defaults(end, kAccept, kReject);
}

}  // namespace millrace::appliers::policy
