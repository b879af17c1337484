// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands about two entries of one list: `rename group A to group B`. The second one is written as
// it stands in the list (`group B`), or with the whole path again.
#include <utility>

#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

using base::Result;

struct Pair {
  tree::Path entry;
  std::string other;  // key of the second entry
};

bool ends_in_entry(const schema::Walk& walk) {
  return !walk.steps.empty() && walk.steps.back().keyed && walk.values.empty();
}

std::expected<Pair, Reply> read_pair(Call& call, std::size_t separator) {
  const auto left = walk_path(call, call.next, separator);
  if (!left) {
    return std::unexpected(left.error());
  }
  if (!ends_in_entry(*left)) {
    return std::unexpected(
        call.shell.refuse_word(call, separator, "syntax error, expecting the name of an entry."));
  }
  tree::Path entry = call.level / left->steps;
  const auto second = texts(call.words.subspan(separator + 1));
  const auto& schema = call.shell.services().schema;
  for (const tree::Path& level : {entry.parent(), call.level}) {
    const auto walks =
        schema::walk(level.schema(schema), second, schema::Abbreviations::Yes, level.keys());
    if (!walks || walks->size() != 1 || !ends_in_entry(walks->front())) {
      continue;
    }
    tree::Path other = level / walks->front().steps;
    if (other.parent() == entry.parent() && other.steps.back().node == entry.steps.back().node) {
      return Pair{std::move(entry), other.steps.back().key};
    }
  }
  return std::unexpected(call.shell.refuse_word(
      call, separator + 1, "syntax error, expecting another entry of the same list."));
}

// The last unquoted word that `names` holds, behind the first argument and before the last.
std::size_t find_separator(const Call& call, std::initializer_list<std::string_view> names) {
  for (std::size_t at = call.words.size(); at-- > call.next + 1;) {
    for (const auto name : names) {
      if (!call.words[at].quoted && call.words[at].text == name && at + 1 < call.words.size()) {
        return at;
      }
    }
  }
  return call.words.size();
}

Outcome two_entries(Call& call,
                    Result<void> (tree::Editor::*change)(const tree::Path&, std::string_view)) {
  const std::size_t to = find_separator(call, {"to"});
  if (to == call.words.size()) {
    return call.shell.refuse_word(call, to, "missing argument, expecting <entry> to <entry>.");
  }
  const auto pair = read_pair(call, to);
  if (!pair) {
    return pair.error();
  }
  if (!may(call.shell.peer(), {.kind = Access::Kind::Edit, .path = &pair->entry})) {
    return failed("permission denied: " + pair->entry.to_string());
  }
  auto outcome = call.shell.candidate().edit(
      [&](tree::Editor& editor) { return (editor.*change)(pair->entry, pair->other); });
  return outcome ? done() : edit_failed(outcome.error());
}

}  // namespace

Outcome rename_command(Call& call) {
  return two_entries(call, &tree::Editor::rename);
}
Outcome copy_command(Call& call) {
  return two_entries(call, &tree::Editor::copy);
}

Outcome insert_command(Call& call) {
  const std::size_t at = find_separator(call, {"before", "after"});
  if (at == call.words.size()) {
    return call.shell.refuse_word(call, at,
                                  "missing argument, expecting <entry> before|after <entry>.");
  }
  const auto pair = read_pair(call, at);
  if (!pair) {
    return pair.error();
  }
  if (!may(call.shell.peer(), {.kind = Access::Kind::Edit, .path = &pair->entry})) {
    return failed("permission denied: " + pair->entry.to_string());
  }
  const auto side =
      call.words[at].text == "before" ? tree::Editor::Side::Before : tree::Editor::Side::After;
  auto outcome = call.shell.candidate().edit(
      [&](tree::Editor& editor) { return editor.insert(pair->entry, side, pair->other); });
  return outcome ? done() : edit_failed(outcome.error());
}

}  // namespace millrace::server
