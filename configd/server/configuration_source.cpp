// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/configuration_source.h"

#include <charconv>
#include <optional>

namespace millrace::server {
namespace {

using Kind = ConfigurationSource::Kind;

constexpr std::size_t kOldest = 49;

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool names(const syntax::LineWord& word, std::string_view keyword) {
  return !word.quoted && !word.text.empty() && keyword.starts_with(word.text);
}

// "missing argument" at the end of `words`, or the source that `name` makes of the word at `at`.
std::expected<SourceRead, SourceError> read_name(std::span<const syntax::LineWord> words,
                                                 std::size_t at, Kind kind,
                                                 std::string_view expected) {
  if (words.size() <= at) {
    return std::unexpected(
        SourceError{at, "missing argument, expecting <" + std::string(expected) + ">."});
  }
  return SourceRead{{kind, 0, words[at].text}, at + 1};
}

// Those that are the same behind `compare` and behind `rollback`.
std::optional<std::expected<SourceRead, SourceError>> read_keyword(
    std::span<const syntax::LineWord> words) {
  const syntax::LineWord& first = words.front();
  if (names(first, "revision")) {
    return read_name(words, 1, Kind::Revision, "revision");
  }
  if (names(first, "rescue")) {
    return SourceRead{{Kind::Rescue, 0, {}}, 1};
  }
  if (names(first, "checkpoint")) {
    return read_name(words, 1, Kind::Checkpoint, "name");
  }
  return std::nullopt;
}

base::Result<tree::ConfigTree> find_revision(const commit::Engine& engine,
                                             const std::string& name) {
  const auto id = number<commit::RevisionId>(name);
  for (const auto& revision : engine.revisions()) {
    if (id == revision.id || (!name.empty() && name == revision.label)) {
      return engine.revision_by_id(revision.id);
    }
  }
  return base::fail(base::Code::UnknownPath, "there is no revision '" + name + "'", {},
                    "'show system commit include-configuration-revision' lists them");
}

}  // namespace

std::expected<SourceRead, SourceError> read_revision(std::span<const syntax::LineWord> words) {
  if (words.empty()) {
    return std::unexpected(SourceError{0, "missing argument, expecting <number>."});
  }
  if (auto keyword = read_keyword(words)) {
    return std::move(*keyword);
  }
  const std::string& word = words.front().text;
  if (const auto index = number<std::size_t>(word); index && *index <= kOldest) {
    return SourceRead{{Kind::Rollback, *index, {}}, 1};
  }
  if (number<commit::RevisionId>(word) || commit::check_name(word)) {
    return SourceRead{{Kind::Revision, 0, word}, 1};
  }
  return std::unexpected(
      SourceError{0, "invalid value '" + word +
                         "': expected a number (0..49), the id or the label of a revision"});
}

std::expected<SourceRead, SourceError> read_source(std::span<const syntax::LineWord> words) {
  if (names(words.front(), "rollback")) {
    auto read = read_revision(words.subspan(1));
    if (!read) {
      return std::unexpected(SourceError{read.error().word + 1, std::move(read.error().message)});
    }
    ++read->used;
    return read;
  }
  if (names(words.front(), "running")) {
    return SourceRead{{Kind::Rollback, 0, {}}, 1};
  }
  if (names(words.front(), "candidate")) {
    return SourceRead{{Kind::Candidate, 0, {}}, 1};
  }
  if (auto keyword = read_keyword(words)) {
    return std::move(*keyword);
  }
  return SourceRead{{Kind::File, 0, words.front().text}, 1};
}

base::Result<tree::ConfigTree> find_configuration(const commit::Engine& engine,
                                                  const ConfigurationSource& source) {
  switch (source.kind) {
    case Kind::Running:
      return engine.running();
    case Kind::Rollback:
      return source.index == 0 ? engine.running() : engine.revision(source.index);
    case Kind::Revision:
      return find_revision(engine, source.name);
    case Kind::Rescue:
      return engine.saved().load(commit::kRescue);
    case Kind::Checkpoint:
      return engine.saved().load(source.name);
    case Kind::Candidate:
    case Kind::File:
      break;
  }
  return base::fail(base::Code::Internal, "a file is read by the client, a candidate by a session");
}

}  // namespace millrace::server
