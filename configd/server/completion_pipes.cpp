// SPDX-License-Identifier: GPL-2.0-or-later
//
// Words behind a `|`. What read_pipes() accepts is what is offered; a test holds the two together.
#include <algorithm>
#include <array>

#include "server/completion_parts.h"

namespace millrace::server {
namespace {

struct PipeHelp {
  std::string_view name;
  std::string_view help;
  std::string_view argument;  // placeholder
  std::string_view argument_help;
  bool optional = false;  // the argument
};

constexpr std::array kPipes = {
    PipeHelp{"append", "Add the output to a file", "<file>", "Name of the file"},
    PipeHelp{"count", "Count the lines", {}, {}},
    PipeHelp{"except", "Hide lines that match", "<pattern>", "Regular expression"},
    PipeHelp{"find", "Start at the first line that matches", "<pattern>", "Regular expression"},
    PipeHelp{"hold", "Stay at the end of the output", {}, {}},
    PipeHelp{"last", "Show the last lines", "<number>", "How many; a screen without it", true},
    PipeHelp{"match", "Show only lines that match", "<pattern>", "Regular expression"},
    PipeHelp{"no-more", "Do not stop at the end of a screen", {}, {}},
    PipeHelp{"refresh", "Run the command again and again until a key is pressed", "<seconds>",
             "Between two times, 1 without it (1..604800)", true},
    PipeHelp{"request", "Send the output to others", "message", "As a message"},
    PipeHelp{"resolve", "Write names in the place of addresses", "full-names", "With their domains",
             true},
    PipeHelp{"save", "Write the output to a file", "<file>", "Name of the file"},
    PipeHelp{"suppress-zeros", "Hide counters that are zero", {}, {}},
    PipeHelp{"tee", "Show the output and write it to a file", "<file>", "Name of the file"},
    PipeHelp{"trim", "Cut columns off the start of each line", "<number>", "How many columns"},
};

void complete_display(Asking& asking, Piped command) {
  if (asking.at_end()) {
    for (const DisplayForm& form : display_forms()) {
      if (form.operational || command != Piped::Text) {
        asking.keyword(form.name, form.help);
      }
    }
    return;
  }
  const std::string_view name = asking.word();
  const auto form = std::ranges::find_if(
      display_forms(), [&](const DisplayForm& row) { return is(name, row.name); });
  ++asking.next;
  const bool is_known = asking.at_end() && form != display_forms().end();
  const bool takes_number =
      is_known && !form->arguments.empty() && form->arguments.front().name.starts_with('<');
  if (is_known) {
    for (const auto& argument : form->arguments) {
      takes_number ? asking.placeholder(std::string(argument.name), argument.help)
                   : asking.keyword(argument.name, argument.help);
    }
  }
  if (!takes_number) {
    asking.complete();
  }
}

void complete_compare(Asking& asking) {
  if (asking.at_end()) {
    asking.file("With the configuration in a file");
    asking.keyword("candidate", "With the candidate");
    asking.keyword("checkpoint", "With what was kept under a name");
    asking.keyword("rescue", "With the rescue configuration");
    asking.keyword("revision", "With the revision of this id");
    asking.keyword("rollback", "With an earlier revision");
    asking.keyword("running", "With the configuration in force");
    asking.complete();
    return;
  }
  const std::string_view source = asking.word();
  ++asking.next;
  if (asking.at_end() && is(source, "rollback")) {
    return offer_revisions(asking);
  }
  if (asking.at_end() && is(source, "revision")) {
    return asking.placeholder("<revision>", "Id of the revision");
  }
  if (asking.at_end() && is(source, "checkpoint")) {
    asking.placeholder("<name>", "Name of the checkpoint");
    return offer_checkpoints(asking);
  }
  asking.complete();
}

// `request message all` or `request message alice@pts/3`
void complete_addressee(Asking& asking) {
  if (asking.at_end()) {
    return asking.keyword("message", "As a message");
  }
  ++asking.next;
  if (!asking.at_end()) {
    return asking.complete();
  }
  asking.keyword("all", "Everybody");
  asking.placeholder("<user@tty>", "Somebody");
  for (const auto& [number, entry] : asking.shell.services().sessions.all()) {
    if (!entry.terminal.empty()) {
      asking.name(entry.user + "@" + entry.terminal, "");
    }
  }
}

}  // namespace

void complete_pipe(Asking& asking, Piped command) {
  if (asking.at_end()) {
    for (const auto& pipe : kPipes) {
      asking.keyword(pipe.name, pipe.help);
    }
    asking.keyword("display", "Show in another form");
    if (command != Piped::Text) {
      asking.keyword("compare", "Show the difference from what is in force");
    }
    if (command == Piped::Candidate) {
      asking.keyword("plan", "Show what a commit would do");
    }
    if (!asking.prefix.empty() && asking.out.offers.empty()) {
      asking.wrong(0, "syntax error, expecting <command>.");
    }
    return;
  }
  const std::string_view name = asking.word();
  ++asking.next;
  if (is(name, "display") && name.size() > 0) {
    return complete_display(asking, command);
  }
  if (is(name, "compare") && name.size() > 2) {
    return complete_compare(asking);
  }
  for (const auto& pipe : kPipes) {
    if (is(name, pipe.name)) {
      if (pipe.name == "request") {
        return complete_addressee(asking);
      }
      const bool wants = asking.at_end() && !pipe.argument.empty();
      if (wants && pipe.argument == "<file>") {
        asking.file(pipe.argument_help);
      } else if (wants && !pipe.argument.starts_with('<')) {
        asking.keyword(pipe.argument, pipe.argument_help);
      } else if (wants) {
        asking.placeholder(std::string(pipe.argument), pipe.argument_help);
      }
      if (!wants || pipe.optional) {
        asking.complete();
      }
      return;
    }
  }
  asking.complete();
}

}  // namespace millrace::server
