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
void edit(Asking& asking) {
  complete_path(asking, candidate(asking), PathUse::Level);
}

void nothing(Asking& asking) {
  asking.complete();
  if (!asking.at_end() || !asking.prefix.empty()) {
    asking.wrong(asking.next, "syntax error, expecting <command>.");
  }
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
    asking.keyword("verify", "Let a command decide");
  }
  for (const auto& [word, help] : commit_words()) {
    asking.keyword(word, help);
  }
  if (!asking.prefix.empty() && !asking.has_words()) {
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
  asking.placeholder("<file>", "Name of a file");
  asking.keyword("terminal", "This terminal");
}

void load(Asking& asking) {
  if (asking.at_end()) {
    asking.keyword("merge", "Add to the candidate; what is loaded wins");
    asking.keyword("override", "Take the place of the candidate");
    asking.keyword("replace",
                   "Like merge, and statements tagged 'replace:' take the place of theirs");
    asking.keyword("set", "Run set, delete and other editing commands");
    asking.keyword("update", "Take the place of the candidate, changing only what differs");
    if (!asking.prefix.empty() && !asking.has_words()) {
      asking.wrong(asking.words.size(), "syntax error, expecting <command>.");
    }
    return;
  }
  ++asking.next;
  if (asking.at_end()) {
    return file(asking);
  }
  ++asking.next;
  asking.complete();
  if (asking.at_end()) {
    asking.keyword("relative", "Below the present level");
  }
}

void save(Asking& asking) {
  asking.at_end() ? file(asking) : asking.complete();
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
    Row{"help", nothing},
    Row{"insert", insert},
    Row{"load", load},
    Row{"protect", existing},
    Row{"quit", leave},
    Row{"rename", rename},
    Row{"rollback", rollback},
    Row{"run", complete_operational},
    Row{"save", save},
    Row{"set", set},
    Row{"show", existing},
    Row{"status", nothing},
    Row{"top", top},
    Row{"unprotect", existing},
    Row{"up", up},
};

}  // namespace

void complete_configuration(Asking& asking) {
  const auto commands = configuration_commands();
  if (asking.at_end()) {
    for (const auto& row : commands) {
      if (is_available(row)) {
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
