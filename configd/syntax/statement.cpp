// SPDX-License-Identifier: GPL-2.0-or-later
//
// X3 reads the words between two marks of structure (`;`, `{`, `}`, `[`, `]`) in one go; the Parser
// below looks at the mark and keeps the nesting on a stack of its own. The rules hold views into
// the source, so a word costs no copy.
//
// After an error `skip_statement` goes to the end of that statement: past its `;` or its block, or
// to the `}` of the block around it. Quotes that do not end are the exception: everything after
// them would be inside out, so reading goes on at the next line.
#include "syntax/statement.h"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <cstring>
#include <format>
#include <optional>
#include <span>
#include <utility>

#include "syntax/lexeme.h"

namespace millrace::syntax {
namespace {

namespace x3 = boost::spirit::x3;

constexpr std::size_t kMaxErrors = 100;
constexpr std::size_t kMaxContext = 200;
constexpr std::size_t kMaxFound = 60;

// What the actions of the grammar write to.
struct Sink {
  std::vector<std::string_view> words;  // as written, quotes included
  std::string attached;                 // the comments before the first of `words`
  std::string comment;                  // those after it
};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

void add_word(Sink& sink, std::string_view word) {
  if (sink.words.empty()) {
    sink.attached = std::exchange(sink.comment, {});
  }
  sink.words.push_back(word);
}

void add_comment(Sink& sink, std::string_view text) {
  text = trim(text);
  if (!sink.comment.empty() && !text.empty()) {
    sink.comment += '\n';
  }
  for (const char c : text) {
    // A `#` comment may hold what would end the `/* */` it will be written as.
    if (c == '/' && sink.comment.ends_with('*')) {
      sink.comment += ' ';
    }
    sink.comment += c;
  }
}

namespace grammar {

struct SinkTag;

struct WordByte : x3::char_parser<WordByte> {
  using char_type = char;
  using attribute_type = char;
  static constexpr bool has_attribute = true;

  template <class Char, class Context>
  bool test(Char c, const Context&) const {
    return is_word_byte(c);
  }
};

constexpr auto calling = [](auto function) {
  return [function](auto& context) {
    const auto& range = x3::_attr(context);
    function(x3::get<SinkTag>(context),
             std::string_view(range.begin(), static_cast<std::size_t>(range.size())));
  };
};

const auto blank = x3::char_(" \t\n");
const auto to_line_end = *(x3::char_ - '\n');
const auto remark = "##" >> to_line_end;
const auto hash_comment = '#' >> x3::raw[to_line_end];
const auto star_comment = "/*" >> x3::raw[*(x3::char_ - "*/")] >> "*/";
const auto bare = !x3::lit("/*") >> +WordByte{};
const auto quoted = '"' >> *(('\\' >> x3::char_) | ~x3::char_("\"\\")) >> '"';
const auto boundary = &(x3::char_(" \t\n;{}[]") | x3::eoi);

const auto gap = *(x3::omit[blank] | x3::omit[remark] | hash_comment[calling(add_comment)] |
                   star_comment[calling(add_comment)]);
const auto word = (x3::raw[quoted | bare] >> boundary)[calling(add_word)];
const auto words = gap >> *(word >> gap);
const auto skipped = x3::omit[*(blank | remark | hash_comment | star_comment | quoted | bare)];

}  // namespace grammar

// Line and column of places that come in the order of the source.
class Locator {
 public:
  explicit Locator(const char* begin) : line_start_(begin), last_(begin) {}

  Position locate(const char* place) {
    while (const void* newline =
               std::memchr(last_, '\n', static_cast<std::size_t>(place - last_))) {
      ++line_;
      last_ = line_start_ = static_cast<const char*>(newline) + 1;
    }
    last_ = place;
    return {line_, static_cast<std::uint32_t>(place - line_start_ + 1)};
  }

 private:
  const char* line_start_;
  const char* last_;
  std::uint32_t line_ = 1;
};

std::string describe_word(std::string_view word) {
  return std::format("word '{}'", printable(word, kMaxFound));
}

bool set_tag(Tags& tags, std::string_view word) {
  static constexpr std::pair<std::string_view, bool Tags::*> kTags[] = {
      {"inactive:", &Tags::inactive},
      {"protect:", &Tags::protect},
      {"unprotect:", &Tags::unprotect},
      {"replace:", &Tags::replace},
      {"delete:", &Tags::remove}};
  if (!word.ends_with(':')) {
    return false;
  }
  for (const auto& [text, member] : kTags) {
    if (word == text) {
      tags.*member = true;
      return true;
    }
  }
  return false;
}

class Parser {
 public:
  explicit Parser(Document& document)
      : document_(document),
        source_(*document.source),
        at_(source_.data()),
        end_(source_.data() + source_.size()),
        bad_(find_bad_byte(source_)),
        locator_(source_.data()) {}

