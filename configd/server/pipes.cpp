// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/pipes.h"

#include <array>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

namespace millrace::server {
namespace {

using Words = std::span<const syntax::LineWord>;
using Outcome = std::expected<void, PipeError>;

enum class Needs : std::uint8_t { Nothing, Text, Number, MaybeNumber, MaybeFullNames, Addressee };

struct TextPipe {
  std::string_view name;
  Needs needs;
};

constexpr std::array kTextPipes = {
    TextPipe{"append", Needs::Text},
    TextPipe{"count", Needs::Nothing},
    TextPipe{"except", Needs::Text},
    TextPipe{"find", Needs::Text},
    TextPipe{"hold", Needs::Nothing},
    TextPipe{"last", Needs::MaybeNumber},
    TextPipe{"match", Needs::Text},
    TextPipe{"no-more", Needs::Nothing},
    TextPipe{"refresh", Needs::MaybeNumber},
    TextPipe{"request", Needs::Addressee},
    TextPipe{"resolve", Needs::MaybeFullNames},
    TextPipe{"save", Needs::Text},
    TextPipe{"suppress-zeros", Needs::Nothing},
    TextPipe{"tee", Needs::Text},
    TextPipe{"trim", Needs::Number},
};
constexpr std::array<std::string_view, 3> kRendering = {"compare", "display", "plan"};

std::unexpected<PipeError> refuse(const syntax::LineWord& word, std::string message) {
  return std::unexpected(PipeError{word.column, std::move(message)});
}

std::unexpected<PipeError> refuse_after(const syntax::LineWord& word, std::string message) {
  return std::unexpected(PipeError{word.column + word.text.size() + 1, std::move(message)});
}

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// Every name that `word` stands for.
std::vector<std::string_view> candidates(std::string_view word) {
  std::vector<std::string_view> out;
  const auto consider = [&](std::string_view name) {
    if (name == word) {
      out.insert(out.begin(), name);
    } else if (!word.empty() && name.starts_with(word)) {
      out.push_back(name);
    }
  };
  for (const auto& pipe : kTextPipes) {
    consider(pipe.name);
  }
  for (const auto name : kRendering) {
    consider(name);
  }
  if (!out.empty() && out.front() == word) {
    out.resize(1);
  }
  return out;
}

bool abbreviates(const syntax::LineWord& word, std::string_view name) {
  return !word.quoted && !word.text.empty() && name.starts_with(word.text);
}

// `request message all`, `request message alice@pts/3`
Outcome read_addressee(Pipes& pipes, Words words) {
  if (words.size() > 1 && !abbreviates(words[1], "message")) {
    return refuse(words[1], "syntax error, expecting <message>.");
  }
  if (words.size() < 3) {
    return refuse_after(words.back(), words.size() < 2
                                          ? "missing argument, expecting <message>."
                                          : "missing argument, expecting <all> or <user@tty>.");
  }
  if (words.size() > 3) {
    return refuse(words[3], "syntax error, expecting <|>.");
  }
  const std::string& whom = words[2].text;
  if (whom != "all" && (whom.starts_with('@') || !whom.contains('@'))) {
    return refuse(words[2], "invalid value '" + whom + "': expected <all> or <user@tty>");
  }
  pipes.client.push_back({"request", "message", whom});
  return {};
}

Outcome read_text_pipe(Pipes& pipes, const TextPipe& pipe, Words words) {
  if (pipe.needs == Needs::Addressee) {
    return read_addressee(pipes, words);
  }
  const auto arguments = words.subspan(1);
  if (pipe.needs == Needs::MaybeFullNames && !arguments.empty() &&
      !abbreviates(arguments[0], "full-names")) {
    return refuse(arguments[0], "syntax error, expecting <full-names>.");
  }
  const bool wants_one = pipe.needs == Needs::Text || pipe.needs == Needs::Number;
  if (wants_one && arguments.empty()) {
    return refuse_after(words.back(), "missing argument.");
  }
  const std::size_t most = pipe.needs == Needs::Nothing ? 0 : 1;
  if (arguments.size() > most) {
    return refuse(arguments[most], "syntax error, expecting <|>.");
  }
  const bool numeric = pipe.needs == Needs::Number || pipe.needs == Needs::MaybeNumber;
  if (numeric && !arguments.empty() && !number(arguments[0].text)) {
    return refuse(arguments[0], "invalid value '" + arguments[0].text + "': expected a number");
  }
  std::vector<std::string> out = {std::string(pipe.name)};
  for (const auto& word : arguments) {
    out.push_back(pipe.needs == Needs::MaybeFullNames ? "full-names" : word.text);
  }
  pipes.client.push_back(std::move(out));
  return {};
}

Outcome read_compare(Pipes& pipes, Words words) {
  pipes.compare = true;
  const auto named = words.subspan(1);
  if (named.empty()) {
    return {};
  }
  const auto read = read_source(named);
  if (!read) {
    const auto& error = read.error();
    return error.word < named.size() ? refuse(named[error.word], error.message)
                                     : refuse_after(named.back(), error.message);
  }
  if (read->used < named.size()) {
    return refuse(named[read->used], "syntax error, expecting <|>.");
  }
  pipes.compare_with = read->source;
  return {};
}

Outcome read_one(Pipes& pipes, Words words) {
  const auto& head = words.front();
  const auto names = candidates(head.text);
  if (names.size() > 1) {
    return refuse_after(head, "'" + head.text + "' is ambiguous.");
  }
  if (names.empty()) {
    return refuse(head, "syntax error, expecting <command>.");
  }
  for (const auto& pipe : kTextPipes) {
    if (pipe.name == names[0]) {
      return read_text_pipe(pipes, pipe, words);
    }
  }
  if (!pipes.client.empty()) {
    return refuse(head, "'" + std::string(names[0]) + "' must stand before pipes that filter text");
  }
  if (!pipes.rerenders()) {
    pipes.column = head.column;
  }
  if (names[0] == "compare") {
    return read_compare(pipes, words);
  }
  if (names[0] == "display") {
    Display display = pipes.display.value_or(Display{});
    auto outcome = read_display(display, words);
    pipes.display = display;
    return outcome;
  }
  pipes.plan = true;
  return words.size() > 1 ? Outcome(refuse(words[1], "syntax error, expecting <|>.")) : Outcome();
}

}  // namespace

std::expected<Pipes, PipeError> read_pipes(
    const std::vector<std::vector<syntax::LineWord>>& pipes) {
  Pipes out;
  for (const auto& words : pipes) {
    if (words.empty()) {
      return std::unexpected(PipeError{1, "empty pipe"});
    }
    if (auto outcome = read_one(out, words); !outcome) {
      return std::unexpected(std::move(outcome.error()));
    }
  }
  return out;
}

}  // namespace millrace::server
