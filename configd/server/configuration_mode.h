// SPDX-License-Identifier: GPL-2.0-or-later
//
// The handlers of configuration mode, by file. `call.next` stands behind the command's own word.
#pragma once

#include "server/shell.h"

namespace millrace::server {

// edit_commands.cpp
Outcome set_command(Call& call);
Outcome delete_command(Call& call);
Outcome activate_command(Call& call);
Outcome deactivate_command(Call& call);
Outcome protect_command(Call& call);
Outcome unprotect_command(Call& call);
Outcome annotate_command(Call& call);

// bulk_commands.cpp
Outcome replace_command(Call& call);
Outcome wildcard_command(Call& call);

// entry_commands.cpp
Outcome rename_command(Call& call);
Outcome copy_command(Call& call);
Outcome insert_command(Call& call);

// level_commands.cpp
Outcome edit_command(Call& call);
Outcome up_command(Call& call);
Outcome top_command(Call& call);
Outcome exit_command(Call& call);
Outcome status_command(Call& call);

// user_commands.cpp; all but the first are of operational mode.
Outcome update_command(Call& call);
Outcome configure_command(Call& call);
Outcome configure_shared_command(Call& call);
Outcome configure_private_command(Call& call);
Outcome configure_exclusive_command(Call& call);
Outcome logout_command(Call& call);
Outcome message_command(Call& call);
// Why this session may not commit from here, if so.
std::optional<Reply> commit_forbidden(const Call& call);

// show_commands.cpp; the last three are of operational mode.
Outcome show_command(Call& call);
Outcome save_command(Call& call);
Outcome show_configuration(Call& call);
Outcome show_rescue(Call& call);
Outcome show_rollback(Call& call);

// commit_commands.cpp
Outcome commit_command(Call& call);
// rollback_commands.cpp
Outcome rollback_command(Call& call);
// saved_commands.cpp, of operational mode
Outcome rescue_command(Call& call);
Outcome checkpoint_command(Call& call);
// plan_commands.cpp: `show | plan`: what a commit of the candidate would do.
Outcome show_plan(Call& call);

// load_commands.cpp
Outcome load_command(Call& call);

// operational_mode.cpp
Outcome run_command(Call& call);

// The table of commands; some rows are only there to say that they come later.
std::span<const NamedHandler> configuration_commands();
// user_commands.cpp: sends `text` to "all" or to "user@tty", as `| request message` does. An error
// is a sentence without "error: ".
Reply send_text(Shell& shell, std::string_view whom, std::string_view text);
// Whoever may start a shell sees all files anyway.
bool may_use_every_file(const Peer& peer);
bool is_available(const NamedHandler& row);
// Whether the user's class has the command.
bool may_use(const Shell& shell, const NamedHandler& row);

// level_commands.cpp: one level up as a person counts; requires a level below the root.
tree::Path level_above(tree::Path level, const schema::Schema& schema);

// Errors of an edit as the user sees them: what is not there, or protected, is a warning.
Reply edit_failed(const base::Error& error);
// An error Reply when words are left over.
std::optional<Reply> leftover(const Call& call);
// An error Reply when the line has pipes that render again.
std::optional<Reply> rerendered(const Call& call);

}  // namespace millrace::server
