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

std::expected<SourceRead, SourceError> read_rollback(std::span<const syntax::LineWord> words) {
  if (words.size() < 2) {
    return std::unexpected(SourceError{1, "missing argument, expecting <number>."});
  }
  const auto index = number<std::size_t>(words[1].text);
  if (!index || *index > kOldest) {
    return std::unexpected(
        SourceError{1, "Value " + words[1].text + " is not within range (0..49)"});
  }
  return SourceRead{{Kind::Rollback, *index, {}}, 2};
}

}  // namespace

std::expected<SourceRead, SourceError> read_source(std::span<const syntax::LineWord> words) {
  const syntax::LineWord& first = words.front();
  if (names(first, "rollback")) {
    return read_rollback(words);
  }
  if (names(first, "revision")) {
    if (words.size() < 2) {
      return std::unexpected(SourceError{1, "missing argument, expecting <revision>."});
    }
    return SourceRead{{Kind::Revision, 0, words[1].text}, 2};
  }
  if (names(first, "rescue")) {
    return SourceRead{{Kind::Rescue, 0, {}}, 1};
  }
  return SourceRead{{Kind::File, 0, first.text}, 1};
}

base::Result<tree::ConfigTree> find_configuration(const commit::Engine& engine,
                                                  const ConfigurationSource& source) {
  switch (source.kind) {
    case Kind::Running:
      return engine.running();
    case Kind::Rollback:
      return source.index == 0 ? engine.running() : engine.revision(source.index);
    case Kind::Revision: {
      const auto id = number<commit::RevisionId>(source.name);
      std::size_t index = 0;
      for (const auto& revision : engine.revisions()) {
        if (id == revision.id) {
          return engine.revision(index);
        }
        ++index;
      }
      return base::fail(base::Code::UnknownPath, "there is no revision '" + source.name + "'", {},
                        "'show system commit' lists them");
    }
    case Kind::Rescue:
      return base::fail(base::Code::UnknownPath, "there is no rescue configuration");
    case Kind::File:
      break;
  }
  return base::fail(base::Code::Internal, "a file is read by the client");
}

}  // namespace millrace::server
