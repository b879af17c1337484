// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/candidate.h"

#include <chrono>
#include <utility>

namespace millrace::server {
namespace {

std::int64_t now() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Candidate::Candidate(tree::ConfigTree running) : editor_(std::move(running)) {}

tree::ConfigTree Candidate::snapshot() const {
  const std::lock_guard lock(mutex_);
  return editor_.tree();
}

base::Result<void> Candidate::edit(const std::function<base::Result<void>(tree::Editor&)>& change) {
  const std::lock_guard lock(mutex_);
  tree::ConfigTree before = editor_.tree();
  const auto* root = before.root_ptr().get();
  auto outcome = change(editor_);
  if (!outcome) {
    editor_.reset(std::move(before));
  } else if (editor_.tree().root_ptr().get() != root) {
    last_changed_ = now();
  }
  return outcome;
}

void Candidate::reset(tree::ConfigTree tree) {
  const std::lock_guard lock(mutex_);
  editor_.reset(std::move(tree));
  last_changed_ = now();
}

std::int64_t Candidate::last_changed() const {
  const std::lock_guard lock(mutex_);
  return last_changed_;
}

}  // namespace millrace::server
