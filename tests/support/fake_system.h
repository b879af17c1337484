// SPDX-License-Identifier: GPL-2.0-or-later
//
// A whole machine in memory for tests of plans: kernel, FRR, files and units, each with a dump that
// two runs can be compared by. One hook sees every change of any part before it happens, so a test
// can refuse or crash at each of them without knowing the steps.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/fake_accounts.h"
#include "support/fake_frr.h"
#include "support/fake_kernel.h"
#include "system/system.h"

namespace millrace::test {

class FakeFiles : public system::Files {
 public:
  explicit FakeFiles(const ChangeHook& hook) : hook_(hook) {}

  // The program `argv0` refuses content that contains `text`.
  void refuse(std::string argv0, std::string text) { refused_.emplace(argv0, text); }
  void reboot();  // what is below /run goes
  const std::map<std::string, system::FileContent, std::less<>>& all() const { return files_; }
  std::vector<std::string> dump() const;  // "file PATH 0644 CONTENT", newlines escaped

  base::Result<std::optional<system::FileContent>> read(std::string_view path) override;
  base::Result<void> write(std::string_view path, const system::FileContent& content) override;
  base::Result<void> remove(std::string_view path) override;
  base::Result<void> validate(const system::FileContent& content,
                              const std::vector<std::string>& argv) override;

 private:
  const ChangeHook& hook_;
  std::map<std::string, system::FileContent, std::less<>> files_;
  std::multimap<std::string, std::string> refused_;
};

// A unit remembers what its file held when it last read it: a service that was not told of a change
// shows up as stale in the dump.
class FakeUnits : public system::Units {
 public:
  FakeUnits(const ChangeHook& hook, const FakeFiles& files, FakeFrr& frr)
      : hook_(hook), files_(files), frr_(frr) {}

  // `unit` reads `file` when it starts and when it is reloaded.
  void reads(std::string unit, std::string file) { reads_.emplace(unit, file); }
  void reboot() { active_.clear(); }
  std::vector<std::string> dump() const;  // "unit NAME active", "unit NAME active stale"

  base::Result<bool> active(std::string_view unit) override;
  base::Result<void> start(std::string_view unit) override;
  base::Result<void> stop(std::string_view unit) override;
  base::Result<void> restart(std::string_view unit) override;
  base::Result<void> reload(std::string_view unit) override;

 private:
  base::Result<void> run(std::string_view verb, std::string_view unit);
  std::string files_of(const std::string& unit) const;

  const ChangeHook& hook_;
  const FakeFiles& files_;
  FakeFrr& frr_;  // whose daemons are units
  std::multimap<std::string, std::string> reads_;
  std::map<std::string, std::string, std::less<>> active_;  // with what its files held
};

struct FakeSystem {
  FakeSystem();
  FakeSystem(const FakeSystem&) = delete;
  FakeSystem& operator=(const FakeSystem&) = delete;

  system::System view() { return {kernel, frr, files, units, accounts}; }
  // Everything, sorted within each part, one line each, each ended by a newline.
  std::string dump() const;
  // Power off and on: kernel as new, FRR empty, units stopped, files outside /run kept.
  void reboot();

  ChangeHook hook;  // see fake_kernel.h; empty: every change goes through
  FakeKernel kernel{hook};
  FakeFrr frr{hook};
  FakeFiles files{hook};
  FakeUnits units{hook, files, frr};
  FakeAccounts accounts{hook};
};

// A router with lo and eth0 to eth3.
void plug_default_links(FakeSystem& system);

}  // namespace millrace::test
