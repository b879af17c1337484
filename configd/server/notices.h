// SPDX-License-Identifier: GPL-2.0-or-later
//
// Words for everybody who is logged in: a commit that was not confirmed and has been rolled back, a
// message of another user. Each session subscribes with a function that hands the text to its own
// executor and returns at once, so that a client that does not read delays nobody.
//
// Thread-safe. A session that unsubscribed is not called any more once unsubscribe has returned.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace millrace::server {

class Notices {
 public:
  using Deliver = std::function<void(const std::string& text)>;

  void subscribe(std::uint64_t session, Deliver deliver);
  void unsubscribe(std::uint64_t session);

  // To all sessions but `except` (Shell::session(); 0 is nobody). `text` may have several lines.
  void broadcast(const std::string& text, std::uint64_t except = 0);
  // To one session. False when it is gone.
  bool tell(std::uint64_t session, const std::string& text);

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, Deliver> sessions_;
};

}  // namespace millrace::server
