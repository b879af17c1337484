// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/line_buffer.h"

#include <algorithm>
#include <utility>

#include "cli/glyph.h"

namespace millrace::cli {
namespace {

bool is_word(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || (static_cast<unsigned char>(byte) & 0x80) != 0;
}

}  // namespace

void LineBuffer::set(std::string text) {
  const std::size_t size = text.size();
  set(std::move(text), size);
}

void LineBuffer::set(std::string text, std::size_t cursor) {
  text_ = std::move(text);
  cursor_ = std::min(cursor, text_.size());
}

void LineBuffer::insert(std::string_view text) {
  text_.insert(cursor_, text);
  cursor_ += text.size();
}

void LineBuffer::replace_before_cursor(std::size_t start, std::string_view text) {
  start = std::min(start, cursor_);
  text_.replace(start, cursor_ - start, text);
  cursor_ = start + text.size();
}

void LineBuffer::left() {
  cursor_ = previous_glyph(text_, cursor_);
}
void LineBuffer::right() {
  cursor_ = next_glyph(text_, cursor_);
}

std::size_t LineBuffer::word_start() const {
  std::size_t at = cursor_;
  while (at > 0 && !is_word(text_[at - 1])) {
    --at;
  }
  while (at > 0 && is_word(text_[at - 1])) {
    --at;
  }
  return at;
}

std::size_t LineBuffer::word_end() const {
  std::size_t at = cursor_;
  while (at < text_.size() && !is_word(text_[at])) {
    ++at;
  }
  while (at < text_.size() && is_word(text_[at])) {
    ++at;
  }
  return at;
}

void LineBuffer::word_left() {
  cursor_ = word_start();
}
void LineBuffer::word_right() {
  cursor_ = word_end();
}

void LineBuffer::erase_left() {
  const std::size_t start = previous_glyph(text_, cursor_);
  text_.erase(start, cursor_ - start);
  cursor_ = start;
}

void LineBuffer::erase_right() {
  text_.erase(cursor_, next_glyph(text_, cursor_) - cursor_);
}

// The glyph before the cursor changes places with the one under it, or, at the end of the line,
// with the one before it.
void LineBuffer::transpose() {
  const std::size_t middle = at_end() ? previous_glyph(text_, cursor_) : cursor_;
  const std::size_t start = previous_glyph(text_, middle);
  const std::size_t end = next_glyph(text_, middle);
  if (start == middle || middle == end) {
    return;
  }
  const auto first = text_.begin() + static_cast<std::ptrdiff_t>(start);
  std::rotate(first, text_.begin() + static_cast<std::ptrdiff_t>(middle),
              text_.begin() + static_cast<std::ptrdiff_t>(end));
  cursor_ = end;
}

void LineBuffer::kill(std::size_t start, std::size_t end, bool forward) {
  std::string gone = text_.substr(start, end - start);
  if (!collecting_) {
    killed_.clear();
  }
  killed_ = forward ? killed_ + gone : gone + killed_;
  collecting_ = true;
  text_.erase(start, end - start);
  cursor_ = start;
}

void LineBuffer::kill_to_end() {
  kill(cursor_, text_.size(), true);
}
void LineBuffer::kill_all() {
  kill(0, text_.size(), true);
}
void LineBuffer::kill_word_right() {
  kill(cursor_, word_end(), true);
}
void LineBuffer::kill_part_left() {
  kill(word_start(), cursor_, false);
}

void LineBuffer::kill_word_left() {
  std::size_t start = cursor_;
  while (start > 0 && text_[start - 1] == ' ') {
    --start;
  }
  while (start > 0 && text_[start - 1] != ' ') {
    --start;
  }
  kill(start, cursor_, false);
}

}  // namespace millrace::cli
