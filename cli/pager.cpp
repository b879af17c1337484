// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/pager.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "base/pattern.h"
#include "cli/glyph.h"

namespace millrace::cli {
namespace {

constexpr std::size_t kTab = 8;

constexpr std::string_view kHelp =
    "Space ^F Right   next page            b ^B Left        previous page\n"
    "Enter j Down     next line            k Up             previous line\n"
    "d ^D             next half page       u ^U             previous half page\n"
    "g ^A             first page           G ^E             last page\n"
    "/PATTERN         search forward       ?PATTERN         search backward\n"
    "n                search again         m PATTERN        show only lines that match\n"
    "e PATTERN        hide lines that match\n"
    "c                show all lines again s FILE           save everything to a file\n"
    "H                stay at the end      N                leave at the end\n"
    "h                this help            q ^C             leave\n"
    "^L               draw again\n";

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

// Ends of the rows that `line` takes, as it is shown: tabs filled up, control characters visible.
template <class Add>
void wrap(std::string_view line, std::size_t width, Add add) {
  std::string row;
  std::size_t used = 0;
  for (std::size_t at = 0; at < line.size();) {
    Glyph glyph = glyph_at(line, at);
    if (line[at] == '\t') {
      const std::size_t blanks = std::min(kTab - used % kTab, width - used % width);
      glyph.columns = static_cast<unsigned>(blanks);
      glyph.shown.assign(blanks, ' ');
    }
    at += glyph.size;
    if (used + glyph.columns > width && used > 0) {
      add(std::exchange(row, {}));
      used = 0;
    }
    row += glyph.shown;
    used += glyph.columns;
  }
  add(std::move(row));
}

char32_t letter_of(const Key& key) {
  switch (key.code) {
    case KeyCode::Character:
      return key.point;
    case KeyCode::Enter:
    case KeyCode::Down:
      return 'j';
    case KeyCode::Up:
      return 'k';
    case KeyCode::Right:
    case KeyCode::PageDown:
      return ' ';
    case KeyCode::Left:
    case KeyCode::PageUp:
      return 'b';
    case KeyCode::Home:
      return 'g';
    case KeyCode::End:
      return 'G';
    case KeyCode::Control:
      break;
    default:
      return 0;
  }
  switch (key.point) {
    case 'f':
      return ' ';
    case 'b':
    case 'd':
    case 'u':
      return key.point;
    case 'a':
      return 'g';
    case 'e':
      return 'G';
    case 'c':
      return 'q';
    case 'l':
      return 'L';
    default:
      return 0;
  }
}

}  // namespace

struct Pager::Pattern {
  std::expected<base::Pattern, std::string> compiled;
  bool valid = false;

  explicit Pattern(const std::string& text)
      : compiled(base::Pattern::compile(text)), valid(compiled.has_value()) {}

  bool matches(const std::string& line) const { return compiled->matches(line); }
};

Pager::Pager(std::string_view text, ScreenSize size, bool hold)
    : lines_(split(text)), size_(size), hold_(hold) {
  lay_out();
}

bool Pager::needed(std::string_view text, ScreenSize size) {
  std::size_t rows = 0;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (line.size() <= size.columns) {
      ++rows;
    } else {
      wrap(line, size.columns, [&](std::string&&) { ++rows; });
    }
    if (rows > size.rows) {  // the part after the last newline counts as well
      return true;
    }
  }
  return false;
}

bool Pager::passes(const std::string& line) const {
  return std::ranges::all_of(
      filters_, [&](const Filter& filter) { return filter.pattern->matches(line) == filter.keep; });
}

void Pager::lay_out() {
  rows_.clear();
  for (std::size_t at = 0; at < lines_.size(); ++at) {
    if (passes(lines_[at])) {
      wrap(lines_[at], std::max<std::size_t>(size_.columns, 2),
           [&](std::string&& row) { rows_.push_back({at, std::move(row)}); });
    }
  }
}

Page Pager::forward(std::size_t count) {
  Page page_out;
  count = std::min(count, rows_.size() - next_);
  for (std::size_t at = next_; at < next_ + count; ++at) {
    page_out.rows.push_back(rows_[at].text);
  }
  next_ += count;
  top_ = std::max(top_, next_ > page() ? next_ - page() : 0);
  page_out.finished = next_ == rows_.size() && may_leave();
  page_out.refused = count == 0 && !page_out.finished;
  return page_out;
}

Page Pager::at(std::size_t top) {
  top_ = next_ = std::min(top, rows_.size());
  Page out = forward(page());
  out.clear = true;
  out.finished = out.refused = false;
  return out;
}

Page Pager::back(std::size_t count) {
  if (top_ == 0) {
    return {.rows = {}, .refused = true, .save = {}};
  }
  return at(top_ - std::min(top_, count));
}

Page Pager::start() {
  return forward(page());
}

Page Pager::resize(ScreenSize size) {
  const std::size_t line = top_ < rows_.size() ? rows_[top_].line : 0;
  size_ = size;
  lay_out();
  const auto row = std::ranges::lower_bound(rows_, line, {}, &Row::line);
  return at(static_cast<std::size_t>(row - rows_.begin()));
}

