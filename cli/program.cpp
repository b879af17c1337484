// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/fd.h"

namespace millrace::cli {
namespace {

constexpr const char* kSystemPath = "/usr/sbin:/usr/bin:/sbin:/bin";
constexpr int kNotStarted = 127;

[[noreturn]] void become(const std::vector<std::string>& argv, int output) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGQUIT, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
  }
  setenv("PATH", kSystemPath, 1);
  std::vector<char*> pointers;
  for (const auto& word : argv) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  const std::string reason = argv[0] + ": " + std::strerror(errno) + "\n";
  static_cast<void>(!write(STDERR_FILENO, reason.data(), reason.size()));
  _exit(kNotStarted);
}

std::string read_everything(int fd) {
  std::string out;
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto count = read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return out;
    }
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::expected<Ran, std::string> run_program(const std::vector<std::string>& argv, bool capture) {
  if (argv.empty()) {
    return std::unexpected("no program to run");
  }
  std::array<int, 2> ends{-1, -1};
  if (capture && pipe2(ends.data(), O_CLOEXEC) != 0) {
    return std::unexpected(std::string("pipe: ") + std::strerror(errno));
  }
  base::Fd from(ends[0]);
  base::Fd to(ends[1]);
  struct sigaction ignore{};
  struct sigaction before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  const pid_t child = fork();
  if (child == 0) {
    become(argv, to.get());
  }
  Ran ran;
  const bool started = child > 0;
  const std::string reason = started ? "" : std::strerror(errno);
  to = base::Fd();
  if (started && capture) {
    ran.output = read_everything(from.get());
  }
  int status = 0;
  while (started && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  sigaction(SIGINT, &before, nullptr);
  if (!started) {
    return std::unexpected("cannot start " + argv[0] + ": " + reason);
  }
  ran.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return ran;
}

}  // namespace millrace::cli
