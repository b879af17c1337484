// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/candidate.h"

#include <ctime>
#include <utility>

#include "tree/merge.h"

namespace millrace::server {
namespace {

bool same(const tree::ConfigTree& left, const tree::ConfigTree& right) {
  return left.root_ptr() == right.root_ptr();
}

}  // namespace

Candidate::Candidate(tree::ConfigTree running) : tree_(running), base_(std::move(running)) {}

tree::ConfigTree Candidate::snapshot() const {
  const std::lock_guard lock(mutex_);
  return tree_;
}

void Candidate::publish(tree::ConfigTree tree) {
  const std::lock_guard lock(mutex_);
  tree_ = std::move(tree);
  last_changed_ = std::time(nullptr);
}

base::Result<void> Candidate::edit(const std::function<base::Result<void>(tree::Editor&)>& change) {
  const std::lock_guard lock(edits_);
  tree::Editor editor(snapshot());
  const auto* root = editor.tree().root_ptr().get();
  auto outcome = change(editor);
  if (outcome && editor.tree().root_ptr().get() != root) {
    publish(editor.tree());
  }
  return outcome;
}

void Candidate::reset(tree::ConfigTree tree) {
  const std::lock_guard lock(edits_);
  publish(std::move(tree));
}

std::int64_t Candidate::last_changed() const {
  const std::lock_guard lock(mutex_);
  return last_changed_;
}

// Requires: edits_ is held, mutex_ is not.
void Candidate::rebase(const tree::ConfigTree& base, const tree::ConfigTree& running) {
  tree::ConfigTree merged = tree::merge(base, snapshot(), running).tree;
  const std::lock_guard lock(mutex_);
  tree_ = std::move(merged);
  base_ = running;
}

void Candidate::follow(const tree::ConfigTree& running) {
  {
    const std::lock_guard lock(mutex_);
    if (same(base_, running)) {
      return;
    }
  }
  const std::lock_guard edits(edits_);
  std::optional<tree::ConfigTree> from;
  {
    const std::lock_guard lock(mutex_);
    if (same(base_, running)) {
      return;
    }
    // What was committed is this candidate; edits made since are a change of that.
    from = committing_ && same(*committing_, running) ? *committing_ : base_;
  }
  rebase(*from, running);
}

void Candidate::committing(const tree::ConfigTree& tree) {
  const std::lock_guard lock(mutex_);
  committing_ = tree;
}

void Candidate::committed(const tree::ConfigTree& tree, const tree::ConfigTree& running) {
  const std::lock_guard edits(edits_);
  {
    const std::lock_guard lock(mutex_);
    committing_.reset();
    if (same(base_, running)) {
      return;
    }
  }
  rebase(tree, running);
}

}  // namespace millrace::server
