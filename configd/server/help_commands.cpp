// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/help_commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <utility>

#include "base/pattern.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

using schema::Kind;

constexpr std::array kForms = {
    HelpForm{"apropos", "Find commands and statements by a pattern"},
    HelpForm{"reference", "The page of a command or statement"},
    HelpForm{"tip", "Something that is good to know"},
    HelpForm{"topic", "What a command or statement is for"},
};

constexpr std::array<std::string_view, 10> kTips = {
    "'show | compare' shows what the next commit would change, 'show | plan' what it would do.",
    "'commit confirmed 5' goes back by itself after five minutes unless a second commit follows.",
    "'commit confirmed 5 verify \"ping 192.0.2.1\"' lets a ping decide whether the commit stays.",
    "'rollback rescue' loads what 'request system configuration rescue save' has kept.",
    "'show configuration | display set' prints lines that can be pasted into another router.",
    "In the middle of long output, 'm' shows only matching lines and 'e' hides them.",
    "'| refresh 5' repeats a command every five seconds until a key is pressed.",
    "'set cli alias live \"show interfaces terse | match up\"' makes a command of your own.",
    "'top' and 'up' take a command: 'top show system' does not leave the present level.",
    "'| display table', '| display json' and '| display yaml' work on every show command with "
    "data.",
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char byte) {
    return static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
  });
  return text;
}

class Search {
 public:
  explicit Search(base::Pattern pattern) : pattern_(std::move(pattern)) {}

  bool hits(std::string_view words, std::string_view help) const {
    return pattern_.matches(lower(std::string(words))) ||
           pattern_.matches(lower(std::string(help)));
  }
  void found(std::string_view words, std::string_view help) {
    out_ += std::string(words) + "\n    " + std::string(help) + "\n";
  }
  std::string take() { return std::move(out_); }

  // Statements below `node`; `words` is what is typed up to there.
  void statements(const schema::Node& node, const std::string& words) {
    for (const auto& child : node.children) {
      // Groups and ranges repeat the hierarchy, and what stands everywhere is no find anywhere.
      const bool repeats =
          child->role != schema::Role::None && child->role != schema::Role::ApplyPath;
      if (repeats || child->support == schema::Support::Refused) {
        continue;
      }
      std::string path = child->nameless ? words : words + " " + child->name;
      if (child->kind == Kind::List) {
        path += " <" + child->key + ">";
      }
      if (hits(child->name, child->help)) {
        found(takes_value(*child) ? path + " " + child->type.placeholder() : path, child->help);
      }
      statements(*child, path);
    }
  }

 private:
  base::Pattern pattern_;
  std::string out_;
};

Outcome apropos(Call& call) {
  if (call.rest().size() != 1) {
    return call.shell.refuse_word(call, call.at_end() ? call.words.size() : call.next + 1,
                                  call.at_end() ? "missing argument, expecting <pattern>."
                                                : "syntax error, expecting <command>.");
  }
  auto pattern = base::Pattern::compile(lower(std::string(call.word())));
  if (!pattern) {
    return call.shell.refuse_word(call, call.next, pattern.error());
  }
  Search search(std::move(*pattern));
  if (call.shell.configuring()) {
    search.statements(call.level.schema(call.shell.services().schema), "set");
  } else {
    for (const auto& command : call.shell.commands().all()) {
      const bool hit = search.hits(command.words, command.help) ||
                       std::ranges::any_of(command.arguments, [&](const auto& argument) {
                         return search.hits(argument.name, argument.help);
                       });
      if (hit && command.runner != ops::kGroupRunner) {
        search.found(command.words, command.help);
      }
    }
  }
  std::string text = search.take();
  return done(text.empty() ? "Nothing found\n" : std::move(text));
}

