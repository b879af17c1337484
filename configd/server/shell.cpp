// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/shell.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/words.h"
#include "server/trial.h"

namespace millrace::server {
namespace {

// In minutes: more would overflow the nanoseconds of a timer and means never.
constexpr unsigned kLongestIdling = 100'000;

}  // namespace

std::string short_host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) {
    return "router";
  }
  const std::string_view full(name.data());
  return std::string(full.substr(0, full.find('.')));
}

Shell::Shell(Services& services, Peer peer, std::uint64_t session)
    : services_(services),
      peer_(std::move(peer)),
      session_(session),
      candidate_(services, peer_, session) {
  services_.sessions.opened(session_, peer_.user, peer_.pid);
}

void Shell::refresh_rights() {
  const auto before = peer_.rights;
  refresh(peer_, services_.effective.of(services_.engine.running()));
  if (peer_.rights == before) {
    return;
  }
  commands_.reset();
  if (peer_.rights) {
    std::vector<schema::Command> allowed = services_.commands.all();
    std::erase_if(allowed, [&](const schema::Command& command) {
      return !peer_.rights->may_run(command.words, command.permission);
    });
    commands_.emplace(std::move(allowed));
  }
}

tree::ConfigTree Shell::visible(const tree::ConfigTree& tree) const {
  return server::visible(peer_, tree);
}

Shell::~Shell() {
  services_.logs.stop_all(session_);
  services_.sessions.closed(session_);
}

void Shell::set_client(std::string via, Terminal terminal) {
  via_ = std::move(via);
  terminal_ = std::move(terminal);
  services_.sessions.set_terminal(session_, terminal_.name);
}

unsigned Shell::idle_limit() const {
  unsigned limit = 0;
  if (terminal_.interactive && services_.idle_limit) {
    limit = services_.idle_limit(peer_);
  }
  const unsigned own = idle_minutes_.value_or(0);
  limit = own == 0 ? limit : limit == 0 ? own : std::min(own, limit);
  return std::min(limit, kLongestIdling);
}

std::string Shell::prompt() const {
  std::string text = own_prompt_.empty() ? peer_.user + "@" + short_host_name() : own_prompt_;
  // `set cli prompt "edge1> "` has the sign in it; the mode must still show.
  text.erase(text.find_last_not_of("># ") + 1);
  return text + (configuring_ ? "# " : "> ");
}

std::string Shell::banner() const {
  if (!configuring_) {
    return {};
  }
  return level_.empty() ? "[edit]" : "[edit " + level_.to_string() + "]";
}

std::string Shell::above_prompt() const {
  const std::string notice = configuring_ ? trial_banner(services_.engine) : std::string();
  return notice.empty() ? banner() : notice + "\n" + banner();
}

Outcome Shell::execute(std::string_view line) {
  refresh_rights();
  on_answer_ = nullptr;
  on_secret_ = nullptr;
  on_input_ = nullptr;
  const auto expanded = aliases_.expand(line);
  if (!expanded) {
    return run_line(line);
  }
  if (!*expanded) {
    return refuse(line, 1, expanded->error().message);
  }
  from_alias_ = true;
  Outcome outcome = run_line(**expanded);
  from_alias_ = false;
  return outcome;
}

Outcome Shell::run_line(std::string_view line) {
  understood_.clear();
  const auto parsed = syntax::parse_line(line);
  if (!parsed.errors.empty()) {
    return refuse(line, parsed.errors.front().column, parsed.errors.front().message);
  }
  if (parsed.line.words.empty()) {
    return done();
  }
  auto pipes = read_pipes(parsed.line.pipes);
  if (!pipes) {
    return refuse(line, pipes.error().column, pipes.error().message);
  }
  Call call{*this, line, parsed.line.words, 0, level_, std::move(*pipes)};
  const auto text_pipes = call.pipes.client;
  Outcome outcome = recorded(configuring_ ? run_configuration(call) : run_operational(call));
  if (!text_pipes.empty()) {
    if (auto* reply = std::get_if<Reply>(&outcome)) {
      // What is read first comes back through a reply of its own.
      if (!reply->read) {
        reply->pipes = text_pipes;
      }
    } else {
      auto& deferred = std::get<Deferred<Reply>>(outcome);
      deferred.finish = [finish = std::move(deferred.finish), text_pipes] {
        Reply reply = finish();
        reply.pipes = text_pipes;
        return reply;
      };
    }
  }
  return outcome;
}

