// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>

#include <charconv>
#include <format>
#include <optional>
#include <sstream>
#include <thread>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "system/units_kinds.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;
using base::Result;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kPoll = std::chrono::milliseconds(20);

struct Entry {
  std::filesystem::path pid_file;
  std::vector<std::string> argv;
};

// A pid file may name a process that is gone, or another one that got its number since.
bool runs(pid_t pid, const std::filesystem::path& program) {
  std::error_code failed;
  const auto exe = std::filesystem::read_symlink(std::format("/proc/{}/exe", pid), failed);
  return !failed && exe.filename() == std::filesystem::canonical(program, failed).filename();
}

std::optional<pid_t> process_of(const Entry& entry) {
  const auto text = base::read_file(entry.pid_file);
  pid_t pid = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), pid).ec != std::errc{} ||
      pid <= 1 || !runs(pid, entry.argv.front())) {
    return std::nullopt;
  }
  return pid;
}

class DirectUnits final : public Units {
 public:
  explicit DirectUnits(std::filesystem::path table) : table_(std::move(table)) {}

  Result<bool> active(std::string_view unit) override {
    const auto entry = find(unit);
    return entry && process_of(*entry).has_value();
  }

  Result<void> start(std::string_view unit) override {
    const auto entry = find(unit);
    if (!entry) {
      return std::unexpected(entry.error());
    }
    if (process_of(*entry)) {
      return {};
    }
    const auto result = base::run_process(entry->argv);
    if (!result) {
      return std::unexpected(result.error());
    }
    if (result->status != 0) {
      return fail(Code::ApplyFailed,
                  std::format("cannot start {}: {} ended with status {}: {}", unit,
                              entry->argv.front(), result->status, result->errors));
    }
    return wait_until(*entry, true, std::format("{} did not start", unit));
  }

  Result<void> stop(std::string_view unit) override {
    const auto entry = find(unit);
    const auto pid = entry ? process_of(*entry) : std::nullopt;
    if (!pid) {
      return {};
    }
    ::kill(*pid, SIGTERM);
    if (wait_until(*entry, false, {})) {
      return {};
    }
    ::kill(*pid, SIGKILL);
    return wait_until(*entry, false, std::format("{} does not end", unit));
  }

  Result<void> restart(std::string_view unit) override {
    const auto stopped = stop(unit);
    return stopped ? start(unit) : stopped;
  }

  Result<void> reload(std::string_view unit) override {
    const auto entry = find(unit);
    const auto pid = entry ? process_of(*entry) : std::nullopt;
    if (!pid || ::kill(*pid, SIGHUP) != 0) {
      return fail(Code::ApplyFailed, std::format("cannot reload {}: it does not run", unit));
    }
    return {};
  }

 private:
  Result<Entry> find(std::string_view unit) const {
    const auto text = base::read_file(table_);
    if (!text) {
      return base::fail_because(text.error(), "cannot read the table of units");
    }
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      const auto words = base::split_words(line);
      if (words.size() >= 3 && words[0] == unit) {
        return Entry{words[1], {words.begin() + 2, words.end()}};
      }
    }
    return fail(Code::ApplyFailed, std::format("{} does not list {}", table_.string(), unit));
  }

  static Result<void> wait_until(const Entry& entry, bool running, std::string message) {
    const auto deadline = Clock::now() + kPatience;
    while (process_of(entry).has_value() != running) {
      if (Clock::now() >= deadline) {
        return fail(Code::ApplyFailed, std::move(message));
      }
      std::this_thread::sleep_for(kPoll);
    }
    return {};
  }

  std::filesystem::path table_;
};

}  // namespace

std::unique_ptr<Units> make_direct_units(std::filesystem::path table) {
  return std::make_unique<DirectUnits>(std::move(table));
}

}  // namespace millrace::system
