// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines of the revision log. One record a line:
//
//   LENGTH CRC JSON '\n'     LENGTH of the JSON in decimal bytes, CRC-32C of it as 8 hex digits
//
// JSON escapes newlines, so a line is a record and a reader can find the next one after damage.
// That is how a torn tail (nothing valid follows: cut it) is told from a damaged log (something
// valid follows: say so).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commit/revision_log.h"

namespace millrace::commit {

struct Record {
  // Segment heads a file: `id` is the last committed revision before it, 0 in the first file, and
  // `time` when it was begun.
  enum class Kind : std::uint8_t { Segment, Prepare, Committed, Aborted, Confirmed };
  Kind kind = Kind::Segment;
  Revision revision;  // of all kinds the id; of Prepare everything
  RevisionId parent = 0;
  std::string delta;  // tree::encode
  std::vector<std::string> touched;
};

// Errors: BadValue for text that is not UTF-8.
base::Result<std::string> encode_record(const Record& record);

struct LocatedRecord {
  Record record;
  std::size_t offset = 0;
  std::size_t length = 0;  // of the whole line
};

struct RecordScan {
  std::vector<LocatedRecord> records;
  std::size_t good = 0;  // bytes of whole records from the start; what follows is a torn tail
  // Set when good records follow the torn one, which a power cut does not do.
  std::optional<std::string> damage;
};

RecordScan scan_records(std::string_view text);

// The highest id that any record in `text` has, damaged ones between them or not.
RevisionId highest_id(std::string_view text);

std::uint32_t crc32c(std::string_view bytes);

}  // namespace millrace::commit
