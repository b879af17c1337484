// SPDX-License-Identifier: GPL-2.0-or-later
//
// One run of a case: a fake machine, the engine with the real templates and appliers, and a folder
// for its log, all of which live as long as this does.
#pragma once

#include <memory>
#include <string>

#include "cases/golden_case.h"
#include "commit/engine.h"

namespace millrace::cases {

// The real schema with its owners, built once. Aborts when the templates do not build.
const schema::Schema& real_schema();

class CaseRouter {
 public:
  // Booted, with nothing configured.
  explicit CaseRouter(const GoldenCase& golden);
  ~CaseRouter();
  CaseRouter(const CaseRouter&) = delete;
  CaseRouter& operator=(const CaseRouter&) = delete;

  test::FakeSystem& system() { return system_; }
  commit::Engine& engine() { return *engine_; }
  std::string dump() const { return system_.dump(); }
  std::filesystem::path state() const { return folder_ / "state"; }

  // before.conf as a tree. Fails the test when it does not load.
  tree::ConfigTree before() const;
  // edit.set run on running; what does not load is in `errors`.
  tree::ConfigTree edited(std::string& errors) const;
  commit::CommitReport commit(tree::ConfigTree candidate, commit::Observer* observer = nullptr);
  // Commits before.conf and fails the test unless that works.
  void commit_before();

  // Hardware that comes and goes.
  void plug(const std::string& link, const commit::Facts::Link& limits);
  void unplug(const std::string& link);

  // A new engine on the same log and machine, as after kill -9 of the daemon. Throws
  // std::runtime_error when it does not come up.
  commit::StartReport restart();
  // The same with the machine as after a power cut.
  commit::StartReport reboot();

  // The steps that the appliers would still take to reach what runs: none, if all is well.
  std::string differences();

 private:
  const GoldenCase& golden_;
  std::filesystem::path folder_;
  test::FakeSystem system_;
  commit::Facts facts_;  // of the machine before anything was configured
  std::unique_ptr<commit::Engine> engine_;
};

}  // namespace millrace::cases
