// SPDX-License-Identifier: GPL-2.0-or-later
//
// The child runs in a process group of its own, with three pipes, every signal at its default and
// no other descriptor of ours. One poll loop feeds its input and drains both outputs, so that
// neither side can block the other, and watches a pidfd for its end: a program that leaves a daemon
// behind with our pipes still open is finished when it exits, not when the daemon does.
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
// glibc 2.41 declares these without C linkage.
extern "C" {
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <format>
#include <system_error>

#include "base/check.h"
#include "base/fd.h"

namespace millrace::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 4> kPath{"/usr/sbin", "/usr/bin", "/sbin", "/bin"};
constexpr const char* kEnvironment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                                        "HOME=/", nullptr};

std::unexpected<Error> cannot_run(std::string_view program, std::string_view why) {
  return fail(Code::Io, std::format("cannot run {}: {}", program, why));
}

std::unexpected<Error> cannot_run(std::string_view program, int error) {
  return cannot_run(program, std::generic_category().message(error));
}

std::string find_program(const std::string& name) {
  if (name.find('/') == std::string::npos) {
    for (const std::string_view directory : kPath) {
      std::string path = std::format("{}/{}", directory, name);
      if (::access(path.c_str(), X_OK) == 0) {
        return path;
      }
    }
  }
  return name;
}

struct Pipe {
  Fd read_end;
  Fd write_end;

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      return false;
    }
    read_end = Fd(ends[0]);
    write_end = Fd(ends[1]);
    return true;
  }
};

void set_nonblocking(const Fd& fd) {
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
}

// A child may end before it has read its input. The signal that follows would end us; it is blocked
// for this thread and taken off the queue again, since a library may not change the handler.
class PipeSignalBlocked {
 public:
  PipeSignalBlocked() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalBlocked() {
    const timespec now{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

// The attributes of posix_spawn that must be destroyed after use.
class Spawn {
 public:
  Spawn() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  // 0, or the errno of what failed.
  int start(const std::string& program, const std::vector<std::string>& argv, int input, int output,
            int errors, pid_t& pid) {
    std::vector<char*> arguments;
    for (const std::string& word : argv) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, arguments.data(),
                       const_cast<char* const*>(kEnvironment));
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Reads what is there; closes `fd` at the end of the stream. Bounded, so that a program that never
// stops writing meets its deadline, by more than a pipe can hold.
void drain(Fd& fd, std::string& into) {
  std::array<char, 65536> buffer;
  for (int reads = 0; fd && reads < 16; ++reads) {
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      fd = Fd();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

// Writes what fits; closes `fd` when nothing is left or nobody reads.
void feed(Fd& fd, std::string_view& input) {
  while (fd && !input.empty()) {
    const ssize_t count = ::write(fd.get(), input.data(), input.size());
    if (count >= 0) {
      input.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      break;
    }
  }
  fd = Fd();
}

struct Streams {
  Fd input;
  Fd output;
  Fd errors;
};

enum class End : std::uint8_t { Itself, Deadline, TooMuch };

// Until the child ends, or has to be ended.
End converse(int pidfd, Streams& streams, std::string_view input, ProcessResult& result,
             Clock::time_point deadline) {
  while (true) {
    if (result.output.size() + result.errors.size() > kMostOutput) {
      return End::TooMuch;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      return End::Deadline;
    }
    // poll() ignores a negative descriptor: a closed stream.
    std::array<pollfd, 4> polled{{{streams.input.get(), POLLOUT, 0},
                                  {streams.output.get(), POLLIN, 0},
                                  {streams.errors.get(), POLLIN, 0},
                                  {pidfd, POLLIN, 0}}};
    const int timeout = static_cast<int>(std::min<long long>(left, 60'000));
    if (::poll(polled.data(), polled.size(), timeout) < 0) {
      check(errno == EINTR, "poll is called with valid arguments");
      continue;
    }
    if (polled[0].revents != 0) {
      feed(streams.input, input);
    }
    if (polled[1].revents != 0) {
      drain(streams.output, result.output);
    }
    if (polled[2].revents != 0) {
      drain(streams.errors, result.errors);
    }
    if (polled[3].revents != 0) {
      // What it wrote between the reads above and its end is in the pipes by now.
      drain(streams.output, result.output);
      drain(streams.errors, result.errors);
      return End::Itself;
    }
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& argv, std::string_view input,
                                  std::chrono::milliseconds deadline) {
  check(!argv.empty(), "run_process needs a program");
  const std::string& program = argv.front();
  for (const std::string& word : argv) {
    if (word.find('\0') != std::string::npos) {
      return cannot_run(program, "an argument holds a NUL character");
    }
  }
  Pipe in;
  Pipe out;
  Pipe err;
  if (!in.open() || !out.open() || !err.open()) {
    return cannot_run(program, errno);
  }
  const PipeSignalBlocked blocked;
  pid_t pid = -1;
  const int error = Spawn().start(find_program(program), argv, in.read_end.get(),
                                  out.write_end.get(), err.write_end.get(), pid);
  if (error != 0) {
    return cannot_run(program, error);
  }
  in.read_end = Fd();
  out.write_end = Fd();
  err.write_end = Fd();
  const Fd pidfd(::pidfd_open(pid, 0));
  if (!pidfd) {  // no descriptor is left for it
    const int why = errno;
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return cannot_run(program, why);
  }
  Streams streams{std::move(in.write_end), std::move(out.read_end), std::move(err.read_end)};
  set_nonblocking(streams.input);
  set_nonblocking(streams.output);
  set_nonblocking(streams.errors);
  ProcessResult result;
  const End end = converse(pidfd.get(), streams, input, result, Clock::now() + deadline);
  if (end != End::Itself) {
    ::kill(-pid, SIGKILL);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) {
      return cannot_run(program, errno);
    }
  }
  if (end == End::TooMuch) {
    return cannot_run(program, std::format("more than {} bytes of output, killed", kMostOutput));
  }
  if (end == End::Deadline) {
    return cannot_run(program, std::format("not finished after {} ms, killed", deadline.count()));
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace millrace::base
