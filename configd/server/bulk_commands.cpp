// SPDX-License-Identifier: GPL-2.0-or-later
//
// replace pattern and wildcard: edits of many objects at once.
#include <algorithm>
#include <utility>

#include "server/configuration_mode.h"
#include "tree/bulk_commands.h"
#include "tree/bulk_edit.h"

namespace millrace::server {
namespace {

using base::Result;

// The words from the command's own on, its keywords spelled out.
std::vector<std::string_view> spelled_out(const Call& call,
                                          std::span<const std::string_view> keywords) {
  auto words = texts(call.words.subspan(call.next - 1));
  std::size_t at = 0;
  for (const std::string_view keyword : keywords) {
    if (at < words.size() && !keyword.empty() && is(words[at], keyword)) {
      words[at] = keyword;
    }
    ++at;
  }
  return words;
}

Reply command_failed(const Call& call, const tree::CommandError& failure) {
  const bool is_about_words =
      failure.error.code == base::Code::Syntax || failure.error.message.starts_with("syntax error");
  if (!is_about_words) {
    return edit_failed(failure.error);
  }
  const bool ends = failure.error.message.ends_with('.');
  return call.shell.refuse_word(call, call.next - 1 + failure.word,
                                failure.error.message + (ends ? "" : "."), failure.error.hint);
}

// The same, where `[0-5]` may stand alone. `storage` holds what the words point into.
std::vector<std::string_view> with_ranges(const Call& call,
                                          std::span<const std::string_view> keywords,
                                          std::vector<std::string>& storage) {
  storage = tree::words_with_ranges(call.words.subspan(call.next - 1));
  const auto heads = spelled_out(call, keywords);
  std::vector<std::string_view> words(storage.begin(), storage.end());
  std::copy_n(heads.begin(), std::min(keywords.size(), heads.size()), words.begin());
  return words;
}

Outcome run(Call& call, const std::vector<std::string_view>& words) {
  std::optional<tree::CommandError> failure;
  auto outcome = call.shell.candidate().edit([&](tree::Editor& editor) -> Result<void> {
    return edit_as_seen(call.shell.peer(), editor, [&](tree::Editor& seen) -> Result<void> {
      tree::Path level = call.level;
      auto done = tree::run_command(seen, level, words, schema::Abbreviations::Yes);
      if (!done) {
        failure = std::move(done.error());
        return std::unexpected(failure->error);
      }
      return {};
    });
  });
  if (outcome) {
    return done();
  }
  return failure ? command_failed(call, *failure) : edit_failed(outcome.error());
}

// Shows what matches and asks before it goes.
Outcome wildcard_delete(Call& call, const std::vector<std::string_view>& words) {
  const auto found = tree::wildcard_matches(call.shell.visible(call.shell.candidate().snapshot()),
                                            call.level, words, schema::Abbreviations::Yes);
  if (!found) {
    return command_failed(call, found.error());
  }
  if (found->empty()) {
    return warned("statement not found");
  }
  std::string list;
  for (const tree::Path& path : *found) {
    const auto& last = path.steps.back();
    list += "  matched: " + (last.keyed ? last.key : last.node->name) + "\n";
  }
  const std::size_t count = found->size();
  Question question{"Delete " + std::to_string(count) + (count == 1 ? " object?" : " objects?"),
                    false};
  Reply reply = call.shell.ask(
      std::move(question), [&shell = call.shell, paths = *found](bool yes) -> Outcome {
        if (!yes) {
          return done();
        }
        auto outcome = shell.candidate().edit(
            [&](tree::Editor& editor) { return tree::remove_all(editor, paths); });
        return outcome ? done() : edit_failed(outcome.error());
      });
  reply.output = std::move(list);
  return reply;
}

bool may_edit(const Call& call) {
  return may(call.shell.peer(), {.kind = Access::Kind::Edit, .path = &call.level});
}

}  // namespace

Outcome replace_command(Call& call) {
  if (!may_edit(call)) {
    return failed("permission denied: " + call.level.to_string());
  }
  static constexpr std::string_view kKeywords[] = {"replace", "pattern", "", "with", "", "upto"};
  return run(call, spelled_out(call, kKeywords));
}

Outcome wildcard_command(Call& call) {
  if (!may_edit(call)) {
    return failed("permission denied: " + call.level.to_string());
  }
  static constexpr std::string_view kDelete[] = {"wildcard", "delete"};
  static constexpr std::string_view kSet[] = {"wildcard", "range", "set"};
  static constexpr std::string_view kRangeDelete[] = {"wildcard", "range", "delete"};
  if (is(call.word(), "delete")) {
    return wildcard_delete(call, spelled_out(call, kDelete));
  }
  const bool deletes = call.rest().size() > 1 && is(call.rest()[1].text, "delete");
  std::vector<std::string> storage;
  return run(call, with_ranges(call, deletes ? kRangeDelete : kSet, storage));
}

}  // namespace millrace::server
