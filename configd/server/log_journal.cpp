// SPDX-License-Identifier: GPL-2.0-or-later
//
// The end of the journal, entry by entry, in the form of `journalctl -o short`.
#include <systemd/sd-journal.h>

#include <format>
#include <optional>
#include <system_error>
#include <utility>

#include "base/time_text.h"
#include "ops/log_file.h"
#include "server/log_watch.h"

namespace millrace::server {
namespace {

using base::Result;

// The record of who did what is for those with all rights (audit.cpp).
constexpr std::string_view kRecord = "millrace-audit";

struct CloseJournal {
  void operator()(sd_journal* journal) const { sd_journal_close(journal); }
};
using Journal = std::unique_ptr<sd_journal, CloseJournal>;

std::string field(sd_journal* journal, const char* name) {
  const void* data = nullptr;
  std::size_t size = 0;
  if (sd_journal_get_data(journal, name, &data, &size) < 0) {
    return {};
  }
  const std::string_view text(static_cast<const char*>(data), size);
  return std::string(text.substr(text.find('=') + 1));
}

class JournalTail : public LogTail {
 public:
  explicit JournalTail(Journal journal) : journal_(std::move(journal)) {}

  std::string read(std::size_t most) override {
    sd_journal* const journal = journal_.get();
    // Without it the library never looks at files that the journal has begun since.
    sd_journal_process(journal);
    std::string out;
    while (out.size() < most && sd_journal_next(journal) > 0) {
      if (field(journal, "SYSLOG_IDENTIFIER") != kRecord) {
        out += line(journal);
      }
    }
    return out;
  }

 private:
  static std::string line(sd_journal* journal) {
    std::uint64_t microseconds = 0;
    sd_journal_get_realtime_usec(journal, &microseconds);
    std::string who = field(journal, "SYSLOG_IDENTIFIER");
    who = who.empty() ? field(journal, "_COMM") : who;
    std::string pid = field(journal, "SYSLOG_PID");
    pid = pid.empty() ? field(journal, "_PID") : pid;
    const auto seconds = static_cast<std::int64_t>(microseconds / 1'000'000);
    return base::local_time(seconds, "%b %d %H:%M:%S") + " " + field(journal, "_HOSTNAME") + " " +
           ops::plain_text(who) + (pid.empty() ? "" : "[" + ops::plain_text(pid) + "]") + ": " +
           ops::plain_text(field(journal, "MESSAGE")) + "\n";
  }

  Journal journal_;
};

}  // namespace

Result<std::unique_ptr<LogTail>> follow_journal() {
  sd_journal* opened = nullptr;
  int outcome = sd_journal_open(&opened, SD_JOURNAL_LOCAL_ONLY | SD_JOURNAL_SYSTEM);
  Journal journal(opened);
  if (outcome >= 0) {
    outcome = sd_journal_get_fd(opened);  // watches the folders from now on
  }
  if (outcome >= 0) {
    outcome = sd_journal_seek_tail(opened);
  }
  if (outcome >= 0) {
    // "The tail" is behind the last entry; only an entry is a place to go on from.
    outcome = sd_journal_previous(opened);
  }
  if (outcome < 0) {
    return base::fail(base::Code::Io,
                      "the journal cannot be read: " + std::generic_category().message(-outcome));
  }
  return std::make_unique<JournalTail>(std::move(journal));
}

}  // namespace millrace::server
