// SPDX-License-Identifier: GPL-2.0-or-later
//
// Methods for programs, which need not build lines: configuration.* and system.revisions.
#pragma once

#include <expected>
#include <optional>
#include <variant>

#include "server/frame.h"
#include "server/reply.h"
#include "server/shell.h"

namespace millrace::server {

using ProgramResult = std::expected<nlohmann::json, RpcError>;
using ProgramOutcome = std::variant<ProgramResult, Deferred<ProgramResult>>;

// "shared", "private" or "exclusive" of a message.
std::optional<EditMode> edit_mode(const nlohmann::json& text);
// For a program what `configure MODE` is for a person. Errors: locked, conflict, denied.
ProgramResult enter_candidate(Shell& shell, EditMode mode);

// Nothing when there is no such method. `shell` is the caller's, for user and via.
std::optional<ProgramOutcome> call_program(Shell& shell, const Request& request);

// commit_program.cpp: configuration.commit, .confirm and .reject.
ProgramOutcome commit_configuration(Shell& shell, const nlohmann::json& params);
ProgramOutcome end_trial(Shell& shell, const nlohmann::json& params, bool confirm);

// Writes down that the method ran, or was denied.
void record_program(Shell& shell, const Request& request, const ProgramResult& result);

}  // namespace millrace::server