void Shell::record(const Reply& reply) {
  // A question is no end of a command, and a refused line never was one.
  if (understood_.empty() || reply.ask || reply.read || (reply.refused && !reply.ok)) {
    return;
  }
  services_.audit.command(peer_, understood_,
                          reply.ok                                     ? Audit::Result::Done
                          : reply.errors.contains("permission denied") ? Audit::Result::Denied
                                                                       : Audit::Result::Failed);
}

void Shell::record_commit(const tree::ConfigTree& before, commit::RevisionId revision) {
  services_.audit.commit(peer_, revision, tree::Delta(before, services_.engine.running()));
}

void Shell::denied(std::string_view command) {
  services_.audit.command(peer_, command, Audit::Result::Denied);
}

Outcome Shell::recorded(Outcome outcome) {
  if (const auto* reply = std::get_if<Reply>(&outcome)) {
    record(*reply);
    return outcome;
  }
  auto& deferred = std::get<Deferred<Reply>>(outcome);
  deferred.finish = [this, finish = std::move(deferred.finish)] {
    Reply reply = finish();
    record(reply);
    return reply;
  };
  return outcome;
}

Outcome Shell::answer(std::string_view text) {
  if (const auto then = std::exchange(on_secret_, nullptr)) {
    return recorded(then(std::string(text)));
  }
  const auto then = std::exchange(on_answer_, nullptr);
  if (!then) {
    return failed("there is no question to answer");
  }
  return recorded(then(text.empty() ? default_answer_ : is(text, "yes")));
}

Outcome Shell::input(std::string text) {
  const auto then = std::exchange(on_input_, nullptr);
  return then ? recorded(then(std::move(text))) : Outcome(failed("no input is expected"));
}

Outcome Shell::input_failed(std::string_view reason) {
  on_input_ = nullptr;
  return failed(reason);
}

Reply Shell::enter_configuration(EditMode mode) {
  if (const auto entered = candidate_.enter(mode); !entered) {
    return failed(entered.error());
  }
  std::string text = "Entering configuration mode\n" + services_.sessions.to_string(session_);
  if (mode == EditMode::Shared && candidate_.changed()) {
    text += "The configuration has been changed but not committed\n";
  }
  configuring_ = true;
  level_ = {};
  previous_.clear();
  services_.sessions.editing(session_,
                             mode == EditMode::Private     ? "private"
                             : mode == EditMode::Exclusive ? "exclusive"
                                                           : "",
                             banner());
  Reply reply = done(std::move(text));
  if (mode != EditMode::Shared) {
    reply.errors = "warning: uncommitted changes will be discarded on exit\n";
  }
  return reply;
}

Reply Shell::leave_configuration() {
  candidate_.leave();
  configuring_ = false;
  level_ = {};
  previous_.clear();
  services_.sessions.left(session_);
  return done("Exiting configuration mode\n");
}

void Shell::go_down(tree::Path level) {
  // Whoever goes from level to level all day goes back a few steps at most.
  constexpr std::size_t kMostRemembered = 64;
  if (previous_.size() == kMostRemembered) {
    previous_.erase(previous_.begin());
  }
  previous_.push_back(std::exchange(level_, std::move(level)));
  services_.sessions.moved(session_, banner());
}

void Shell::go_up(tree::Path level) {
  level_ = std::move(level);
  while (!previous_.empty() && previous_.back().steps.size() >= level_.steps.size()) {
    previous_.pop_back();
  }
  services_.sessions.moved(session_, banner());
}

