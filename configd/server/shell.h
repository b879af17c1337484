// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of one session: modes, levels and questions, without sockets or threads. A line
// travels parse_line → mode → handler → Outcome. Handlers are functions in the *_commands.cpp
// files, listed in configuration_mode.cpp and operational_mode.cpp.
//
// Not thread-safe; one shell belongs to one session, whose requests come one after the other.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "schema/walk.h"
#include "server/access.h"
#include "server/aliases.h"
#include "server/pipes.h"
#include "server/reply.h"
#include "server/services.h"
#include "server/session_candidate.h"
#include "syntax/command_line.h"

namespace millrace::server {

class Shell;

// One typed line on its way to its handler.
struct Call {
  Shell& shell;
  std::string_view line;
  std::span<const syntax::LineWord> words;  // all of them
  std::size_t next = 0;                     // the first word that is not understood yet
  tree::Path level;                         // where paths start; `top CMD` differs from the session
  Pipes pipes;

  std::span<const syntax::LineWord> rest() const { return words.subspan(next); }
  bool at_end() const { return next >= words.size(); }
  std::string_view word() const { return at_end() ? std::string_view() : words[next].text; }
};

using Handler = Outcome (*)(Call& call);

class Shell {
 public:
  struct Terminal {
    bool interactive = false;
    std::string name;  // "pts/0"
  };

  Shell(Services& services, Peer peer, std::uint64_t session);
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  Outcome execute(std::string_view line);
  Outcome answer(std::string_view text);  // to the last question
  Outcome input(std::string text);        // what the last reply wanted to read
  Outcome input_failed(std::string_view reason);

  std::string prompt() const;  // "alice@r1# "
  std::string banner() const;  // "[edit interfaces]"; empty in operational mode
  // What stands above the prompt: the banner, and before it what everybody must know.
  std::string above_prompt() const;

  Services& services() { return services_; }
  SessionCandidate& candidate() { return candidate_; }
  const Peer& peer() const { return peer_; }
  std::uint64_t session() const { return session_; }
  // Reads the rights again if the configuration in force has other login statements now. Every
  // request begins with it.
  void refresh_rights();
  // The operational commands that the user may run: what one may not run does not exist.
  const ops::Commands& commands() const { return commands_ ? *commands_ : services_.commands; }
  // `tree` as the user may see it. Whatever shows configuration shows this.
  tree::ConfigTree visible(const tree::ConfigTree& tree) const;
  void set_client(std::string via, Terminal terminal);
  // `set cli idle-timeout`; 0 asks for no limit.
  void set_idle_minutes(unsigned minutes) { idle_minutes_ = minutes; }
  // Minutes without input after which the session ends; 0 is never. What the user's class says
  // cannot be lifted by the user, and who has no terminal is a program and may be silent.
  unsigned idle_limit() const;
  // `set cli prompt`; an empty one is "alice@r1".
  void set_prompt(std::string text) { own_prompt_ = std::move(text); }
  Aliases& aliases() { return aliases_; }
  const std::string& via() const { return via_; }

  bool configuring() const { return configuring_; }
  const tree::Path& level() const { return level_; }
  Reply enter_configuration(EditMode mode);
  Reply leave_configuration();
  void go_down(tree::Path level);  // `exit` comes back from here
  void go_up(tree::Path level);    // requires: the present level is at or below `level`
  bool go_back();                  // false at the root

  // The reply asks `text`; the answer decides whether `on_yes` runs.
  Reply ask(Question question, std::function<Outcome(bool yes)> then);
  // The reply asks for a password; any text is the answer, an interrupt an empty one.
  Reply ask_secret(std::string question, std::function<Outcome(std::string text)> then);
  Reply read(InputWanted wanted, std::function<Outcome(std::string text)> then);

  // The message with a caret under `column` of the line (from 1, in bytes).
  Reply refuse(std::string_view line, std::size_t column, std::string_view message,
               std::string_view hint = {}) const;
  Reply refuse_word(const Call& call, std::size_t word, std::string_view message,
                    std::string_view hint = {}) const;

  // The command as it was understood, for the record of who did what: whole words, no secrets.
  void understood(std::string command) { understood_ = std::move(command); }
  // The user's commit is in force in the place of `before`.
  void record_commit(const tree::ConfigTree& before, commit::RevisionId revision);
  // It is one that the user may not run.
  void denied(std::string_view command);

 private:
  Outcome run_line(std::string_view line);
  Outcome recorded(Outcome outcome);
  void record(const Reply& reply);

  Services& services_;
  Peer peer_;
  std::optional<ops::Commands> commands_;  // none: all
  std::uint64_t session_;
  SessionCandidate candidate_;
  std::string via_ = "other";
  Terminal terminal_;
  std::optional<unsigned> idle_minutes_;
  std::string own_prompt_;
  Aliases aliases_;
  bool from_alias_ = false;
  bool configuring_ = false;
  tree::Path level_;
  std::vector<tree::Path> previous_;
  std::function<Outcome(bool)> on_answer_;
  bool default_answer_ = true;
  std::function<Outcome(std::string)> on_secret_;
  std::string understood_;  // the present command for the record; empty: nothing ran
  std::function<Outcome(std::string)> on_input_;
};

Outcome run_operational(Call& call);
Outcome run_configuration(Call& call);
// One row of a table of commands.
struct NamedHandler {
  std::string_view name;
  std::string_view help;
  Handler handler;
  bool path = false;  // its words are a path of the configuration
};

// The row whose name `word` is or abbreviates; null when none is, `ambiguous` when several are.
struct Found {
  const NamedHandler* row = nullptr;
  bool ambiguous = false;
};
Found find_row(std::span<const NamedHandler> rows, std::string_view word);

// Whether `word` is `name` or an abbreviation of it with at least one character.
inline bool is(std::string_view word, std::string_view name) {
  return !word.empty() && name.starts_with(word);
}

std::vector<std::string_view> texts(std::span<const syntax::LineWord> words);

// Words of the call from `first` to `last` as one path below `call.level`; a Reply says why not.
std::expected<schema::Walk, Reply> walk_path(const Call& call, std::size_t first, std::size_t last);
// Any number of statements that share a line: `set ntp server A prefer version 4`.
std::expected<std::vector<schema::Walk>, Reply> walk_statements(const Call& call, std::size_t first,
                                                                std::size_t last);

}  // namespace millrace::server
