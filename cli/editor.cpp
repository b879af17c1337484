// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/editor.h"

#include <utility>

#include "cli/glyph.h"

namespace millrace::cli {
namespace {

// One line of text has no control characters but those typed after ^V.
std::string without_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (byte == '\r') {
      if (at + 1 >= text.size() || text[at + 1] != '\n') {
        out += '\n';
      }
    } else if (byte == '\n' || static_cast<unsigned char>(byte) >= 0x20) {
      if (byte != 0x7f) {
        out += byte;
      }
    } else if (byte == '\t') {
      out += ' ';
    }
  }
  return out;
}

bool kills(const Key& key) {
  if (key.code == KeyCode::Control) {
    return key.point == 'k' || key.point == 'u' || key.point == 'w';
  }
  return key.code == KeyCode::Meta && (key.point == 'd' || key.point == 0x7f);
}

}  // namespace

Action Editor::begin(std::string prompt, History* history, bool completes) {
  prompt_ = std::move(prompt);
  history_ = history;
  completes_ = completes;
  recalled_ = history_ ? history_->size() : 0;
  written_.clear();
  searching_ = literal_ = cycling_ = false;
  return take_pasted();
}

std::string Editor::submit(std::int64_t now) {
  std::string text = line_.text();
  if (history_) {
    history_->add(text, now);
  }
  line_.set({});
  searching_ = false;
  return text;
}

void Editor::complete(std::size_t start, std::string_view word) {
  line_.replace_before_cursor(start, word);
}

// Inside quotes, and in a comment, every key is text.
bool Editor::in_text() const {
  if (line_.text().starts_with('#')) {
    return true;
  }
  bool quoted = false;
  bool escaped = false;
  for (const char byte : line_.before_cursor()) {
    if (escaped) {
      escaped = false;
    } else if (byte == '\\' && quoted) {
      escaped = true;
    } else if (byte == '"') {
      quoted = !quoted;
    }
  }
  return quoted;
}

std::string_view Editor::suggestion() const {
  if (!ghost_ || !history_ || !completes_ || searching_ || !line_.at_end() ||
      recalled_ != history_->size()) {
    return {};
  }
  return history_->suggestion(line_.text());
}

Picture Editor::picture() const {
  if (searching_) {
    const std::string name = hit_ || searched_.empty() ? "(history search)" : "(no such line)";
    const std::string text = line_.text();
    const auto found = text.find(searched_);
    return {name + " '" + searched_ + "': ",
            text,
            found == std::string::npos ? text.size() : found,
            {}};
  }
  return {prompt_, line_.text(), line_.cursor(), std::string(suggestion())};
}

Action Editor::handle(const Key& key) {
  if (!kills(key)) {
    line_.end_kills();
  }
  if (!(key.code == KeyCode::Meta && key.point == '/')) {
    cycling_ = false;
  }
  if (searching_) {
    return search_key(key);
  }
  if (std::exchange(literal_, false) &&
      (key.code == KeyCode::Character || key.code == KeyCode::Control ||
       key.code == KeyCode::Tab)) {
    const char32_t point = key.code == KeyCode::Character ? key.point
                           : key.code == KeyCode::Tab     ? U'\t'
                                                          : key.point & 0x1f;
    line_.insert(encode(point));
    return Action::Redraw;
  }
  switch (key.code) {
    case KeyCode::Character:
      return character(key.point);
    case KeyCode::Control:
      return control(key.point);
    case KeyCode::Meta:
      return meta(key.point);
    case KeyCode::Paste:
      return paste(key.text);
    case KeyCode::Enter:
      return completes_ && line_.at_end() && !in_text() ? Action::Enter : Action::Submit;
    case KeyCode::Tab:
      if (!completes_ || in_text()) {
        line_.insert(completes_ ? "\t" : " ");
        return Action::Redraw;
      }
      return Action::CompleteTab;
    default:
      return motion(key.code);
  }
}

Action Editor::motion(KeyCode code) {
  switch (code) {
    case KeyCode::Backspace:
      line_.erase_left();
      return Action::Redraw;
    case KeyCode::Delete:
      line_.erase_right();
      return Action::Redraw;
    case KeyCode::Left:
      line_.left();
      return Action::Redraw;
    case KeyCode::Right:
      return move_right(true);
    case KeyCode::Home:
      line_.home();
      return Action::Redraw;
    case KeyCode::End:
      line_.end();
      return Action::Redraw;
    case KeyCode::Up:
      return recall(true);
    case KeyCode::Down:
      return recall(false);
    default:
      return Action::Refuse;
  }
}

Action Editor::character(char32_t point) {
  const bool blank = point == ' ';
  if (completes_ && (blank || point == '?') && !in_text()) {
    if (point == '?') {
      return Action::Help;
    }
    const auto before = line_.before_cursor();
    if (complete_on_space_ && !before.empty() && !before.ends_with(' ')) {
      return Action::CompleteSpace;
    }
  }
  line_.insert(encode(point));
  return Action::Redraw;
}

