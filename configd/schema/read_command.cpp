// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/read_command.h"

#include <algorithm>
#include <array>

#include "schema/permission.h"
#include "schema/read_type.h"

namespace millrace::schema {

namespace {

Command::Argument read_argument(const Reading& reading, const syntax::Statement& statement) {
  Command::Argument argument;
  bool typed = false;
  if (!reading.take_name(statement, argument.name) || !reading.needs_block(statement)) {
    return argument;
  }
  for (const syntax::Statement& part : statement.children) {
    const std::string_view word = part.words[0].text;
    if (word == "help") {
      reading.take_word(part, argument.help);
    } else if (word == "type") {
      argument.type = read_type(reading, part);
      typed = true;
    } else if (word == "positional") {
      reading.take_flag(part, argument.positional);
    } else if (word == "mandatory") {
      reading.take_flag(part, argument.mandatory);
    } else if (word == "file") {
      reading.take_flag(part, argument.file);
    } else if (word == "values") {
      reading.take_word(part, argument.values);
    } else {
      reading.unknown(part, "help, type, positional, mandatory, file, values");
    }
  }
  if (argument.help.empty()) {
    reading.problem(statement, "an argument without help", "help \"…\"");
  }
  if (!typed) {
    reading.problem(statement, "an argument without a type", "type NAME;");
  } else if (argument.positional && argument.type.base == BaseType::Empty) {
    reading.problem(statement, "a positional argument without a value", "another type than empty");
  }
  return argument;
}

void read_run(const Reading& reading, const syntax::Statement& statement, Command& command) {
  const auto word = [&](std::size_t i) {
    return i < statement.words.size() ? std::string(statement.words[i].text) : std::string();
  };
  command.runner = word(1);
  const bool has_target = command.runner == "builtin" || command.runner == "frr";
  const bool has_argv = command.runner != "builtin";
  const bool is_known = has_target || command.runner == "exec" || command.runner == "terminal" ||
                        command.runner == "client";
  if (!is_known || statement.words.size() != (has_target ? 3 : 2) ||
      statement.values.empty() == has_argv || !reading.no_block(statement)) {
    reading.problem(statement, "run " + in_quotes(command.runner),
                    "builtin NAME, exec [ … ], terminal [ … ], client [ … ] or frr DAEMON [ … ]");
    return;
  }
  command.target = word(2);
  for (const syntax::Word& value : statement.values) {
    command.argv.emplace_back(value.text);
  }
}

const Command::Argument* find_argument(const Command& command, std::string_view name) {
  const auto found = std::ranges::find(command.arguments, name, &Command::Argument::name);
  return found == command.arguments.end() ? nullptr : &*found;
}

// `{name}` and `{-name}` in one word of the program. A value at the front of a word could be taken
// for an option, so a type that may begin with a dash stands after `--` or behind an option letter.
void check_word(const Reading& reading, const syntax::Statement& run, const Command& command,
                std::string_view word, bool after_dashes) {
  for (std::size_t open = word.find('{'); open != std::string_view::npos;
       open = word.find('{', open + 1)) {
    const std::size_t close = word.find('}', open);
    if (close == std::string_view::npos) {
      reading.problem(run, in_quotes(word), "'}' after the name of an argument");
      return;
    }
    const std::string_view inner = word.substr(open + 1, close - open - 1);
    const bool is_presence = inner.starts_with('-');
    const Command::Argument* argument =
        find_argument(command, is_presence ? inner.substr(1) : inner);
    if (argument == nullptr || (argument->type.base == BaseType::Empty) != is_presence) {
      reading.problem(run, in_quotes(word),
                      "{NAME} of an argument with a value or {-NAME} of one without");
    } else if (open == 0 && !is_presence && !after_dashes && command.runner != "frr" &&
               may_begin_with_dash(argument->type)) {
      reading.problem(run, in_quotes(word) + ", a value that may begin with '-'",
                      "'--' before it, or an option in the same word");
    }
  }
}

void check_run(const Reading& reading, const syntax::Statement& run, const Command& command) {
  bool after_dashes = false;
  for (const std::string& word : command.argv) {
    check_word(reading, run, command, word, after_dashes);
    after_dashes = after_dashes || word == "--";
  }
  if (!command.argv.empty() && command.argv[0].find('{') != std::string::npos) {
    reading.problem(run, in_quotes(command.argv[0]), "the name of a program");
  }
}

void check_command(const Reading& reading, const syntax::Statement& statement,
                   const Command& command) {
  if (command.help.empty()) {
    reading.problem(statement, "a command without help", "help \"…\"");
  }
  if (std::ranges::find(kPermissions, command.permission) == kPermissions.end()) {
    reading.problem(statement, "permission " + in_quotes(command.permission),
                    "permission NAME; such as view");
  }
  for (auto it = command.arguments.begin(); it != command.arguments.end(); ++it) {
    if (std::ranges::find(command.arguments.begin(), it, it->name, &Command::Argument::name) !=
        it) {
      reading.problem(statement, "argument " + in_quotes(it->name) + " again", "one of a name");
    }
  }
}

// The first words of other commands.
void check_group(const Reading& reading, const syntax::Statement& statement, const Command& command,
                 const syntax::Statement* run) {
  if (command.help.empty()) {
    reading.problem(statement, "a group without help", "help \"…\"");
  }
  if (run != nullptr || !command.permission.empty() || !command.arguments.empty()) {
    reading.problem(statement, "a group that is a command", "help and group alone");
  }
}

}  // namespace

Command read_command(const Reading& reading, const syntax::Statement& statement) {
  Command command;
  const syntax::Statement* run = nullptr;
  command.origin = reading.place(statement).origin();
  if (!reading.take_path(statement, command.words) || !reading.needs_block(statement)) {
    return command;
  }
  for (const syntax::Statement& part : statement.children) {
    const std::string_view word = part.words[0].text;
    if (word == "help") {
      reading.take_word(part, command.help);
    } else if (word == "permission") {
      reading.take_word(part, command.permission);
    } else if (word == "argument") {
      command.arguments.push_back(read_argument(reading, part));
    } else if (word == "run") {
      run = &part;
      read_run(reading, part, command);
    } else if (word == "group") {
      bool is_group = false;
      reading.take_flag(part, is_group);
      command.runner = is_group ? "group" : "";
    } else {
      reading.unknown(part, "help, permission, argument, run, group");
    }
  }
  if (command.runner == "group") {
    check_group(reading, statement, command, run);
    return command;
  }
  check_command(reading, statement, command);
  if (run == nullptr) {
    reading.problem(statement, "a command that runs nothing", "run …");
  } else {
    check_run(reading, *run, command);
  }
  return command;
}

}  // namespace millrace::schema
