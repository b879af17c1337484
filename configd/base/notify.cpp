// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/notify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/fd.h"
#include "base/log.h"

namespace millrace::base {

void notify_manager(std::string_view state) {
  const char* name = std::getenv("NOTIFY_SOCKET");
  if (!name || (name[0] != '/' && name[0] != '@')) {
    return;
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(name);
  if (length >= sizeof(address.sun_path)) {
    return;
  }
  std::memcpy(address.sun_path, name, length);
  if (name[0] == '@') {
    address.sun_path[0] = '\0';  // the abstract namespace, unix(7)
  }
  const Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  if (!socket || sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL,
                        reinterpret_cast<const sockaddr*>(&address), size) < 0) {
    log(Level::Warning,
              std::string("the service manager cannot be told: ") + std::strerror(errno));
  }
}

}  // namespace millrace::base
