// SPDX-License-Identifier: GPL-2.0-or-later
//
// `| display FORM …`: how output that has structure is written. Several of them on one line add up:
// `| display detail | display max-depth 2`. The table in display.cpp is all there is; reading,
// refusing and completing use it.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "syntax/command_line.h"

namespace millrace::server {

struct PipeError {
  std::size_t column = 1;
  std::string message;
};

enum class Format : std::uint8_t { Text, Set, Json, Xml, Yaml, Table };

struct Display {
  Format format = Format::Text;
  bool relative = false;           // Set: without the words of the level
  bool explicit_presence = false;  // Set: containers that only matter by themselves, too
  bool detail = false;             // Text: what the schema says before each statement
  bool changed = false;            // Xml: attributes at what differs from the running configuration
  std::size_t max_depth = 0;       // Text: blocks below are collapsed; 0 is no limit
  // What the statements amount to instead of what they are, with or without remarks on that.
  enum class Inherited : std::uint8_t { No, Full, Brief, Terse, NoComments };
  Inherited inherited = Inherited::No;
  bool defaults = false;  // Inherited: values that apply without being there, too

  bool operator==(const Display&) const = default;
  // Whether only configuration can be written so.
  bool needs_configuration() const {
    return format == Format::Set || *this != Display{.format = format};
  }
};

// Reads the words of one `display` pipe, its own name among them, into `display`.
std::expected<void, PipeError> read_display(Display& display,
                                            std::span<const syntax::LineWord> words);

struct DisplayForm {
  struct Argument {
    std::string_view name;  // a keyword, or the placeholder of a number
    std::string_view help;
  };
  std::string_view name;
  std::string_view help;
  bool operational = false;  // also for the replies of operational commands
  std::span<const Argument> arguments = {};
  // Requires: no more arguments than there are, each spelled out or a number.
  std::expected<void, std::string> (*read)(Display& display, std::string_view argument);
};
std::span<const DisplayForm> display_forms();

}  // namespace millrace::server
