// SPDX-License-Identifier: GPL-2.0-or-later
//
// Words behind `set cli` and `help`.
#include <algorithm>

#include "server/cli_settings.h"
#include "server/completion_parts.h"
#include "server/help_commands.h"

namespace millrace::server {
namespace {

void offer_word(Asking& asking, const CliSetting::Word& word) {
  if (word.name.starts_with('<')) {
    asking.placeholder(std::string(word.name), word.help);
  } else {
    asking.keyword(word.name, word.help);
  }
}

// Words of a command, one by one.
void offer_commands(Asking& asking) {
  for (const auto& choice : asking.shell.commands().choices(asking.rest(), asking.prefix)) {
    if (!choice.placeholder) {
      asking.keyword(choice.text, choice.help);
    }
  }
}

}  // namespace

void complete_set_cli(Asking& asking) {
  if (asking.at_end()) {
    for (const auto& setting : cli_settings()) {
      if (setting.refused.empty()) {
        asking.keyword(setting.name, setting.help);
      }
    }
    if (!asking.prefix.empty() && asking.out.offers.empty()) {
      asking.wrong(asking.words.size(), "syntax error, expecting <command>.");
    }
    return;
  }
  const auto setting = std::ranges::find_if(
      cli_settings(), [&](const CliSetting& row) { return is(asking.word(), row.name); });
  ++asking.next;
  if (setting == cli_settings().end()) {
    return;
  }
  const std::size_t given = asking.words.size() - asking.next;
  const bool free = !setting->words.empty() && setting->words.front().name.starts_with('<');
  if (setting->name == "alias" && given == 0) {
    offer_word(asking, setting->words[0]);
    for (const auto& [name, command] : asking.shell.aliases().all()) {
      asking.name(name, command);
    }
  } else if (setting->name == "alias" && given == 1) {
    offer_word(asking, setting->words[1]);
    asking.keyword("disable", "Forget the alias");
  } else if (setting->name == "timestamp" && given == 1 && is(asking.word(), "format")) {
    asking.placeholder("<format>", "As of strftime, in quotes");
  } else if (given == 0) {
    for (const auto& word : setting->words.first(free ? 1 : setting->words.size())) {
      offer_word(asking, word);
    }
    if (!setting->needs_word) {
      asking.complete();
    }
  } else {
    asking.complete();
  }
}

void complete_help(Asking& asking) {
  if (asking.at_end()) {
    asking.complete();
    for (const auto& form : help_forms()) {
      asking.keyword(form.name, form.help);
    }
    if (!asking.prefix.empty() && !asking.has_words()) {
      asking.wrong(asking.words.size(), "syntax error, expecting <command>.");
    }
    return;
  }
  const std::string_view form = asking.word();
  ++asking.next;
  if (is(form, "apropos")) {
    return asking.at_end() ? asking.placeholder("<pattern>", "Regular expression")
                           : asking.complete();
  }
  if (is(form, "tip")) {
    asking.complete();
    if (asking.at_end()) {
      asking.keyword("cli", "About the command line");
    }
    return;
  }
  if (!asking.at_end()) {
    asking.complete();
  }
  if (!asking.shell.configuring()) {
    offer_commands(asking);
  }
  // Statements by their names alone: keys are left out or typed as they come.
  const auto& root = asking.shell.services().schema.root();
  const schema::Node* node =
      asking.at_end() ? &root : find_statement(root, texts(asking.words.subspan(asking.next)));
  for (const schema::Node* level : {node, node ? node->nameless_list() : nullptr}) {
    for (std::size_t at = 0; level && at < level->children.size(); ++at) {
      const auto& child = *level->children[at];
      if (!child.nameless && child.support != schema::Support::Refused) {
        asking.keyword(child.name, child.help);
      }
    }
  }
}

}  // namespace millrace::server
