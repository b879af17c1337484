// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace millrace::cli {
namespace {

constexpr std::string_view kPasteOn = "\x1b[?2004h";
constexpr std::string_view kPasteOff = "\x1b[?2004l";

// What the handlers need; they may run at any moment from restorable = 1 on.
termios found_at_start{};
volatile std::sig_atomic_t restorable = 0;
volatile std::sig_atomic_t pasting = 0;
std::array<int, 2> wake{-1, -1};  // written to by handlers, read by wait()

void restore_and_die(int signal) {
  if (restorable != 0) {
    tcsetattr(STDIN_FILENO, TCSANOW, &found_at_start);
    if (pasting != 0) {
      static_cast<void>(!write(STDOUT_FILENO, kPasteOff.data(), kPasteOff.size()));
    }
  }
  raise(signal);  // SA_RESETHAND has put the default back
}

void note_change(int /*signal*/) {
  const int before = errno;
  static_cast<void>(!write(wake[1], "", 1));
  errno = before;
}

void watch_signals() {
  if (wake[0] >= 0 || pipe2(wake.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    return;
  }
  struct sigaction change{};
  change.sa_handler = note_change;
  change.sa_flags = SA_RESTART;
  sigaction(SIGWINCH, &change, nullptr);
  sigaction(SIGCONT, &change, nullptr);
  struct sigaction end{};
  end.sa_handler = restore_and_die;
  end.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal :
       {SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) {
    sigaction(signal, &end, nullptr);
  }
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> kinds) {
  for (const auto kind : kinds) {
    if (name.starts_with(kind)) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool Terminal::present() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

Terminal::Terminal() {
  const char* name = std::getenv("TERM");
  set_kind(name ? name : "");
  restorable = tcgetattr(STDIN_FILENO, &found_) == 0 ? 1 : 0;
  found_at_start = found_;
  watch_signals();
}

void Terminal::set_kind(const std::string& name) {
  kind_ = name;
  const std::string_view kind = kind_;
  bracketed_paste_ = one_of(kind, {"xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "kitty",
                                   "konsole", "gnome", "putty"});
  const bool has_colours = bracketed_paste_ || one_of(kind, {"linux"});
  abilities_.colours = colours_ && has_colours;
  abilities_.sequences = has_colours || one_of(kind, {"vt1", "vt2", "ansi"});
}

void Terminal::set_colours(bool wanted) {
  colours_ = wanted;
  set_kind(kind_);
}

Terminal::~Terminal() {
  set(Mode::Found);
  restorable = 0;
}

void Terminal::set(Mode mode) {
  if (mode == mode_ || restorable == 0) {
    return;
  }
  std::fflush(stdout);
  termios wanted = found_;
  if (mode != Mode::Found) {
    wanted.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IGNCR | ISTRIP | IXON);
    wanted.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
    wanted.c_cc[VMIN] = 1;
    wanted.c_cc[VTIME] = 0;
    wanted.c_cc[VQUIT] = _POSIX_VDISABLE;
    wanted.c_cc[VSUSP] = _POSIX_VDISABLE;
    if (mode == Mode::Keys) {
      wanted.c_lflag &= ~static_cast<tcflag_t>(ISIG);
    }
  }
  // TCSANOW keeps what has been typed ahead, and nothing that we change concerns output. It comes
  // first: who is told of the new mode may rely on it.
  tcsetattr(STDIN_FILENO, TCSANOW, &wanted);
  if (bracketed_paste_ && (mode == Mode::Keys) != (mode_ == Mode::Keys)) {
    pasting = mode == Mode::Keys ? 1 : 0;
    write(mode == Mode::Keys ? kPasteOn : kPasteOff);
  }
  mode_ = mode;
}

ScreenSize Terminal::size() const {
  winsize size{};
  ScreenSize out;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    out.rows = size.ws_row != 0 ? size.ws_row : out.rows;
    out.columns = size.ws_col != 0 ? size.ws_col : out.columns;
  }
  out.rows = override_.rows != 0 ? override_.rows : out.rows;
  out.columns = override_.columns != 0 ? override_.columns : out.columns;
  return out;
}

void Terminal::write(std::string_view bytes) {
  std::fflush(stdout);
  while (!bytes.empty()) {
    const auto count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
      pollfd waiting{STDOUT_FILENO, POLLOUT, 0};
      poll(&waiting, 1, -1);
      continue;
    }
    if (count <= 0) {
      return;  // the terminal is gone; reading will say so
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

Terminal::Event Terminal::wait(int other, std::string& bytes, int milliseconds) {
  for (;;) {
    std::array<pollfd, 3> waiting{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake[0], POLLIN, 0},
                                  pollfd{other, POLLIN, 0}};
    const int ready = poll(waiting.data(), waiting.size(), milliseconds);
    if (ready < 0) {
      if (errno != EINTR) {
        return Event::End;
      }
      continue;
    }
    if (ready == 0) {
      return Event::Timeout;
    }
    if (waiting[1].revents != 0) {
      std::array<char, 64> waste{};
      while (read(wake[0], waste.data(), waste.size()) > 0) {
      }
      // After SIGCONT somebody else may have set the terminal.
      const Mode mode = mode_;
      mode_ = Mode::Found;
      set(mode);
      return Event::Resized;
    }
    if (waiting[0].revents != 0) {
      std::array<char, 65536> buffer{};
      const auto count = read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        return Event::End;
      }
      bytes.append(buffer.data(), static_cast<std::size_t>(count));
      return Event::Bytes;
    }
    if (waiting[2].revents != 0) {
      return Event::Other;
    }
  }
}

}  // namespace millrace::cli
