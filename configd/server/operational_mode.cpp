// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <utility>

#include "ops/run.h"
#include "server/authorization_command.h"
#include "server/canonical.h"
#include "server/cli_settings.h"
#include "server/configuration_mode.h"
#include "server/help_commands.h"
#include "server/log_commands.h"
#include "server/logins_command.h"
#include "server/power_commands.h"
#include "server/rendering.h"

namespace millrace::server {
namespace {

Outcome quit_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  if (call.shell.configuring()) {
    return failed("this command is not for 'run'");
  }
  Reply reply = done();
  reply.close = true;
  return reply;
}

constexpr std::array kSessionCommands = {
    NamedHandler{"clear system reboot", "Cancel a shutdown that waits for its time",
                 clear_reboot_command},
    NamedHandler{"configure", "Enter configuration mode", configure_command},
    NamedHandler{"configure exclusive", "Lock the candidate for this session",
                 configure_exclusive_command},
    NamedHandler{"configure private", "Edit a candidate of one's own", configure_private_command},
    NamedHandler{"configure shared", "Edit the candidate that all share", configure_shared_command},
    NamedHandler{"edit", "The same as configure", configure_command},
    NamedHandler{"exit", "Leave the command line", quit_command},
    NamedHandler{"help", "Say what commands and statements are for", help_command},
    NamedHandler{"monitor list", "Show which log files this session monitors",
                 monitor_list_command},
    NamedHandler{"monitor start", "Show what comes into a log file as it comes",
                 monitor_start_command},
    NamedHandler{"monitor stop", "Show it no longer", monitor_stop_command},
    NamedHandler{"quit", "Leave the command line", quit_command},
    NamedHandler{"request message", "Write to the terminals of others", message_command},
    NamedHandler{"request system configuration checkpoint",
                 "Keep the configuration in force under a name", checkpoint_command},
    NamedHandler{"request system configuration rescue",
                 "Keep the configuration in force for an emergency", rescue_command},
    NamedHandler{"request system halt", "Stop the router and leave it on", halt_command},
    NamedHandler{"request system logout", "End sessions", logout_command},
    NamedHandler{"request system power-off", "Stop the router and switch it off",
                 power_off_command},
    NamedHandler{"request system reboot", "Start the router again", reboot_command},
    NamedHandler{"request system zeroize", "Erase all data and start as the router came",
                 zeroize_command},
    NamedHandler{"set cli", "Settings of this session", set_cli_command},
    NamedHandler{"show cli alias", "Show the aliases of this session", show_cli_alias},
    NamedHandler{"show cli authorization", "Show what the user may do", show_authorization},
    NamedHandler{"show configuration", "Show the configuration in force", show_configuration, true},
    NamedHandler{"show system configuration rescue", "Show the configuration kept for an emergency",
                 show_rescue},
    NamedHandler{"show system reboot", "Show a shutdown that waits for its time",
                 show_reboot_command},
    NamedHandler{"show system rollback", "Show an earlier configuration, or compare two",
                 show_rollback},
    NamedHandler{"show system users", "Show who is logged in, from where and since when",
                 show_logins},
};

// None for what a session is without: whoever is in must be able to get out.
std::string_view permission_of(std::string_view session_command) {
  if (session_command.starts_with("configure") || session_command == "edit") {
    return "configure";
  }
  if (session_command.starts_with("request ") || session_command == "clear system reboot") {
    return "maintenance";
  }
  if (session_command.starts_with("monitor ")) {
    return "trace";
  }
  if (session_command == "show system reboot" || session_command == "show system users") {
    return "view";
  }
  return session_command.starts_with("show configuration") ||
                 session_command.starts_with("show system ")
             ? "view-configuration"
             : "";
}

std::vector<schema::Command> all_commands(const schema::Schema& schema) {
  std::vector<schema::Command> out = schema.commands();
  for (const auto& row : kSessionCommands) {
    schema::Command command;
    command.words = row.name;
    command.help = row.help;
    command.runner = ops::kSessionRunner;
    command.target = row.name;
    command.permission = permission_of(row.name);
    out.push_back(std::move(command));
  }
  return out;
}

// The data of a reply as the pipes want it, in the place of its text.
Reply formatted(const Call& call, Reply reply) {
  const Format format = call.pipes.format();
  if (format == Format::Text || !reply.ok) {
    return reply;
  }
  if (reply.data.is_null()) {
    return call.shell.refuse(call.line, call.pipes.column, "this command has no structured output");
  }
  auto written = render(reply.data, format);
  if (!written) {
    return call.shell.refuse(call.line, call.pipes.column, written.error().message);
  }
  reply.output = std::move(*written);
  return reply;
}

bool is_about_configuration(const Pipes& pipes) {
  return pipes.compare || pipes.plan || pipes.display.value_or(Display{}).needs_configuration();
}

Outcome run_matched(Call& call, const ops::Match& match) {
  auto& services = call.shell.services();
  if (is_about_configuration(call.pipes)) {
    return *rerendered(call);
  }
  auto system = services.open_system();
  if (!system) {
    return failed(system.error());
  }
  ops::Context context{services.engine, (*system)->view(), services.version,
                       call.pipes.format() != Format::Text};
  auto result = ops::run(match, context);
  if (!result) {
    return failed(result.error());
  }
  Reply reply = done(std::move(result->text));
  reply.data = std::move(result->data);
  reply.run = std::move(result->run);
  reply.local = std::move(result->local);
  return formatted(call, std::move(reply));
}

}  // namespace

