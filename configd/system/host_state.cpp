// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/host_state.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <format>
#include <system_error>

#include "base/fd.h"
#include "base/file.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;

std::string reason() {
  return std::generic_category().message(errno);
}

// "net.ipv4.ip_forward" is what people write; a device name may hold a dot ("eth0.5"), so a name
// with a slash is taken as it is.
std::string sysctl_path(std::string_view name) {
  std::string path(name);
  if (path.find('/') == std::string::npos) {
    std::ranges::replace(path, '.', '/');
  }
  return "/proc/sys/" + path;
}

}  // namespace

base::Result<std::string> read_host_name() {
  std::array<char, HOST_NAME_MAX + 1> buffer{};
  if (::gethostname(buffer.data(), buffer.size()) != 0) {
    return fail(Code::Io, std::format("cannot read the host name: {}", reason()));
  }
  return std::string(buffer.data());
}

base::Result<void> write_host_name(std::string_view name) {
  if (::sethostname(name.data(), name.size()) != 0) {
    return fail(Code::ApplyFailed,
                std::format("cannot set the host name to '{}': {}", name, reason()));
  }
  return {};
}

base::Result<std::string> read_sysctl(std::string_view name) {
  auto text = base::read_file(sysctl_path(name));
  if (!text) {
    return text;
  }
  if (text->ends_with('\n')) {
    text->pop_back();
  }
  return text;
}

base::Result<void> write_sysctl(std::string_view name, std::string_view value) {
  // In place and in one write: these files are functions of the kernel.
  const base::Fd file(::open(sysctl_path(name).c_str(), O_WRONLY | O_CLOEXEC));
  if (!file ||
      ::write(file.get(), value.data(), value.size()) != static_cast<ssize_t>(value.size())) {
    return fail(Code::ApplyFailed,
                std::format("cannot set sysctl {} to '{}': {}", name, value, reason()));
  }
  return {};
}

}  // namespace millrace::system
