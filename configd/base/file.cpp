// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <format>
#include <system_error>

#include "base/fd.h"

namespace millrace::base {
namespace {

std::unexpected<Error> io_error(std::string_view action, const std::filesystem::path& path,
                                int error) {
  return fail(Code::Io, std::format("cannot {} {}: {}", action, path.string(),
                                    std::generic_category().message(error)));
}

int sync_directory(const std::filesystem::path& directory) {
  const Fd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd && ::fsync(fd.get()) == 0 ? 0 : errno;
}

// One name for each file, not a new one for each write: what a kill leaves behind is then found,
// and there is never more than one of it.
std::filesystem::path unfinished(const std::filesystem::path& path) {
  return path.parent_path() / std::format(".{}.unfinished", path.filename().string());
}

}  // namespace

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      return errno;
    }
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return 0;
}

Result<std::string> read_file(const std::filesystem::path& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return fail(Code::UnknownPath, std::format("no file {}", path.string()));
    }
    return io_error("open", path, errno);
  }
  std::string content;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      return io_error("read", path, errno);
    }
    if (count == 0) {
      return content;
    }
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Result<void> discard_unfinished(const std::filesystem::path& path) {
  const std::filesystem::path temporary = unfinished(path);
  if (::unlink(temporary.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
    return io_error("remove", temporary, errno);
  }
  return {};
}

Result<void> write_file(const std::filesystem::path& path, std::string_view content,
                        unsigned mode) {
  const std::filesystem::path directory =
      path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    return io_error("create the directory", directory, failed.value());
  }
  if (auto done = discard_unfinished(path); !done) {
    return done;
  }
  // O_EXCL: whoever may write here cannot lead the content elsewhere by a link of this name. 0600:
  // the content is not readable by others before the mode is set.
  const std::filesystem::path temporary = unfinished(path);
  Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) {
    return io_error("create a temporary file beside", path, errno);
  }
  int error = write_all(fd.get(), content);
  if (error == 0 && ::fsync(fd.get()) != 0) {
    error = errno;
  }
  if (error == 0 && ::fchmod(fd.get(), static_cast<mode_t>(mode)) != 0) {
    error = errno;
  }
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(temporary.c_str());
    return io_error("write", path, error);
  }
  if (const int unsynced = sync_directory(directory); unsynced != 0) {
    return io_error("sync the directory", directory, unsynced);
  }
  return {};
}

}  // namespace millrace::base
