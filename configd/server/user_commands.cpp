// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands about users: in which mode one edits beside the others, and sending others home.
#include <algorithm>
#include <charconv>
#include <utility>

#include "schema/values.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

Outcome enter(Call& call, EditMode mode) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  if (call.shell.configuring()) {
    return failed("already in configuration mode");
  }
  if (!may(call.shell.peer(),
           {.kind = Access::Kind::Operate, .command = "configure", .permission = "configure"})) {
    return failed("permission denied");
  }
  return call.shell.enter_configuration(mode);
}

// `set system configuration-mode-default`, in force.
EditMode default_mode(Services& services) {
  const auto walks = schema::walk(
      services.schema.root(), std::vector<std::string_view>{"system", "configuration-mode-default"},
      schema::Abbreviations::No);
  if (!walks) {
    return EditMode::Shared;
  }
  const auto running = services.effective.of(services.engine.running());
  const tree::Node* node = &running.root();
  for (const auto& step : walks->front().steps) {
    node = node->child(step.node->name);
    if (!node) {
      return EditMode::Shared;
    }
  }
  return node->value() == "private" ? EditMode::Private : EditMode::Shared;
}

using Sessions = std::map<std::uint64_t, SessionList::Entry>;

std::string without_device(std::string_view terminal) {
  return std::string(terminal.starts_with("/dev/") ? terminal.substr(5) : terminal);
}

// The sessions that `pid N`, `terminal T` or `user U` names, or a Reply why there are none.
std::expected<Sessions, Reply> named_sessions(Call& call) {
  Sessions sessions = call.shell.services().sessions.all();
  std::erase_if(sessions, [](const auto& item) { return !item.second.dismiss; });
  const std::string_view what = call.word();
  const std::string value(call.rest().size() > 1 ? call.words[call.next + 1].text : "");
  if (!is(what, "pid") && !is(what, "terminal") && !is(what, "user")) {
    return std::unexpected(call.shell.refuse_word(
        call, call.next, "syntax error, expecting <pid>, <terminal>, <user> or <all>."));
  }
  if (value.empty()) {
    return std::unexpected(call.shell.refuse_word(call, call.words.size(), "missing argument."));
  }
  std::erase_if(sessions, [&](const auto& item) {
    const auto& entry = item.second;
    return is(what, "pid")        ? std::to_string(entry.pid) != value
           : is(what, "terminal") ? entry.terminal != without_device(value)
                                  : entry.user != value;
  });
  if (sessions.empty()) {
    return std::unexpected(failed("no session of that " +
                                  std::string(is(what, "pid")        ? "pid"
                                              : is(what, "terminal") ? "terminal"
                                                                     : "user") +
                                  ": '" + value + "'"));
  }
  call.next += 2;
  return sessions;
}

std::string speaker(const Shell& shell) {
  return shell.peer().user + "@" + short_host_name();
}

}  // namespace

Outcome configure_command(Call& call) {
  if (is(call.word(), "dynamic")) {
    return call.shell.refuse_word(call, call.next, "'configure dynamic' is not supported yet");
  }
  return enter(call, default_mode(call.shell.services()));
}
Outcome configure_shared_command(Call& call) {
  return enter(call, EditMode::Shared);
}
Outcome configure_private_command(Call& call) {
  return enter(call, EditMode::Private);
}
Outcome configure_exclusive_command(Call& call) {
  return enter(call, EditMode::Exclusive);
}

std::optional<Reply> commit_forbidden(const Call& call) {
  const auto& candidate = call.shell.candidate();
  if (const auto allowed = candidate.may_commit(); !allowed) {
    return failed(allowed.error());
  }
  if (candidate.mode() == EditMode::Private && !call.level.empty()) {
    return failed({base::Code::Conflict,
                   "a private candidate is committed as a whole, from the top level",
                   {},
                   "'top commit' does"});
  }
  return std::nullopt;
}