  void run() {
    while (document_.errors.size() < kMaxErrors) {
      read_words();
      if (stopped_at_bad_byte(at_)) {
        continue;
      }
      if (at_ == end_) {
        finish();
        return;
      }
      step();
    }
    error(at_, std::format("{} errors", kMaxErrors), "fewer: the rest is not read");
    close_all();
  }

 private:
  std::size_t offset(const char* place) const {
    return static_cast<std::size_t>(place - source_.data());
  }

  void error(const char* place, std::string found, std::string expected) {
    // Errors are few and may go backwards, so their places are counted from the start.
    const std::size_t start = source_.substr(0, offset(place)).rfind('\n') + 1;
    const std::string_view line = source_.substr(start, source_.find('\n', start) - start);
    document_.errors.push_back({Locator(source_.data()).locate(place), std::move(found),
                                std::move(expected), printable(line, kMaxContext)});
  }

  // Words up to the next mark, into the sink.
  void read_words() {
    sink_.words.clear();
    x3::parse(at_, end_, x3::with<grammar::SinkTag>(sink_)[grammar::words]);
  }

  // Deals with the mark at `at_`, after the words in the sink.
  void step() {
    switch (*at_) {
      case ';':
        end_statement();
        return;
      case '{':
        open_block();
        return;
      case '}':
        close_block();
        return;
      case '[':
        read_list();
        return;
      case ']':
        refuse(at_, "']'", sink_.words.empty() ? kStatement : kEnd);
        return;
      default:
        refuse_token();
    }
  }

  void end_statement() {
    if (auto statement = take_head()) {
      ++at_;
      siblings().push_back(std::move(*statement));
    }
  }

  void open_block() {
    if (open_.size() >= kMaxDepth) {
      refuse(at_, std::format("block within {} blocks", kMaxDepth), "fewer levels");
      return;
    }
    if (auto statement = take_head()) {
      ++at_;
      statement->block = true;
      open_.push_back(std::move(*statement));
    }
  }

  void close_block() {
    if (!sink_.words.empty()) {
      error(at_, "'}'", kEnd);  // the brace still closes the block around it
    }
    sink_.comment.clear();
    if (open_.empty()) {
      if (sink_.words.empty()) {
        error(at_, "'}'", "a statement or end of input: no block is open");
      }
    } else {
      close_innermost();
    }
    ++at_;
  }

  void close_innermost() {
    Statement closed = std::move(open_.back());
    open_.pop_back();
    siblings().push_back(std::move(closed));
  }

  void close_all() {
    while (!open_.empty()) {
      close_innermost();
    }
  }

  void read_list() {
    auto statement = take_head();
    if (!statement) {
      return;
    }
    ++at_;
    statement->bracketed = true;
    read_words();
    if (stopped_at_bad_byte(at_) || !at_mark(']', "a word or ']'")) {
      return;
    }
    statement->values = take_words(sink_.words);
    ++at_;
    read_words();
    if (stopped_at_bad_byte(at_)) {
      return;
    }
    if (!sink_.words.empty()) {
      refuse(sink_.words.front().data(), describe_word(sink_.words.front()), "';'");
      return;
    }
    if (at_mark(';', "';'")) {
      ++at_;
      siblings().push_back(std::move(*statement));
    }
  }

  // Refuses the statement when anything but `mark` stands here.
  bool at_mark(char mark, const char* expected) {
    if (at_ != end_ && *at_ == mark) {
      return true;
    }
    if (at_ == end_) {
      error(at_, "end of input", expected);
    } else if (std::string_view(";{}[]").find(*at_) != std::string_view::npos) {
      refuse(at_, std::format("'{}'", *at_), expected);
    } else {
      refuse_token();
    }
    return false;
  }

  // The end of the source, perhaps within a statement or blocks.
  void finish() {
    if (!sink_.words.empty()) {
      error(end_, "end of input", kEnd);
    } else if (!open_.empty() && !rest_is_lost_) {
      const Statement& open = open_.back();
      error(end_, "end of input",
            std::format("'}}' of '{}' at line {}", printable(open.words.front().text, kMaxFound),
                        open.at.line));
    }
    close_all();
  }

