// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <format>
#include <system_error>

#include "base/user_name.h"

namespace millrace::ops {
namespace {

namespace fs = std::filesystem;
using base::Code;
using base::fail;
using base::Fd;
using base::Result;

constexpr int kDeepest = 3;  // of folders in folders
constexpr std::size_t kMostFiles = 1000;
constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr std::size_t kLookedAt = 4096;  // bytes at the start that tell text from anything else

bool is_part(std::string_view part) {
  return !part.empty() && part.front() != '.' && part.front() != '-' &&
         std::ranges::all_of(part, [](char byte) {
           return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
                  std::string_view("._+-@:").contains(byte);
         });
}

bool is_name(std::string_view name) {
  while (name.contains('/')) {
    const auto slash = name.find('/');
    if (!is_part(name.substr(0, slash))) {
      return false;
    }
    name.remove_prefix(slash + 1);
  }
  return is_part(name);
}

std::string said(int error) {
  return std::generic_category().message(error);
}

// Folder by folder, so that no link on the way is followed.
Result<Fd> open_below(const fs::path& folder, std::string_view name, int flags) {
  Fd at(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!at) {
    return fail(Code::Io, said(errno), folder);
  }
  const std::string whole(name);
  while (at && name.contains('/')) {
    const std::string part(name.substr(0, name.find('/')));
    name.remove_prefix(part.size() + 1);
    at = Fd(openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  // O_NONBLOCK: a pipe without a writer would keep us waiting.
  Fd file(at ? openat(at.get(), std::string(name).c_str(),
                      flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
             : -1);
  if (!file) {
    return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
               ? Result<Fd>(fail(Code::UnknownPath, "there is no log file '" + whole + "'", {},
                                 "'show log' lists them"))
               : Result<Fd>(fail(Code::Io, "'" + whole + "': " + said(errno)));
  }
  return file;
}

// Reads up to `most` bytes from where the file is.
Result<std::string> read_some(const Fd& file, std::size_t most) {
  std::string out;
  while (out.size() < most) {
    const std::size_t before = out.size();
    out.resize(std::min(most, before + kChunk));
    const ssize_t count = ::read(file.get(), out.data() + before, out.size() - before);
    if (count < 0 && errno == EINTR) {
      out.resize(before);
      continue;
    }
    if (count < 0) {
      return fail(Code::Io, said(errno));
    }
    out.resize(before + static_cast<std::size_t>(count));
    if (count == 0) {
      break;
    }
  }
  return out;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if ((value < 0x20 && byte != '\n' && byte != '\t') || value == 0x7f) {
      out += std::format("\\x{:02x}", value);
    } else {
      out += byte;
    }
  }
  return out;
}

Result<std::vector<LogFile>> log_files(const fs::path& folder) {
  std::vector<LogFile> out;
  std::error_code problem;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      problem);
  if (problem) {
    return fail(Code::Io, problem.message(), folder);
  }
  for (; !problem && at != fs::recursive_directory_iterator() && out.size() < kMostFiles;
       at.increment(problem)) {
    // The journal's own files are no text.
    if (at.depth() >= kDeepest || (at.depth() == 0 && at->path().filename() == "journal")) {
      at.disable_recursion_pending();
    }
    struct stat status{};
    const std::string name = at->path().lexically_relative(folder).string();
    if (!is_name(name) || lstat(at->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
      continue;
    }
    out.push_back({name, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
                   base::user_name(status.st_uid).value_or(std::to_string(status.st_uid))});
  }
  std::ranges::sort(out, {}, &LogFile::name);
  return out;
}

Result<Fd> open_log(const fs::path& folder, std::string_view name, bool for_clearing) {
  if (!is_name(name)) {
    return fail(Code::BadValue, "invalid log file '" + std::string(name) +
                                    "': expected the name of a file below " + folder.string());
  }
  auto file = open_below(folder, name, for_clearing ? O_WRONLY : O_RDONLY);
  if (!file) {
    return file;
  }
  struct stat status{};
  if (fstat(file->get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail(Code::UnknownPath, "'" + std::string(name) + "' is no log file", {},
                "'show log' lists them");
  }
  return file;
}

Result<std::string> read_log(const fs::path& folder, std::string_view name, std::size_t most) {
  auto file = open_log(folder, name);
  if (!file) {
    return std::unexpected(std::move(file.error()));
  }
  auto start = read_some(*file, kLookedAt);
  if (start && start->contains('\0')) {
    return fail(Code::BadValue, "'" + std::string(name) + "' is no text");
  }
  struct stat status{};
  fstat(file->get(), &status);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t skipped = size > most ? size - most : 0;
  if (lseek(file->get(), static_cast<off_t>(skipped), SEEK_SET) < 0) {
    return fail(Code::Io, "'" + std::string(name) + "': " + said(errno));
  }
  auto text = read_some(*file, most);
  if (!text) {
    return text;
  }
  if (skipped != 0) {
    text->erase(0, text->find('\n') + 1);
    text->insert(0, "... the first " + std::to_string(size - text->size()) + " bytes of " +
                        std::string(name) + " are not shown\n");
  }
  if (!text->empty() && !text->ends_with('\n')) {
    *text += '\n';
  }
  return plain_text(*text);
}

Result<void> clear_log(const fs::path& folder, std::string_view name) {
  const auto file = open_log(folder, name, true);
  if (!file) {
    return std::unexpected(file.error());
  }
  if (ftruncate(file->get(), 0) != 0) {
    return fail(Code::Io, "'" + std::string(name) + "': " + said(errno));
  }
  return {};
}

}  // namespace millrace::ops