std::string Pager::prompt() const {
  if (entering_ != 0) {
    return std::string(1, static_cast<char>(entering_)) +
           (entering_ == '/' || entering_ == '?' ? "" : " ") + entry_;
  }
  if (!note_.empty()) {
    return note_;
  }
  if (helping_) {
    return "---(help: any key goes on)---";
  }
  if (next_ >= rows_.size()) {
    return "---(END)---";
  }
  return "---(more " + std::to_string(next_ * 100 / rows_.size()) + "%)---";
}

Page Pager::show_help() {
  helping_ = true;
  Page out{.clear = true, .rows = {}, .save = {}};
  for (const auto& line : split(kHelp)) {
    wrap(line, std::max<std::size_t>(size_.columns, 2), [&](std::string&& row) {
      if (out.rows.size() < page()) {
        out.rows.push_back(std::move(row));
      }
    });
  }
  return out;
}

Page Pager::handle(const Key& key) {
  note_.clear();
  if (entering_ != 0) {
    return entry(key);
  }
  const char32_t letter = letter_of(key);
  if (std::exchange(helping_, false) && letter != 'q') {
    return at(top_);
  }
  return command(letter);
}

Page Pager::command(char32_t letter) {
  switch (letter) {
    case ' ':
      return forward(page());
    case 'j':
      return forward(1);
    case 'd':
      return forward(std::max<std::size_t>(page() / 2, 1));
    case 'b':
      return back(page());
    case 'k':
      return back(1);
    case 'u':
      return back(std::max<std::size_t>(page() / 2, 1));
    case 'g':
      return at(0);
    case 'G':
      next_ = std::max(next_, rows_.size() > page() ? rows_.size() - page() : 0);
      return forward(page());
    case '/':
    case '?':
    case 'm':
    case 'e':
    case 's':
      entering_ = letter;
      entry_.clear();
      return {};
    case 'n':
      return search(search_backwards_);
    case 'c':
      filters_.clear();
      return refilter();
    case 'H':
      hold_ = true;
      return {};
    case 'N':
      hold_ = false;
      return {.rows = {}, .finished = next_ == rows_.size() && may_leave(), .save = {}};
    case 'h':
      return show_help();
    case 'L':
      return at(top_);
    case 'q':
    case 'Q':
      return {.rows = {}, .finished = true, .save = {}};
    default:
      return {.rows = {}, .refused = true, .save = {}};
  }
}

Page Pager::entry(const Key& key) {
  const bool cancels = key.code == KeyCode::Control && (key.point == 'c' || key.point == 'g');
  if (key.code == KeyCode::Enter) {
    return run_entry();
  }
  if (key.code == KeyCode::Character) {
    entry_ += encode(key.point);
  } else if (key.code == KeyCode::Paste) {
    entry_ += key.text.substr(0, key.text.find_first_of("\r\n"));
  } else if (key.code == KeyCode::Control && key.point == 'u') {
    entry_.clear();
  } else if (key.code == KeyCode::Backspace && !entry_.empty()) {
    entry_.erase(previous_glyph(entry_, entry_.size()));
  } else if (cancels || key.code == KeyCode::Backspace) {
    entering_ = 0;
  } else {
    return {.rows = {}, .refused = true, .save = {}};
  }
  return {};
}

Page Pager::run_entry() {
  const char32_t kind = std::exchange(entering_, 0);
  // `m RE` may be typed with the blank of the manual.
  entry_.erase(
      0, kind == '/' || kind == '?' ? 0 : std::min(entry_.find_first_not_of(' '), entry_.size()));
  if (kind == 's') {
    return entry_.empty() ? Page{} : Page{.rows = {}, .save = entry_};
  }
  if (entry_.empty()) {
    const bool repeats = (kind == '/' || kind == '?') && searched_;
    return repeats ? search(kind == '?') : Page{};
  }
  auto pattern = std::make_shared<const Pattern>(entry_);
  if (!pattern->valid) {
    note_ = "'" + entry_ + "' is no pattern";
    return {.rows = {}, .refused = true, .save = {}};
  }
  if (kind == 'm' || kind == 'e') {
    filters_.push_back({std::move(pattern), kind == 'm'});
    return refilter();
  }
  searched_ = std::move(pattern);
  search_backwards_ = kind == '?';
  return search(search_backwards_);
}

// The next hit becomes the first row of the screen, so a repeated search starts below it.
Page Pager::search(bool backwards) {
  if (!searched_) {
    return {.rows = {}, .refused = true, .save = {}};
  }
  const auto hits = [&](std::size_t row) {
    return searched_->matches(lines_[rows_[row].line]) &&
           (row == 0 || rows_[row - 1].line != rows_[row].line);
  };
  if (backwards) {
    for (std::size_t row = top_; row > 0; --row) {
      if (hits(row - 1)) {
        return at(row - 1);
      }
    }
  } else {
    for (std::size_t row = top_ + 1; row < rows_.size(); ++row) {
      if (hits(row)) {
        return at(row);
      }
    }
  }
  note_ = "Pattern not found";
  return {.rows = {}, .refused = true, .save = {}};
}

Page Pager::refilter() {
  const std::size_t line = top_ < rows_.size() ? rows_[top_].line : 0;
  lay_out();
  const auto row = std::ranges::lower_bound(rows_, line, {}, &Row::line);
  return at(filters_.empty() ? static_cast<std::size_t>(row - rows_.begin()) : 0);
}

}  // namespace millrace::cli