// The longest command that the words begin; null when they are none as a whole.
const schema::Command* find_command(const ops::Commands& commands,
                                    std::span<const std::string_view> words) {
  for (const auto& command : commands.all()) {
    if (command.runner == ops::kGroupRunner) {
      continue;
    }
    std::string_view rest = command.words;
    std::size_t matched = 0;
    while (!rest.empty() && matched < words.size()) {
      const auto end = std::min(rest.find(' '), rest.size());
      if (!is(words[matched], rest.substr(0, end))) {
        break;
      }
      ++matched;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (rest.empty() && matched == words.size()) {
      return &command;
    }
  }
  return nullptr;
}

Outcome page(Call& call, bool whole) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next,
                                  "missing argument, expecting a command or path.");
  }
  const auto words = texts(call.rest());
  const auto& services = call.shell.services();
  const auto* command = find_command(services.commands, words);
  if (command && !call.shell.configuring()) {
    return done(whole ? reference(*command) : topic(*command));
  }
  const auto& root = services.schema.root();
  const schema::Node* node = find_statement(call.level.schema(services.schema), words);
  node = node ? node : find_statement(root, words);
  if (node) {
    return done(whole ? reference(*node) : topic(*node));
  }
  if (command) {
    return done(whole ? reference(*command) : topic(*command));
  }
  return failed({base::Code::UnknownPath,
                 "no command or statement is called '" +
                     std::string(call.line.substr(call.words[call.next].column - 1)) + "'",
                 {},
                 "'help apropos PATTERN' finds them"});
}

Outcome tip() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return done(std::string(kTips[static_cast<std::size_t>(now / 1000) % kTips.size()]) + "\n");
}

// A command alone: what there is in this mode, in two columns.
std::string overview(const Shell& shell, const ops::Commands& commands) {
  std::string text;
  const auto add = [&](std::string_view words, std::string_view help) {
    text += "  " + std::string(words);
    text.append(words.size() < 33 ? 35 - words.size() : 2, ' ');
    text += std::string(help) + "\n";
  };
  if (shell.configuring()) {
    for (const auto& row : configuration_commands()) {
      if (may_use(shell, row)) {
        add(row.name, row.help);
      }
    }
    return text;
  }
  std::vector<const schema::Command*> rows;
  for (const auto& command : commands.all()) {
    if (command.runner != ops::kGroupRunner) {
      rows.push_back(&command);
    }
  }
  std::ranges::sort(rows, {}, &schema::Command::words);
  for (const auto* command : rows) {
    add(command->words, command->help);
  }
  return text;
}

}  // namespace

std::span<const HelpForm> help_forms() {
  return kForms;
}

const schema::Node* find_statement(const schema::Node& from,
                                   std::span<const std::string_view> words) {
  const schema::Node* node = &from;
  bool keyed = true;  // whether a list's key was given or left out already
  for (const std::string_view word : words) {
    const schema::Node* next = nullptr;
    const auto consider = [&](const schema::Node& level) {
      for (const auto& child : level.children) {
        if (child->name == word && !child->nameless) {
          next = child.get();
          return;
        }
        if (is(word, child->name) && !child->nameless && !next) {
          next = child.get();
        }
      }
    };
    consider(*node);
    const schema::Node* list = node->nameless_list();
    if (!next && list) {
      consider(*list);
    }
    if (next) {
      node = next;
      keyed = next->kind != Kind::List;
    } else if (!keyed || list) {
      node = list ? list : node;  // the word is a key
      keyed = true;
    } else {
      return nullptr;
    }
  }
  return node == &from ? nullptr : node;
}

Outcome help_command(Call& call) {
  if (call.at_end()) {
    return done(overview(call.shell, call.shell.commands()));
  }
  const std::string_view word = call.word();
  ++call.next;
  if (is(word, "apropos")) {
    return apropos(call);
  }
  if (is(word, "reference")) {
    return page(call, true);
  }
  if (word.size() > 1 && is(word, "topic")) {
    return page(call, false);
  }
  if (word.size() > 1 && is(word, "tip")) {
    if (is(call.word(), "cli")) {
      ++call.next;
    }
    auto reply = leftover(call);
    return reply ? Outcome(std::move(*reply)) : tip();
  }
  if (word == "t") {
    const auto& typed = call.words[call.next - 1];
    return call.shell.refuse(call.line, typed.column + typed.text.size() + 1, "'t' is ambiguous.");
  }
  return call.shell.refuse_word(call, call.next - 1, "syntax error, expecting <command>.");
}

}  // namespace millrace::server
