// SPDX-License-Identifier: GPL-2.0-or-later
//
// An engine without a system behind it: commits replace the tree, unless told to refuse.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "commit/engine.h"

namespace millrace::test {

class FakeEngine : public commit::Engine {
 public:
  explicit FakeEngine(const schema::Schema& schema)
      : running_(schema),
        folder_(make_folder()),
        saved_(folder_, schema),
        schedule_(folder_, folder_ / "run", schema) {
    history_.push_back({commit::Revision{1, 1000, "root", "boot", ""}, running_});
  }
  ~FakeEngine() override { std::filesystem::remove_all(folder_); }
  FakeEngine(const FakeEngine&) = delete;
  FakeEngine& operator=(const FakeEngine&) = delete;

  base::Diagnostics findings;              // of every check; errors make a commit fail
  std::vector<commit::StepLine> steps;     // of every plan
  std::function<void()> while_committing;  // on the commit thread
  std::vector<std::string> degraded_subsystems;
  std::chrono::seconds clock{1000};  // since the boot

  base::Result<commit::StartReport> start(commit::Observer*) override {
    return commit::StartReport{1, true, {}};
  }
  tree::ConfigTree running() const override {
    const std::lock_guard lock(mutex_);
    return running_;
  }
  std::vector<commit::Revision> revisions() const override {
    const std::lock_guard lock(mutex_);
    std::vector<commit::Revision> out;
    for (const auto& entry : history_) {
      out.push_back(entry.first);
    }
    return out;
  }
  base::Result<tree::ConfigTree> revision(std::size_t index) const override {
    const std::lock_guard lock(mutex_);
    if (index >= history_.size()) {
      return base::fail(base::Code::UnknownPath, "there is no revision " + std::to_string(index));
    }
    return history_[index].second;
  }
  base::Result<tree::ConfigTree> revision_by_id(commit::RevisionId id) const override {
    const std::lock_guard lock(mutex_);
    for (const auto& [revision, tree] : history_) {
      if (revision.id == id) {
        return tree;
      }
    }
    return base::fail(base::Code::UnknownPath, "no revision with the id " + std::to_string(id));
  }
  std::vector<std::string> remarks() const override { return {}; }
  std::vector<std::string> degraded() const override { return degraded_subsystems; }

  check::Findings find_problems(const tree::ConfigTree& candidate) const override {
    const check::Checker checker(candidate.schema());
    const tree::ConfigTree before = running();
    return checker.check(tree::Delta(before, candidate), checker.index_of(before)).findings;
  }
  base::Diagnostics check_candidate(const tree::ConfigTree&) override { return findings; }
  base::Result<std::vector<commit::StepLine>> plan(const tree::ConfigTree&) override {
    return steps;
  }
  commit::CommitReport commit(commit::CommitRequest request, commit::Observer*) override {
    if (while_committing) {
      while_committing();
    }
    commit::CommitReport report;
    report.diagnostics = findings;
    report.degraded = degraded_subsystems;
    if (findings.has_errors()) {
      return report;
    }
    const std::lock_guard lock(mutex_);
    report.committed = true;
    report.revision = history_.front().first.id + 1;
    running_ = request.candidate;
    commit::Revision made{report.revision, 2000,          request.user, request.via,
                          request.comment, request.label, request.trial};
    made.previous = trial_ ? trial_->previous : history_.front().first.id;
    trial_.reset();
    if (request.trial) {
      trial_ =
          commit::Trial{made.id,  made.previous, made.user,
                        made.via, *made.trial,   clock + std::chrono::minutes(made.trial->minutes)};
    }
    history_.insert(history_.begin(), {made, request.candidate});
    return report;
  }

  std::optional<commit::Trial> trial() const override {
    const std::lock_guard lock(mutex_);
    return trial_;
  }
  std::chrono::seconds boot_time() const override { return clock; }
  base::Result<void> confirm(commit::RevisionId revision) override {
    const std::lock_guard lock(mutex_);
    if (!trial_ || trial_->revision != revision) {
      return base::fail(base::Code::Conflict, "this revision does not wait for a confirmation");
    }
    trial_.reset();
    return {};
  }
  commit::CommitReport reject(commit::RevisionId, const std::string& user, const std::string& via,
                              const std::string& comment, commit::Observer* observer) override {
    auto before = revision_by_id(trial()->previous).value();
    return commit({std::move(before), user, via, comment}, observer);
  }

  base::Diagnostics prepare_commit(const tree::ConfigTree& candidate, commit::Observer*) override {
    prepared_ = candidate;
    return findings;
  }
  bool drop_prepared() override { return std::exchange(prepared_, std::nullopt).has_value(); }
  commit::SavedConfigurations& saved() const override { return saved_; }
  commit::Schedule& schedule() const override { return schedule_; }

 private:
  static std::filesystem::path make_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "engine-XXXXXX").string();
    return ::mkdtemp(pattern.data());
  }

  mutable std::mutex mutex_;
  tree::ConfigTree running_;
  std::filesystem::path folder_;
  mutable commit::SavedConfigurations saved_;
  mutable commit::Schedule schedule_;
  std::optional<commit::Trial> trial_;
  std::optional<tree::ConfigTree> prepared_;
  std::vector<std::pair<commit::Revision, tree::ConfigTree>> history_;
};

}  // namespace millrace::test
