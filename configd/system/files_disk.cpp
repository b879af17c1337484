// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/files_disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <format>
#include <system_error>
#include <utility>

#include "base/fd.h"
#include "base/file.h"
#include "base/process.h"
#include "system/write_queue.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;
using base::Result;

std::string reason() {
  return std::generic_category().message(errno);
}

constexpr std::string_view kMarks = "/run/millrace/unwritten";

// A file that is gone at the end of its life.
class TemporaryFile {
 public:
  static Result<TemporaryFile> create(std::string_view text) {
    TemporaryFile file;
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    file.path_ = (failed ? std::filesystem::path("/tmp") : folder) / "millrace.XXXXXX";
    const base::Fd fd(::mkostemp(file.path_.data(), O_CLOEXEC));
    if (!fd) {
      const std::string why = reason();
      file.path_.clear();
      return fail(Code::Io, std::format("cannot create a temporary file: {}", why));
    }
    if (const int error = base::write_all(fd.get(), text); error != 0) {
      return fail(Code::Io, std::format("cannot write {}: {}", file.path_,
                                        std::generic_category().message(error)));
    }
    return file;
  }

  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) {
      ::unlink(path_.c_str());
    }
  }

  const std::string& path() const { return path_; }

 private:
  TemporaryFile() = default;

  std::string path_;
};

class FilesDisk final : public Files {
 public:
  explicit FilesDisk(std::filesystem::path root)
      : root_(std::move(root)),
        queue_(below_root(kMarks), [this](const std::string& path, const FileContent& content) {
          return write_now(path, content);
        }) {}

  Result<std::optional<FileContent>> read(std::string_view path) override {
    queue_.settle(path);
    const std::filesystem::path real = below_root(path);
    if (auto done = base::discard_unfinished(real); !done) {
      return std::unexpected(done.error());
    }
    auto text = base::read_file(real);
    if (!text) {
      if (text.error().code == Code::UnknownPath) {
        return std::nullopt;
      }
      return std::unexpected(text.error());
    }
    struct stat status{};
    if (::stat(real.c_str(), &status) != 0) {
      return fail(Code::Io, std::format("cannot read the mode of {}: {}", real.string(), reason()));
    }
    return FileContent{std::move(*text), static_cast<unsigned>(status.st_mode & 07777)};
  }

  Result<void> write(std::string_view path, const FileContent& content) override {
    queue_.settle(path);
    auto written = write_now(path, content);
    if (written) {
      queue_.unmark(path);
    }
    return written;
  }

  Result<void> write_soon(std::string_view path, std::function<FileContent()> content) override {
    return queue_.add(path, std::move(content));
  }

  bool unwritten(std::string_view path) override {
    queue_.settle(path);
    return queue_.marked(path);
  }

  Result<void> remove(std::string_view path) override {
    queue_.settle(path);
    const std::filesystem::path real = below_root(path);
    if (::unlink(real.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
      return fail(Code::Io, std::format("cannot remove {}: {}", real.string(), reason()));
    }
    return {};
  }

  Result<void> validate(const FileContent& content, const std::vector<std::string>& argv) override {
    const auto file = TemporaryFile::create(content.text);
    if (!file) {
      return std::unexpected(file.error());
    }
    std::vector<std::string> command = argv;
    for (std::string& word : command) {
      if (const std::size_t at = word.find("{}"); at != std::string::npos) {
        word.replace(at, 2, file->path());
      }
    }
    const auto result = base::run_process(command);
    if (!result) {
      return std::unexpected(result.error());
    }
    if (result->status != 0) {
      std::string said = result->errors.empty() ? result->output : result->errors;
      while (said.ends_with('\n')) {
        said.pop_back();
      }
      return fail(Code::ApplyFailed, std::format("{} refused the file: {}", argv.front(), said));
    }
    return {};
  }

 private:
  Result<void> write_now(std::string_view path, const FileContent& content) const {
    return base::write_file(below_root(path), content.text, content.mode);
  }

  std::filesystem::path below_root(std::string_view path) const {
    return root_ / std::filesystem::path(path).relative_path();
  }

  std::filesystem::path root_;
  WriteQueue queue_;  // last: it writes to the end
};

}  // namespace

Result<void> Files::write_soon(std::string_view path, std::function<FileContent()> content) {
  return write(path, content());
}

std::unique_ptr<Files> make_files(std::filesystem::path root) {
  return std::make_unique<FilesDisk>(std::move(root));
}

}  // namespace millrace::system
