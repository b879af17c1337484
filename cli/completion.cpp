// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/completion.h"

#include <algorithm>

#include "base/words.h"
#include "cli/glyph.h"

namespace millrace::cli {
namespace {

constexpr std::size_t kHelpColumn = 21;  // counted from the start of the name

// A name that would be read as something else is written in quotes.
std::string as_word(std::string_view text) {
  if (!text.empty() && text.find_first_of(" \t\"\\|;{}[]#?") == std::string_view::npos) {
    return std::string(text);
  }
  return base::quoted(text);
}

// `help`, which starts at column `start`, on as many lines as it takes between words; the further
// ones are indented like the help of short names, or on narrow screens a little.
std::string folded(std::string_view help, std::size_t start, std::size_t width) {
  constexpr std::size_t kNarrow = 60;
  const std::size_t indent = width < kNarrow ? 6 : kHelpColumn + 2;
  std::string out;
  std::size_t at = start;
  while (!help.empty()) {
    const auto end = std::min(help.find(' '), help.size());
    const auto word = help.substr(0, end);
    const std::size_t size = columns(word);
    const bool first = at == start || at == indent;
    if (at + (first ? 0 : 1) + size > width && at > indent) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += size;
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  return out;
}

struct Matches {
  std::vector<const Choice*> words;  // what the word may be completed to
  bool free = false;                 // the word may also stand for itself
};

Matches matches(const Answer& answer, std::string_view word, bool names) {
  Matches out;
  for (const auto& choice : answer.choices) {
    switch (choice.kind) {
      case ChoiceKind::Keyword:
        out.words.push_back(&choice);
        break;
      case ChoiceKind::Name:
        if (names || choice.text == word) {
          out.words.push_back(&choice);
        }
        out.free = true;
        break;
      case ChoiceKind::Placeholder:
      case ChoiceKind::File:
        out.free = true;
        break;
      case ChoiceKind::Enter:
      case ChoiceKind::Pipe:
        break;
    }
  }
  const auto exact =
      std::ranges::find_if(out.words, [&](const Choice* choice) { return choice->text == word; });
  if (exact != out.words.end()) {
    out.words = {*exact};
  }
  return out;
}

Verdict complain(const Problem& problem) {
  return {Verdict::Act::Show, std::nullopt, problem.byte, problem.message + "\n"};
}

// After a blank, or on an empty line.
Verdict without_word(Trigger trigger, const Answer& answer, std::size_t width) {
  if (trigger == Trigger::Enter) {
    return {Verdict::Act::Run};
  }
  if (trigger == Trigger::Space) {
    return {Verdict::Act::Put, " "};
  }
  if (answer.choices.empty()) {
    return {};
  }
  if (trigger == Trigger::Tab) {
    const Matches found = matches(answer, {}, true);
    if (found.words.size() == 1 && !found.free && answer.choices.size() == 1) {
      return {Verdict::Act::Put, as_word(found.words.front()->text) + " "};
    }
  }
  return {Verdict::Act::Show, std::nullopt, std::nullopt,
          listing(answer.choices, answer.more, width)};
}

}  // namespace

Verdict decide(Trigger trigger, const Answer& answer, std::string_view line, std::size_t width) {
  const std::string_view word = line.substr(std::min(answer.start, line.size()));
  if (trigger == Trigger::Help) {
    if (!answer.choices.empty()) {
      return {Verdict::Act::Show, std::nullopt, std::nullopt,
              listing(answer.choices, answer.more, width)};
    }
    return answer.problem
               ? complain(*answer.problem)
               : Verdict{Verdict::Act::Show, std::nullopt, std::nullopt, "No valid completions\n"};
  }
  if (answer.problem) {
    return complain(*answer.problem);
  }
  if (word.empty()) {
    return without_word(trigger, answer, width);
  }
  const bool runs = trigger == Trigger::Enter;
  const Matches found = matches(answer, word, trigger == Trigger::Tab);
  if (found.words.size() == 1) {
    const std::string& text = found.words.front()->text;
    const bool goes_on = runs || text.ends_with('/');  // a folder, whose files come next
    return {runs ? Verdict::Act::Run : Verdict::Act::Put, as_word(text) + (goes_on ? "" : " ")};
  }
  if (found.free && (found.words.empty() || trigger != Trigger::Tab)) {
    return runs ? Verdict{Verdict::Act::Run} : Verdict{Verdict::Act::Put, std::string(word) + " "};
  }
  if (found.words.empty()) {
    // Nothing is known about the word, as in the text of a pattern: it is what it is.
    return runs ? Verdict{Verdict::Act::Run} : Verdict{Verdict::Act::Put, std::string(word) + " "};
  }
  return {
      Verdict::Act::Show, std::nullopt, line.size(),
      "'" + std::string(word) + "' is ambiguous.\n" + listing(answer.choices, answer.more, width)};
}

std::string listing(const std::vector<Choice>& choices, bool more, std::size_t width) {
  std::string out = "Possible completions:\n";
  for (const auto& choice : choices) {
    out += choice.marker;
    out += ' ';
    out += choice.text;
    if (!choice.help.empty()) {
      const std::size_t used = columns(choice.text);
      const std::size_t gap = used + 2 <= kHelpColumn ? kHelpColumn - used : 2;
      out.append(gap, ' ');
      out += folded(choice.help, 2 + used + gap, width);
    }
    out += '\n';
  }
  return more ? out + "  ... and more; type some of the name\n" : out;
}

}  // namespace millrace::cli
