// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words behind `commit`. They combine in any order; what does not go together is refused.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "commit/trial.h"
#include "server/shell.h"

namespace millrace::server {

struct CommitOptions {
  enum class Form : std::uint8_t { Now, Check, Prepare, Activate, Cancel, At };
  Form form = Form::Now;
  bool and_quit = false;
  bool full = false;
  bool timed = false;  // `| display detail`
  std::string comment;
  std::string label;
  std::optional<commit::TrialTerms> trial;  // `confirmed`
  std::optional<std::int64_t> at;           // with Form::At; empty: at the next boot
};

std::expected<CommitOptions, Reply> read_commit_options(Call& call);

// The words that may follow, for completion: name, help.
std::span<const std::pair<std::string_view, std::string_view>> commit_words();

// "HH:MM", "HH:MM:SS": the next time that the clock shows this; "YYYY-MM-DD HH:MM[:SS]". In the
// zone of the router, seconds since the epoch. Null for anything else.
std::optional<std::int64_t> read_time(std::string_view text, std::int64_t now);

}  // namespace millrace::server
