// SPDX-License-Identifier: GPL-2.0-or-later
//
// Words of configuration mode: what each command takes.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "server/commit_options.h"
#include "server/completion_parts.h"
#include "server/configuration_mode.h"
#include "server/loading.h"

namespace millrace::server {
namespace {

tree::ConfigTree candidate(const Asking& asking) {
  return asking.shell.candidate().snapshot();
}

void set(Asking& asking) {
  complete_path(asking, candidate(asking), PathUse::Set);
}
void existing(Asking& asking) {
  complete_path(asking, candidate(asking), PathUse::Existing);
}
void shown(Asking& asking) {
  complete_path(asking, candidate(asking), PathUse::Shown);
}
void edit(Asking& asking) {
  complete_path(asking, candidate(asking), PathUse::Level);
}

void nothing(Asking& asking) {
  asking.complete();
  if (!asking.at_end() || !asking.prefix.empty()) {
    asking.wrong(asking.next, "syntax error, expecting <command>.");
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void annotate(Asking& asking) {
  existing(asking);
  std::erase_if(asking.out.offers, [](const Offer& offer) {
    return offer.kind == OfferKind::Enter || offer.kind == OfferKind::Pipe;
  });
  if (!asking.at_end()) {
    asking.placeholder("<comment>", "Text in quotes");
    asking.out.problem.reset();
  }
}

void commit(Asking& asking) {
  if (!asking.at_end() && asking.words.back().text.size() > 2 &&
      is(asking.words.back().text, "comment")) {
    asking.placeholder("<comment>", "Text in quotes");
    return;
  }
  const std::string_view last = asking.at_end() ? "" : std::string_view(asking.words.back().text);
  if (is(last, "label")) {
    asking.placeholder("<name>", "Name of the revision");
    return;
  }
  if (is(last, "verify")) {
    asking.placeholder("<command>", "ping or show command in quotes: its success confirms");
    return;
  }
  if (is(last, "at")) {
    asking.placeholder("<time>", "\"HH:MM[:SS]\" or \"YYYY-MM-DD HH:MM[:SS]\"");
    asking.keyword("reboot", "When the router boots");
    return;
  }
  asking.complete();
  if (last.size() > 2 && is(last, "confirmed")) {
    asking.placeholder("<minutes>", "Until it is rolled back (1..65535)");
    asking.keyword("cancel", "Roll back what waits for a confirmation");
  }
  const auto given = asking.words.subspan(asking.next);
  const auto said = [&](std::string_view name) {
    return std::ranges::any_of(given, [&](const syntax::LineWord& word) {
      return word.text.size() > 2 && is(word.text, name);
    });
  };
  if (said("confirmed") && !said("verify")) {
    asking.keyword("verify", "Let a command decide");
  }
  for (const auto& [word, help] : commit_words()) {
    asking.keyword(word, help);
  }
  const bool counts = is(last, "confirmed") && is_number(asking.prefix);
  if (!asking.prefix.empty() && !asking.has_words() && !counts) {
    asking.wrong(asking.words.size(), "syntax error, expecting <command>.");
  }
}

void rollback(Asking& asking) {
  if (asking.at_end()) {
    asking.complete();
    offer_revisions(asking);
  } else if (complete_revision(asking)) {
    asking.complete();
  }
}

void file(Asking& asking) {
  asking.file("Name of a file");
  asking.placeholder("<url>", "Where another host has it: scp, sftp, https, http or ftp");
  asking.keyword("terminal", "This terminal");
}

void load(Asking& asking) {
  if (asking.at_end()) {
    asking.keyword("factory-default", "Go back to the configuration that the router came with");
    for (const LoadAction& row : load_actions()) {
      asking.keyword(row.name, row.help);
    }
    if (!asking.prefix.empty() && !asking.has_words()) {
      asking.wrong(asking.words.size(), "syntax error, expecting <command>.");
    }
    return;
  }
  const bool has_source = !is(asking.word(), "factory-default");
  const bool has_form = !is(asking.word(), "set") && !is(asking.word(), "patch");
  ++asking.next;
  if (asking.at_end() && has_source) {
    return file(asking);
  }
  asking.complete();
  if (has_source) {
    const auto said = [&](std::string_view word) {
      return std::ranges::any_of(asking.words.subspan(asking.next + 1),
                                 [&](const syntax::LineWord& each) { return is(each.text, word); });
    };
    if (!said("relative")) {
      asking.keyword("relative", "Below the present level");
    }
    if (has_form && !said("json") && !said("xml")) {
      asking.keyword("json", "The input is JSON");
      asking.keyword("xml", "The input is XML");
    }
  }
}

void save(Asking& asking) {
  asking.at_end() ? file(asking) : asking.complete();
}

void replace(Asking& asking) {
  const std::size_t given = asking.words.size() - asking.next;
  switch (given) {
    case 0:
      return asking.keyword("pattern", "A pattern to look for");
    case 1:
      return asking.placeholder("<pattern>", "Extended regular expression");
    case 2:
      return asking.keyword("with", "What is written instead");
    case 3:
      return asking.placeholder("<text>", "Text; \\1 stands for what the first group matched");
    case 4:
      asking.complete();
      return asking.keyword("upto", "Change no more than a number of objects");
    case 5:
      return asking.placeholder("<number>", "How many objects");
    default:
      asking.complete();
  }
}

// Whether a word, the one at the cursor among them, is a pattern or a range, which is no name yet.
bool has_pattern(const Asking& asking) {
  constexpr std::string_view kSpecial = "[]*?+()|^$\\";
  const auto is_special = [](std::string_view word) {
    return word.find_first_of(kSpecial) != std::string_view::npos;
  };
  return is_special(asking.prefix) ||
         std::ranges::any_of(
             asking.words.subspan(asking.next), is_special,
             [](const syntax::LineWord& word) { return std::string_view(word.text); });
}

// What is behind a pattern cannot be checked before it is known what the pattern stands for.
void forgive_patterns(Asking& asking) {
  if (has_pattern(asking)) {
    asking.out.problem.reset();
  }
}

void wildcard(Asking& asking) {
  if (asking.at_end()) {
    asking.keyword("delete", "Delete what a pattern matches, after a question");
    asking.keyword("range", "Set or delete what ranges of numbers stand for");
    return;
  }
  const bool deletes = is(asking.word(), "delete");
  ++asking.next;
  if (!deletes && asking.at_end()) {
    asking.keyword("delete", "Delete each of the statements");
    asking.keyword("set", "Set each of the statements");
    return;
  }
  if (!deletes) {
    const bool sets = is(asking.word(), "set");
    ++asking.next;
    // Names with ranges are no names yet, so behind them nothing can be said.
    sets ? set(asking) : existing(asking);
    return forgive_patterns(asking);
  }
  existing(asking);
  forgive_patterns(asking);
  asking.placeholder("<pattern>", "Extended regular expression for the names to delete");
}

void leave(Asking& asking) {
  asking.complete();
  if (asking.at_end()) {
    asking.keyword("configuration-mode", "Leave configuration mode from any level");
  }
}

void top(Asking& asking) {
  asking.level = {};
  if (asking.at_end()) {
    asking.complete();
  }
  complete_configuration(asking);
}

void up(Asking& asking) {
  unsigned count = 1;
  const std::string_view word = asking.word();
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (!word.empty() && code == std::errc() && end == word.data() + word.size()) {
    ++asking.next;
  } else {
    count = 1;
    if (asking.at_end()) {
      asking.placeholder("<number>", "How many levels");
      if (is_number(asking.prefix)) {
        return;
      }
    }
  }
  for (; count > 0 && !asking.level.empty(); --count) {
    asking.level = level_above(std::move(asking.level), asking.shell.services().schema);
  }
  if (asking.at_end()) {
    asking.complete();
  }
  complete_configuration(asking);
}

// `rename group A to group B`: two entries of one list.
void pair(Asking& asking, std::initializer_list<std::string_view> separators) {
  for (std::size_t at = asking.words.size(); at-- > asking.next + 1;) {
    const auto& word = asking.words[at];
    if (word.quoted || !std::ranges::contains(separators, word.text)) {
      continue;
    }
    const auto& schema = asking.shell.services().schema;
    const auto left = schema::walk(asking.level.schema(schema),
                                   texts(asking.words.subspan(asking.next, at - asking.next)),
                                   schema::Abbreviations::Yes, asking.level.keys());
    if (left && left->size() == 1 && !left->front().steps.empty()) {
      asking.level = (asking.level / left->front().steps).parent();
      asking.next = at + 1;
      existing(asking);
    }
    return;
  }
  existing(asking);
  const bool whole = !asking.at_end() && (!asking.prefix.empty() || !asking.out.problem);
  std::erase_if(asking.out.offers, [](const Offer& offer) {
    return offer.kind == OfferKind::Enter || offer.kind == OfferKind::Pipe;
  });
  for (const auto separator : separators) {
    if (whole && separator.starts_with(asking.prefix)) {
      asking.keyword(separator, separator == "to" ? "The name it gets" : "Where it goes");
      asking.out.problem.reset();
    }
  }
}

void rename(Asking& asking) {
  pair(asking, {"to"});
}
void insert(Asking& asking) {
  pair(asking, {"after", "before"});
}

struct Row {
  std::string_view command;
  void (*complete)(Asking& asking);
};

constexpr std::array kRows = {
    Row{"activate", existing},
    Row{"annotate", annotate},
    Row{"commit", commit},
    Row{"copy", rename},
    Row{"deactivate", existing},
    Row{"delete", existing},
    Row{"edit", edit},
    Row{"exit", leave},
    Row{"help", complete_help},
    Row{"insert", insert},
    Row{"load", load},
    Row{"protect", existing},
    Row{"quit", leave},
    Row{"rename", rename},
    Row{"replace", replace},
    Row{"rollback", rollback},
    Row{"run", complete_operational},
    Row{"save", save},
    Row{"set", set},
    Row{"show", shown},
    Row{"status", nothing},
    Row{"update", nothing},
    Row{"top", top},
    Row{"unprotect", existing},
    Row{"up", up},
    Row{"wildcard", wildcard},
};

}  // namespace

void complete_configuration(Asking& asking) {
  const auto commands = configuration_commands();
  if (asking.at_end()) {
    for (const auto& row : commands) {
      if (is_available(row) && may_use(asking.shell, row)) {
        asking.keyword(row.name, row.help);
      }
    }
    if (!asking.prefix.empty() && !asking.has_words()) {
      asking.wrong(asking.words.size(), "unknown command.");
    }
    return;
  }
  const auto found = find_row(commands, asking.word());
  if (!found.row || found.ambiguous) {
    asking.wrong(
        asking.next,
        found.row ? "'" + std::string(asking.word()) + "' is ambiguous." : "unknown command.",
        found.ambiguous);
    return;
  }
  ++asking.next;
  const auto row = std::ranges::find(kRows, found.row->name, &Row::command);
  if (row != kRows.end()) {
    row->complete(asking);
  }
}

}  // namespace millrace::server