bool Shell::go_back() {
  if (level_.empty()) {
    return false;
  }
  level_ = previous_.empty() ? tree::Path{} : previous_.back();
  if (!previous_.empty()) {
    previous_.pop_back();
  }
  services_.sessions.moved(session_, banner());
  return true;
}

Reply Shell::ask(Question question, std::function<Outcome(bool)> then) {
  on_answer_ = std::move(then);
  default_answer_ = question.yes_by_default;
  Reply reply;
  reply.ask = std::move(question);
  return reply;
}

Reply Shell::ask_secret(std::string question, std::function<Outcome(std::string)> then) {
  on_secret_ = std::move(then);
  Reply reply;
  reply.ask = Question{.text = std::move(question), .yes_by_default = false, .secret = true};
  return reply;
}

Reply Shell::read(InputWanted wanted, std::function<Outcome(std::string)> then) {
  on_input_ = std::move(then);
  Reply reply;
  reply.read = std::move(wanted);
  return reply;
}

Reply Shell::refuse(std::string_view line, std::size_t column, std::string_view message,
                    std::string_view hint) const {
  const auto before = line.substr(0, std::min(column - 1, line.size()));
  std::string errors;
  std::size_t blanks = base::characters(before) + (column - 1 - before.size());
  // What an alias stands for is not on the screen, so it is shown with its caret.
  if (terminal_.interactive && !from_alias_) {
    blanks += base::characters(prompt());
  } else {
    errors = std::string(line) + "\n";
  }
  errors += std::string(blanks, ' ') + "^\n" + std::string(message) + "\n";
  if (!hint.empty()) {
    errors += "  " + std::string(hint) + "\n";
  }
  Reply reply{false, {}, std::move(errors)};
  reply.refused = true;
  return reply;
}

Reply Shell::refuse_word(const Call& call, std::size_t word, std::string_view message,
                         std::string_view hint) const {
  const auto& words = call.words;
  const std::size_t column = word < words.size() ? words[word].column
                             : words.empty()     ? 1
                                             : words.back().column + words.back().text.size() + 1 +
                                                   (words.back().quoted ? 2U : 0U);
  return refuse(call.line, column, message, hint);
}

Found find_row(std::span<const NamedHandler> rows, std::string_view word) {
  Found found;
  for (const auto& row : rows) {
    if (row.name == word) {
      return {&row, false};
    }
    if (is(word, row.name)) {
      found.ambiguous = found.row != nullptr;
      found.row = &row;
    }
  }
  return found;
}

std::vector<std::string_view> texts(std::span<const syntax::LineWord> words) {
  std::vector<std::string_view> out;
  out.reserve(words.size());
  for (const auto& word : words) {
    out.push_back(word.text);
  }
  return out;
}

std::expected<std::vector<schema::Walk>, Reply> walk_statements(const Call& call, std::size_t first,
                                                                std::size_t last) {
  auto& services = call.shell.services();
  auto walks = schema::walk(call.level.schema(services.schema),
                            texts(call.words.subspan(first, last - first)),
                            schema::Abbreviations::Yes, call.level.keys());
  if (!walks) {
    const auto& error = walks.error();
    std::string message = error.message;
    if (!message.ends_with('.') && message.starts_with("syntax error")) {
      message += '.';
    }
    return std::unexpected(call.shell.refuse_word(call, first + error.word, message, error.hint));
  }
  return std::move(*walks);
}

std::expected<schema::Walk, Reply> walk_path(const Call& call, std::size_t first,
                                             std::size_t last) {
  auto walks = walk_statements(call, first, last);
  if (!walks) {
    return std::unexpected(std::move(walks.error()));
  }
  if (walks->size() != 1) {
    return std::unexpected(call.shell.refuse_word(call, last, "syntax error."));
  }
  return std::move(walks->front());
}

}  // namespace millrace::server
