// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/configuration_mode.h"

#include <algorithm>
#include <array>

#include "server/canonical.h"
#include "server/help_commands.h"
#include "server/trial.h"

namespace millrace::server {
namespace {

Outcome not_yet(Call& call) {
  return failed("'" + std::string(call.words[call.next - 1].text) + "' is not supported yet");
}

constexpr std::array kCommands = {
    NamedHandler{"activate", "Make a deactivated statement count again", activate_command, true},
    NamedHandler{"annotate", "Put a comment on a statement of this level", annotate_command, true},
    NamedHandler{"commit", "Check the candidate and put it into force", commit_command},
    NamedHandler{"copy", "Duplicate an entry under another name", copy_command, true},
    NamedHandler{"deactivate", "Keep a statement without effect", deactivate_command, true},
    NamedHandler{"delete", "Remove a statement", delete_command, true},
    NamedHandler{"edit", "Go down to a level", edit_command, true},
    NamedHandler{"exit", "Go back to the previous level, or leave configuration mode",
                 exit_command},
    NamedHandler{"help", "Say what commands and statements are for", help_command},
    NamedHandler{"insert", "Move an entry of an ordered list", insert_command, true},
    NamedHandler{"load", "Read configuration from a file or the terminal", load_command},
    NamedHandler{"protect", "Lock a statement against changes", protect_command, true},
    NamedHandler{"quit", "The same as exit", exit_command},
    NamedHandler{"rename", "Give an entry another name", rename_command, true},
    NamedHandler{"replace", "Rewrite names and values by pattern", replace_command, true},
    NamedHandler{"rollback", "Put an earlier revision into the candidate", rollback_command},
    NamedHandler{"run", "Run an operational command", run_command},
    NamedHandler{"save", "Write the configuration below this level to a file", save_command},
    NamedHandler{"set", "Create a statement or change its value", set_command, true},
    NamedHandler{"show", "Show the candidate below this level", show_command, true},
    NamedHandler{"status", "Show who is editing", status_command},
    NamedHandler{"top", "Go to the root, or run one command there", top_command},
    NamedHandler{"unprotect", "Unlock a protected statement", unprotect_command, true},
    NamedHandler{"up", "Go up some levels, or run one command there", up_command},
    NamedHandler{"update", "Put a private candidate on top of what is in force", update_command},
    NamedHandler{"wildcard", "Delete or set many statements at once", wildcard_command, true},
};

}  // namespace

Reply edit_failed(const base::Error& error) {
  const bool harmless =
      error.code == base::Code::UnknownPath ||
      (error.code == base::Code::Denied && !error.message.starts_with("permission denied"));
  return harmless ? warned(error.message) : failed(error);
}

std::optional<Reply> leftover(const Call& call) {
  if (call.at_end()) {
    return std::nullopt;
  }
  return call.shell.refuse_word(call, call.next, "syntax error, expecting <command>.");
}

std::optional<Reply> rerendered(const Call& call) {
  if (!call.pipes.rerenders()) {
    return std::nullopt;
  }
  return call.shell.refuse(call.line, call.pipes.column,
                           "syntax error: this pipe belongs to commands that show configuration.");
}

namespace {

// While a commit is scheduled, what changes the candidate or commits is refused.
std::optional<Reply> waiting_commit(const Call& call, Handler handler) {
  constexpr std::array kHarmless = {edit_command,   exit_command, help_command,
                                    run_command,    save_command, show_command,
                                    status_command, top_command,  up_command};
  const auto waiting = call.shell.services().engine.schedule().waiting();
  if (!waiting || std::ranges::contains(kHarmless, handler)) {
    return std::nullopt;
  }
  return failed(scheduled_error(*waiting));
}

}  // namespace

Outcome run_configuration(Call& call) {
  const auto found = find_row(kCommands, call.word());
  if (found.ambiguous) {
    std::string list = "'" + std::string(call.word()) + "' is ambiguous.\nPossible completions:";
    for (const auto& row : kCommands) {
      list += is(call.word(), row.name) ? "\n  " + std::string(row.name) : "";
    }
    const auto& word = call.words[call.next];
    return call.shell.refuse(call.line, word.column + word.text.size() + 1, list);
  }
  if (!found.row) {
    return call.shell.refuse_word(call, call.next, "unknown command.");
  }
  if (!may_use(call.shell, *found.row)) {
    call.shell.denied(found.row->name);
    return call.shell.refuse_word(call, call.next, "unknown command.");
  }
  const Handler handler = found.row->handler;
  if (auto reply = waiting_commit(call, handler)) {
    return std::move(*reply);
  }
  ++call.next;
  call.shell.understood(canonical(call, *found.row));
  const bool renders = handler == show_command || handler == run_command ||
                       handler == top_command || handler == up_command || handler == save_command;
  // `commit | display detail` shows what the commit does.
  const bool timed = handler == commit_command && !call.pipes.compare && !call.pipes.plan &&
                     call.pipes.display == Display{.detail = true};
  if (!renders && !timed) {
    if (auto reply = rerendered(call)) {
      return std::move(*reply);
    }
  }
  return handler(call);
}

std::span<const NamedHandler> configuration_commands() {
  return kCommands;
}
bool is_available(const NamedHandler& row) {
  return row.handler != not_yet;
}
bool may_use(const Shell& shell, const NamedHandler& row) {
  const bool leaves = row.handler == exit_command;
  return may(shell.peer(), {.kind = Access::Kind::Operate,
                            .command = row.name,
                            .permission = leaves ? "" : "configure"});
}

}  // namespace millrace::server
