// SPDX-License-Identifier: GPL-2.0-or-later
#include <charconv>

#include "schema/read_command.h"

namespace millrace::schema {

namespace {

constexpr unsigned kMaxMode = 07777;

void take_mode(const Reading& reading, const syntax::Statement& statement, unsigned& mode) {
  std::string text;
  if (!reading.take_word(statement, text)) {
    return;
  }
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, mode, 8);
  if (error != std::errc() || end != last || mode > kMaxMode) {
    reading.problem(statement, in_quotes(text), "an octal mode, such as 0644");
  }
}

void check_render(const Reading& reading, const syntax::Statement& statement,
                  const Render& render) {
  const auto require = [&](bool holds, std::string_view what, std::string_view expected) {
    if (!holds) {
      reading.problem(statement, std::format("a render {}", what), expected);
    }
  };
  require(!render.path.empty(), "without a path", "path \"…\"");
  require(render.file.starts_with('/') && render.file.find("/../") == std::string::npos,
          "without an absolute file", "file /…");
  require(render.escape == "word" || render.escape == "line", "without its escaping",
          "escape word or escape line");
  require(!render.text.empty(), "without text", "text \"…\"");
  require(!render.reloads || !render.unit.empty(), "that reloads no unit", "unit NAME");
}

}  // namespace

Render read_render(const Reading& reading, const syntax::Statement& statement) {
  Render render;
  render.origin = reading.place(statement).origin();
  if (!reading.take_name(statement, render.name) || !reading.needs_block(statement)) {
    return render;
  }
  for (const syntax::Statement& part : statement.children) {
    const std::string_view word = part.words[0].text;
    if (word == "path") {
      reading.take_path(part, render.path);
    } else if (word == "file") {
      reading.take_word(part, render.file);
    } else if (word == "mode") {
      take_mode(reading, part, render.mode);
    } else if (word == "escape") {
      reading.take_word(part, render.escape);
    } else if (word == "unit") {
      reading.take_word(part, render.unit);
    } else if (word == "reload") {
      reading.take_flag(part, render.reloads);
    } else if (word == "validate") {
      reading.take_words(part, render.validate);
    } else if (word == "text") {
      reading.take_word(part, render.text);
    } else {
      reading.unknown(part, "path, file, mode, escape, unit, reload, validate, text");
    }
  }
  check_render(reading, statement, render);
  return render;
}

}  // namespace millrace::schema
