// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/fake_system.h"

#include <format>

namespace millrace::test {
namespace {

using base::Result;
using system::FileContent;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result;
}

}  // namespace

void FakeFiles::reboot() {
  std::erase_if(files_, [](const auto& file) { return file.first.starts_with("/run/"); });
}

std::vector<std::string> FakeFiles::dump() const {
  std::vector<std::string> lines;
  for (const auto& [path, content] : files_) {
    lines.push_back(std::format("file {} {:04o} {}", path, content.mode, escaped(content.text)));
  }
  return lines;
}

Result<std::optional<FileContent>> FakeFiles::read(std::string_view path) {
  const auto found = files_.find(path);
  return found == files_.end() ? std::nullopt : std::optional(found->second);
}

Result<void> FakeFiles::write(std::string_view path, const FileContent& content) {
  if (hook_) {
    if (auto done = hook_(std::format("files: write {}", path)); !done) {
      return done;
    }
  }
  files_.insert_or_assign(std::string(path), content);
  return {};
}

Result<void> FakeFiles::remove(std::string_view path) {
  const auto found = files_.find(path);
  if (found == files_.end()) {
    return {};
  }
  if (hook_) {
    if (auto done = hook_(std::format("files: remove {}", path)); !done) {
      return done;
    }
  }
  files_.erase(found);
  return {};
}

Result<void> FakeFiles::validate(const FileContent& content, const std::vector<std::string>& argv) {
  const auto [first, last] = refused_.equal_range(argv.empty() ? "" : argv.front());
  for (auto rule = first; rule != last; ++rule) {
    if (content.text.find(rule->second) != std::string::npos) {
      return base::fail(base::Code::ApplyFailed,
                        std::format("{} refuses \"{}\"", argv.front(), rule->second));
    }
  }
  return {};
}

std::string FakeUnits::files_of(const std::string& unit) const {
  std::string held;
  const auto [first, last] = reads_.equal_range(unit);
  for (auto file = first; file != last; ++file) {
    const auto found = files_.all().find(file->second);
    held += found == files_.all().end() ? "-\n" : found->second.text + "\n";
  }
  return held;
}

std::vector<std::string> FakeUnits::dump() const {
  std::vector<std::string> lines;
  for (const auto& [unit, held] : active_) {
    lines.push_back(std::format("unit {} active{}", unit, held == files_of(unit) ? "" : " stale"));
  }
  return lines;
}

Result<bool> FakeUnits::active(std::string_view unit) {
  return active_.contains(unit);
}

Result<void> FakeUnits::run(std::string_view verb, std::string_view unit) {
  if (hook_) {
    if (auto done = hook_(std::format("units: {} {}", verb, unit)); !done) {
      return done;
    }
  }
  if (verb == "stop") {
    active_.erase(active_.find(unit));
  } else {
    active_.insert_or_assign(std::string(unit), files_of(std::string(unit)));
  }
  for (FakeFrrDaemon* const daemon : {&frr_.bgpd, &frr_.ospfd}) {
    if (unit == daemon->name() + ".service") {
      daemon->stop();
      if (verb != "stop") {
        const auto file = files_.all().find(std::format("/etc/frr/{}.conf", daemon->name()));
        daemon->start(file == files_.all().end() ? std::string() : file->second.text);
      }
    }
  }
  return {};
}

Result<void> FakeUnits::start(std::string_view unit) {
  return active_.contains(unit) ? Result<void>() : run("start", unit);
}

Result<void> FakeUnits::stop(std::string_view unit) {
  return active_.contains(unit) ? run("stop", unit) : Result<void>();
}

Result<void> FakeUnits::restart(std::string_view unit) {
  return run("restart", unit);
}

Result<void> FakeUnits::reload(std::string_view unit) {
  if (!active_.contains(unit)) {
    return base::fail(base::Code::ApplyFailed,
                      std::format("unit {} is not active, cannot reload", unit));
  }
  return run("reload", unit);
}

FakeSystem::FakeSystem() = default;

std::string FakeSystem::dump() const {
  std::string text;
  for (const auto& lines :
       {kernel.dump(), frr.dump(), files.dump(), units.dump(), accounts.dump()}) {
    for (const std::string& line : lines) {
      text += line + "\n";
    }
  }
  return text;
}

void FakeSystem::reboot() {
  kernel.reboot();
  frr.reboot();
  files.reboot();
  units.reboot();
}

void plug_default_links(FakeSystem& system) {
  for (const char* name : {"eth0", "eth1", "eth2", "eth3"}) {
    system.kernel.plug(name);
  }
}

}  // namespace millrace::test
