// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/text_pipes.h"

#include <regex.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

namespace millrace::cli {
namespace {

using Result = std::expected<std::string, std::string>;

// regcomp(3) of glibc recurses once for every open parenthesis and overruns the stack.
constexpr std::size_t kLongestPattern = 1000;

class Pattern {
 public:
  static std::expected<Pattern, std::string> compile(const std::string& text) {
    if (text.size() > kLongestPattern) {
      return std::unexpected("the pattern is longer than " + std::to_string(kLongestPattern) +
                             " characters");
    }
    auto expression = std::make_unique<regex_t>();
    const int code = regcomp(expression.get(), text.c_str(), REG_EXTENDED | REG_NOSUB);
    if (code != 0) {
      std::array<char, 128> reason{};
      regerror(code, expression.get(), reason.data(), reason.size());
      return std::unexpected("invalid pattern '" + text + "': " + reason.data());
    }
    return Pattern(expression.release());
  }

  bool matches(std::string_view line) const {
    const std::string text(line);
    return regexec(compiled_.get(), text.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  struct Free {
    void operator()(regex_t* expression) const {
      regfree(expression);
      delete expression;
    }
  };
  explicit Pattern(regex_t* compiled) : compiled_(compiled) {}
  std::unique_ptr<regex_t, Free> compiled_;
};

// Calls `keep` with each line, its newline left out, and returns those it wants.
std::string filter(std::string_view text, const std::function<bool(std::string_view)>& keep) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    if (keep(line)) {
      out += line;
      out += '\n';
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::size_t count_lines(std::string_view text) {
  const auto newlines = std::ranges::count(text, '\n');
  return static_cast<std::size_t>(newlines) + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

std::string last_lines(std::string_view text, std::size_t count) {
  const std::size_t total = count_lines(text);
  std::size_t seen = 0;
  return filter(text, [&](std::string_view) { return ++seen + count > total; });
}

std::string trim(std::string_view text, std::size_t columns) {
  std::string out;
  filter(text, [&](std::string_view line) {
    out += line.substr(std::min(columns, line.size()));
    out += '\n';
    return false;
  });
  return out;
}

Result write(const std::string& text, const std::string& file, const char* mode) {
  std::FILE* stream = std::fopen(file.c_str(), mode);
  if (!stream) {
    return std::unexpected("cannot write '" + file + "': " + std::strerror(errno));
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (std::fclose(stream) != 0 || !written) {
    return std::unexpected("cannot write '" + file + "': " + std::strerror(errno));
  }
  return "Wrote " + std::to_string(count_lines(text)) + " lines of output to '" + file + "'\n";
}

Result by_pattern(const TextPipe& pipe, const std::string& text) {
  const auto pattern = Pattern::compile(pipe[1]);
  if (!pattern) {
    return std::unexpected(pattern.error());
  }
  if (pipe[0] == "match") {
    return filter(text, [&](std::string_view line) { return pattern->matches(line); });
  }
  if (pipe[0] == "except") {
    return filter(text, [&](std::string_view line) { return !pattern->matches(line); });
  }
  bool found = false;
  std::string out = filter(text, [&](std::string_view line) {
    found = found || pattern->matches(line);
    return found;
  });
  return found ? out : "Pattern not found\n";
}

Result apply(const TextPipe& pipe, std::string text, std::size_t screen_lines) {
  const std::string& name = pipe[0];
  const std::string argument = pipe.size() > 1 ? pipe[1] : std::string();
  const auto number = static_cast<std::size_t>(std::strtoul(argument.c_str(), nullptr, 10));
  if (name == "match" || name == "except" || name == "find") {
    return pipe.size() > 1 ? by_pattern(pipe, text) : Result(std::unexpected("no pattern"));
  }
  if (name == "count") {
    return "Count: " + std::to_string(count_lines(text)) + " lines\n";
  }
  if (name == "last") {
    return last_lines(text, pipe.size() > 1 ? number : screen_lines);
  }
  if (name == "trim") {
    return trim(text, number);
  }
  if (name == "save") {
    return write(text, argument, "w");
  }
  if (name == "append") {
    return write(text, argument, "a");
  }
  if (name == "tee") {
    auto written = write(text, argument, "w");
    return written ? Result(text + *written) : written;
  }
  if (name == "no-more" || name == "hold") {
    return text;
  }
  return std::unexpected("this client does not know the pipe '" + name + "'");
}

}  // namespace

std::expected<std::string, std::string> apply_pipes(const std::vector<TextPipe>& pipes,
                                                    std::string text, std::size_t screen_lines) {
  for (const auto& pipe : pipes) {
    if (pipe.empty()) {
      return std::unexpected("an empty pipe");
    }
    auto piped = apply(pipe, std::move(text), screen_lines);
    if (!piped) {
      return piped;
    }
    text = std::move(*piped);
  }
  return text;
}

}  // namespace millrace::cli
