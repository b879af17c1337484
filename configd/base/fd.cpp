// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fd.h"

#include <unistd.h>

namespace millrace::base {

// close() is not retried on EINTR: Linux has released the descriptor by then (close(2)), and a
// second call could hit one that another thread has just opened.
Fd::~Fd() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) {
      ::close(fd_);
    }
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

}  // namespace millrace::base
