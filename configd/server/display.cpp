// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/display.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace millrace::server {
namespace {

using Read = std::expected<void, std::string>;
using Argument = DisplayForm::Argument;

template <Format format>
Read take(Display& display, std::string_view) {
  display.format = format;
  return {};
}

Read take_set(Display& display, std::string_view argument) {
  display.format = Format::Set;
  display.relative = display.relative || argument == "relative";
  display.explicit_presence = display.explicit_presence || argument == "explicit";
  return {};
}

Read take_detail(Display& display, std::string_view) {
  display.detail = true;
  return {};
}

Read take_inheritance(Display& display, std::string_view argument) {
  using Inherited = Display::Inherited;
  display.inherited = argument == "brief"                  ? Inherited::Brief
                      : argument == "terse"                ? Inherited::Terse
                      : argument == "no-comments"          ? Inherited::NoComments
                      : display.inherited == Inherited::No ? Inherited::Full
                                                           : display.inherited;
  display.defaults = display.defaults || argument == "defaults";
  return {};
}

Read take_changed(Display& display, std::string_view) {
  display.format = Format::Xml;
  display.changed = true;
  return {};
}

Read take_max_depth(Display& display, std::string_view argument) {
  const auto [end, code] =
      std::from_chars(argument.data(), argument.data() + argument.size(), display.max_depth);
  const bool is_depth = code == std::errc() && end == argument.data() + argument.size() &&
                        display.max_depth > 0 && display.max_depth <= 64;
  return is_depth
             ? Read()
             : std::unexpected("Value " + std::string(argument) + " is not within range (1..64)");
}

Read take_as_it_is(Display&, std::string_view) {
  return {};
}

constexpr std::array kSetArguments = {
    Argument{"explicit", "With a line for each container that is there"},
    Argument{"relative", "Without the present level"},
};
constexpr std::array kInheritanceArguments = {
    Argument{"brief", "One line before each inherited statement"},
    Argument{"defaults", "With values that apply by default"},
    Argument{"no-comments", "Without remarks on where statements come from"},
    Argument{"terse", "Only the names of groups before inherited statements"},
};
constexpr std::array kDepth = {Argument{"<depth>", "How many levels are shown"}};

constexpr std::array kForms = {
    DisplayForm{
        "changed", "As XML that marks what differs from what is in force", false, {}, take_changed},
    DisplayForm{"detail", "With what each statement means and takes", false, {}, take_detail},
    DisplayForm{"inheritance", "With what groups and ranges give in its place", false,
                kInheritanceArguments, take_inheritance},
    DisplayForm{"json", "As JSON", true, {}, take<Format::Json>},
    DisplayForm{"max-depth", "Only the upper levels", false, kDepth, take_max_depth},
    DisplayForm{
        "rfc5952", "IPv6 addresses as RFC 5952 wants them, as always", true, {}, take_as_it_is},
    DisplayForm{"set", "As set commands", false, kSetArguments, take_set},
    DisplayForm{"table", "As tables", true, {}, take<Format::Table>},
    DisplayForm{"text", "As text", true, {}, take<Format::Text>},
    DisplayForm{"xml", "As XML", true, {}, take<Format::Xml>},
    DisplayForm{"yaml", "As YAML", true, {}, take<Format::Yaml>},
};
struct Missing {
  std::string_view name;
  std::string_view why;
};
constexpr std::array kMissing = {
    Missing{"commit-scripts", "there are no commit scripts whose effect could be shown"},
    Missing{"omit", "nothing is left out of what is shown, so there is nothing to bring back"},
};

std::unexpected<PipeError> refuse(const syntax::LineWord& word, std::string message) {
  return std::unexpected(PipeError{word.column, std::move(message)});
}

std::unexpected<PipeError> refuse_after(const syntax::LineWord& word, std::string message) {
  return std::unexpected(PipeError{word.column + word.text.size() + 1, std::move(message)});
}

// The only one of `rows` that `word` is or abbreviates.
template <class Rows>
auto find(const Rows& rows, std::string_view word, bool& is_ambiguous) {
  auto found = rows.end();
  is_ambiguous = false;
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    if (row->name == word) {
      is_ambiguous = false;
      return row;
    }
    if (!word.empty() && row->name.starts_with(word)) {
      is_ambiguous = found != rows.end();
      found = row;
    }
  }
  return found;
}

std::expected<void, PipeError> read_arguments(Display& display, const DisplayForm& form,
                                              std::span<const syntax::LineWord> words) {
  const bool is_number = !form.arguments.empty() && form.arguments.front().name.starts_with('<');
  const auto arguments = words.subspan(1);
  if (is_number && arguments.empty()) {
    return refuse_after(words.front(), "missing argument, expecting " +
                                           std::string(form.arguments.front().name) + ".");
  }
  std::vector<std::string_view> taken;
  for (const syntax::LineWord& word : arguments) {
    bool is_ambiguous = false;
    const auto row = find(form.arguments, word.text, is_ambiguous);
    const std::string_view name = is_number                     ? std::string_view(word.text)
                                  : row != form.arguments.end() ? row->name
                                                                : std::string_view();
    if (taken.size() == form.arguments.size() || name.empty() || is_ambiguous ||
        std::ranges::contains(taken, name)) {
      return refuse(word, "syntax error, expecting <|>.");
    }
    taken.push_back(name);
    if (auto read = form.read(display, name); !read) {
      return refuse(word, std::move(read.error()));
    }
  }
  return {};
}

}  // namespace

std::span<const DisplayForm> display_forms() {
  return kForms;
}

std::expected<void, PipeError> read_display(Display& display,
                                            std::span<const syntax::LineWord> words) {
  if (words.size() == 1) {
    return refuse_after(words[0], "missing argument, expecting <set>, <json> or <xml>.");
  }
  const syntax::LineWord& name = words[1];
  bool is_ambiguous = false;
  const auto form = find(display_forms(), name.text, is_ambiguous);
  if (is_ambiguous) {
    return refuse_after(name, "'" + name.text + "' is ambiguous.");
  }
  if (form == display_forms().end()) {
    for (const auto& missing : kMissing) {
      if (missing.name.starts_with(name.text)) {
        return refuse(name, "'display " + std::string(missing.name) +
                                "' is not supported: " + std::string(missing.why));
      }
    }
    return refuse(name, "syntax error, expecting <set>, <json> or <xml>.");
  }
  if (form->arguments.empty() || words.size() == 2) {
    if (auto read = form->read(display, {}); !read && form->arguments.empty()) {
      return refuse(name, std::move(read.error()));
    }
  }
  return read_arguments(display, *form, words.subspan(1));
}

}  // namespace millrace::server
