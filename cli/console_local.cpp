// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the client carries out itself: its own settings and history, files of its user, live
// screens.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <format>
#include <system_error>
#include <utility>

#include "base/time_text.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/monitor_screen.h"

namespace millrace::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMostFiles = 1000;

std::string working_directory() {
  std::error_code problem;
  const auto path = std::filesystem::current_path(problem);
  return problem ? "?" : path.string();
}

// The seconds of `| refresh`, and the pipes without it.
int refresh_seconds(json& pipes) {
  int seconds = 1;
  std::erase_if(pipes.get_ref<json::array_t&>(), [&](const json& pipe) {
    if (pipe.empty() || pipe[0] != "refresh") {
      return false;
    }
    if (pipe.size() > 1 && pipe[1].is_string()) {
      const auto& text = pipe[1].get_ref<const std::string&>();
      std::from_chars(text.data(), text.data() + text.size(), seconds);
    }
    return true;
  });
  return std::clamp(seconds, 1, 604'800);
}

std::vector<TextPipe> text_pipes(const json& pipes) {
  std::vector<TextPipe> out;
  for (const auto& pipe : pipes) {
    out.push_back(pipe.get<TextPipe>());
  }
  return out;
}

}  // namespace

Console::Done Console::change_directory(const std::string& path) {
  const auto place = places_.open(path, Places::Use::Read);
  if (!place) {
    return std::unexpected(place.error());
  }
  std::error_code problem;
  std::filesystem::current_path(*place, problem);
  return problem ? Done(std::unexpected("'" + path + "': " + problem.message()))
                 : Done("Current directory: " + working_directory() + "\n");
}

Console::Done Console::show_history(const std::vector<std::string>& words) const {
  const History& history = configuring_ ? configuration_lines_ : operational_lines_;
  std::size_t count = history.size();
  if (words.size() > 1) {
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
  }
  std::string out;
  for (std::size_t at = history.size() - std::min(count, history.size()); at < history.size();
       ++at) {
    out += "  " + base::local_time(history.at(at).time, "%H:%M:%S") + " -- " + history.at(at).text +
           "\n";
  }
  return out;
}

Console::Done Console::monitor(const std::string& interface) {
  if (!terminal_) {
    return std::unexpected("'monitor interface' needs a terminal");
  }
  terminal_->set(Terminal::Mode::Found);
  const auto shown = monitor_interface(host_, interface);
  terminal_->set(Terminal::Mode::Working);
  return shown ? Done("") : Done(std::unexpected(shown.error()));
}

Console::Done Console::run_local(const std::vector<std::string>& words) {
  const std::string name = words.empty() ? "" : words[0];
  if (name == "directory" && words.size() == 2) {
    return change_directory(words[1]);
  }
  if (name == "show-directory") {
    return "Current directory: " + working_directory() + "\n";
  }
  if (name == "show-history") {
    return show_history(words);
  }
  if (name == "show-cli") {
    const ScreenSize size = terminal_ ? terminal_->size() : ScreenSize{};
    return settings_.to_string(size.rows, size.columns, working_directory());
  }
  if (name == "file") {
    return file_command({words.begin() + 1, words.end()}, places_);
  }
  if (name == "monitor-interface") {
    return monitor(words.size() > 1 ? words[1] : "");
  }
  return std::unexpected("this client does not know '" + name + "'");
}

PipeHost Console::pipe_host() {
  PipeHost host(terminal_ ? terminal_->size().rows : ScreenSize{}.rows);
  host.places = places_;
  host.tell = [this](const std::string& whom,
                     const std::string& text) -> std::expected<void, std::string> {
    const auto sent = client_.call("message.send", {{"to", whom}, {"text", text}});
    return sent ? std::expected<void, std::string>() : std::unexpected(sent.error().message);
  };
  return host;
}

void Console::add_files(Answer& answer, const std::string& word) const {
  const auto place = std::ranges::find(answer.choices, ChoiceKind::File, &Choice::kind);
  if (place == answer.choices.end()) {
    return;
  }
  place->kind = ChoiceKind::Placeholder;
  auto names = file_names(word, places_, kMostFiles);
  answer.more = answer.more || names.size() == kMostFiles;
  answer.choices.insert(std::ranges::find(answer.choices, ChoiceKind::Pipe, &Choice::kind),
                        std::make_move_iterator(names.begin()),
                        std::make_move_iterator(names.end()));
}

void Console::refresh(const Line& line, const json& pipes) {
  if (!reader_) {
    status_ = std::max(status_, 1);
    complain("error: '| refresh' needs a terminal\n", line);
    return;
  }
  json rest = pipes;
  const int seconds = refresh_seconds(rest);
  for (;;) {
    const auto reply = client_.call("line.execute", {{"line", line.text}});
    if (!reply) {
      lost(reply.error());
      return;
    }
    Done output = reply->value("output", std::string());
    if (const auto local = reply->find("local"); local != reply->end()) {
      output = run_local(local->get<std::vector<std::string>>());
    }
    if (output) {
      output = apply_pipes(text_pipes(rest), std::move(*output), pipe_host());
    }
    const std::string text = reply->value("status", std::string()) != "ok"
                                 ? reply->value("errors", std::string())
                             : output ? *output
                                      : "error: " + output.error() + "\n";
    if (reader_->show_for("---(refreshed at " +
                              base::local_time(std::time(nullptr), "%Y-%m-%d %H:%M:%S %Z") +
                              ")---\n" + text,
                          seconds * 1000)) {
      printed_ = true;
      return;
    }
  }
}

void Console::print_time() {
  const std::string text = settings_.time_line(std::time(nullptr));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace millrace::cli
