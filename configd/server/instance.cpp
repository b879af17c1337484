// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/instance.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace millrace::server {

base::Result<base::Fd> lock_instance(const std::filesystem::path& folder) {
  const auto path = folder / "configd.lock";
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  base::Fd lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) {
    return base::fail(base::Code::Io, std::string("cannot open: ") + std::strerror(errno), path);
  }
  std::array<char, 32> holder{};
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    const auto size = read(lock.get(), holder.data(), holder.size() - 1);
    return base::fail(base::Code::Locked,
                      "another configd runs with this state" +
                          (size > 0 ? ", pid " + std::string(holder.data()) : std::string()),
                      path);
  }
  const std::string pid = std::to_string(getpid());
  if (ftruncate(lock.get(), 0) != 0 ||
      pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    return base::fail(base::Code::Io, std::string("cannot write: ") + std::strerror(errno), path);
  }
  return lock;
}

}  // namespace millrace::server
