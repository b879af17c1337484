// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/session_candidate.h"

#include <ctime>
#include <utility>

#include "server/services.h"

namespace millrace::server {
namespace {

using base::Result;
using tree::ConfigTree;

constexpr const char* kAgain =
    "commit again to put yours into force, or change it and commit then; 'update' shows the rest";

bool same(const ConfigTree& left, const ConfigTree& right) {
  return left.root_ptr() == right.root_ptr();
}

}  // namespace

base::Diagnostics merge_report(const std::vector<tree::MergeConflict>& conflicts,
                               const std::string& hint) {
  base::Diagnostics out;
  for (const auto& conflict : conflicts) {
    const std::string level = conflict.path.parent().to_string();
    const std::string whole = conflict.path.to_string();
    const std::string statement = level.empty() ? whole : whole.substr(level.size() + 1);
    std::string message = "changed here and by another commit; yours: " + conflict.mine +
                          "; committed: " + conflict.theirs;
    message += conflict.base.empty() ? "" : "; before: " + conflict.base;
    const bool last = &conflict == &conflicts.back();
    out.error(base::Code::Conflict, level, statement, std::move(message),
              last ? hint : std::string());
  }
  return out;
}

Result<void> SessionCandidate::enter(EditMode mode) {
  auto entered = services_.editors.enter(session_, mode, [&] { return changed(); });
  if (entered && mode == EditMode::Private) {
    const ConfigTree running = services_.engine.running();
    private_.emplace(running, running);
  }
  return entered;
}

void SessionCandidate::leave() {
  if (mode() == EditMode::Exclusive && changed()) {
    services_.candidate.reset(services_.engine.running());
  }
  private_.reset();
  services_.editors.leave(session_);
}

std::optional<EditMode> SessionCandidate::mode() const {
  return services_.editors.mode(session_);
}

ConfigTree SessionCandidate::snapshot() const {
  if (private_) {
    return private_->tree;
  }
  services_.candidate.follow(services_.engine.running());
  return services_.candidate.snapshot();
}

ConfigTree SessionCandidate::base() const {
  return private_ ? private_->base : services_.engine.running();
}

bool SessionCandidate::behind() const {
  return private_ && !(private_->base == services_.engine.running());
}

std::int64_t SessionCandidate::last_changed() const {
  return private_ ? private_->last_changed : services_.candidate.last_changed();
}

Result<void> SessionCandidate::check_rights(const ConfigTree& before, const ConfigTree& after,
                                            bool typed) const {
  if (auto outcome = check_permitted(peer_, before, after, typed); !outcome) {
    return outcome;
  }
  const bool inherits = before.root().holds_inheritance() || after.root().holds_inheritance();
  if (!inherits || changes_everything(peer_)) {
    return {};
  }
  return check_effect(peer_, services_.effective.of_candidate(before),
                      services_.effective.of_candidate(after));
}

Result<void> SessionCandidate::edit(const std::function<Result<void>(tree::Editor&)>& change) {
  const auto permitted = [&](tree::Editor& editor) -> Result<void> {
    const ConfigTree before = editor.tree();
    auto outcome = change(editor);
    return outcome ? check_rights(before, editor.tree(), true) : outcome;
  };
  if (!private_) {
    return services_.editors.change_shared(session_, [&] {
      services_.candidate.follow(services_.engine.running());
      return services_.candidate.edit(permitted);
    });
  }
  tree::Editor editor(private_->tree);
  auto outcome = permitted(editor);
  if (outcome && !same(editor.tree(), private_->tree)) {
    private_->tree = editor.tree();
    private_->last_changed = std::time(nullptr);
  }
  return outcome;
}

Result<void> SessionCandidate::reset(ConfigTree tree) {
  if (!private_) {
    return services_.editors.change_shared(session_, [&]() -> Result<void> {
      services_.candidate.follow(services_.engine.running());
      auto outcome = check_rights(services_.candidate.snapshot(), tree, false);
      if (outcome) {
        services_.candidate.reset(std::move(tree));
      }
      return outcome;
    });
  }
  if (auto outcome = check_rights(private_->tree, tree, false); !outcome) {
    return outcome;
  }
  private_->tree = std::move(tree);
  private_->last_changed = std::time(nullptr);
  return {};
}

base::Diagnostics SessionCandidate::update() {
  const ConfigTree running = services_.engine.running();
  tree::Merge merged = tree::merge(private_->base, private_->tree, running);
  private_->base = running;
  private_->tree = std::move(merged.tree);
  private_->reported.reset();
  return merge_report(merged.conflicts, "yours stay in the candidate");
}

Result<void> SessionCandidate::may_commit() const {
  return services_.editors.may_commit(session_);
}

std::expected<ConfigTree, base::Diagnostics> SessionCandidate::wanted() const {
  if (!private_) {
    return snapshot();
  }
  const ConfigTree running = services_.engine.running();
  tree::Merge merged = tree::merge(private_->base, private_->tree, running);
  const bool reported = private_->reported && same(*private_->reported, running);
  if (!merged.conflicts.empty() && !reported) {
    return std::unexpected(merge_report(merged.conflicts, kAgain));
  }
  return std::move(merged.tree);
}

std::expected<ConfigTree, base::Diagnostics> SessionCandidate::to_commit() {
  if (const auto allowed = may_commit(); !allowed) {
    base::Diagnostics refused;
    refused.error(allowed.error().code, {}, {}, allowed.error().message, allowed.error().hint);
    return std::unexpected(std::move(refused));
  }
  auto tree = wanted();
  if (!private_) {
    services_.candidate.committing(*tree);
  } else if (!tree) {
    private_->reported = services_.engine.running();
  } else if (const auto allowed = check_rights(services_.engine.running(), *tree, false);
             !allowed) {
    // Rights, or what others committed in between, may make more of the changes than they were.
    base::Diagnostics refused;
    refused.error(allowed.error().code, {}, {}, allowed.error().message, allowed.error().hint);
    return std::unexpected(std::move(refused));
  }
  return tree;
}

void SessionCandidate::committed(const ConfigTree& tree) {
  const ConfigTree running = services_.engine.running();
  const auto revisions = services_.engine.revisions();
  for (const auto other : services_.editors.in(EditMode::Private)) {
    if (other != session_ && !revisions.empty()) {
      services_.notices.tell(
          other, revisions.front().user + " has committed: 'update' takes it into your candidate");
    }
  }
  if (!private_) {
    services_.candidate.committed(tree, running);
    return;
  }
  private_->base = running;
  private_->tree = running;
  private_->reported.reset();
}

}  // namespace millrace::server
