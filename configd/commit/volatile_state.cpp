// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/volatile_state.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include "base/file.h"

namespace millrace::commit {
namespace {

std::optional<std::uint64_t> read_number(const std::filesystem::path& path) {
  const std::string text = base::read_file(path).value_or("");
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // With its end: half a number is another number.
  const bool whole = error == std::errc() && std::string_view(end) == "\n";
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

VolatileState::VolatileState(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
}

bool VolatileState::started() const {
  std::error_code ignored;
  return std::filesystem::exists(folder_ / "started", ignored);
}

std::set<std::string> VolatileState::degraded() const {
  std::set<std::string> names;
  std::istringstream lines(base::read_file(folder_ / "started").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    names.insert(line);
  }
  return names;
}

void VolatileState::set_started(const std::set<std::string>& degraded) {
  if (distrusted_) {
    return;
  }
  std::string text;
  for (const std::string& name : degraded) {
    text += name + "\n";
  }
  if (!base::write_file(folder_ / "started", text, 0600)) {
    std::error_code ignored;  // an old list would hide a degraded subsystem from the next start
    std::filesystem::remove(folder_ / "started", ignored);
  }
}

void VolatileState::distrust() {
  distrusted_ = true;
  forget_started();
}

void VolatileState::forget_started() {
  std::error_code ignored;
  std::filesystem::remove(folder_ / "started", ignored);
}

std::optional<std::chrono::seconds> VolatileState::trial_deadline(RevisionId id) const {
  const auto seconds = read_number(trial_path(id));
  return seconds ? std::optional(std::chrono::seconds(*seconds)) : std::nullopt;
}

void VolatileState::set_trial(RevisionId id, std::chrono::seconds deadline) {
  // Without it the next start takes the trial back at once, which is the safe way to be wrong.
  static_cast<void>(
      base::write_file(trial_path(id), std::to_string(deadline.count()) + "\n", 0600));
}

void VolatileState::clear_trial(RevisionId id) {
  std::error_code ignored;
  std::filesystem::remove(trial_path(id), ignored);
}

std::filesystem::path VolatileState::trial_path(RevisionId id) const {
  return folder_ / ("trial-" + std::to_string(id));
}

std::optional<RevisionId> VolatileState::committing() const {
  return read_number(folder_ / "committing");
}

void VolatileState::set_committing(RevisionId id) {
  // Written in place: the commit path waits for no disk here, and half a number is no harm.
  std::ofstream(folder_ / "committing") << id << '\n';
}

void VolatileState::clear_committing() {
  std::error_code ignored;
  std::filesystem::remove(folder_ / "committing", ignored);
}

}  // namespace millrace::commit