Action Editor::control(char32_t letter) {
  switch (letter) {
    case 'a':
      return motion(KeyCode::Home);
    case 'b':
      return motion(KeyCode::Left);
    case 'c':
      line_.set({});
      drop_pasted();
      return Action::Interrupt;
    case 'd':
      return line_.text().empty() ? Action::EndOfInput : motion(KeyCode::Delete);
    case 'e':
      line_.end();
      return Action::Redraw;
    case 'f':
      return motion(KeyCode::Right);
    case 'k':
      line_.kill_to_end();
      return Action::Redraw;
    case 'l':
      return Action::ClearScreen;
    case 'n':
      return recall(false);
    case 'p':
      return recall(true);
    case 'r':
      if (!history_) {
        return Action::Refuse;
      }
      searching_ = true;
      searched_.clear();
      hit_.reset();
      before_search_ = line_.text();
      return Action::Redraw;
    case 't':
      line_.transpose();
      return Action::Redraw;
    case 'u':
      line_.kill_all();
      return Action::Redraw;
    case 'v':
      literal_ = true;
      return Action::None;
    case 'w':
      line_.kill_word_left();
      return Action::Redraw;
    case 'y':
      line_.yank();
      return Action::Redraw;
    default:
      return Action::Refuse;
  }
}

Action Editor::meta(char32_t point) {
  switch (point) {
    case 'b':
      line_.word_left();
      return Action::Redraw;
    case 'f':
      return move_right(false);
    case 'd':
      line_.kill_word_right();
      return Action::Redraw;
    case 0x7f:
      line_.kill_part_left();
      return Action::Redraw;
    case '/':
      return cycle_word();
    default:
      return Action::Refuse;
  }
}

// At the end of the line a step to the right takes from the suggestion: all of it, or a word.
Action Editor::move_right(bool whole) {
  std::string_view more = suggestion();
  if (more.empty()) {
    whole ? line_.right() : line_.word_right();
    return Action::Redraw;
  }
  if (!whole) {
    const auto word = more.find_first_not_of(' ');
    more = more.substr(0, word == std::string_view::npos ? word : more.find(' ', word));
  }
  line_.insert(std::string(more));
  return Action::Redraw;
}

Action Editor::recall(bool older) {
  const std::size_t newest = history_ ? history_->size() : 0;
  if (older ? recalled_ == 0 : recalled_ >= newest) {
    return Action::Refuse;
  }
  if (recalled_ == newest) {
    written_ = line_.text();
  }
  recalled_ = older ? recalled_ - 1 : recalled_ + 1;
  line_.set(recalled_ == newest ? written_ : history_->at(recalled_).text);
  return Action::Redraw;
}

Action Editor::cycle_word() {
  if (!history_) {
    return Action::Refuse;
  }
  if (!cycling_) {
    cycle_start_ = line_.before_cursor().rfind(' ') + 1;  // npos + 1 is the start
    cycle_prefix_ = line_.before_cursor().substr(cycle_start_);
    cycle_ = 0;
  }
  auto word = history_->word(cycle_prefix_, cycle_);
  if (!word && cycle_ > 0) {
    cycle_ = 0;
    word = history_->word(cycle_prefix_, cycle_);
  }
  if (!word) {
    return Action::Refuse;
  }
  cycling_ = true;
  ++cycle_;
  line_.replace_before_cursor(cycle_start_, *word);
  return Action::Redraw;
}

void Editor::search_again(std::size_t before) {
  const auto hit = history_->search(searched_, before);
  if (hit || searched_.empty()) {
    hit_ = hit;
    line_.set(hit ? history_->at(*hit).text : before_search_);
  } else {
    hit_.reset();
  }
}

// Any key that does not belong to the search ends it and acts on the line that was found.
Action Editor::search_key(const Key& key) {
  if (key.code == KeyCode::Character) {
    searched_ += encode(key.point);
    search_again(hit_ ? *hit_ + 1 : history_->size());
    return hit_ ? Action::Redraw : Action::Refuse;
  }
  if (key.code == KeyCode::Backspace && !searched_.empty()) {
    searched_.erase(previous_glyph(searched_, searched_.size()));
    search_again(history_->size());
    return Action::Redraw;
  }
  if (key.code == KeyCode::Control && key.point == 'r') {
    const auto older = hit_ ? history_->search(searched_, *hit_) : std::nullopt;
    if (!older) {
      return Action::Refuse;
    }
    search_again(*hit_);
    return Action::Redraw;
  }
  searching_ = false;
  const bool cancels = key.code == KeyCode::Control && (key.point == 'g' || key.point == 'c');
  if (cancels) {
    line_.set(before_search_);
    return Action::Redraw;
  }
  recalled_ = hit_.value_or(recalled_);
  return handle(key);
}

Action Editor::paste(std::string_view text) {
  pasted_.erase(0, std::exchange(pasted_at_, 0));
  pasted_ += without_controls(text);
  return take_pasted();
}

Action Editor::take_pasted() {
  const auto end = pasted_.find('\n', pasted_at_);
  const bool whole = end != std::string::npos;
  line_.insert(std::string_view(pasted_).substr(pasted_at_, whole ? end - pasted_at_ : end));
  pasted_at_ = whole ? end + 1 : pasted_.size();
  if (pasted_at_ == pasted_.size()) {
    drop_pasted();
  }
  return whole ? Action::Submit : Action::Redraw;
}

std::vector<std::string> Editor::take_pasted(std::size_t most) {
  std::vector<std::string> lines;
  while (lines.size() < most && has_pasted()) {
    const auto end = pasted_.find('\n', pasted_at_);
    lines.push_back(pasted_.substr(pasted_at_, end - pasted_at_));
    pasted_at_ = end + 1;
  }
  if (pasted_at_ == pasted_.size()) {
    drop_pasted();
  }
  return lines;
}

void Editor::put_back_pasted(std::span<const std::string> lines) {
  std::string text;
  for (const auto& line : lines) {
    text += line + '\n';
  }
  pasted_.replace(0, pasted_at_, text);
  pasted_at_ = 0;
}

void Editor::drop_pasted() {
  pasted_.clear();
  pasted_at_ = 0;
}

}  // namespace millrace::cli
