// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show | plan`: every step that a commit of the candidate would take.
#include <memory>
#include <utility>

#include "server/commit_replies.h"
#include "server/configuration_mode.h"
#include "server/redaction.h"

namespace millrace::server {
namespace {

// Some changes, such as the description of a unit without a device of its own, are only recorded.
std::string plan_text(const std::vector<commit::StepLine>& steps, bool changed) {
  if (steps.empty()) {
    return changed ? "nothing to do in the system: the changes are only recorded\n"
                   : "nothing to do: the candidate equals the running configuration\n";
  }
  std::string text;
  std::string_view applier;
  std::size_t disruptive = 0;
  for (const auto& step : steps) {
    if (step.applier != applier) {
      text += step.applier + ":\n";
      applier = step.applier;
    }
    text += (step.disruptive ? "  ! " : "    ") + step.description +
            (step.disruptive ? " (disruptive)\n" : "\n");
    disruptive += step.disruptive ? 1 : 0;
  }
  text += std::to_string(steps.size()) + (steps.size() == 1 ? " step" : " steps") + ", " +
          std::to_string(disruptive) + " disruptive\n";
  return text;
}

Reply plan_reply(const base::Diagnostics& diagnostics,
                 const base::Result<std::vector<commit::StepLine>>& steps, bool changed) {
  if (diagnostics.has_errors()) {
    return check_reply(diagnostics);
  }
  if (!steps) {
    return failed(steps.error());
  }
  Reply reply = done(plan_text(*steps, changed));
  nlohmann::json list = nlohmann::json::array();
  for (const auto& step : *steps) {
    list.push_back({{"applier", step.applier},
                    {"description", step.description},
                    {"disruptive", step.disruptive}});
  }
  reply.data = {{"steps", std::move(list)}};
  return reply;
}

}  // namespace

Outcome show_plan(Call& call) {
  struct Found {
    base::Diagnostics diagnostics;
    base::Result<std::vector<commit::StepLine>> steps;
    bool changed = false;
  };
  auto found = std::make_shared<Found>();
  const bool as_json = call.pipes.format() == Format::Json;
  return Deferred<Reply>{
      [&shell = call.shell, found](commit::Observer*) {
        const auto& schema = shell.services().schema;
        auto& engine = shell.services().engine;
        const auto wanted = shell.candidate().wanted();
        found->diagnostics = redacted(shell.peer(), schema,
                                      wanted ? engine.check_candidate(*wanted) : wanted.error());
        if (!found->diagnostics.has_errors()) {
          found->steps = engine.plan(*wanted).transform(
              [&](auto steps) { return redacted(shell.peer(), schema, std::move(steps)); });
          found->changed = !(*wanted == engine.running());
        }
      },
      [found, as_json] {
        Reply reply = plan_reply(found->diagnostics, found->steps, found->changed);
        if (as_json && reply.ok) {
          reply.output = reply.data.dump(2) + "\n";
        }
        return reply;
      }};
}

}  // namespace millrace::server
