// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program on a terminal, and the person in front of it: type() and see(). The child's side is the
// slave of a pseudo-terminal; this process is the terminal emulator, which shows nothing.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace millrace::test {

class PseudoTerminal {
 public:
  static constexpr int kPatience = 60'000;  // milliseconds; only a failing test waits so long

  PseudoTerminal() = default;
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal() {
    if (master_ >= 0) {
      close(master_);
    }
    if (child_ > 0) {
      kill(child_, SIGKILL);
      end();
    }
  }

  // Runs `child`, which must not return, with `term` as its TERM.
  template <class Child>
  void start(const char* term, winsize size, Child child) {
    child_ = forkpty(&master_, nullptr, nullptr, &size);
    if (child_ == 0) {
      setenv("TERM", term, 1);
      child();
      _exit(127);
    }
  }

  void type(std::string_view bytes) {
    while (!bytes.empty()) {
      pollfd both{master_, POLLIN | POLLOUT, 0};
      ASSERT_GT(poll(&both, 1, kPatience), 0);
      if ((both.revents & POLLIN) != 0) {
        take();
        continue;
      }
      const auto count = write(master_, bytes.data(), std::min<std::size_t>(bytes.size(), 512));
      ASSERT_GT(count, 0);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Everything that came up to and including `text`, which must come.
  std::string see(std::string_view text) {
    for (;;) {
      if (const auto found = output_.find(text); found != std::string::npos) {
        std::string out = output_.substr(0, found + text.size());
        output_.erase(0, found + text.size());
        return out;
      }
      pollfd readable{master_, POLLIN, 0};
      if (poll(&readable, 1, kPatience) <= 0 || !take()) {
        ADD_FAILURE() << "'" << text << "' did not come; what came: " << output_;
        return {};
      }
    }
  }

  void resize(winsize size) const { ioctl(master_, TIOCSWINSZ, &size); }
  void send(int signal) const { kill(child_, signal); }
  // Waits for the end of the child: its status, as of waitpid.
  int end() {
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    return status;
  }
  termios modes() const {
    termios out{};
    tcgetattr(master_, &out);
    return out;
  }

 private:
  bool take() {
    std::array<char, 4096> buffer{};
    const auto count = read(master_, buffer.data(), buffer.size());
    if (count > 0) {
      output_.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return count > 0;
  }

  int master_ = -1;
  pid_t child_ = -1;
  std::string output_;
};

}  // namespace millrace::test
