// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/aliases.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/words.h"
#include "syntax/command_line.h"
#include "syntax/writer.h"

namespace millrace::server {
namespace {

constexpr std::size_t kMost = 100;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 &&
         std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
         std::ranges::all_of(name, [](char byte) {
           return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '-' || byte == '_';
         });
}

// Where the pipes of `line` begin; its end when it has none.
std::size_t pipes_at(std::string_view line, const syntax::CommandLine& parsed) {
  if (parsed.pipes.empty() || parsed.pipes.front().empty()) {
    return line.size();
  }
  return line.rfind('|', parsed.pipes.front().front().column - 1);
}

base::Result<std::string> fill(std::string_view text, const std::vector<std::string>& words) {
  std::string out;
  std::size_t used = 0;
  bool takes_words = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = text[at] == '$' && at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '*') {
      out += base::joined(words);
      used = words.size();
    } else if (next >= '1' && next <= '9') {
      const auto index = static_cast<std::size_t>(next - '0');
      if (index > words.size()) {
        return base::fail(base::Code::BadValue, "missing argument $" + std::to_string(index) +
                                                    " of '" + std::string(text) + "'");
      }
      out += words[index - 1];
      used = std::max(used, index);
    } else {
      out += text[at];
      continue;
    }
    takes_words = true;
    ++at;
  }
  if (takes_words && used < words.size()) {
    return base::fail(base::Code::BadValue, "unexpected '" + words[used] + "' behind an alias of " +
                                                std::to_string(used) + " arguments");
  }
  if (!takes_words && !words.empty()) {
    const auto parsed = syntax::parse_line(out);
    const std::size_t end = pipes_at(out, parsed.line);
    const bool blank = end > 0 && end < out.size() && out[end - 1] == ' ';
    out.insert(end, (blank ? "" : " ") + base::joined(words) + (end < out.size() ? " " : ""));
  }
  return out;
}

}  // namespace

base::Result<void> Aliases::set(std::string_view name, std::string_view text) {
  if (!is_name(name)) {
    return base::fail(base::Code::BadValue,
                      "invalid alias '" + std::string(name) +
                          "': expected a letter, then letters, digits, '-' or '_', at most 32");
  }
  const auto parsed = syntax::parse_line(text);
  if (!parsed.errors.empty() || parsed.line.words.empty()) {
    return base::fail(
        base::Code::BadValue,
        "an alias stands for a command: " +
            (parsed.errors.empty() ? std::string("found none") : parsed.errors.front().message));
  }
  if (texts_.size() >= kMost && !texts_.contains(name)) {
    return base::fail(base::Code::BadValue,
                      "there are " + std::to_string(kMost) + " aliases, expected no more");
  }
  texts_.insert_or_assign(std::string(name), std::string(text));
  return {};
}

bool Aliases::remove(std::string_view name) {
  const auto found = texts_.find(name);
  if (found == texts_.end()) {
    return false;
  }
  texts_.erase(found);
  return true;
}

std::optional<base::Result<std::string>> Aliases::expand(std::string_view line) const {
  if (texts_.empty()) {
    return std::nullopt;
  }
  const auto parsed = syntax::parse_line(line);
  if (!parsed.errors.empty() || parsed.line.words.empty()) {
    return std::nullopt;
  }
  auto words = std::span(parsed.line.words);
  std::string before;
  // `run` of configuration mode leads to the same commands.
  if (words.size() > 1 && !texts_.contains(words[0].text) && words[0].text == "run") {
    before = "run ";
    words = words.subspan(1);
  }
  const auto found = texts_.find(words[0].text);
  if (found == texts_.end() || words[0].quoted) {
    return std::nullopt;
  }
  std::vector<std::string> arguments;
  for (const auto& word : words.subspan(1)) {
    arguments.push_back(syntax::quote(word.text));
  }
  auto filled = fill(found->second, arguments);
  if (!filled) {
    return filled;
  }
  const std::size_t pipes = pipes_at(line, parsed.line);
  return before + *filled + (pipes < line.size() ? " " + std::string(line.substr(pipes)) : "");
}

}  // namespace millrace::server
