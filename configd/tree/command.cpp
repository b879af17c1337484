// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/command.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "tree/bulk_commands.h"
#include "tree/edit.h"

namespace millrace::tree {
namespace {

using base::Code;
using Words = std::span<const std::string_view>;
using Done = std::expected<void, CommandError>;

std::unexpected<CommandError> fail(std::size_t word, Code code, std::string message,
                                   std::string path = {}, std::string hint = {}) {
  return std::unexpected(
      CommandError{word, {code, std::move(message), std::move(path), std::move(hint), nullptr}});
}

class Command {
 public:
  Command(Editor& editor, Path& level, Words words, schema::Abbreviations abbreviations)
      : editor_(editor), level_(level), words_(words), abbreviations_(abbreviations) {}

  Done set() {
    return for_each_walk(words_.size(),
                         [&](const schema::Walk& walk) { return editor_.set(level_, walk); });
  }

  Done remove() {
    return for_each_walk(words_.size() - 1,
                         [&](const schema::Walk& walk) { return editor_.remove(level_, walk); });
  }

  Done set_inactive(bool on) {
    const auto path = object(1, words_.size());
    return path ? at(words_.size() - 1, editor_.set_inactive(*path, on))
                : std::unexpected(path.error());
  }

  Done set_protected(bool on) {
    const auto path = object(1, words_.size());
    return path ? at(words_.size() - 1, editor_.set_protected(*path, on))
                : std::unexpected(path.error());
  }

  Done annotate() {
    if (words_.size() < 3) {
      return fail(words_.size(), Code::Syntax, "syntax error, expecting <comment>");
    }
    const auto path = object(1, words_.size() - 1);
    return path ? at(words_.size() - 2, editor_.annotate(*path, words_.back()))
                : std::unexpected(path.error());
  }

  Done rename() {
    return with_other({"to"}, [&](const Path& entry, std::string_view, std::string_view key) {
      return editor_.rename(entry, key);
    });
  }

  Done copy() {
    return with_other({"to"}, [&](const Path& entry, std::string_view, std::string_view key) {
      return editor_.copy(entry, key);
    });
  }

  Done insert() {
    return with_other(
        {"before", "after"}, [&](const Path& entry, std::string_view side, std::string_view key) {
          return editor_.insert(entry,
                                side == "before" ? Editor::Side::Before : Editor::Side::After, key);
        });
  }

  Done replace() { return replace_words(editor_, level_, words_); }

  Done wildcard() { return wildcard_words(editor_, level_, words_, abbreviations_); }

  Done edit() {
    auto path = object(1, words_.size());
    if (!path) {
      return std::unexpected(path.error());
    }
    const schema::PathStep& last = path->steps.back();
    if (!last.keyed && last.node->kind != schema::Kind::Container) {
      return fail(words_.size(), Code::Syntax,
                  last.node->kind == schema::Kind::List
                      ? "syntax error, expecting " + last.node->type.placeholder()
                      : "not a level of the configuration");
    }
    level_ = std::move(*path);
    return {};
  }

  Done up() {
    std::size_t levels = 1;
    if (words_.size() > 1) {
      const std::string_view text = words_[1];
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), levels);
      if (error != std::errc() || end != text.data() + text.size()) {
        return fail(1, Code::Syntax, "syntax error, expecting a number of levels");
      }
    }
    levels = std::min(levels, level_.steps.size());
    level_.steps.resize(level_.steps.size() - levels);
    return {};
  }

  Done top() {
    level_ = {};
    return {};
  }

 private:
  static Done at(std::size_t word, base::Error error) {
    const bool of_state = error.code == Code::UnknownPath || error.code == Code::Denied;
    return std::unexpected(CommandError{word, std::move(error), of_state});
  }
  static Done at(std::size_t word, base::Result<void> result) {
    return result ? Done{} : at(word, std::move(result.error()));
  }

  std::expected<std::vector<schema::Walk>, CommandError> walk(std::size_t from, std::size_t to) {
    const schema::Node& start = level_.schema(editor_.tree().schema());
    auto walks =
        schema::walk(start, words_.subspan(from, to - from), abbreviations_, level_.keys());
    if (!walks) {
      schema::WalkError& error = walks.error();
      return fail(from + error.word, error.code, std::move(error.message), level_.to_string(),
                  std::move(error.hint));
    }
    return std::move(*walks);
  }

