// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least of BGP (RFC 4271) that tests of policies need: a session over a connected socket that
// announces IPv4 routes and records those it receives. Four-byte AS numbers (RFC 6793), communities
// of all kinds (RFC 1997, 4360, 8092); no timers, one route a message.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "base/fd.h"
#include "support/policy_route.h"

namespace millrace::support {

class BgpSpeaker {
 public:
  // `socket` is connected to the router's port 179.
  BgpSpeaker(base::Fd socket, std::uint32_t as, std::uint32_t id);

  // Until the session is up, or `wait` has passed. Says whether it is.
  bool establish(std::chrono::milliseconds wait);
  void announce(const Route& route);
  void withdraw(const base::Prefix& prefix);
  // Takes what arrives until nothing has for `quiet`.
  void listen(std::chrono::milliseconds quiet);
  // What the router has told and not withdrawn.
  const std::map<base::Prefix, Route>& received() const { return received_; }

 private:
  using Bytes = std::vector<std::uint8_t>;
  void send(std::uint8_t type, const Bytes& body);
  // One message; false when none comes within `wait`.
  bool receive(std::chrono::milliseconds wait);
  void take_update(const Bytes& body);

  base::Fd socket_;
  std::uint32_t as_;
  std::uint32_t id_;
  Bytes buffer_;
  bool opened_ = false;
  bool up_ = false;
  std::map<base::Prefix, Route> received_;
};

}  // namespace millrace::support
