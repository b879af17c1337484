// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/monitor_screen.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "base/time_text.h"
#include "cli/counters.h"

// Last: it defines macros with names such as `timeout` and `move`.
#include <curses.h>

namespace millrace::cli {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void draw_lines(const InterfaceMonitor& monitor) {
  int rows = 0;
  int columns = 0;
  getmaxyx(stdscr, rows, columns);
  erase();
  int row = 0;
  for (const auto& line : monitor.lines(static_cast<std::size_t>(std::max(rows, 1)),
                                        static_cast<std::size_t>(std::max(columns, 1)),
                                        base::local_time(std::time(nullptr), "%H:%M:%S"))) {
    mvaddnstr(row++, 0, line.c_str(), columns);
  }
  refresh();
}

}  // namespace

std::expected<void, std::string> monitor_interface(const std::string& host,
                                                   const std::string& interface) {
  const char* kind = std::getenv("TERM");
  SCREEN* screen = newterm(kind ? kind : "dumb", stdout, stdin);
  if (screen == nullptr) {
    return std::unexpected("no screen on a terminal of type '" + std::string(kind ? kind : "") +
                           "': 'set cli terminal' names another");
  }
  set_term(screen);
  raw();  // ^C is a key here, so that the screen is always left in order
  noecho();
  keypad(stdscr, TRUE);
  curs_set(0);
  set_escdelay(50);
  InterfaceMonitor monitor(host, interface);
  constexpr int kControlC = 3;
  double next = 0;
  for (;;) {
    const double now = seconds_now();
    if (now >= next) {
      monitor.sample(read_counters(), now);
      next = now + 1;
    }
    draw_lines(monitor);
    timeout(std::max(1, static_cast<int>((next - seconds_now()) * 1000)));
    const int key = getch();
    if (key == kControlC || (key != ERR && monitor.handle(key) == InterfaceMonitor::Key::Quit)) {
      break;
    }
  }
  endwin();
  delscreen(screen);
  return {};
}

}  // namespace millrace::cli
