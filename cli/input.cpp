// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace millrace::cli {
namespace {

constexpr char kEndOfInput = 0x04;  // ^D

std::string without_return(std::string line) {
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  return line;
}

}  // namespace

Input::Input(std::vector<std::string> commands) : ended_(true) {
  for (auto& command : commands) {
    ready_.push_back({std::move(command), 0});
  }
}

void Input::split() {
  std::size_t start = 0;
  for (auto end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n', start)) {
    ready_.push_back({without_return(partial_.substr(start, end - start)), ++count_});
    start = end + 1;
  }
  partial_.erase(0, start);
  if (ended_ && !partial_.empty()) {
    ready_.push_back({without_return(std::exchange(partial_, {})), ++count_});
  }
}

bool Input::read_some() {
  std::array<char, 65536> buffer{};
  const auto count = read(descriptor_, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) {
    interrupted_ = true;
    return false;
  }
  ended_ = count <= 0;
  if (count > 0) {
    partial_.append(buffer.data(), static_cast<std::size_t>(count));
  }
  split();
  return !ended_;
}

Input::Wait Input::wait(int other) {
  for (;;) {
    if (!ready_.empty()) {
      return Wait::Line;
    }
    if (ended_) {
      return Wait::End;
    }
    std::array<pollfd, 2> waiting{pollfd{descriptor_, POLLIN, 0}, pollfd{other, POLLIN, 0}};
    if (poll(waiting.data(), other >= 0 ? 2 : 1, -1) < 0) {
      return Wait::Interrupted;
    }
    if (waiting[0].revents == 0) {
      return Wait::Other;
    }
    interrupted_ = false;
    if (!read_some() && interrupted_) {
      return Wait::Interrupted;
    }
  }
}

std::optional<Line> Input::take() {
  if (ready_.empty()) {
    return std::nullopt;
  }
  Line line = std::move(ready_.front());
  ready_.pop_front();
  return line;
}

std::optional<std::string> Input::take_all() {
  std::string text;
  for (;;) {
    while (auto line = take()) {
      if (const auto end = line->text.find(kEndOfInput); end != std::string::npos) {
        return text + line->text.substr(0, end);
      }
      text += line->text + "\n";
    }
    if (ended_) {
      return text;
    }
    interrupted_ = false;
    if (!read_some()) {
      if (interrupted_) {
        return std::nullopt;
      }
      // A terminal goes on after ^D; what was typed before it is complete.
      const bool terminal = isatty(descriptor_) != 0;
      while (auto line = take()) {
        text += line->text + "\n";
      }
      ended_ = !terminal;
      return text;
    }
  }
}

}  // namespace millrace::cli
