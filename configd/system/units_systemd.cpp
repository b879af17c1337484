// SPDX-License-Identifier: GPL-2.0-or-later
#include <format>

#include "base/process.h"
#include "system/units_kinds.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;
using base::Result;

// A service may take long to stop; systemd's own limit is 90 s.
constexpr auto kDeadline = std::chrono::seconds(100);

class SystemdUnits final : public Units {
 public:
  Result<bool> active(std::string_view unit) override {
    const auto result = run("is-active", unit);
    if (!result) {
      return std::unexpected(result.error());
    }
    return result->status == 0;
  }

  Result<void> start(std::string_view unit) override { return command("start", unit, true); }
  Result<void> stop(std::string_view unit) override { return command("stop", unit, false); }
  Result<void> restart(std::string_view unit) override { return command("restart", unit, true); }
  Result<void> reload(std::string_view unit) override { return command("reload", unit, false); }

 private:
  static Result<base::ProcessResult> run(std::string_view verb, std::string_view unit) {
    return base::run_process({"systemctl", std::string(verb), std::string(unit)}, {}, kDeadline);
  }

  static Result<void> command(std::string_view verb, std::string_view unit, bool starts) {
    // Commits in quick succession must not run into the limit of starts, which is for crashes.
    if (const auto reset = starts ? run("reset-failed", unit) : base::ProcessResult{}; !reset) {
      return std::unexpected(reset.error());
    }
    const auto result = run(verb, unit);
    if (!result) {
      return std::unexpected(result.error());
    }
    if (result->status != 0) {
      std::string said = result->errors.substr(0, result->errors.find('\n'));
      return fail(Code::ApplyFailed, std::format("cannot {} {}: {}", verb, unit, said), {},
                  std::format("see journalctl --unit {}", unit));
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<Units> make_systemd_units() {
  return std::make_unique<SystemdUnits>();
}

}  // namespace millrace::system
