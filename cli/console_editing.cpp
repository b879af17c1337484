// SPDX-License-Identifier: GPL-2.0-or-later
//
// The part of the console that is there for a person at a terminal: the line editor, completion by
// configd, the pager, and the settings of `set cli`.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <span>
#include <utility>

#include "cli/console.h"
#include "cli/glyph.h"
#include "cli/paint.h"
#include "cli/transfer.h"

namespace millrace::cli {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

ChoiceKind kind_of(const json& choice) {
  const std::string kind = text_of(choice, "kind");
  return kind == "name"          ? ChoiceKind::Name
         : kind == "placeholder" ? ChoiceKind::Placeholder
         : kind == "file"        ? ChoiceKind::File
         : kind == "enter"       ? ChoiceKind::Enter
         : kind == "pipe"        ? ChoiceKind::Pipe
                                 : ChoiceKind::Keyword;
}

Answer read_completion(const json& result) {
  Answer answer;
  answer.start = result.value("start", std::size_t{0});
  for (const auto& choice : result.value("choices", json::array())) {
    const std::string marker = text_of(choice, "marker");
    answer.choices.push_back({kind_of(choice), text_of(choice, "text"), text_of(choice, "help"),
                              marker.empty() ? ' ' : marker[0]});
  }
  if (const auto problem = result.find("problem"); problem != result.end()) {
    answer.problem = Problem{problem->value("at", std::size_t{0}), text_of(*problem, "message")};
  }
  answer.more = result.value("more", false);
  return answer;
}

bool has_pipe(const json& reply, std::string_view name) {
  for (const auto& pipe : reply.value("pipes", json::array())) {
    if (!pipe.empty() && pipe[0].is_string() && pipe[0].get_ref<const std::string&>() == name) {
      return true;
    }
  }
  return false;
}

}  // namespace

void Console::start_editing() {
  terminal_ = std::make_unique<Terminal>();
  LineReader::Host host;
  host.complete = [this](const std::string& before) { return complete(before); };
  host.other = [this] {
    const auto outcome = client_.read_notifications();
    return outcome ? true : lost(outcome.error());
  };
  host.descriptor = client_.descriptor();
  host.save = [this](const std::string& file, std::string_view text) {
    return write_target(file, std::string(text), false, places_);
  };
  const char* kind = std::getenv("TERM");
  settings_.terminal = kind ? kind : "";
  reader_ = std::make_unique<LineReader>(*terminal_, std::move(host));
}

std::optional<Answer> Console::complete(const std::string& before) {
  const auto result = client_.call("line.complete", {{"line", before}, {"cursor", before.size()}});
  if (!result) {
    lost(result.error());
    return std::nullopt;
  }
  Answer answer = read_completion(*result);
  add_files(answer, before.substr(std::min(answer.start, before.size())));
  return answer;
}

bool Console::read_edited(std::string& line) {
  for (;;) {
    printed_ = false;
    switch (reader_->read(banner_, prompt_,
                          configuring_ ? configuration_lines_ : operational_lines_, line)) {
      case LineReader::Result::Line:
        return true;
      case LineReader::Result::Interrupted:
        break;
      case LineReader::Result::End:
      case LineReader::Result::Lost:
        return false;
    }
  }
}

bool Console::run_pasted(std::string first) {
  constexpr std::size_t kMost = 512;
  std::vector<std::string> lines = reader_->take_pasted(kMost - 1);
  lines.insert(lines.begin(), std::move(first));
  // A line that needs the way of single lines, and all behind it, wait.
  const auto special = std::ranges::find_if(lines.begin() + 1, lines.end(), [](const auto& line) {
    return line.find_first_not_of(" \t") == std::string::npos ||
           find_not_utf8(line) != std::string::npos;
  });
  reader_->put_back_pasted({special, lines.end()});
  lines.erase(special, lines.end());
  const auto result = client_.call("line.batch", {{"lines", lines}});
  if (!result) {
    return lost(result.error());
  }
  const json replies = result->value("replies", json::array());
  const std::size_t handled = std::min(replies.size(), lines.size());
  if (handled == 0) {
    return lost({base::Code::Io, "configd answered none of the lines"});
  }
  // Before the replies are shown: the last of them may ask for what comes next in the paste.
  reader_->put_back_pasted(std::span(lines).subspan(handled));
  pasting_ = true;
  bool goes_on = true;
  for (std::size_t at = 0; at < handled && goes_on; ++at) {
    if (at > 0) {
      reader_->echo(banner_, prompt_, lines[at]);
      History& history = configuring_ ? configuration_lines_ : operational_lines_;
      history.add(lines[at], std::time(nullptr));
    }
    printed_ = false;
    print_time();
    goes_on = show(replies[at], {lines[at], 0});
    if (goes_on && (printed_ || !banner_.empty())) {
      terminal_->write("\n");
    }
  }
  pasting_ = false;
  return goes_on;
}

void Console::print_output(const std::string& output, const json& reply) {
  if (reader_) {
    reader_->show(output, !has_pipe(reply, "no-more"), has_pipe(reply, "hold"),
                  is_comparison(output) ? paint_comparison : nullptr);
    return;
  }
  std::fflush(stderr);
  std::fwrite(output.data(), 1, output.size(), stdout);
}

void Console::print_errors(const std::string& errors) {
  const bool painted = terminal_ && terminal_->abilities().colours && isatty(STDERR_FILENO) != 0;
  const std::string text = painted ? paint_errors(errors) : errors;
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Console::apply_settings(const json& settings) {
  settings_.take(settings);
  if (!reader_) {
    return;
  }
  reader_->set_complete_on_space(settings_.complete_on_space);
  if (settings_.screen_length) {
    reader_->set_paging(*settings_.screen_length != 0);
    terminal_->override_rows(*settings_.screen_length);
  }
  if (settings_.screen_width) {
    terminal_->override_columns(*settings_.screen_width);
  }
  if (settings.contains("terminal")) {
    setenv("TERM", settings_.terminal.c_str(), 1);  // for the programs that we run
    terminal_->set_kind(settings_.terminal);
  }
  terminal_->set_colours(settings_.color);
  reader_->refresh_abilities();
}

}  // namespace millrace::cli
