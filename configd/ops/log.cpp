// SPDX-License-Identifier: GPL-2.0-or-later
//
// show log, clear log. `show log messages` and `show log audit` are the journal's, in the
// templates.
#include <format>

#include "ops/builtins.h"
#include "ops/layout.h"
#include "ops/log_file.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;

Result<Reply> list() {
  const auto files = log_files(kLogFolder);
  if (!files) {
    return std::unexpected(files.error());
  }
  json data = {{"files", json::array()}};
  std::string text = std::format("{:<32} {:>12} {:<10} {}\n", "File", "Size", "Owner", "Changed");
  text += std::format("{:<32} {:>12} {:<10} {}\n", kJournalName, "-", "-", "the journal");
  for (const auto& file : *files) {
    text += std::format("{:<32} {:>12} {:<10} {}\n", file.name, file.size, file.owner,
                        local_time(file.changed));
    data["files"].push_back({{"name", file.name},
                             {"size", file.size},
                             {"owner", file.owner},
                             {"changed", file.changed}});
  }
  return Reply{std::move(text), std::move(data)};
}

}  // namespace

Result<Reply> log(const Match& match, Context& /*context*/) {
  const std::string* name = match.argument("file");
  if (name == nullptr) {
    return list();
  }
  auto text = read_log(kLogFolder, *name);
  return text ? Result<Reply>(Reply{std::move(*text), nullptr})
              : std::unexpected(std::move(text.error()));
}

Result<Reply> clear_log(const Match& match, Context& /*context*/) {
  const std::string* name = match.argument("file");
  if (name != nullptr && *name == kJournalName) {
    return base::fail(base::Code::Denied, "'messages' is the journal, which cannot be cleared", {},
                      "it holds the record of who did what, and keeps its size by itself");
  }
  const auto cleared = clear_log(kLogFolder, name ? std::string_view(*name) : std::string_view());
  return cleared ? Result<Reply>(Reply{{}, nullptr}) : std::unexpected(cleared.error());
}

}  // namespace millrace::ops
