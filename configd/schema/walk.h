// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walking the schema by words: the one reading of `interfaces eth0 unit 0 family inet mtu 1400`
// for set lines, nested text, paths of show and edit, and completion.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schema/schema.h"

namespace millrace::schema {

// One step of a path. `key` is the canonical key of a list entry or the value in a leaf-list, and
// empty elsewhere; `keyed` tells an entry from the list as a whole (`delete interfaces eth0 unit`).
struct PathStep {
  const Node* node = nullptr;
  std::string key;
  bool keyed = false;
  bool operator==(const PathStep&) const = default;
};

// Whether keys may be patterns: `<*>`, `<eth[0-3]>`. Only inside of groups (tree::Path::keys),
// where they stand for the entries that match and are there.
enum class Keys : std::uint8_t { Names, Patterns };

// `<…>`. Where keys may be patterns, this is one.
inline bool is_pattern(std::string_view key) {
  return key.size() > 2 && key.front() == '<' && key.back() == '>';
}

// The key of an entry of `list` as it is stored. Errors: BadValue and what Type::canonical returns.
base::Result<std::string> canonical_key(const Node& list, std::string_view text, Keys keys);

struct Walk {
  std::vector<PathStep> steps;      // below `from`
  std::vector<std::string> values;  // canonical; of a Leaf at most one, of a LeafList any number
};

struct WalkError {
  std::size_t word = 0;  // index of the offending word; words.size() when more is expected
  base::Code code = base::Code::UnknownPath;
  std::string message;  // "syntax error, expecting <statement>", "invalid value 'x': …"
  std::string hint;     // why a refused statement is refused, what to write instead
};

enum class Abbreviations : std::uint8_t { No, Yes };

// From `from` (a container, the root, or an entry when `from` is a List) along `words`. With
// Abbreviations::Yes an unambiguous prefix of a name stands for it (typed lines; never files).
// After a complete leaf further words start again at its parent, so `set ntp server A prefer
// version 4` and one-liners in text read the same: each group is one more Walk. An empty `words`
// gives one Walk with no steps. The words of `[ … ]` of a leaf-list are passed as plain words;
// after its first value the name of a sibling ends the leaf-list, all else is one more value. The
// step of a leaf-list has no key: its values are in Walk::values.
std::expected<std::vector<Walk>, WalkError> walk(const Node& from,
                                                 std::span<const std::string_view> words,
                                                 Abbreviations abbreviations,
                                                 Keys keys = Keys::Names);

// What a `set` of these walks still lacks, at word number `words`: "missing argument." after a list
// without its key or a leaf without its value (both are whole paths to delete or show).
std::optional<WalkError> lacking(std::span<const Walk> walks, std::size_t words);

// What may stand next after `words`, for `?` and completion.
struct Choice {
  std::string text;  // keyword, or "<placeholder>"
  std::string help;
  char marker = ' ';  // '>' container or list, '+' leaf-list
  const Node* node = nullptr;
  bool placeholder = false;
};
std::vector<Choice> choices(const Node& from, std::span<const std::string_view> words,
                            std::string_view prefix, Keys keys = Keys::Names);

}  // namespace millrace::schema
