// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/cli_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "schema/values.h"
#include "server/aliases.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

using Word = CliSetting::Word;

constexpr std::string_view kTimeFormat = "%b %d %H:%M:%S";

// On or off; `name` is the setting of the client.
Reply apply_switch(Call& call, std::string_view name, std::string_view what) {
  const std::string_view value = call.word();
  if (value != "on" && value != "off") {
    return call.shell.refuse_word(call, call.next, "syntax error, expecting <on> or <off>.");
  }
  Reply reply = done((value == "off" ? "Disabling " : "Enabling ") + std::string(what) + "\n");
  reply.settings[name] = value == "on";
  return reply;
}

Reply apply_complete_on_space(Call& call) {
  return apply_switch(call, "complete-on-space", "complete-on-space");
}
Reply apply_color(Call& call) {
  return apply_switch(call, "color", "color");
}

struct Number {
  std::string_view name;
  std::string_view said;
  std::string_view unit;
  unsigned least;
  unsigned most;
};

// A number; `zero` is what 0 means, and is in range whatever `least` is.
Reply apply_number(Call& call, const Number& setting) {
  const std::string_view value = call.word();
  unsigned number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc() || end != value.data() + value.size()) {
    return call.shell.refuse_word(call, call.next,
                                  "invalid value '" + std::string(value) + "': expected a number");
  }
  if (number > setting.most || (number != 0 && number < setting.least)) {
    return call.shell.refuse_word(call, call.next,
                                  "Value " + std::string(value) + " is not within range (" +
                                      std::to_string(setting.least) + ".." +
                                      std::to_string(setting.most) + ")");
  }
  Reply reply = done(std::string(setting.said) + " set to " + std::to_string(number) +
                     std::string(setting.unit) + "\n");
  reply.settings[setting.name] = number;
  return reply;
}

