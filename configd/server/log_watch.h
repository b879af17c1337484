// SPDX-License-Identifier: GPL-2.0-or-later
//
// `monitor start FILE`: what programs write into a log appears in the sessions that asked for it.
// The server polls once a second, so a session gets a second's lines as one notice, and a log that
// floods costs a few of them and not the session. `messages` is the journal without the record of
// who did what; everything else is a file of ops/log_file.h.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/access.h"

namespace millrace::server {

// The end of one log, from when it was made.
class LogTail {
 public:
  virtual ~LogTail() = default;
  // Whole lines that came since the last call, at most about `most` bytes of them; the others wait.
  virtual std::string read(std::size_t most) = 0;
};

// Errors: those of ops::open_log.
base::Result<std::unique_ptr<LogTail>> follow_file(const std::filesystem::path& folder,
                                                   std::string_view name);
// Errors: Io when there is no journal.
base::Result<std::unique_ptr<LogTail>> follow_journal();

class LogWatch {
 public:
  explicit LogWatch(std::filesystem::path folder);

  // Again for a log that the session watches: success. Errors: as of the two functions above.
  base::Result<void> start(std::uint64_t session, const Peer& peer, const std::string& log);
  // False when the session does not watch it.
  bool stop(std::uint64_t session, const std::string& log);
  void stop_all(std::uint64_t session);
  std::vector<std::string> of(std::uint64_t session) const;

  struct News {
    std::uint64_t session = 0;
    Peer peer;  // as it was when it began to watch
    std::string text;
  };
  // What is new to each session. Cost: nothing when nobody watches.
  std::vector<News> poll();

 private:
  struct Watched {
    std::unique_ptr<LogTail> tail;
    std::map<std::uint64_t, Peer> sessions;
  };
  const std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::map<std::string, Watched> logs_;
};

}  // namespace millrace::server
