// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/probe.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/process.h"
#include "ops/run.h"
#include "server/shell.h"
#include "syntax/command_line.h"

namespace millrace::server {
namespace {

using base::Code;
using base::Result;

// A probe that hangs must not hold up the next one for longer than this.
constexpr std::chrono::seconds kPatience{5};

std::string filtered(const std::string& text, const base::Pattern& pattern, bool keep) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (pattern.matches(line) == keep) {
      out += line + "\n";
    }
    at = end + 1;
  }
  return out;
}

// One request, and not for long, unless the user said how many.
ops::Match as_probe(ops::Match match) {
  if (match.command->words == "ping") {
    match.arguments.try_emplace("count", "1");
    match.arguments.try_emplace("wait", "2");
  }
  return match;
}

}  // namespace

Result<Probe> Probe::parse(const Services& services, std::string_view text) {
  const auto line = syntax::parse_line(text);
  if (!line.errors.empty()) {
    return base::fail(Code::Syntax, line.errors.front().message);
  }
  const auto match = services.commands.match(texts(line.line.words));
  if (!match) {
    return base::fail(Code::Syntax, match.error().message);
  }
  const auto& command = *match->command;
  const bool shows = command.words.starts_with("show ") && command.runner != "terminal" &&
                     command.runner != ops::kSessionRunner;
  if (match->used != line.line.words.size() || (!shows && command.words != "ping")) {
    return base::fail(Code::Syntax,
                      "this command cannot decide: expected ping, or a show command "
                      "of operational mode");
  }
  Probe probe;
  probe.match_ = as_probe(*match);
  for (const auto& pipe : line.line.pipes) {
    const bool keep = pipe.size() == 2 && is(pipe[0].text, "match");
    if (!shows || pipe.size() != 2 || (!keep && !is(pipe[0].text, "except"))) {
      return base::fail(Code::Syntax,
                        "expected only the pipes 'match' and 'except' behind a show "
                        "command that decides");
    }
    auto pattern = base::Pattern::compile(pipe[1].text);
    if (!pattern) {
      return base::fail(Code::Syntax, std::move(pattern.error()));
    }
    probe.filters_.push_back({keep, std::move(*pattern)});
  }
  return probe;
}

bool Probe::allowed(const Peer& peer) const {
  return may(peer, {.kind = Access::Kind::Operate,
                    .command = match_.command->words,
                    .permission = match_.command->permission});
}

Result<void> Probe::run(Services& services) const {
  if (match_.command->runner == "terminal") {
    const auto argv = ops::program(match_);
    auto result = base::run_process(argv, {}, kPatience);
    if (!result) {
      return std::unexpected(result.error());
    }
    return result->status == 0
               ? Result<void>()
               : base::fail(Code::ApplyFailed,
                            argv.front() + " ended with status " + std::to_string(result->status));
  }
  auto system = services.open_system();
  if (!system) {
    return std::unexpected(system.error());
  }
  ops::Context context{services.engine, (*system)->view(), services.version};
  auto reply = ops::run(match_, context);
  if (!reply) {
    return std::unexpected(reply.error());
  }
  std::string text = std::move(reply->text);
  for (const auto& filter : filters_) {
    text = filtered(text, filter.pattern, filter.keep);
  }
  return text.empty() ? base::fail(Code::ApplyFailed, "it has no output") : Result<void>();
}

}  // namespace millrace::server