Outcome update_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  auto& candidate = call.shell.candidate();
  if (candidate.mode() != EditMode::Private) {
    return failed("'update' is for private candidates: the shared one follows by itself");
  }
  const auto report = candidate.update();
  Reply reply = done("update complete\n");
  if (report.has_errors()) {
    reply.ok = false;
    reply.errors = report.to_string();
    reply.output = "update complete (" + std::to_string(report.error_count()) +
                   (report.error_count() == 1 ? " conflict)\n" : " conflicts)\n");
  }
  return reply;
}

Outcome logout_command(Call& call) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next,
                                  "missing argument, expecting <pid>, <terminal> or <user>.");
  }
  const bool by_user = is(call.word(), "user");
  auto sessions = named_sessions(call);
  if (!sessions) {
    return std::move(sessions.error());
  }
  const bool all = is(call.word(), "all");
  call.next += all ? 1 : 0;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  if (by_user && !all && sessions->size() > 1) {
    return failed(
        {base::Code::Conflict,
         sessions->begin()->second.user + " has " + std::to_string(sessions->size()) + " sessions",
         {},
         "add 'all', or name one by its pid or terminal"});
  }
  for (const auto& [number, entry] : *sessions) {
    entry.dismiss(speaker(call.shell) + " has logged you out");
  }
  return done(std::to_string(sessions->size()) +
              (sessions->size() == 1 ? " session ended\n" : " sessions ended\n"));
}

Outcome message_command(Call& call) {
  auto& services = call.shell.services();
  Sessions sessions = services.sessions.all();
  if (is(call.word(), "all")) {
    ++call.next;
  } else {
    auto named = named_sessions(call);
    if (!named) {
      return std::move(named.error());
    }
    sessions = std::move(*named);
  }
  if (!is(call.word(), "message") || call.rest().size() != 2) {
    return call.shell.refuse_word(call, call.at_end() ? call.words.size() : call.next,
                                  "syntax error, expecting message \"<text>\".");
  }
  const std::string text = "Message from " + speaker(call.shell) + ":\n" + call.words.back().text;
  if (!schema::is_printable(call.words.back().text)) {
    return call.shell.refuse_word(call, call.words.size() - 1,
                                  "invalid message: expected text without control characters");
  }
  for (const auto& [number, entry] : sessions) {
    if (number != call.shell.session()) {
      services.notices.tell(number, text);
    }
  }
  return done();
}

bool may_use_every_file(const Peer& peer) {
  return may(peer,
             {.kind = Access::Kind::Operate, .command = "start shell", .permission = "shell"});
}

Reply send_text(Shell& shell, std::string_view whom, std::string_view text) {
  constexpr std::size_t kMost = 65'536;
  const auto refuse = [](std::string message) { return Reply{false, {}, std::move(message)}; };
  if (!may(shell.peer(), {.kind = Access::Kind::Operate,
                          .command = "request message",
                          .permission = "maintenance"})) {
    return refuse("permission denied");
  }
  if (text.size() > kMost) {
    return refuse("a message may have 65536 bytes, this has " + std::to_string(text.size()));
  }
  std::size_t told = 0;
  const bool printable = std::ranges::all_of(text, [](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return (value >= 0x20 && value != 0x7f) || byte == '\n' || byte == '\t';
  });
  if (!printable) {
    return refuse("a message is text without control characters");
  }
  const std::string message = "Message from " + speaker(shell) + ":\n" +
                              std::string(text.substr(0, text.find_last_not_of('\n') + 1));
  for (const auto& [number, entry] : shell.services().sessions.all()) {
    if (number != shell.session() && (whom == "all" || whom == entry.user + "@" + entry.terminal)) {
      shell.services().notices.tell(number, message);
      ++told;
    }
  }
  return told > 0 || whom == "all" ? done()
                                   : refuse("there is no session of '" + std::string(whom) + "'");
}

}  // namespace millrace::server
