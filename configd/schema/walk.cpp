// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/walk.h"

#include <algorithm>
#include <format>

#include "base/glob.h"
#include "schema/cursor.h"
#include "schema/values.h"

namespace millrace::schema {

namespace {

bool fail_value(base::Error problem, WalkError& error) {
  error.code = problem.code;
  error.message = std::move(problem.message);
  error.hint = std::move(problem.hint);
  return false;
}

bool fail_ambiguous(std::string_view word, WalkError& error) {
  error.code = base::Code::Syntax;
  error.message = std::format("'{}' is ambiguous.", shown(word));
  return false;
}

// The only value of an enumeration that begins with `word`; null when there is none or several.
const EnumValue* abbreviated_value(const Type& type, std::string_view word, bool& is_ambiguous) {
  const EnumValue* found = nullptr;
  for (const EnumValue& value : type.values) {
    if (value.name.starts_with(word)) {
      is_ambiguous = found != nullptr;
      if (is_ambiguous) {
        return nullptr;
      }
      found = &value;
    }
  }
  return found;
}

bool resolve_value(const Type& type, std::string_view word, Abbreviations abbreviations,
                   std::string& value, WalkError& error) {
  auto canonical = type.canonical(word);
  if (canonical) {
    value = std::move(*canonical);
    return true;
  }
  if (abbreviations == Abbreviations::Yes && !word.empty()) {
    bool is_ambiguous = false;
    if (const EnumValue* found = abbreviated_value(type, word, is_ambiguous)) {
      value = found->name;
      return true;
    }
    if (is_ambiguous) {
      return fail_ambiguous(word, error);
    }
  }
  return fail_value(std::move(canonical.error()), error);
}

// The only child whose name begins with `word`. Refused statements must be spelled out, so that
// they do not make others ambiguous; nor may a nameless list be called by its name.
const Node* abbreviated_child(const Node& level, std::string_view word, Keys keys,
                              bool& is_ambiguous) {
  const Node* found = nullptr;
  for (const Node* at = &level; at != nullptr; at = at->like) {
    const auto name_of = [&](std::uint32_t i) -> std::string_view { return at->children[i]->name; };
    auto it = std::ranges::lower_bound(at->by_name, word, {}, name_of);
    for (; it != at->by_name.end() && name_of(*it).starts_with(word); ++it) {
      const Node& child = *at->children[*it];
      if (child.support == Support::Refused || child.nameless ||
          (keys == Keys::Patterns && child.role == Role::Groups)) {
        continue;
      }
      is_ambiguous = found != nullptr;
      if (is_ambiguous) {
        return nullptr;
      }
      found = &child;
    }
  }
  return found;
}

}  // namespace

base::Result<std::string> canonical_key(const Node& list, std::string_view text, Keys keys) {
  if (keys == Keys::Names || !is_pattern(text)) {
    return list.type.canonical(text);
  }
  const std::string_view glob = text.substr(1, text.size() - 2);
  if (!base::is_glob(glob) || glob.find_first_of("<> ") != std::string_view::npos) {
    return base::fail(base::Code::BadValue,
                      std::format("invalid pattern '{}': expected '<', characters with *, ? and "
                                  "[ ] for any, one or some of them, and '>'",
                                  shown(text)));
  }
  return std::string(text);
}

Cursor::Cursor(const Node& from, Abbreviations abbreviations, Keys keys, std::size_t expected_words)
    : level_(&from), abbreviations_(abbreviations), keys_(keys), walks_(1) {
  walks_[0].steps.reserve(expected_words);
}

bool Cursor::take(std::string_view word, WalkError& error) {
  if (waiting_ == nullptr) {
    return descend(word, error);
  }
  if (waiting_->kind == Kind::List) {
    return take_key(word, error);
  }
  return may_leave() ? take_one_more(word, error) : take_value(word, error);
}

bool Cursor::resolve_key(const Node& list, std::string_view word, Abbreviations abbreviations,
                         std::string& key, WalkError& error) const {
  if (keys_ == Keys::Names || !is_pattern(word)) {
    return resolve_value(list.type, word, abbreviations, key, error);
  }
  auto pattern = canonical_key(list, word, keys_);
  if (!pattern) {
    return fail_value(std::move(pattern.error()), error);
  }
  key = std::move(*pattern);
  return true;
}

bool Cursor::take_key(std::string_view word, WalkError& error) {
  PathStep& step = walks_.back().steps.back();
  if (!resolve_key(*waiting_, word, abbreviations_, step.key, error)) {
    return false;
  }
  step.keyed = true;
  if (waiting_->role == Role::Groups) {
    keys_ = Keys::Patterns;
  }
  level_ = waiting_;
  waiting_ = nullptr;
  return true;
}

bool Cursor::take_value(std::string_view word, WalkError& error) {
  std::string value;
  if (!resolve_value(waiting_->type, word, abbreviations_, value, error)) {
    if (const auto expected = error.message.find(": expected");
        waiting_->secret && expected != std::string::npos) {
      error.message.replace(0, expected, "invalid value");  // what was typed is a secret, nearly
    }
    return false;
  }
  walks_.back().values.push_back(std::move(value));
  if (waiting_->kind == Kind::Leaf) {
    waiting_ = nullptr;
    is_group_done_ = true;
  }
  return true;
}

bool Cursor::take_one_more(std::string_view word, WalkError& error) {
  const Node* leaf_list = waiting_;
  const auto leave = [&] {
    waiting_ = nullptr;
    is_group_done_ = true;
    return descend(word, error);
  };
  if (level_->child(word) != nullptr) {
    return leave();
  }
  if (auto value = leaf_list->type.canonical(word)) {
    walks_.back().values.push_back(std::move(*value));
    return true;
  }
  bool is_ambiguous = false;
  if (abbreviations_ == Abbreviations::Yes &&
      (abbreviated_child(*level_, word, keys_, is_ambiguous) != nullptr || is_ambiguous)) {
    return leave();
  }
  return take_value(word, error);
}

bool Cursor::descend(std::string_view word, WalkError& error) {
  const Node* child = level_->child(word);
  if (child != nullptr && !(child->role == Role::Groups && keys_ == Keys::Patterns)) {
    return enter(*child, {}, error);
  }
  const Node* list = level_->nameless_list();
  std::string key;
  WalkError key_error;
  if (list != nullptr && resolve_key(*list, word, Abbreviations::No, key, key_error)) {
    return enter(*list, key, error);
  }
  bool is_ambiguous = false;
  if (abbreviations_ == Abbreviations::Yes && !word.empty()) {
    if (const Node* meant = abbreviated_child(*level_, word, keys_, is_ambiguous)) {
      return enter(*meant, {}, error);
    }
    if (is_ambiguous) {
      return fail_ambiguous(word, error);
    }
  }
  if (list != nullptr) {
    error = std::move(key_error);
    return false;
  }
  error.code = base::Code::UnknownPath;
  error.message = "syntax error.";
  return false;
}

bool Cursor::enter(const Node& node, std::string_view key, WalkError& error) {
  if (node.support == Support::Refused) {
    error.code = base::Code::UnknownPath;
    error.message = std::format("'{}' is not supported", node.name);
    error.hint = node.support_reason;
    return false;
  }
  if (!node.asks.empty() && abbreviations_ == Abbreviations::No) {
    error.code = base::Code::BadValue;
    error.message = std::format("'{}' is asked for and cannot be loaded", node.name);
    error.hint = std::format("type it with set at a terminal, or load {}", node.asks);
    return false;
  }
  if (is_group_done_) {
    begin_group();
  }
  const bool is_entry = node.kind == Kind::List && node.nameless;
  walks_.back().steps.push_back({&node, std::string(key), is_entry});
  if (node.kind == Kind::Container || is_entry) {
    level_ = &node;
  } else if (node.kind == Kind::Leaf && node.type.base == BaseType::Empty) {
    is_group_done_ = true;
  } else {
    waiting_ = &node;
  }
  return true;
}

void Cursor::begin_group() {
  std::vector<PathStep> steps = walks_.back().steps;
  steps.pop_back();
  walks_.push_back({std::move(steps), {}});
  is_group_done_ = false;
}

std::expected<std::vector<Walk>, WalkError> walk(const Node& from,
                                                 std::span<const std::string_view> words,
                                                 Abbreviations abbreviations, Keys keys) {
  Cursor cursor(from, abbreviations, keys, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    WalkError error;
    if (!cursor.take(words[i], error)) {
      error.word = i;
      return std::unexpected(std::move(error));
    }
  }
  return cursor.release();
}

std::optional<WalkError> lacking(std::span<const Walk> walks, std::size_t words) {
  const bool is_whole = [&] {
    if (walks.empty() || walks.back().steps.empty()) {
      return false;
    }
    const PathStep& last = walks.back().steps.back();
    switch (last.node->kind) {
      case Kind::Container:
        return true;
      case Kind::List:
        return last.keyed;
      case Kind::Leaf:
        return last.node->type.base == BaseType::Empty || !walks.back().values.empty();
      case Kind::LeafList:
        return !walks.back().values.empty();
    }
    return false;
  }();
  if (is_whole) {
    return std::nullopt;
  }
  return WalkError{
      .word = words, .code = base::Code::Syntax, .message = "missing argument.", .hint = {}};
}

}  // namespace millrace::schema
