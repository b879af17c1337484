// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/completion.h"

#include <algorithm>
#include <utility>

#include "server/completion_parts.h"

namespace millrace::server {
namespace {

// Errors that only say that the line is not finished.
bool is_unfinished(const syntax::ParsedLine& parsed) {
  return std::ranges::all_of(parsed.errors, [&](const syntax::LineError& error) {
    const bool open_pipe = !parsed.line.pipes.empty() && parsed.line.pipes.back().empty();
    return error.message == "missing closing bracket" || error.message == "missing closing quote" ||
           (error.message == "empty pipe" && open_pipe) ||
           (error.message == "empty brackets" && open_pipe);
  });
}

bool ends_in_word(std::string_view line) {
  return !line.empty() && std::string_view(" \t|[]").find(line.back()) == std::string_view::npos;
}

Piped piped_command(const Shell& shell, std::span<const syntax::LineWord> words) {
  if (words.empty() || !is(words[0].text, "show")) {
    return Piped::Text;
  }
  if (shell.configuring()) {
    return Piped::Candidate;
  }
  return words.size() > 1 && is(words[1].text, "configuration") ? Piped::Running : Piped::Text;
}

void sort(std::vector<Offer>& offers) {
  const auto rank = [](const Offer& offer) {
    switch (offer.kind) {
      case OfferKind::Enter:
        return 0;
      case OfferKind::Placeholder:
      case OfferKind::File:
        return 1;
      case OfferKind::Keyword:
      case OfferKind::Name:
        return 2;
      case OfferKind::Pipe:
        break;
    }
    return 3;
  };
  std::ranges::stable_sort(offers, [&](const Offer& left, const Offer& right) {
    return std::pair(rank(left), std::string_view(left.text)) <
           std::pair(rank(right), std::string_view(right.text));
  });
}

}  // namespace

void Asking::keyword(std::string_view text, std::string_view help, char marker) {
  if (text.starts_with(prefix)) {
    out.offers.push_back({OfferKind::Keyword, std::string(text), std::string(help), marker});
  }
}

void Asking::name(std::string text, std::string_view help, char marker) {
  if (text.starts_with(prefix)) {
    out.offers.push_back({OfferKind::Name, std::move(text), std::string(help), marker});
  }
}

void Asking::placeholder(std::string text, std::string_view help, char marker) {
  out.offers.push_back({OfferKind::Placeholder, std::move(text), std::string(help), marker});
}

void Asking::file(std::string_view help) {
  out.offers.push_back({OfferKind::File, "<file>", std::string(help)});
}

void Asking::complete(bool pipes) {
  if (!prefix.empty()) {
    return;
  }
  out.offers.push_back({OfferKind::Enter, "<[Enter]>", "Execute this command"});
  if (pipes) {
    out.offers.push_back({OfferKind::Pipe, "|", "Pipe through a command"});
  }
}

void Asking::wrong(std::size_t word, std::string message, bool past_word) {
  if (word >= words.size()) {
    out.problem = {out.start, std::move(message)};
    return;
  }
  const auto& at = words[word];
  const std::size_t size = at.text.size() + (at.quoted ? 2 : 0);
  out.problem = {at.column - 1 + (past_word ? size : 0), std::move(message)};
  out.offers.clear();
}

bool Asking::has_words() const {
  return std::ranges::any_of(out.offers, [](const Offer& offer) {
    return offer.kind == OfferKind::Keyword || offer.kind == OfferKind::Name;
  });
}

Completion complete(Shell& shell, std::string_view line) {
  const auto parsed = syntax::parse_line(line);
  const auto& pipes = parsed.line.pipes;
  std::span<const syntax::LineWord> words = pipes.empty() ? parsed.line.words : pipes.back();
  Asking asking{shell, words, 0, {}, shell.level()};
  asking.out.start = line.size();
  const auto first = line.find_first_not_of(" \t");
  if (first != std::string_view::npos && line[first] == '#') {
    return std::move(asking.out);
  }
  if (!is_unfinished(parsed)) {
    const auto& error = parsed.errors.front();
    asking.out.problem = {error.column - 1, error.message};
    return std::move(asking.out);
  }
  if (ends_in_word(line) && !words.empty()) {
    asking.prefix = words.back().text;
    asking.out.start = words.back().column - 1;
    asking.words = words.first(words.size() - 1);
  }
  if (pipes.empty() && asking.words.empty()) {
    for (const auto& [name, text] : shell.aliases().all()) {
      asking.name(name, text);
    }
  }
  if (!pipes.empty()) {
    complete_pipe(asking, piped_command(shell, parsed.line.words));
  } else if (shell.configuring()) {
    complete_configuration(asking);
  } else {
    complete_operational(asking);
  }
  sort(asking.out.offers);
  return std::move(asking.out);
}

}  // namespace millrace::server
