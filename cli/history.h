// SPDX-License-Identifier: GPL-2.0-or-later
//
// The lines of one mode, oldest first. Kept in memory only: a line may hold a password, and only
// configd could tell which, so nothing is written to a file.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::cli {

struct HistoryLine {
  std::string text;
  std::int64_t time = 0;  // seconds since the epoch
};

class History {
 public:
  explicit History(std::size_t limit = 1000) : limit_(limit) {}

  // Blank lines and repetitions of the newest line are not kept.
  void add(std::string_view text, std::int64_t time);
  std::size_t size() const { return lines_.size(); }
  const HistoryLine& at(std::size_t index) const { return lines_[index]; }

  // The newest line older than `before` that contains `text`.
  std::optional<std::size_t> search(std::string_view text, std::size_t before) const;
  // What the newest line that starts with `text` has after it; empty when there is none.
  std::string_view suggestion(std::string_view text) const;
  // The newest word that starts with `prefix`, is longer, and is the `nth` such word, from 0;
  // repetitions count once.
  std::optional<std::string> word(std::string_view prefix, std::size_t nth) const;

 private:
  std::size_t limit_;
  std::deque<HistoryLine> lines_;
};

}  // namespace millrace::cli