Reply apply_idle_timeout(Call& call) {
  Reply reply = apply_number(call, {"idle-timeout", "Idle timeout", " minutes", 0, 100'000});
  if (reply.ok) {
    call.shell.set_idle_minutes(reply.settings["idle-timeout"].get<unsigned>());
  }
  return reply;
}
Reply apply_screen_length(Call& call) {
  return apply_number(call, {"screen-length", "Screen length", "", 0, 100'000});
}
Reply apply_screen_width(Call& call) {
  return apply_number(call, {"screen-width", "Screen width", "", 40, 1024});
}

Reply apply_terminal(Call& call) {
  const std::string value(call.word());
  const bool good = value.size() <= 64 && std::ranges::all_of(value, [](unsigned char byte) {
                      return std::isalnum(byte) != 0 || byte == '-' || byte == '+' || byte == '.';
                    });
  if (!good) {
    return call.shell.refuse_word(call, call.next,
                                  "invalid value '" + value + "': expected the type of a terminal");
  }
  Reply reply = done("Terminal type set to " + value + "\n");
  reply.settings["terminal"] = value;
  return reply;
}

Reply apply_timestamp(Call& call) {
  std::string format(kTimeFormat);
  if (is(call.word(), "disable")) {
    Reply reply = done("CLI timestamp disabled\n");
    reply.settings["timestamp"] = "";
    return reply;
  }
  if (!call.at_end()) {
    if (!is(call.word(), "format")) {
      return call.shell.refuse_word(call, call.next,
                                    "syntax error, expecting <disable> or <format>.");
    }
    if (call.rest().size() < 2) {
      return call.shell.refuse_word(call, call.words.size(),
                                    "missing argument, expecting <format>.");
    }
    format = call.words[call.next + 1].text;
    if (format.empty() || format.size() > 100 || !schema::is_printable(format)) {
      return call.shell.refuse_word(call, call.next + 1,
                                    "invalid format: expected one of strftime, such as \"%T\"");
    }
  }
  Reply reply = done("CLI timestamp set to: '" + format + "'\n");
  reply.settings["timestamp"] = format;
  return reply;
}

Reply apply_prompt(Call& call) {
  const std::string prompt(call.word());
  if (prompt.size() > 60 || !schema::is_printable(prompt)) {
    return call.shell.refuse_word(call, call.next,
                                  "invalid prompt: expected at most 60 characters of one line");
  }
  call.shell.set_prompt(prompt);
  return done(prompt.empty() ? "CLI prompt is what it was at first\n"
                             : "CLI prompt set to " + prompt + "\n");
}

Reply apply_directory(Call& call) {
  Reply reply = done();
  reply.local = {"directory", std::string(call.word())};
  return reply;
}

// Whether a command of one of the modes has that name.
bool is_command(const Shell& shell, std::string_view name) {
  const auto rows = configuration_commands();
  return std::ranges::contains(rows, name, &NamedHandler::name) ||
         std::ranges::contains(const_cast<Shell&>(shell).services().commands.choices({}, name),
                               name, &schema::Choice::text);
}

Reply apply_alias(Call& call) {
  const std::string name(call.word());
  if (call.rest().size() < 2) {
    return call.shell.refuse_word(call, call.words.size(),
                                  "missing argument, expecting \"<command>\" or <disable>.");
  }
  const auto& text = call.words[call.next + 1];
  if (!text.quoted && is(text.text, "disable")) {
    return call.shell.aliases().remove(name) ? done("Alias " + name + " is gone\n")
                                             : warned("there is no alias '" + name + "'");
  }
  if (is_command(call.shell, name)) {
    return call.shell.refuse_word(call, call.next,
                                  "invalid alias '" + name + "': there is a command of that name");
  }
  if (auto set = call.shell.aliases().set(name, text.text); !set) {
    return call.shell.refuse_word(call, call.next, set.error().message);
  }
  return done("Alias " + name + " set to " + text.text + "\n");
}

constexpr std::array kSwitch = {Word{"off", "Not"}, Word{"on", "Do"}};
constexpr std::array kAlias = {
    Word{"<name>", "Name of the alias"},
    Word{"<command>", "Command in quotes; $1, $2, … are its words"},
};
constexpr std::array kDirectory = {Word{"<path>", "Directory of files without a path"}};
constexpr std::array kMinutes = {Word{"<minutes>", "0 is never (0..100000)"}};
constexpr std::array kPrompt = {Word{"<prompt>", "Text in quotes; \"\" is user@host"}};
constexpr std::array kRows = {Word{"<rows>", "0 does not stop long output (0..100000)"}};
constexpr std::array kColumns = {Word{"<columns>", "0 is what the terminal says (40..1024)"}};
constexpr std::array kTerminal = {Word{"<type>", "Such as vt100 or xterm"}};
constexpr std::array kTimestamp = {Word{"disable", "No time before output"},
                                   Word{"format", "How the time is written"}};

constexpr std::array kSettings = {
    CliSetting{"alias", "A name for a command", kAlias, true, apply_alias},
    CliSetting{"color", "Whether colors are used", kSwitch, true, apply_color},
    CliSetting{"complete-on-space", "Whether the space bar completes words", kSwitch, true,
               apply_complete_on_space},
    CliSetting{"directory", "Working directory", kDirectory, true, apply_directory},
    CliSetting{"idle-timeout", "Time without input after which the session ends", kMinutes, true,
               apply_idle_timeout},
    CliSetting{"prompt", "Text before the cursor", kPrompt, true, apply_prompt},
    CliSetting{"screen-length", "Rows of the screen", kRows, true, apply_screen_length},
    CliSetting{"screen-width", "Columns of the screen", kColumns, true, apply_screen_width},
    CliSetting{"terminal", "Type of the terminal", kTerminal, true, apply_terminal},
    CliSetting{"timestamp", "Time before the output of each command", kTimestamp, false,
               apply_timestamp},
    CliSetting{"logical-system",
               {},
               {},
               false,
               nullptr,
               "never planned: a router is one system; routing instances separate tables"},
    CliSetting{"restart-on-upgrade",
               {},
               {},
               false,
               nullptr,
               "never planned: an upgrade is a boot, and every session begins after it"},
};

// How many words the setting takes at most.
std::size_t most_words(const CliSetting& setting) {
  return setting.apply == apply_alias || setting.apply == apply_timestamp ? 2 : 1;
}

}  // namespace

std::span<const CliSetting> cli_settings() {
  return kSettings;
}

Outcome set_cli_command(Call& call) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next, "missing argument, expecting a setting.");
  }
  const CliSetting* found = nullptr;
  for (const auto& setting : kSettings) {
    if (!is(call.word(), setting.name)) {
      continue;
    }
    if (found && found->name != call.word()) {
      const auto& word = call.words[call.next];
      return call.shell.refuse(call.line, word.column + word.text.size() + 1,
                               "'" + word.text + "' is ambiguous.");
    }
    found = found ? found : &setting;
  }
  if (!found) {
    return call.shell.refuse_word(call, call.next, "syntax error, expecting <command>.");
  }
  if (!found->refused.empty()) {
    return call.shell.refuse_word(
        call, call.next, "'" + std::string(found->name) + "' is not supported", found->refused);
  }
  ++call.next;
  if (call.at_end() && found->needs_word) {
    return call.shell.refuse_word(call, call.words.size(), "missing argument.");
  }
  if (call.rest().size() > most_words(*found)) {
    return call.shell.refuse_word(call, call.next + most_words(*found),
                                  "syntax error, expecting <command>.");
  }
  return found->apply(call);
}

Outcome show_cli_alias(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  std::string text;
  for (const auto& [name, command] : call.shell.aliases().all()) {
    text += name;
    text.append(name.size() < 19 ? 21 - name.size() : 2, ' ');
    text += command + "\n";
  }
  return done(std::move(text));
}

}  // namespace millrace::server