Services::Services(const schema::Schema& the_schema, commit::Engine& the_engine,
                   SystemFactory factory, std::string the_version, Audit::Sink record)
    : schema(the_schema),
      engine(the_engine),
      open_system(std::move(factory)),
      version(std::move(the_version)),
      factory_default(),
      commands(all_commands(the_schema)),
      candidate(the_engine.running()),
      audit(std::move(record)),
      effective(the_engine.running()),
      idle_limit([](const Peer& peer) { return peer.rights ? peer.rights->idle_minutes() : 0U; }) {
  // What is scheduled was the candidate, and shows as such until it is committed or dropped.
  if (auto scheduled = the_engine.schedule().candidate()) {
    candidate.reset(std::move(*scheduled));
  }
}

Outcome run_operational(Call& call) {
  const auto words = texts(call.rest());
  const auto match = call.shell.commands().match(words);
  if (!match) {
    const auto& error = match.error();
    if (const auto forbidden = call.shell.services().commands.match(words)) {
      call.shell.denied(canonical(*forbidden));
    }
    std::string message = error.message;
    if (!error.choices.empty()) {
      message += "\nPossible completions:";
      for (const auto& choice : error.choices) {
        message += "\n  " + choice.text;
      }
    }
    if (error.past_word) {
      const auto& word = call.words[call.next + error.word];
      return call.shell.refuse(call.line, word.column + word.text.size() + 1, message);
    }
    return call.shell.refuse_word(call, call.next + error.word, message);
  }
  const auto& command = *match->command;
  if (!may(call.shell.peer(), {.kind = Access::Kind::Operate,
                               .command = canonical(*match),
                               .permission = command.permission})) {
    call.shell.denied(canonical(*match));
    // Like a word that does not exist: what one may not run is not there.
    return call.shell.refuse_word(call, call.next, "unknown command.");
  }
  call.next += match->used;
  if (command.runner != ops::kSessionRunner) {
    call.shell.understood(canonical(*match));
    return run_matched(call, *match);
  }
  for (const auto& row : kSessionCommands) {
    if (row.name == command.target) {
      if (row.path) {
        call.level = {};
      }
      call.shell.understood(canonical(call, row));
      if (row.handler == show_logins && !is_about_configuration(call.pipes)) {
        return formatted(call, std::get<Reply>(show_logins(call)));
      }
      if (row.handler != show_configuration && row.handler != show_rescue &&
          row.handler != show_rollback) {
        if (auto reply = rerendered(call)) {
          return std::move(*reply);
        }
      }
      return row.handler(call);
    }
  }
  return failed("no session command '" + command.target + "'");
}

Outcome run_command(Call& call) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next, "syntax error, expecting <command>.");
  }
  return run_operational(call);
}

}  // namespace millrace::server
