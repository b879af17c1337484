// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/revisions.h"

#include <algorithm>
#include <ctime>

#include "ops/builtins.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using nlohmann::json;

std::string noted(std::string_view what) {
  return row({{4, what}});
}

// The deadline of a trial on the clock on the wall, as that clock goes now.
std::int64_t wall_deadline(const commit::Engine& engine, const commit::Trial& trial) {
  return std::time(nullptr) + (trial.deadline - engine.boot_time()).count();
}

std::string saved_line(const commit::Saved& saved, const std::string& name) {
  const std::string what = local_time(saved.time) + " by " + saved.user + " via other";
  return name + std::string(name.size() < 8 ? 8 - name.size() : 1, ' ') + what + "\n";
}

json to_json(const commit::Revision& revision, std::size_t index) {
  json out = {{"index", index},         {"id", revision.id},   {"time", revision.time},
              {"user", revision.user},  {"via", revision.via}, {"comment", revision.comment},
              {"label", revision.label}};
  if (revision.trial) {
    out["confirmed"] = {{"minutes", revision.trial->minutes},
                        {"verify", revision.trial->verify},
                        {"previous", revision.previous}};
  }
  return out;
}

json to_json(const commit::Saved& saved) {
  return {{"name", saved.name}, {"time", saved.time}, {"user", saved.user}};
}

}  // namespace

std::string revision_line(const commit::Revision& revision) {
  std::string line = local_time(revision.time) + " by " + revision.user + " via " + revision.via;
  if (revision.trial) {
    line += " commit confirmed, rollback in " + std::to_string(revision.trial->minutes) + "mins";
  }
  return line;
}

std::string revisions_text(const commit::Engine& engine, bool with_ids) {
  std::string text;
  if (const auto waiting = engine.schedule().waiting()) {
    text += "commit requested by " + waiting->user + " via " + waiting->via + " at " +
            (waiting->at ? local_time(*waiting->at) : std::string("reboot")) + "\n";
    text += waiting->comment.empty() ? "" : noted(waiting->comment);
  }
  const auto trial = engine.trial();
  std::size_t index = 0;
  for (const auto& revision : engine.revisions()) {
    const std::string line =
        revision_line(revision) + (with_ids ? " revision " + std::to_string(revision.id) : "");
    text += row({{0, std::to_string(index++)}, {4, line}});
    text += revision.comment.empty() ? "" : noted(revision.comment);
    text += revision.label.empty() ? "" : noted("label " + revision.label);
    if (trial && trial->revision == revision.id) {
      text += noted("rollback pending at " + local_time(wall_deadline(engine, *trial)));
      text +=
          trial->terms.verify.empty() ? "" : noted("unless '" + trial->terms.verify + "' succeeds");
    }
  }
  for (const auto& saved : engine.saved().list()) {
    text += saved.name == commit::kRescue ? saved_line(saved, saved.name)
                                          : saved_line(saved, "checkpoint " + saved.name);
  }
  for (const auto& remark : engine.remarks()) {
    text += "remark: " + remark + "\n";
  }
  for (const auto& subsystem : engine.degraded()) {
    text += "warning: " + subsystem + " does not follow the configuration\n";
  }
  return text;
}

json revisions_json(const commit::Engine& engine) {
  json list = json::array();
  for (const auto& revision : engine.revisions()) {
    list.push_back(to_json(revision, list.size()));
  }
  json out = {{"revisions", std::move(list)},
              {"remarks", engine.remarks()},
              {"degraded", engine.degraded()},
              {"checkpoints", json::array()}};
  if (const auto trial = engine.trial()) {
    const auto left = std::max(trial->deadline - engine.boot_time(), std::chrono::seconds(0));
    out["trial"] = {{"id", trial->revision},
                    {"previous", trial->previous},
                    {"user", trial->user},
                    {"verify", trial->terms.verify},
                    {"seconds-left", left.count()}};
  }
  if (const auto waiting = engine.schedule().waiting()) {
    out["scheduled"] = {{"user", waiting->user},
                        {"via", waiting->via},
                        {"comment", waiting->comment},
                        {"label", waiting->label},
                        {"at", waiting->at ? json(*waiting->at) : json("reboot")}};
  }
  for (const auto& saved : engine.saved().list()) {
    if (saved.name == commit::kRescue) {
      out["rescue"] = to_json(saved);
    } else {
      out["checkpoints"].push_back(to_json(saved));
    }
  }
  return out;
}

base::Result<Reply> system_commit(const Match& match, Context& context) {
  return Reply{revisions_text(context.engine, match.has("include-configuration-revision")),
               revisions_json(context.engine)};
}

base::Result<Reply> clear_system_commit(const Match& /*match*/, Context& context) {
  if (auto removed = context.engine.schedule().remove(); !removed) {
    return std::unexpected(std::move(removed.error()));
  }
  return Reply{"Pending commit cleared\n", nullptr};
}

}  // namespace millrace::ops
