// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/segment.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <format>
#include <system_error>

#include "base/file.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

std::unexpected<base::Error> io_error(std::string_view what, const std::filesystem::path& path,
                                      int error) {
  return base::fail(Code::Io, std::format("cannot {} {}: {}", what, path.string(),
                                          std::generic_category().message(error)));
}

int cut(int fd, std::size_t size) {
  return ::ftruncate(fd, static_cast<off_t>(size)) == 0 && ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

std::filesystem::path Segment::path(const std::filesystem::path& folder, RevisionId base) {
  return folder / std::format("log-{:012}", base);
}

Result<Segment> Segment::open(const std::filesystem::path& folder, RevisionId base,
                              std::size_t good) {
  Segment segment(path(folder, base), good);
  const int error = segment.open_for_writing();
  segment.read_only_ = error == EROFS && std::filesystem::exists(segment.path_);
  if (segment.read_only_) {
    return segment;
  }
  if (error != 0) {
    return io_error("open", segment.path_, error);
  }
  if (auto synced = sync_folder(folder); !synced) {
    return std::unexpected(synced.error());
  }
  return segment;
}

// 0, or the errno of what failed.
int Segment::open_for_writing() {
  fd_ = base::Fd(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  const off_t size = fd_ ? ::lseek(fd_.get(), 0, SEEK_END) : -1;
  if (size < 0) {
    return errno;
  }
  if (static_cast<std::size_t>(size) < size_) {
    return EIO;  // it has become shorter since it was read
  }
  return static_cast<std::size_t>(size) > size_ ? cut(fd_.get(), size_) : 0;
}

Result<void> Segment::append(std::string_view line) {
  if (broken_) {
    return base::fail(Code::Io,
                      std::format("{} failed before, its state is not known", path_.string()), {},
                      "restart configd, which reads the log again");
  }
  if (read_only_) {
    if (const int error = open_for_writing(); error != 0) {
      return io_error("write", path_, error);
    }
    read_only_ = false;
  }
  int error = base::write_all(fd_.get(), line);
  // The size changes, so fdatasync(2) writes it out as well.
  if (error == 0 && ::fdatasync(fd_.get()) != 0) {
    error = errno;
  }
  if (error != 0) {
    broken_ = cut(fd_.get(), size_) != 0;
    return io_error("write", path_, error);
  }
  size_ += line.size();
  return {};
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const base::Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) {
    return io_error("sync", folder, errno);
  }
  return {};
}

}  // namespace millrace::commit
