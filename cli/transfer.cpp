// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/transfer.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "base/file.h"
#include "cli/program.h"

namespace millrace::cli {
namespace {

// What we call by its scheme; sftp goes through scp too, which speaks that protocol.
constexpr std::array<std::string_view, 2> kSecureCopy = {"scp://", "sftp://"};
constexpr std::array<std::string_view, 3> kCurl = {"https://", "http://", "ftp://"};

// Not what stands in the user's home: it may name programs to run (ssh_config(5),
// KnownHostsCommand), and who has this client for a shell can write files and is not to have
// another. For the same reason curl gets -q.
constexpr const char* kSshSettings = "/etc/ssh/ssh_config";

bool starts_with_one(std::string_view name, std::span<const std::string_view> schemes) {
  for (const auto scheme : schemes) {
    if (name.starts_with(scheme) && name.size() > scheme.size()) {
      return true;
    }
  }
  return false;
}

// A file that goes away with it.
class Scratch {
 public:
  Scratch() {
    const char* folder = std::getenv("TMPDIR");
    name_ = std::string(folder && *folder ? folder : "/tmp") + "/cli-transfer-XXXXXX";
    const int descriptor = mkstemp(name_.data());
    if (descriptor < 0) {
      name_.clear();
    } else {
      close(descriptor);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (!name_.empty()) {
      unlink(name_.c_str());
    }
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

std::expected<std::string, std::string> read_file(const std::string& name) {
  auto text = base::read_file(name);
  if (!text) {
    return std::unexpected("cannot read '" + name + "': " + text.error().message);
  }
  return std::move(*text);
}

std::expected<void, std::string> write_file(const std::string& name, const std::string& text,
                                            const char* mode) {
  const auto refuse = [&] {
    return std::unexpected("cannot write '" + name + "': " + std::strerror(errno));
  };
  std::FILE* stream = std::fopen(name.c_str(), mode);
  if (!stream) {
    return refuse();
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (std::fclose(stream) != 0 || !written) {
    return refuse();
  }
  return {};
}

// scp takes `sftp` only as its own protocol, which it speaks anyway.
std::string for_scp(std::string url) {
  if (url.starts_with("sftp://")) {
    url.replace(0, 4, "scp");
  }
  return url;
}

std::expected<void, std::string> run(const std::vector<std::string>& argv, std::string_view what,
                                     const std::string& url) {
  const auto ran = run_program(argv, false);
  if (!ran) {
    return std::unexpected(ran.error());
  }
  if (ran->status != 0) {
    return std::unexpected("cannot " + std::string(what) + " '" + url + "': " + argv[0] +
                           " ended with status " + std::to_string(ran->status));
  }
  return {};
}

}  // namespace

bool is_url(std::string_view name) {
  return starts_with_one(name, kSecureCopy) || starts_with_one(name, kCurl);
}

std::expected<std::string, std::string> read_source(const std::string& name, const Places& places) {
  if (!is_url(name)) {
    const auto file = places.open(name, Places::Use::Read);
    return file ? read_file(*file) : file;
  }
  const Scratch scratch;
  if (scratch.name().empty()) {
    return std::unexpected("cannot make a temporary file");
  }
  // `--` and the scheme in front: no name can be taken for an option.
  const auto done =
      starts_with_one(name, kSecureCopy)
          ? run({"scp", "-F", kSshSettings, "-q", "--", for_scp(name), scratch.name()}, "read",
                name)
          : run({"curl", "-q", "--proto", "=https,http,ftp", "--proto-redir", "=https,http",
                 "-fsSL", "--globoff", "-o", scratch.name(), "--", name},
                "read", name);
  return done ? read_file(scratch.name()) : std::unexpected(done.error());
}

std::expected<void, std::string> write_target(const std::string& name, const std::string& text,
                                              bool append, const Places& places) {
  if (!is_url(name)) {
    const auto file = places.open(name, Places::Use::Write);
    return file ? write_file(*file, text, append ? "a" : "w") : std::unexpected(file.error());
  }
  if (append) {
    return std::unexpected("cannot append to '" + name + "', only to a file of this host");
  }
  const Scratch scratch;
  if (scratch.name().empty()) {
    return std::unexpected("cannot make a temporary file");
  }
  if (auto kept = write_file(scratch.name(), text, "w"); !kept) {
    return kept;
  }
  return starts_with_one(name, kSecureCopy)
             ? run({"scp", "-F", kSshSettings, "-q", "--", scratch.name(), for_scp(name)}, "write",
                   name)
             : run({"curl", "-q", "--proto", "=https,http,ftp", "-fsS", "--globoff", "-T",
                    scratch.name(), "--", name},
                   "write", name);
}

}  // namespace millrace::cli