  template <class Edit>
  Done for_each_walk(std::size_t blamed_word, const Edit& edit) {
    const auto walks = walk(1, words_.size());
    if (!walks) {
      return std::unexpected(walks.error());
    }
    // A copy of the tree makes the edit copy its way, so only where there is something to undo.
    std::optional<ConfigTree> before;
    if (walks->size() > 1) {
      before = editor_.tree();
    }
    for (const schema::Walk& walk : *walks) {
      if (auto done = edit(walk); !done) {
        if (before) {
          editor_.reset(std::move(*before));
        }
        return at(blamed_word, std::move(done.error()));
      }
    }
    return {};
  }

  // The one object that the words name.
  std::expected<Path, CommandError> object(std::size_t from, std::size_t to) {
    if (from >= to) {
      return fail(from, Code::Syntax, "syntax error, expecting <statement>");
    }
    const auto walks = walk(from, to);
    if (!walks) {
      return std::unexpected(walks.error());
    }
    if (walks->size() != 1 || walks->front().values.size() > 1) {
      return fail(to - 1, Code::Syntax, "syntax error, expecting one statement");
    }
    return edit::target(level_, walks->front());
  }

  // "PATH K1 WORD [NAME] K2": the key is last, the word before it or before the name.
  template <class Use>
  Done with_other(std::initializer_list<std::string_view> between, const Use& use) {
    const auto is_between = [&](std::size_t index) {
      return index >= 2 && std::ranges::find(between, words_[index]) != between.end();
    };
    const std::size_t size = words_.size();
    for (const std::size_t back : {std::size_t{3}, std::size_t{2}}) {
      if (size < back + 2 || !is_between(size - back)) {
        continue;
      }
      const auto entry = object(1, size - back);
      if (!entry) {
        return std::unexpected(entry.error());
      }
      if (back == 3 && words_[size - 2] != entry->steps.back().node->name) {
        continue;
      }
      return at(size - 1, use(*entry, words_[size - back], words_.back()));
    }
    return fail(size, Code::Syntax,
                "syntax error, expecting '" + std::string(*between.begin()) + "' and a key");
  }

  Editor& editor_;
  Path& level_;
  Words words_;
  schema::Abbreviations abbreviations_;
};

struct Verb {
  std::string_view name;
  Done (*run)(Command&);
};

constexpr std::array kVerbs{
    Verb{"set", [](Command& command) { return command.set(); }},
    Verb{"delete", [](Command& command) { return command.remove(); }},
    Verb{"deactivate", [](Command& command) { return command.set_inactive(true); }},
    Verb{"activate", [](Command& command) { return command.set_inactive(false); }},
    Verb{"protect", [](Command& command) { return command.set_protected(true); }},
    Verb{"unprotect", [](Command& command) { return command.set_protected(false); }},
    Verb{"annotate", [](Command& command) { return command.annotate(); }},
    Verb{"rename", [](Command& command) { return command.rename(); }},
    Verb{"copy", [](Command& command) { return command.copy(); }},
    Verb{"insert", [](Command& command) { return command.insert(); }},
    Verb{"replace", [](Command& command) { return command.replace(); }},
    Verb{"wildcard", [](Command& command) { return command.wildcard(); }},
    Verb{"edit", [](Command& command) { return command.edit(); }},
    Verb{"up", [](Command& command) { return command.up(); }},
    Verb{"exit", [](Command& command) { return command.up(); }},
    Verb{"top", [](Command& command) { return command.top(); }},
};

}  // namespace

bool is_command(std::string_view verb) {
  return std::ranges::find(kVerbs, verb, &Verb::name) != kVerbs.end();
}

std::expected<void, CommandError> run_command(Editor& editor, Path& level,
                                              std::span<const std::string_view> words,
                                              schema::Abbreviations abbreviations) {
  const auto verb = std::ranges::find(kVerbs, words.front(), &Verb::name);
  if (verb == kVerbs.end()) {
    return fail(0, Code::Syntax, "unknown command");
  }
  Command command(editor, level, words, abbreviations);
  return verb->run(command);
}

}  // namespace millrace::tree