  // The statement that the words in the sink begin; refused when there are only tags, or nothing.
  std::optional<Statement> take_head() {
    Statement statement;
    std::span<const std::string_view> words = sink_.words;
    while (!words.empty() && set_tag(statement.tags, words.front())) {
      words = words.subspan(1);
    }
    if (words.empty()) {
      refuse(at_, std::format("'{}'", *at_), kStatement);
      return std::nullopt;
    }
    statement.words = take_words(words);
    statement.at = statement.words.front().at;
    statement.comment = std::move(sink_.attached);
    return statement;
  }

  std::vector<Word> take_words(std::span<const std::string_view> words) {
    std::vector<Word> result;
    result.reserve(words.size());
    for (const std::string_view written : words) {
      const Position at = locator_.locate(written.data());
      if (!written.starts_with('"')) {
        result.push_back({written, false, at});
        continue;
      }
      std::string_view text = written.substr(1, written.size() - 2);
      if (text.find('\\') != std::string_view::npos) {
        text = document_.unescaped.emplace_back(unescape(text));
      }
      result.push_back({text, true, at});
    }
    return result;
  }

  // Reports a bad byte at or before `place` and leaves the statement that holds it.
  bool stopped_at_bad_byte(const char* place) {
    if (bad_ == std::string_view::npos || bad_ > offset(place)) {
      return false;
    }
    error(source_.data() + bad_, describe_bad_byte(source_, bad_), "UTF-8 text");
    at_ = std::max(at_, source_.data() + skip_bad_bytes(source_, bad_));
    skip_statement();
    return true;
  }

  // A token at `at_` that is no word: a quote or comment that does not end, words without a blank
  // between them.
  void refuse_token() {
    const char* const start = at_;
    const char* token_end = at_;
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    if (rest.starts_with("/*")) {
      error(start, "comment that does not end", "'*/'");
      at_ = end_;
      rest_is_lost_ = true;
      return;
    }
    const bool ends = x3::parse(token_end, end_, x3::omit[grammar::quoted | grammar::bare]);
    const bool is_quoted = rest.front() == '"';
    const bool spans_lines = std::find(start, token_end, '\n') != token_end;
    if (is_quoted && (!ends || spans_lines)) {
      error(start, ends ? "quote that does not end on its line" : "quote that does not end",
            "'\"'");
      skip_line(start);
      return;
    }
    if (stopped_at_bad_byte(token_end)) {
      return;
    }
    at_ = token_end;
    refuse(token_end, *token_end == '"' ? "'\"'" : describe_word(bare_word_at(token_end)),
           "a blank between words");
  }

  std::string_view bare_word_at(const char* place) const {
    return {place,
            static_cast<std::size_t>(
                std::find_if_not(place, end_, [](char c) { return is_word_byte(c); }) - place)};
  }

  void refuse(const char* place, std::string found, std::string expected) {
    error(place, std::move(found), std::move(expected));
    skip_statement();
  }

  void skip_statement() {
    sink_.comment.clear();
    std::size_t depth = 0;
    while (true) {
      x3::parse(at_, end_, grammar::skipped);
      if (at_ == end_) {
        break;
      }
      const char mark = *at_;
      if (mark == '}' && depth == 0) {
        break;
      }
      ++at_;
      if (mark == '{') {
        ++depth;
      } else if (mark == '}') {
        --depth;
      }
      if (depth == 0 && (mark == ';' || mark == '}')) {
        break;
      }
    }
    skip_bad();
  }

  void skip_line(const char* from) {
    sink_.comment.clear();
    at_ = std::find(from, end_, '\n');
    skip_bad();
  }

  // Bad bytes of what was skipped are not reported.
  void skip_bad() {
    if (bad_ < offset(at_)) {
      bad_ = find_bad_byte(source_, offset(at_));
    }
  }

  std::vector<Statement>& siblings() {
    return open_.empty() ? document_.statements : open_.back().children;
  }

  static constexpr const char* kStatement = "a statement";
  static constexpr const char* kEnd = "';' or '{'";

  Document& document_;
  std::string_view source_;
  const char* at_;
  const char* end_;
  std::size_t bad_;  // offset of the next bad byte that was not reported
  Locator locator_;
  Sink sink_;
  std::vector<Statement> open_;  // the blocks around `at_`, outermost first
  bool rest_is_lost_ = false;
};

}  // namespace

std::string SyntaxError::to_string() const {
  return std::format("{}:{}: found {}, expected {}", at.line, at.column, found, expected);
}

Document parse_statements(std::string source) {
  normalize_line_ends(source);
  Document document;
  document.source = std::make_shared<const std::string>(std::move(source));
  Parser(document).run();
  return document;
}

}  // namespace millrace::syntax
