// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/run.h"

#include <array>
#include <chrono>
#include <utility>

#include "base/process.h"
#include "ops/builtins.h"

namespace millrace::ops {
namespace {

using base::Code;
using base::Result;

constexpr std::array kBuiltins = {
    std::pair<std::string_view, Builtin>{"advertised-routes", advertised_routes},
    std::pair<std::string_view, Builtin>{"bgp-group", bgp_group},
    std::pair<std::string_view, Builtin>{"bgp-neighbor", bgp_neighbor},
    std::pair<std::string_view, Builtin>{"bgp-summary", bgp_summary},
    std::pair<std::string_view, Builtin>{"clear-bgp-neighbor", clear_bgp_neighbor},
    std::pair<std::string_view, Builtin>{"clear-forwarding-dataplane", clear_forwarding_dataplane},
    std::pair<std::string_view, Builtin>{"clear-log", clear_log},
    std::pair<std::string_view, Builtin>{"clear-system-commit", clear_system_commit},
    std::pair<std::string_view, Builtin>{"forwarding-dataplane", forwarding_dataplane},
    std::pair<std::string_view, Builtin>{"forwarding-dataplane-adjacencies",
                                         forwarding_dataplane_adjacencies},
    std::pair<std::string_view, Builtin>{"forwarding-dataplane-counters",
                                         forwarding_dataplane_counters},
    std::pair<std::string_view, Builtin>{"forwarding-dataplane-exceptions",
                                         forwarding_dataplane_exceptions},
    std::pair<std::string_view, Builtin>{"forwarding-dataplane-interfaces",
                                         forwarding_dataplane_interfaces},
    std::pair<std::string_view, Builtin>{"forwarding-dataplane-routes",
                                         forwarding_dataplane_routes},
    std::pair<std::string_view, Builtin>{"forwarding-table", forwarding_table},
    std::pair<std::string_view, Builtin>{"interfaces", interfaces},
    std::pair<std::string_view, Builtin>{"interfaces-terse", interfaces_terse},
    std::pair<std::string_view, Builtin>{"log", log},
    std::pair<std::string_view, Builtin>{"ospf-interface", ospf_interface},
    std::pair<std::string_view, Builtin>{"ospf-neighbor", ospf_neighbor},
    std::pair<std::string_view, Builtin>{"policy", policy},
    std::pair<std::string_view, Builtin>{"received-routes", received_routes},
    std::pair<std::string_view, Builtin>{"route", route},
    std::pair<std::string_view, Builtin>{"route-summary", route_summary},
    std::pair<std::string_view, Builtin>{"system-commit", system_commit},
    std::pair<std::string_view, Builtin>{"system-memory", system_memory},
    std::pair<std::string_view, Builtin>{"system-storage", system_storage},
    std::pair<std::string_view, Builtin>{"system-uptime", system_uptime},
    std::pair<std::string_view, Builtin>{"system-schema", system_schema},
    std::pair<std::string_view, Builtin>{"test-policy", test_policy},
    std::pair<std::string_view, Builtin>{"version", version},
};

std::string without_trailing_newlines(std::string text) {
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

Result<Reply> run_program(const Match& match) {
  auto result = base::run_process(program(match));
  if (!result) {
    return std::unexpected(std::move(result.error()));
  }
  if (result->status != 0) {
    std::string said = without_trailing_newlines(std::move(result->errors));
    if (said.empty()) {
      said = without_trailing_newlines(std::move(result->output));
    }
    if (said.empty()) {
      said = match.command->argv.front() + " ended with status " + std::to_string(result->status);
    }
    return base::fail(Code::ApplyFailed, std::move(said));
  }
  return Reply{std::move(result->output), nullptr};
}

Result<Reply> run_frr(const Match& match, Context& context) {
  for (const auto daemon :
       {system::FrrDaemon::Zebra, system::FrrDaemon::Mgmtd, system::FrrDaemon::Staticd,
        system::FrrDaemon::Bgpd, system::FrrDaemon::Ospfd}) {
    if (system::to_string(daemon) != match.command->target) {
      continue;
    }
    std::string line;
    for (const auto& word : program(match)) {
      line += line.empty() ? word : " " + word;
    }
    auto text = context.system.frr.show(daemon, line);
    if (!text) {
      return std::unexpected(std::move(text.error()));
    }
    auto data = nlohmann::json::parse(*text, nullptr, false);
    const bool structured = !data.is_discarded() && data.is_structured();
    return Reply{std::move(*text), structured ? std::move(data) : nlohmann::json()};
  }
  return base::fail(Code::Internal, "no FRR daemon '" + match.command->target + "'");
}

}  // namespace

Builtin find_builtin(std::string_view name) {
  for (const auto& [known, function] : kBuiltins) {
    if (known == name) {
      return function;
    }
  }
  return nullptr;
}

std::vector<std::string> unknown_builtins(const Commands& commands) {
  std::vector<std::string> out;
  for (const auto& command : commands.all()) {
    if (command.runner == "builtin" && !find_builtin(command.target)) {
      out.push_back(command.words + " (" + command.origin + "): no builtin '" + command.target +
                    "'");
    }
  }
  return out;
}

Result<Reply> run(const Match& match, Context& context) {
  const std::string& runner = match.command->runner;
  if (runner == "builtin") {
    const Builtin function = find_builtin(match.command->target);
    if (!function) {
      return base::fail(Code::Internal, "no builtin '" + match.command->target + "'");
    }
    return function(match, context);
  }
  if (runner == "exec") {
    return run_program(match);
  }
  if (runner == "frr") {
    return run_frr(match, context);
  }
  if (runner == "terminal") {
    return Reply{{}, nullptr, program(match)};
  }
  if (runner == "client") {
    return Reply{{}, nullptr, {}, program(match)};
  }
  return base::fail(Code::Internal, "no runner '" + runner + "'");
}

}  // namespace millrace::ops
