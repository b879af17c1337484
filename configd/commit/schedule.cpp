// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/schedule.h"

#include <format>
#include <utility>

#include "base/file.h"
#include "commit/checked_file.h"
#include "tree/text.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;
using Json = nlohmann::json;

Json to_json(const ScheduledCommit& commit) {
  Json json = {{"user", commit.user},
               {"via", commit.via},
               {"comment", commit.comment},
               {"label", commit.label},
               {"at", nullptr}};
  if (commit.at) {
    json["at"] = *commit.at;
  }
  return json;
}

ScheduledCommit from_json(const Json& json) {
  ScheduledCommit commit;
  commit.user = json.value("user", "");
  commit.via = json.value("via", "");
  commit.comment = json.value("comment", "");
  commit.label = json.value("label", "");
  if (const auto at = json.find("at"); at != json.end() && at->is_number_integer()) {
    commit.at = at->get<std::int64_t>();
  }
  return commit;
}

}  // namespace

Schedule::Schedule(const std::filesystem::path& folder,
                   const std::filesystem::path& volatile_folder, const schema::Schema& schema)
    : path_(folder / "scheduled.conf"),
      marker_(volatile_folder / "scheduled"),
      booted_since_(!base::read_file(marker_)) {
  auto file = read_checked(path_);
  if (!file) {
    if (file.error().code != Code::UnknownPath) {
      problem_ = "alarm: the scheduled commit is dropped: " + file.error().message;
    }
  } else {
    tree::Editor editor{tree::ConfigTree(schema)};
    const auto report = tree::load(editor, {}, std::move(file->text), tree::LoadAction::Override);
    if (report.errors.empty()) {
      waiting_ = {from_json(file->about), editor.tree()};
    } else {
      const auto& first = report.errors.front();
      problem_ = std::format("alarm: the scheduled commit is dropped: statement \"{}\": {}",
                             first.statement, first.message);
    }
  }
  if (!problem_.empty()) {
    static_cast<void>(remove_durably(path_));  // else the next start says the same
  }
}

std::optional<ScheduledCommit> Schedule::waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_ ? std::optional(waiting_->first) : std::nullopt;
}

std::optional<tree::ConfigTree> Schedule::candidate() const {
  const std::scoped_lock lock(mutex_);
  return waiting_ ? std::optional(waiting_->second) : std::nullopt;
}

bool Schedule::due(std::int64_t now) const {
  const std::scoped_lock lock(mutex_);
  return waiting_ && (waiting_->first.at ? *waiting_->first.at <= now : booted_since_);
}

Result<void> Schedule::add(const ScheduledCommit& commit, const tree::ConfigTree& candidate) {
  const std::scoped_lock lock(mutex_);
  if (waiting_) {
    return base::fail(Code::Locked, "a commit is scheduled already", {},
                      "'clear system commit' in operational mode drops it");
  }
  // Without the marker a restart of the daemon would look like the reboot that is waited for.
  if (auto marked = base::write_file(marker_, "", 0600); !marked) {
    return marked;
  }
  booted_since_ = false;
  auto written = write_checked(path_, {to_json(commit), tree::to_text(candidate, {})});
  if (written) {
    waiting_ = {commit, candidate};
  }
  return written;
}

Result<void> Schedule::remove() {
  const std::scoped_lock lock(mutex_);
  return remove_locked();
}

Result<void> Schedule::remove_locked() {
  if (!waiting_) {
    return base::fail(Code::UnknownPath, "no commit is scheduled");
  }
  auto removed = remove_durably(path_);
  if (removed) {
    waiting_.reset();
  }
  return removed;
}

Result<std::pair<ScheduledCommit, tree::ConfigTree>> Schedule::take() {
  const std::scoped_lock lock(mutex_);
  auto taken = waiting_;
  if (auto removed = remove_locked(); !removed) {
    return std::unexpected(removed.error());
  }
  return std::move(*taken);
}

}  // namespace millrace::commit
