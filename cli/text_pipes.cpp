// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/text_pipes.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "base/pattern.h"
#include "cli/transfer.h"

namespace millrace::cli {
namespace {

using Result = std::expected<std::string, std::string>;

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

// `noun` is what the lines are of.
Result write(const std::string& text, const std::string& file, bool append, const Places& places,
             const std::string& noun = "output") {
  if (auto written = write_target(file, text, append, places); !written) {
    return std::unexpected(written.error());
  }
  return "Wrote " + std::to_string(count_lines(text)) + " lines of " + noun + " to '" + file +
         "'\n";
}

Result by_pattern(const TextPipe& pipe, const std::string& text) {
  const auto pattern = base::Pattern::compile(pipe[1]);
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

Result apply(const TextPipe& pipe, std::string text, const PipeHost& host) {
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
    return last_lines(text, pipe.size() > 1 ? number : host.screen_lines);
  }
  if (name == "trim") {
    return trim(text, number);
  }
  if (name == "save") {
    return write(text, argument, false, host.places, pipe.size() > 2 ? pipe[2] : "output");
  }
  if (name == "append") {
    return write(text, argument, true, host.places);
  }
  if (name == "tee") {
    auto written = write(text, argument, false, host.places);
    return written ? Result(text + *written) : written;
  }
  if (name == "resolve") {
    return resolve(text, pipe.size() > 1, host_name_of);
  }
  if (name == "suppress-zeros") {
    return suppress_zeros(text);
  }
  if (name == "request" && pipe.size() > 2 && host.tell) {
    const auto told = host.tell(pipe[2], text);
    return told ? Result("") : Result(std::unexpected(told.error()));
  }
  if (name == "no-more" || name == "hold" || name == "refresh") {
    return text;
  }
  return std::unexpected("this client does not know the pipe '" + name + "'");
}

}  // namespace

std::expected<std::string, std::string> apply_pipes(const std::vector<TextPipe>& pipes,
                                                    std::string text, const PipeHost& host) {
  for (const auto& pipe : pipes) {
    if (pipe.empty()) {
      return std::unexpected("an empty pipe");
    }
    auto piped = apply(pipe, std::move(text), host);
    if (!piped) {
      return piped;
    }
    text = std::move(*piped);
  }
  return text;
}

}  // namespace millrace::cli
