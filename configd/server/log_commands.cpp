// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/log_commands.h"

#include <algorithm>
#include <format>

#include "ops/layout.h"
#include "ops/log_file.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

// What `show log NAME` needs, which is what one sees here.
bool may_watch(const Peer& peer) {
  return may(peer,
             {.kind = Access::Kind::Operate, .command = "monitor start", .permission = "trace"});
}

std::string size_text(std::uint64_t bytes) {
  return "Size: " + std::to_string(bytes);
}

}  // namespace

Outcome monitor_start_command(Call& call) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next, "missing argument, expecting <file>.");
  }
  const std::string log(call.word());
  ++call.next;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  const auto started =
      call.shell.services().logs.start(call.shell.session(), call.shell.peer(), log);
  return started ? done() : failed(started.error());
}

Outcome monitor_stop_command(Call& call) {
  auto& logs = call.shell.services().logs;
  if (call.at_end()) {
    logs.stop_all(call.shell.session());
    return done();
  }
  const std::string log(call.word());
  ++call.next;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  return logs.stop(call.shell.session(), log) ? done()
                                              : failed({base::Code::UnknownPath,
                                                        "'" + log + "' is not monitored",
                                                        {},
                                                        "'monitor list' shows what is"});
}

Outcome monitor_list_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  std::string text;
  for (const auto& log : call.shell.services().logs.of(call.shell.session())) {
    text += "monitor start \"" + log + "\"\n";
  }
  return done(std::move(text));
}

void complete_monitor(Asking& asking, bool running) {
  if (!asking.at_end()) {
    return asking.complete();
  }
  if (running) {
    asking.complete();
  }
  asking.placeholder("<file>", "Name of the log file");
  if (!running) {
    asking.name(std::string(ops::kJournalName), "Messages of the system");
    return offer_log_files(asking);
  }
  for (const auto& log : asking.shell.services().logs.of(asking.shell.session())) {
    asking.name(log, "");
  }
}

void offer_log_files(Asking& asking) {
  const auto files = ops::log_files(ops::kLogFolder);
  if (!files) {
    return;  // completion offers what it can find; the command itself will say what is wrong
  }
  for (const auto& file : *files) {
    asking.name(file.name, size_text(file.size));
  }
}

void deliver_logs(Services& services) {
  for (auto& news : services.logs.poll()) {
    refresh(news.peer, services.effective.of(services.engine.running()));
    if (may_watch(news.peer)) {
      services.notices.tell(news.session, news.text);
    } else {
      services.logs.stop_all(news.session);
    }
  }
}

}  // namespace millrace::server
