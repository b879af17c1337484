// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells when the devices of this machine are others than before: one came, went or got another
// name. What they are then is read anew by whoever wants to know.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/error.h"
#include "base/fd.h"

namespace millrace::system {

class LinkMonitor {
 public:
  // Of the network namespace of the calling thread. Errors: Io.
  static base::Result<LinkMonitor> open();

  // Readable when there is something for changed() to read. Not blocking.
  int fd() const { return socket_.get(); }
  // Reads what has come since the last call; whether devices are others now. True as well for a
  // device that is heard of for the first time, and when the kernel had to leave something out.
  bool changed();

 private:
  explicit LinkMonitor(base::Fd socket) : socket_(std::move(socket)) {}
  bool learn(const void* message, std::size_t size);

  base::Fd socket_;
  std::map<int, std::string> names_;  // by index
};

}  // namespace millrace::system
