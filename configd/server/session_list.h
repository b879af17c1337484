// SPDX-License-Identifier: GPL-2.0-or-later
//
// Everybody who is connected: for the list of editors that others see, for `status`, and for
// sending somebody home. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "server/access.h"

namespace millrace::server {

class SessionList {
 public:
  struct Entry {
    std::string user;
    pid_t pid = 0;
    std::string terminal;      // "pts/0"; empty when the session has none
    std::int64_t active = 0;   // seconds since the epoch of its last request
    std::int64_t editing = 0;  // since when it edits; 0 when it does not
    std::string mode;          // "private", "exclusive"; empty when shared
    std::string banner;        // "[edit interfaces]"
    // Says the text to the user and ends the session, from any thread.
    std::function<void(const std::string& text)> dismiss;
  };

  std::uint64_t next_number();
  // The session is listed from here until closed().
  void opened(std::uint64_t session, const std::string& user, pid_t pid);
  void closed(std::uint64_t session);
  void set_terminal(std::uint64_t session, std::string terminal);
  void set_dismiss(std::uint64_t session, std::function<void(const std::string&)> dismiss);
  void active(std::uint64_t session);

  void editing(std::uint64_t session, std::string mode, std::string banner);
  void moved(std::uint64_t session, std::string banner);
  void left(std::uint64_t session);  // the session edits no more

  // Junos' two lines about one session; empty when there is none.
  std::string describe(std::uint64_t session) const;
  // "Users currently editing the configuration:" and their lines; empty when nobody but `except`
  // edits.
  std::string to_string(std::uint64_t except = 0) const;
  std::map<std::uint64_t, Entry> all() const;

 private:
  static std::string describe(const Entry& entry);
  template <class Change>
  void change(std::uint64_t session, const Change& change);

  mutable std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Entry> sessions_;
};

}  // namespace millrace::server
