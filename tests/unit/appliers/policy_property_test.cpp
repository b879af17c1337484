// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random policies: what the compiler made, evaluated as FRR does, says what Junos says.
#include <span>

#include "appliers/policy/compiler.h"
#include "support/frr_route_map.h"
#include "support/junos_policy.h"
#include "support/random_policy.h"
#include "world.h"

namespace millrace::test {
namespace {

using appliers::policy::Compiler;
using appliers::policy::Direction;
using appliers::policy::Use;

constexpr const char* kNeighbor = "192.0.2.1";
constexpr const char* kOwn = "192.0.2.100";

// Lines that disagree, cut down to those that are needed for it.
class Case {
 public:
  Case(std::vector<std::string> chain, bool import) : chain_(std::move(chain)), import_(import) {}

  // What differs for one of `routes`, or nothing; `compiled` counts policies that FRR can do.
  std::string difference(const std::string& lines, const std::vector<support::Route>& routes,
                         int& compiled) const {
    tree::Editor editor{tree::ConfigTree(real_schema())};
    const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    if (!report.errors.empty()) {
      return "does not load: " + report.to_string("test");
    }
    const tree::ConfigTree tree = editor.tree();
    Use use;
    use.direction = import_ ? Direction::Import : Direction::Export;
    use.chain = chain_;
    use.neighbor = *base::IpAddress::parse(kNeighbor);
    base::Diagnostics findings;
    Compiler compiler(tree);
    const auto made = compiler.compile(use, findings);
    if (findings.has_errors()) {
      return {};
    }
    ++compiled;
    support::FrrRouteMap frr;
    for (const auto& object : made.objects) {
      frr.add(*object.content);
    }
    // Subroutines in subroutines can become long.
    const bool is_long = made.objects.back().content->lines.size() > 5000;
    const std::size_t most = is_long ? 2 : routes.size();
    const support::JunosPolicy junos(tree, {import_, kNeighbor, kOwn});
    for (const support::Route& route : std::span(routes).first(most)) {
      const auto wanted = junos.evaluate(chain_, route);
      const auto found = frr.apply(made.route_map, route, import_, kNeighbor, kOwn);
      if (!(wanted == found)) {
        return std::format("route  {}\nJunos  {}\nFRR    {}\n", route.to_string(),
                           wanted.to_string(), found.to_string());
      }
    }
    return {};
  }

  std::string shrunk(std::string lines, const std::vector<support::Route>& routes) const {
    int ignored = 0;
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = lines.find('\n', at) + 1;
        // What the policies refer to stays: without it they would not be valid.
        if (!lines.substr(at, end - at).contains("policy-statement")) {
          at = end;
          continue;
        }
        const std::string less = lines.substr(0, at) + lines.substr(end);
        const std::string still = difference(less, routes, ignored);
        if (!still.empty() && !still.starts_with("does not load")) {
          lines = less;
          smaller = true;
        } else {
          at = end;
        }
      }
    }
    return lines;
  }

 private:
  std::vector<std::string> chain_;
  bool import_;
};

void agrees(bool import) {
  const int rounds = std::getenv("MILLRACE_RELEASE") != nullptr ? 1000 : 25;
  support::Random random;
  int compiled = 0;
  for (int round = 0; round < rounds; ++round) {
    support::RandomPolicy policy(random, import);
    const std::string lines = policy.definitions();
    const auto chain = policy.chain();
    std::vector<support::Route> routes;
    for (int n = 0; n < 40; ++n) {
      routes.push_back(policy.route());
      if (import) {
        routes.back().neighbor = kNeighbor;
      }
    }
    const Case one(chain, import);
    const std::string difference = one.difference(lines, routes, compiled);
    if (!difference.empty()) {
      const std::string small =
          difference.starts_with("does not load") ? lines : one.shrunk(lines, routes);
      int ignored = 0;
      std::string elements;
      for (const std::string& element : chain) {
        elements += " " + element;
      }
      FAIL() << "chain" << elements << "\n" << small << one.difference(small, routes, ignored);
    }
  }
  // Most of what is random can be done.
  EXPECT_GT(compiled, rounds / 3);
}

TEST(PolicyProperty, Imports_decide_as_Junos_does) {
  agrees(true);
}

TEST(PolicyProperty, Exports_decide_as_Junos_does) {
  agrees(false);
}

}  // namespace
}  // namespace millrace::test
