// SPDX-License-Identifier: GPL-2.0-or-later
//
// `test policy NAME PREFIX`: which active routes, of this prefix and more specific ones, a policy
// accepts. Behind its last term everything is accepted, as Junos has it for this command.
#include <format>

#include "ops/builtins.h"
#include "ops/policy_evaluation.h"
#include "ops/route_text.h"
#include "tree/effective.h"

namespace millrace::ops {

using base::Result;
using nlohmann::json;

Result<Reply> test_policy(const Match& match, Context& context) {
  const std::string& name = *match.argument("policy");
  const PolicyEvaluation policies(tree::Expander().effective(context.engine.running()));
  if (!policies.has(name)) {
    return base::fail(base::Code::UnknownPath, std::format("policy '{}' is not defined", name));
  }
  const auto within = base::Prefix::parse(*match.argument("prefix"));
  if (!within) {
    return std::unexpected(within.error());
  }
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  std::string body;
  json routes = json::array();
  Selection selection;
  selection.within = *within;
  selection.keep = [](const Route& route) { return route.active; };
  const auto read = for_each_destination(context, within->family(), selection,
                                         [&](const Destination& destination) {
                                           for (const Route& route : destination) {
                                             PolicyRoute tested = policy_route(route);
                                             if (!policies.accepts(name, tested, true)) {
                                               ++rejected;
                                               continue;
                                             }
                                             ++accepted;
                                             append_routes(body, {route}, RouteForm::Brief, 0);
                                             routes.push_back(route_json(route));
                                           }
                                         });
  if (!read) {
    return std::unexpected(read.error());
  }
  std::string text;
  if (accepted > 0) {
    const auto counted = totals(context, within->family());
    if (!counted) {
      return std::unexpected(counted.error());
    }
    std::string header = route_header(within->family(), *counted, RouteForm::Detail);
    text = "\n" + header.substr(0, header.find('\n') + 1) + "Prefixes passing policy:\n\n" + body +
           "\n";
  }
  text +=
      std::format("Policy {}: {} prefix accepted, {} prefix rejected\n", name, accepted, rejected);
  return Reply{std::move(text),
               {{"policy", name},
                {"accepted", accepted},
                {"rejected", rejected},
                {"routes", std::move(routes)}}};
}

}  // namespace millrace::ops
