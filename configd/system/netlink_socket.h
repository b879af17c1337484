// SPDX-License-Identifier: GPL-2.0-or-later
//
// One rtnetlink socket and the two things we do with it: a request that the kernel acknowledges,
// and a dump. Internal to this folder. Not thread-safe.
#pragma once

#include <linux/netlink.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

struct nl_msg;
struct nl_sock;

namespace millrace::system {

// A message under construction. The kernel's structures go in by value, so that no caller needs to
// know about alignment.
class NetlinkMessage {
 public:
  NetlinkMessage(std::uint16_t type, std::uint16_t flags);

  template <class Header>
  NetlinkMessage& header(const Header& value) {
    return append(&value, sizeof value);
  }
  NetlinkMessage& bytes(int attribute, std::span<const std::uint8_t> value);
  NetlinkMessage& text(int attribute, std::string_view value);       // with the closing NUL
  NetlinkMessage& bare_text(int attribute, std::string_view value);  // without; may be empty
  NetlinkMessage& number8(int attribute, std::uint8_t value);
  NetlinkMessage& number16(int attribute, std::uint16_t value);
  NetlinkMessage& number32(int attribute, std::uint32_t value);
  // Whatever `fill` adds goes into the attribute.
  NetlinkMessage& nested(int attribute, const std::function<void(NetlinkMessage&)>& fill);

  nl_msg* get() const { return message_.get(); }

 private:
  NetlinkMessage& append(const void* value, std::size_t size);

  struct Free {
    void operator()(nl_msg* message) const;
  };
  std::unique_ptr<nl_msg, Free> message_;
};

// What the kernel answered to a request: 0, or an errno with its own words when it has some.
struct NetlinkAnswer {
  int error = 0;
  std::string message = {};  // extended acknowledgement

  std::string to_string()
      const;  // "No such device", "Operation not supported: Unknown device type"
};

class NetlinkSocket {
 public:
  // Belongs to the network namespace of the calling thread, for good. Errors: Io.
  static base::Result<NetlinkSocket> open();

  // Sends and waits for the acknowledgement. Errors: Io when the socket fails; a refusal is an
  // answer.
  base::Result<NetlinkAnswer> request(const NetlinkMessage& message);
  // Calls `visit` for every object of a dump, or for the one of a request for one. A dump that the
  // kernel reports as torn by a concurrent change is repeated from the start, after a call of
  // `restart`.
  base::Result<void> dump(const NetlinkMessage& message, const std::function<void()>& restart,
                          const std::function<void(const nlmsghdr&)>& visit);

 private:
  struct Free {
    void operator()(nl_sock* socket) const;
  };
  std::unique_ptr<nl_sock, Free> socket_;
};

}  // namespace millrace::system
