// SPDX-License-Identifier: GPL-2.0-or-later
//
// A configuration as a person names it: where `compare`, `rollback` and the programs look one up.
//
//   running   candidate   rollback N   revision ID   rescue   checkpoint NAME   FILE
//
// Behind `rollback` stands the index of a revision (0 to 49), its id (which is above 49 sooner or
// later; `revision ID` works from the start), its label, or one of the other two.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "commit/engine.h"
#include "syntax/command_line.h"

namespace millrace::server {

struct ConfigurationSource {
  enum class Kind : std::uint8_t {
    Running,
    Candidate,
    Rollback,
    Revision,
    Rescue,
    Checkpoint,
    File
  };
  Kind kind = Kind::Running;
  std::size_t index = 0;  // Rollback
  std::string name;       // Revision: its id or label as typed; Checkpoint and File: its name
};

struct SourceError {
  std::size_t word = 0;  // index of the offending word; the count of words when more is expected
  std::string message;
};

// What the front of `words` names, and how many of them that took. Requires: `words` is not empty.
struct SourceRead {
  ConfigurationSource source;
  std::size_t used = 0;
};
std::expected<SourceRead, SourceError> read_source(std::span<const syntax::LineWord> words);

// The same for the words behind `rollback`.
std::expected<SourceRead, SourceError> read_revision(std::span<const syntax::LineWord> words);

// The tree of `source`. Requires: no file, which only the client can read, and no
// candidate, which only a session has. Errors: UnknownPath when
// there is no such revision.
base::Result<tree::ConfigTree> find_configuration(const commit::Engine& engine,
                                                  const ConfigurationSource& source);

}  // namespace millrace::server
