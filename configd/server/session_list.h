// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "server/access.h"

namespace millrace::server {

// Who is editing, for the list that others see on entering configuration mode. Thread-safe.
class SessionList {
 public:
  struct Editing {
    std::uint64_t session = 0;
    std::string user;
    std::string terminal;  // empty when the session has none
    pid_t pid = 0;
    std::int64_t since = 0;  // seconds since the epoch
    std::string banner;      // "[edit interfaces]"
  };

  std::uint64_t next_number();
  void editing(Editing entry);  // adds, or updates the banner of that session
  void left(std::uint64_t session);
  // Junos' block of lines; empty when nobody but `except` edits.
  std::string to_string(std::uint64_t except = 0) const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Editing> editing_;
};

}  // namespace millrace::server
