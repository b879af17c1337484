// SPDX-License-Identifier: GPL-2.0-or-later
//
// The grammar is total: what is wrong is an alternative of its own that notes the error and goes
// on, so completion can work on the words of an unfinished line.
//
//   line  := item* ('|' word*)*         item := word | '[' word* ']'
//
// Brackets group only where a word could start and only before the first pipe: `http://[::1]/x` and
// `| match eth[0-9]` are plain words.
#include "syntax/command_line.h"

#include <boost/spirit/home/x3.hpp>

#include "syntax/lexeme.h"

namespace millrace::syntax {
namespace {

namespace x3 = boost::spirit::x3;

struct Reading {
  ParsedLine parsed;
  const char* begin = nullptr;
  unsigned groups = 0;
  bool in_group = false;
  unsigned opened_at = 1;        // column of the last `[`
  std::size_t before_group = 0;  // count of words then

  unsigned column(const char* place) const { return static_cast<unsigned>(place - begin) + 1; }

  void error(unsigned at, std::string message) {
    parsed.errors.push_back({at, std::move(message)});
  }

  void add(LineWord word) {
    CommandLine& line = parsed.line;
    (line.pipes.empty() ? line.words : line.pipes.back()).push_back(std::move(word));
  }

  void add_bare(const char* first, const char* last) {
    add({std::string(first, last), false, column(first), in_group ? groups : 0});
  }

  // Without the opening quote, and without the closing one if there is any.
  void add_quoted(const char* first, const char* last) {
    add({unescape({first, last}), true, column(first) - 1, in_group ? groups : 0});
  }

  void open_group(const char* place) {
    ++groups;
    in_group = true;
    opened_at = column(place);
    before_group = parsed.line.words.size();
  }

  void close_group() {
    in_group = false;
    if (parsed.line.words.size() == before_group) {
      // `delete members [ ]` must not mean `delete members`.
      error(opened_at, "empty brackets");
    }
  }

  void open_pipe(const char* place) {
    if (parsed.line.words.empty() && parsed.line.pipes.empty()) {
      error(column(place), "missing command before '|'");
    }
    check_pipe();
    parsed.line.pipes.emplace_back();
    opened_at = column(place);
  }

  void check_pipe() {
    if (!parsed.line.pipes.empty() && parsed.line.pipes.back().empty()) {
      error(opened_at, "empty pipe");
    }
  }
};

namespace grammar {

struct ReadingTag;

// An action that hands the place of what was matched to `function`.
constexpr auto calling = [](auto function) {
  return [function](auto& context) {
    const auto& range = x3::_attr(context);
    function(x3::get<ReadingTag>(context), range.begin(), range.end());
  };
};

// Matches without taking anything, and notes `message` here.
const auto note = [](const char* message) {
  return x3::raw[x3::eps][calling([message](Reading& reading, const char* here, const char*) {
    reading.error(reading.column(here), message);
  })];
};

const auto add_bare = calling(
    [](Reading& reading, const char* first, const char* last) { reading.add_bare(first, last); });
const auto add_quoted = calling(
    [](Reading& reading, const char* first, const char* last) { reading.add_quoted(first, last); });
const auto open_group =
    calling([](Reading& reading, const char* place, const char*) { reading.open_group(place); });
const auto close_group =
    calling([](Reading& reading, const char*, const char*) { reading.close_group(); });
const auto leave_group = calling([](Reading& reading, const char*, const char*) {
  reading.error(reading.opened_at, "missing closing bracket");
  reading.in_group = false;
});
const auto open_pipe =
    calling([](Reading& reading, const char* place, const char*) { reading.open_pipe(place); });
const auto unclosed = calling([](Reading& reading, const char* first, const char* last) {
  reading.error(reading.column(first) - 1, "missing closing quote");
  reading.add_quoted(first, last);
});

const auto blanks = x3::omit[*x3::char_(" \t")];
const auto quoted_text = *(('\\' >> x3::char_) | ~x3::char_("\"\\"));
// A quoted word, with a blank or a mark of structure after it.
const auto quoted = ('"' >> x3::raw[quoted_text] >> '"')[add_quoted] >>
                    (&(x3::char_(" \t|]") | x3::eoi) | note("missing blank after closing quote"));
const auto unclosed_quote = '"' >> x3::raw[*x3::char_][unclosed];
const auto before_quote = (!x3::lit('"')) | note("missing blank before quote");
const auto word = [](auto first, auto rest) {
  return quoted | unclosed_quote | (x3::raw[first >> *rest][add_bare] >> before_quote);
};

const auto command_byte = ~x3::char_(" \t\"|");
const auto group_byte = ~x3::char_(" \t\"|[]");
const auto command_word = word(~x3::char_(" \t\"|[]"), command_byte);
const auto group_word = word(group_byte, group_byte);
const auto pipe_word = word(command_byte, command_byte);

const auto nested = note("'[' inside brackets") >> '[';
const auto unbalanced = note("']' without '['") >> ']';
const auto group = x3::raw[x3::lit('[')][open_group] >> blanks >>
                   *((group_word | (&x3::lit('[') >> nested)) >> blanks) >>
                   (x3::raw[x3::lit(']')][close_group] | x3::raw[x3::eps][leave_group]);
const auto item = command_word | group | (&x3::lit(']') >> unbalanced);
const auto pipe = x3::raw[x3::lit('|')][open_pipe] >> blanks >> *(pipe_word >> blanks);
const auto line = blanks >> *(item >> blanks) >> *pipe;

}  // namespace grammar
}  // namespace

ParsedLine parse_line(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  Reading reading;
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line[start] == '#') {
    return {};
  }
  if (const std::size_t bad = std::min(find_bad_byte(line), line.find('\n'));
      bad != std::string_view::npos) {
    reading.error(static_cast<unsigned>(bad) + 1, describe_bad_byte(line, bad));
    return std::move(reading.parsed);
  }
  reading.begin = line.data();
  const char* at = line.data();
  const char* const end = at + line.size();
  x3::parse(at, end, x3::with<grammar::ReadingTag>(reading)[grammar::line]);
  if (at != end) {
    reading.error(reading.column(at), "unexpected character");
  }
  reading.check_pipe();
  return std::move(reading.parsed);
}

}  // namespace millrace::syntax
