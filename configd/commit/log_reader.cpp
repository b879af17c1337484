// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/log_reader.h"

#include <algorithm>
#include <charconv>
#include <format>

#include "base/file.h"
#include "commit/record.h"
#include "commit/segment.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

}  // namespace

Result<std::vector<RevisionId>> log_files(const std::filesystem::path& folder) {
  std::vector<RevisionId> bases;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = file.path().filename().string();
    RevisionId base = 0;
    const auto parsed = std::from_chars(name.data() + std::min<std::size_t>(4, name.size()),
                                        name.data() + name.size(), base);
    if (name.starts_with("log-") && parsed.ec == std::errc() &&
        parsed.ptr == name.data() + name.size()) {
      bases.push_back(base);
    }
  }
  if (error) {
    return base::fail(Code::Io,
                      std::format("cannot read {}: {}", folder.string(), error.message()));
  }
  std::ranges::sort(bases);
  return bases;
}

namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& folder) : folder_(folder) {}

  Result<LogContents> read(RevisionId first) {
    auto bases = log_files(folder_);
    if (!bases) {
      return std::unexpected(bases.error());
    }
    std::erase_if(*bases, [&](RevisionId base) { return base < first; });
    for (const RevisionId base : *bases) {
      if (auto read = read_file(base, base == bases->back()); !read) {
        contents_.damage = read.error().message;
        pending_.reset();  // whether it was committed is what cannot be read
        break;
      }
    }
    auto& entries = contents_.entries;
    const bool headless = contents_.segments.empty() && !bases->empty() && bases->front() > 0;
    if (headless && first > 0) {
      contents_.segments.push_back(bases->front());  // the caller knows a snapshot for it
    } else if (headless && !contents_.damage) {
      contents_.damage =
          damaged(bases->front(), "nothing that it follows is there").error().message;
    }
    if (entries.empty() && !contents_.segments.empty()) {
      // A chain that begins with a snapshot and has nothing after it.
      entries[contents_.segments.back()] = snapshot_entry(contents_.segments.back());
    }
    if (pending_) {
      contents_.recovery.interrupted = pending_->revision.id;
      contents_.recovery.user = pending_->revision.user;
      contents_.recovery.touched = pending_->touched;
    }
    return std::move(contents_);
  }

 private:
  static LogEntry snapshot_entry(RevisionId base) {
    LogEntry entry;
    entry.revision = {base, 0, "root", "other", "what its snapshot holds"};
    entry.segment = base;
    return entry;
  }

  Result<void> read_file(RevisionId base, bool last) {
    const auto text = base::read_file(Segment::path(folder_, base));
    if (!text) {
      return damaged(base, text.error().message);
    }
    RecordScan scan = scan_records(*text);
    std::size_t good = 0;
    for (LocatedRecord& located : scan.records) {
      if ((good > 0) == (located.record.kind == Record::Kind::Segment)) {
        return damaged(base, "found a record that is out of place");
      }
      if (auto read = read_record(base, located); !read) {
        return read;
      }
      good = located.offset + located.length;
      contents_.last_file = base;
      contents_.good = good;
    }
    if (scan.damage) {
      return damaged(base, *scan.damage);
    }
    const std::size_t torn = text->size() - scan.good;
    if (!last && (torn > 0 || good == 0)) {
      return damaged(base, good == 0 ? "it is empty, and it is not the last file"
                                     : "its end is torn, and it is not the last file");
    }
    if (torn > 0) {
      contents_.recovery.remarks.push_back(
          std::format("cut a torn record of {} bytes off the log", torn));
    }
    contents_.last_file = base;
    contents_.good = good;
    return {};
  }

  Result<void> read_record(RevisionId base, LocatedRecord& located) {
    Record& record = located.record;
    const RevisionId id = record.revision.id;
    auto& entries = contents_.entries;
    contents_.next_id = std::max(contents_.next_id, id + 1);
    switch (record.kind) {
      case Record::Kind::Segment:
        contents_.segments.push_back(base);
        if (base == 0) {
          entries[0] = initial_entry(record.revision.time);
        }
        break;
      case Record::Kind::Prepare:
        if (!entries.empty() && record.parent != entries.rbegin()->first) {
          return damaged(
              base, std::format("revision {} follows {}, which is not there", id, record.parent));
        }
        // One before it that has no end was aborted: its record is optional.
        pending_ = std::move(record);
        pending_->delta.clear();
        pending_entry_ = {pending_->revision, base, located.offset, located.length, false, {}};
        break;
      case Record::Kind::Committed:
        if (!pending_ || pending_->revision.id != id) {
          return damaged(base, std::format("revision {} is committed but was never prepared", id));
        }
        entries[id] = pending_entry_;
        pending_.reset();
        break;
      case Record::Kind::Aborted:
        if (pending_ && pending_->revision.id == id) {
          pending_.reset();
        }
        break;
      case Record::Kind::Confirmed:
        if (const auto entry = entries.find(id); entry != entries.end()) {
          entry->second.confirmed = true;
        }
        break;
    }
    return {};
  }

  std::unexpected<base::Error> damaged(RevisionId base, std::string_view what) const {
    return base::fail(Code::Syntax, std::format("revision log {} is damaged: {}",
                                                Segment::path(folder_, base).string(), what));
  }

  const std::filesystem::path& folder_;
  LogContents contents_;
  std::optional<Record> pending_;  // a prepare that has no end yet
  LogEntry pending_entry_;
};

}  // namespace

LogEntry initial_entry(std::int64_t time) {
  LogEntry entry;
  entry.revision = {0, time, "root", "other", "empty configuration"};
  return entry;
}

Result<LogContents> read_log(const std::filesystem::path& folder, RevisionId first) {
  return Reader(folder).read(first);
}

}  // namespace millrace::commit
