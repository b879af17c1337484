// SPDX-License-Identifier: GPL-2.0-or-later
//
// The record of who did what: one entry for every command that ran or was denied, and for every
// commit with what it changed. It goes to the system's journal under an identifier of its own, with
// fields, where journald keeps it in order, rotates it and bounds its size.
//
// Entries are made from what configd understood, never from what was typed: a line that is no
// command leaves none, and secrets are masked. Text of users is escaped, so that no value can begin
// a line or a field. An entry has at most kLongestEntry bytes; who sends more than a burst of them
// is counted instead, and the count is an entry.
//
// Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/access.h"
#include "tree/delta.h"

namespace millrace::server {

struct AuditEntry {
  std::string message;
  std::vector<std::pair<std::string, std::string>> fields;  // "MILLRACE_USER", …
};

class Audit {
 public:
  using Sink = std::function<void(const AuditEntry& entry)>;

  static constexpr std::size_t kLongestEntry = 1024;
  static constexpr std::size_t kMostChanges = 200;  // entries of one commit
  struct Limits {
    double burst = 20'000;
    double per_second = 200;
  };

  // Without a sink, to the journal.
  explicit Audit(Sink sink = nullptr);
  // Before anything is written.
  void set_sink(Sink sink) { sink_ = std::move(sink); }
  void set_limits(Limits limits) {
    limits_ = limits;
    tokens_ = limits.burst;
  }

  enum class Result : std::uint8_t { Done, Failed, Denied };
  void command(const Peer& peer, std::string_view line, Result result);
  // A commit that is in force: its number, and each statement that it changed.
  void commit(const Peer& peer, std::uint64_t revision, const tree::Delta& delta);

 private:
  void write(const Peer& peer, std::string_view kind, std::string_view text,
             std::string_view result);
  bool admit(std::uint64_t& left_out);

  Sink sink_;
  std::mutex mutex_;
  Limits limits_;
  double tokens_ = limits_.burst;                 // guarded by mutex_
  std::uint64_t left_out_ = 0;                    // guarded by mutex_
  std::chrono::steady_clock::time_point filled_;  // guarded by mutex_
};

// `text` on one line: backslashes, quotes, control characters and what is no UTF-8 as escapes, cut
// at `longest` bytes.
std::string escaped(std::string_view text, std::size_t longest);

}  // namespace millrace::server
