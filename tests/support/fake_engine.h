// SPDX-License-Identifier: GPL-2.0-or-later
//
// An engine without a system behind it: commits replace the tree, unless told to refuse.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "commit/engine.h"

namespace millrace::test {

class FakeEngine : public commit::Engine {
 public:
  explicit FakeEngine(const schema::Schema& schema) : running_(schema) {
    history_.push_back({commit::Revision{1, 1000, "root", "boot", ""}, running_});
  }

  base::Diagnostics findings;              // of every check; errors make a commit fail
  std::vector<commit::StepLine> steps;     // of every plan
  std::function<void()> while_committing;  // on the commit thread
  std::vector<std::string> degraded_subsystems;

  base::Result<commit::StartReport> start(commit::Observer*) override {
    return commit::StartReport{1, {}};
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
    history_.insert(history_.begin(), {commit::Revision{report.revision, 2000, request.user,
                                                        request.via, request.comment},
                                       request.candidate});
    return report;
  }

 private:
  mutable std::mutex mutex_;
  tree::ConfigTree running_;
  std::vector<std::pair<commit::Revision, tree::ConfigTree>> history_;
};

}  // namespace millrace::test
