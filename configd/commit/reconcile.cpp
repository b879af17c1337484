// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/reconcile.h"

#include <format>

#include "commit/transaction.h"

namespace millrace::commit {
namespace {

// Two are the most that dependencies between subsystems have been seen to need; a third is spare.
constexpr int kRounds = 3;

}  // namespace

std::map<std::string, base::Error> reconcile(std::span<const Applier* const> appliers,
                                             const World& wanted, system::System& system,
                                             Observer* observer) {
  std::map<std::string, base::Error> refused;  // by a step of the last round
  for (int round = 0; true; ++round) {
    std::map<std::string, base::Error> failed;
    std::vector<std::pair<std::string, Plan>> plans;
    for (const Applier* applier : appliers) {
      const std::string name(applier->name());
      auto plan = applier->reconcile(wanted, system);
      if (!plan) {
        failed.emplace(name, plan.error());
      } else if (!plan->empty()) {
        plans.emplace_back(name, std::move(*plan));
      }
    }
    if (plans.empty()) {
      return failed;
    }
    if (round == kRounds) {
      for (const auto& [name, plan] : plans) {
        const auto known = refused.find(name);
        failed.emplace(name,
                       known != refused.end()
                           ? known->second
                           : base::Error{base::Code::ApplyFailed,
                                         std::format("{}: does not settle, still wants to {}", name,
                                                     plan.steps()[0].step->description())});
      }
      return failed;
    }
    refused = Transaction(order_steps(std::move(plans)), system, observer).run_independently();
  }
}

}  // namespace millrace::commit
