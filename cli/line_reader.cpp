// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/line_reader.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/glyph.h"

namespace millrace::cli {
namespace {

constexpr std::string_view kClear = "\x1b[H\x1b[2J";

std::int64_t now() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch())
      .count();
}

// Every row through the painter, which leaves the newlines alone.
std::string painted(std::string_view text, LineReader::Painter painter) {
  if (painter == nullptr) {
    return std::string(text);
  }
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out += painter(text.substr(0, end));
    if (end == std::string_view::npos) {
      break;
    }
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

LineReader::LineReader(Terminal& terminal, Host host)
    : terminal_(terminal), host_(std::move(host)) {
  terminal_.set(Terminal::Mode::Working);
  editor_.set_ghost(terminal_.abilities().colours);
}

void LineReader::set_complete_on_space(bool on) {
  complete_on_space_ = on;
  editor_.set_complete_on_space(on);
}

void LineReader::restore(std::string line) {
  // Pasted lines are not corrected one by one, and the next of them must not join this one.
  if (!editor_.has_pasted()) {
    editor_.restore(std::move(line));
  }
}

void LineReader::paint() {
  const Row row = draw(editor_.picture(), terminal_.size().columns);
  terminal_.write(repaint(shown_, row, terminal_.abilities()));
  shown_ = row;
}

// To the start of the line below what is being edited.
void LineReader::leave_row(std::string_view more) {
  paint();
  Row end = shown_;
  end.cursor = end.cells.size();
  while (end.cursor > 0 && end.cells[end.cursor - 1].style == Style::Ghost) {
    end.cells.pop_back();
    --end.cursor;
  }
  terminal_.write(repaint(shown_, end, terminal_.abilities()));
  shown_ = end;
  terminal_.write(std::string(more) + "\n");
}

void LineReader::start_row() {
  shown_ = {};
  if (!banner_.empty()) {
    terminal_.write(banner_ + "\n");
  }
}

std::optional<Key> LineReader::next_key(Result& why) {
  for (;;) {
    if (auto key = keys_.next()) {
      return key;
    }
    // Not before the keys that are here already: a line that was pasted needs no mode of its own.
    // And before the prompt, since ^C is a key from the moment that somebody can see one.
    terminal_.set(Terminal::Mode::Keys);
    paint();
    std::string bytes;
    switch (terminal_.wait(host_.descriptor, bytes)) {
      case Terminal::Event::Bytes:
        keys_.feed(bytes);
        break;
      case Terminal::Event::End:
        terminal_.write("\n");
        why = Result::End;
        return std::nullopt;
      case Terminal::Event::Timeout:
        break;
      case Terminal::Event::Resized:
        // The terminal has moved things in its own way; the row is drawn anew where the cursor is.
        terminal_.write(terminal_.abilities().sequences ? "\r\x1b[K" : "\n");
        shown_ = {};
        break;
      case Terminal::Event::Other: {
        Row empty;
        terminal_.write(repaint(shown_, empty, terminal_.abilities()));
        shown_ = empty;
        if (!host_.other()) {
          why = Result::Lost;
          return std::nullopt;
        }
        break;
      }
    }
  }
}

LineReader::Result LineReader::edit(std::string& line, Action action) {
  for (;;) {
    if (const auto result = act(action, line)) {
      return *result;
    }
    Result why = Result::End;
    const auto key = next_key(why);
    if (!key) {
      return why;
    }
    action = editor_.handle(*key);
  }
}

std::optional<LineReader::Result> LineReader::finish(std::string& line) {
  leave_row();
  line = editor_.submit(now());
  return Result::Line;
}

std::optional<LineReader::Result> LineReader::act(Action action, std::string& line) {
  switch (action) {
    case Action::None:
    case Action::Redraw:
      return std::nullopt;
    case Action::Refuse:
      terminal_.write("\a");
      return std::nullopt;
    case Action::CompleteSpace:
      return complete(Trigger::Space, line);
    case Action::CompleteTab:
      return complete(Trigger::Tab, line);
    case Action::Help:
      return complete(Trigger::Help, line);
    case Action::Enter: {
      const bool blank = editor_.line().text().find_first_not_of(' ') == std::string::npos;
      return blank || !complete_on_space_ ? finish(line) : complete(Trigger::Enter, line);
    }
    case Action::Submit:
      return finish(line);
    case Action::Interrupt:
      terminal_.write("^C\n");
      return Result::Interrupted;
    case Action::EndOfInput:
      terminal_.write("\n");
      return Result::End;
    case Action::ClearScreen:
      terminal_.write(terminal_.abilities().sequences ? kClear : "\n");
      start_row();
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<LineReader::Result> LineReader::complete(Trigger trigger, std::string& line) {
  paint();
  const std::string before(editor_.line().before_cursor());
  const auto answer = host_.complete(before);
  if (!answer) {
    terminal_.write("\n");
    return Result::Lost;
  }
  const Verdict verdict = decide(trigger, *answer, before, terminal_.size().columns);
  if (verdict.word) {
    editor_.complete(answer->start, *verdict.word);
  }
  switch (verdict.act) {
    case Verdict::Act::Put:
      return std::nullopt;
    case Verdict::Act::Run:
      return finish(line);
    case Verdict::Act::Refuse:
      return act(Action::Refuse, line);
    case Verdict::Act::Show:
      say(verdict, trigger);
      return std::nullopt;
  }
  return std::nullopt;
}

void LineReader::say(const Verdict& verdict, Trigger trigger) {
  const std::size_t width = terminal_.size().columns;
  std::string caret;
  if (verdict.caret) {
    caret = std::string(column_of(editor_.picture(), *verdict.caret, width), ' ') + "^\n";
  }
  leave_row(trigger == Trigger::Help ? "?" : "");
  show(caret + verdict.said);
  start_row();
}

LineReader::Result LineReader::read(const std::string& banner, const std::string& prompt,
                                    History& history, std::string& line) {
  banner_ = banner;
  start_row();
  const Result result = edit(line, editor_.begin(prompt, &history));
  terminal_.set(Terminal::Mode::Working);
  return result;
}

void LineReader::echo(const std::string& banner, const std::string& prompt,
                      const std::string& line) {
  const Picture picture{prompt, line, line.size(), {}};
  terminal_.write((banner.empty() ? "" : banner + "\n") +
                  draw(picture, terminal_.size().columns).text() + "\n");
}

std::optional<std::string> LineReader::read_answer(const std::string& question) {
  banner_.clear();
  start_row();
  std::string line;
  const Result result = edit(line, editor_.begin(question, nullptr, false));
  terminal_.set(Terminal::Mode::Working);
  return result == Result::Line ? std::optional(std::move(line)) : std::nullopt;
}

std::optional<std::string> LineReader::read_secret(const std::string& question) {
  banner_.clear();
  // What was pasted behind the line is commands, not passwords.
  drop_pasted();
  start_row();
  static_cast<void>(editor_.begin(question, nullptr, false));
  std::string text;
  std::optional<std::string> answer;
  Result why = Result::Line;
  for (auto key = next_key(why); key; key = next_key(why)) {
    if (key->code == KeyCode::Enter) {
      answer = std::move(text);
      break;
    }
    if (key->code == KeyCode::Control && (key->point == 'c' || key->point == 'd')) {
      break;
    }
    if (key->code == KeyCode::Backspace) {
      while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) {
        text.pop_back();
      }
      text.resize(text.empty() ? 0 : text.size() - 1);
    } else if (key->code == KeyCode::Control && key->point == 'u') {
      text.clear();
    } else if (key->code == KeyCode::Character) {
      text += encode(key->point);
    } else if (key->code == KeyCode::Paste) {
      text += key->text.substr(0, key->text.find_first_of("\r\n"));
    }
  }
  leave_row();
  terminal_.set(Terminal::Mode::Working);
  return answer;
}

std::optional<std::string> LineReader::read_block() {
  banner_.clear();
  std::string text;
  Result result = Result::Line;
  while (result == Result::Line) {
    start_row();
    std::string line;
    result = edit(line, editor_.begin({}, nullptr, false));
    if (result == Result::Line) {
      text += line + "\n";
    }
  }
  terminal_.set(Terminal::Mode::Working);
  return result == Result::End ? std::optional(std::move(text)) : std::nullopt;
}

void LineReader::show(std::string_view text, bool pages, bool hold, Painter painter) {
  painter = terminal_.abilities().colours ? painter : nullptr;
  if (pages && paging_ && (hold || Pager::needed(text, terminal_.size()))) {
    run_pager(text, hold, painter);
  } else {
    terminal_.write(painted(text, painter));
  }
}

bool LineReader::show_for(std::string_view text, int milliseconds) {
  const std::size_t rows = terminal_.size().rows;
  std::size_t end = 0;
  for (std::size_t row = 0; row + 1 < rows && end < text.size(); ++row) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  terminal_.write(terminal_.abilities().sequences ? kClear : "\n");
  terminal_.write(text.substr(0, end));
  terminal_.set(Terminal::Mode::Keys);
  std::string bytes;
  const auto event = terminal_.wait(-1, bytes, milliseconds);
  terminal_.set(Terminal::Mode::Working);
  return event == Terminal::Event::Bytes || event == Terminal::Event::End;
}

void LineReader::put_page(const Page& page, const Pager& pager, Painter painter) {
  std::string out = terminal_.abilities().sequences ? "\r\x1b[K" : "\n";
  if (page.clear && terminal_.abilities().sequences) {
    out += kClear;
  }
  for (const auto& row : page.rows) {
    out += painted(row, painter) + "\n";
  }
  if (!page.finished) {
    out += pager.prompt();
  }
  out += page.refused ? "\a" : "";
  terminal_.write(out);
}

void LineReader::run_pager(std::string_view text, bool hold, Painter painter) {
  Pager pager(text, terminal_.size(), hold);
  const Terminal::Mode before = terminal_.mode();
  terminal_.set(Terminal::Mode::Keys);
  Page page = pager.start();
  put_page(page, pager, painter);
  while (!page.finished) {
    const auto key = keys_.next();
    if (key) {
      page = pager.handle(*key);
      if (page.save) {
        const auto saved = host_.save(*page.save, text);
        pager.note(saved ? "Wrote " + std::to_string(pager.line_count()) + " lines of output to '" +
                               *page.save + "'"
                         : saved.error());
      }
      put_page(page, pager, painter);
      continue;
    }
    std::string bytes;
    switch (terminal_.wait(-1, bytes)) {
      case Terminal::Event::Bytes:
        keys_.feed(bytes);
        break;
      case Terminal::Event::Resized:
        page = pager.resize(terminal_.size());
        put_page(page, pager, painter);
        break;
      case Terminal::Event::End:
      case Terminal::Event::Other:
      case Terminal::Event::Timeout:
        terminal_.write("\n");
        page.finished = true;
        break;
    }
  }
  terminal_.set(before);
}

}  // namespace millrace::cli
