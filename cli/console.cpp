// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/console.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cli/glyph.h"
#include "cli/program.h"
#include "cli/text_pipes.h"
#include "cli/transfer.h"

namespace millrace::cli {
namespace {

using nlohmann::json;

constexpr int kCommandFailed = 1;
constexpr int kUnreachable = 3;
constexpr std::size_t kMaxBatch = 512;

volatile std::sig_atomic_t interrupts = 0;
void count_interrupt(int /*signal*/) {
  interrupts = interrupts + 1;
}

void watch_interrupts() {
  struct sigaction action{};
  action.sa_handler = count_interrupt;  // no SA_RESTART: waits end with EINTR
  sigaction(SIGINT, &action, nullptr);
}

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void print(std::FILE* stream, const std::string& text) {
  std::fflush(stream == stderr ? stdout : stderr);
  std::fwrite(text.data(), 1, text.size(), stream);
}

std::string home() {
  const char* name = std::getenv("HOME");
  return name ? name : "/";
}

std::vector<std::string> words_of(const json& list) {
  std::vector<std::string> words;
  for (const auto& word : list) {
    words.push_back(word.is_string() ? word.get<std::string>() : std::string());
  }
  return words;
}

std::vector<TextPipe> pipes_of(const json& pipes) {
  std::vector<TextPipe> out;
  for (const auto& pipe : pipes) {
    out.push_back(words_of(pipe));
  }
  return out;
}

// What is wrong with text that is not UTF-8, which JSON has no way to carry; a replacement would
// not be what was typed. Empty when nothing is.
std::string not_utf8(std::string_view text, bool has_lines) {
  const std::size_t bad = find_not_utf8(text);
  if (bad == std::string_view::npos) {
    return {};
  }
  const std::string_view before = text.substr(0, bad);
  const std::string line = std::to_string(1 + std::ranges::count(before, '\n'));
  const std::string column = std::to_string(bad - (before.rfind('\n') + 1) + 1);
  return "the input is not UTF-8 text: byte " + column + (has_lines ? " of line " + line : "");
}

winsize screen() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) {
    size.ws_row = 24;
    size.ws_col = 80;
  }
  return size;
}

std::string terminal_name() {
  const char* name = ttyname(STDIN_FILENO);
  // A terminal of another system, as in a container, is one all the same.
  const std::string full = name ? name : "unknown";
  return full.starts_with("/dev/") ? full.substr(5) : full;
}

bool has_pipe(const json& reply, std::string_view name) {
  return std::ranges::any_of(reply.value("pipes", json::array()), [&](const json& pipe) {
    return !pipe.empty() && pipe[0].is_string() && pipe[0].get_ref<const std::string&>() == name;
  });
}

}  // namespace

Console::Console(client::Client client, Input input, ConsoleOptions options)
    : client_(std::move(client)), input_(std::move(input)), options_(options) {
  client_.on_notification = [this](const std::string& method, const json& params) {
    // Progress is for people; a script would find it between its results.
    if (method == "notice" || options_.interactive) {
      print(stderr, text_of(params, "text") + "\n");
    }
  };
  // The first interrupt only silences the answer; configd cannot take back what it has begun.
  client_.give_up = [] { return interrupts > 1; };
}

void Console::remember(const json& reply) {
  prompt_ = text_of(reply, "prompt");
  configuring_ = text_of(reply, "mode") == "configuration";
  banner_ = text_of(reply, "banner");
}

bool Console::lost(const base::Error& error) {
  print(stderr, "error: " + error.message + "\n");
  status_ = kUnreachable;
  return false;
}

bool Console::open() {
  json params = {{"client", "cli"}, {"version", 1}};
  if (options_.interactive) {
    const auto size = screen();
    params["terminal"] = {
        {"tty", terminal_name()}, {"columns", size.ws_col}, {"rows", size.ws_row}};
  }
  auto opened = client_.call("session.open", std::move(params));
  if (!opened) {
    return lost(opened.error());
  }
  remember(*opened);
  host_ = text_of(*opened, "host");
  if (opened->value("confined", false)) {
    places_ = Places::confined(home());
  }
  if (options_.interactive) {
    print(stdout, text_of(*opened, "announcement"));
  }
  return true;
}

int Console::run() {
  if (!open()) {
    return status_;
  }
  if (options_.interactive) {
    watch_interrupts();
    if (options_.editing) {
      start_editing();
    }
    run_lines();
  } else {
    run_batch();
  }
  std::fflush(stdout);
  return status_;
}

void Console::show_prompt() {
  if (!banner_.empty()) {
    print(stdout, banner_ + "\n");
  }
  print(stdout, prompt_);
  std::fflush(stdout);
  printed_ = false;
}

bool Console::read_command(std::string& line) {
  if (reader_) {
    return read_edited(line);
  }
  show_prompt();
  for (;;) {
    switch (input_.wait(client_.descriptor())) {
      case Input::Wait::Line:
        line = input_.take()->text;
        return true;
      case Input::Wait::End:
        print(stdout, "\n");
        return false;
      case Input::Wait::Interrupted:
        if (interrupts > 0) {
          print(stdout, "\n");
          show_prompt();
        }
        interrupts = 0;
        break;
      case Input::Wait::Other:
        print(stdout, "\n");
        if (auto outcome = client_.read_notifications(); !outcome) {
          return lost(outcome.error());
        }
        show_prompt();
        break;
    }
  }
}

void Console::run_lines() {
  std::string text;
  while (read_command(text)) {
    interrupts = 0;
    if (text.find_first_not_of(" \t") == std::string::npos) {
      continue;
    }
    if (const auto bad = not_utf8(text, false); !bad.empty()) {
      status_ = std::max(status_, kCommandFailed);
      complain("error: " + bad + "\n", {text, 0});
      continue;
    }
    if (!reader_ && text.ends_with('?') && !text.ends_with("rollback ?")) {
      text.pop_back();
      show_completions(text);
      continue;
    }
    if (reader_ && reader_->has_pasted()) {
      if (!run_pasted(text)) {
        return;
      }
      continue;
    }
    print_time();
    if (!call("line.execute", {{"line", text}}, {text, 0})) {
      return;
    }
    if (printed_ || !banner_.empty()) {
      print(stdout, "\n");
    }
  }
}

void Console::show_completions(const std::string& line) {
  const auto result = client_.call("line.complete", {{"line", line}, {"cursor", line.size()}});
  if (!result) {
    print(stderr, "error: " + result.error().message + "\n");
    return;
  }
  std::string text = "Possible completions:\n";
  for (const auto& choice : result->value("choices", json::array())) {
    const std::string name = text_of(choice, "text");
    text += text_of(choice, "marker") + " " + name;
    const std::string help = text_of(choice, "help");
    if (!help.empty()) {
      text.append(name.size() < 19 ? 21 - name.size() : 2, ' ');
      text += help;
    }
    text += '\n';
  }
  print(stdout, text);
}

void Console::run_batch() {
  while (input_.wait() == Input::Wait::Line) {
    std::vector<Line> lines;
    json texts = json::array();
    while (lines.size() < kMaxBatch && input_.has_line()) {
      Line line = *input_.take();
      if (const auto bad = not_utf8(line.text, false); !bad.empty()) {
        if (!lines.empty()) {  // what stands before it is done first
          input_.put_back(std::move(line));
          break;
        }
        status_ = std::max(status_, kCommandFailed);
        complain("error: " + bad + "\n", line);
        continue;
      }
      lines.push_back(std::move(line));
      texts.push_back(lines.back().text);
    }
    if (lines.empty()) {
      continue;
    }
    const auto result = client_.call("line.batch", {{"lines", std::move(texts)}});
    if (!result) {
      lost(result.error());
      return;
    }
    const json replies = result->value("replies", json::array());
    // What the daemon left over comes again, after what the last reply asks for.
    const std::size_t handled = std::min(replies.size(), lines.size());
    for (std::size_t at = lines.size(); at > handled; --at) {
      input_.put_back(std::move(lines[at - 1]));
    }
    for (std::size_t at = 0; at < handled; ++at) {
      print_time();
      if (!show(replies[at], lines[at])) {
        return;
      }
    }
    if (handled == 0) {
      lost({base::Code::Io, "configd answered none of the lines"});
      return;
    }
  }
}

bool Console::call(const char* method, json params, const Line& line) {
  const auto reply = client_.call(method, std::move(params));
  return reply ? show(*reply, line) : lost(reply.error());
}

void Console::complain(const std::string& text, const Line& line) {
  if (options_.numbered && line.number != 0) {
    print(stderr, "line " + std::to_string(line.number) + ":\n");
  }
  print_errors(text);
}

bool Console::show(const json& reply, const Line& line) {
  remember(reply);
  const bool failed = text_of(reply, "status") != "ok";
  if (failed) {
    status_ = std::max(status_, kCommandFailed);
  }
  if (interrupts == 0) {
    show_result(reply, line, failed);
  }
  if (interrupts > 0 && reader_) {
    reader_->drop_pasted();
  }
  interrupts = 0;
  if (const auto settings = reply.find("settings"); settings != reply.end()) {
    apply_settings(*settings);
  }
  // Whoever turned completion on space off is a program and sends whole lines.
  if (reader_ && !pasting_ && reader_->completes_on_space() && reply.value("refused", false)) {
    reader_->restore(line.text);
  }
  return follow_up(reply, line);
}

void Console::show_result(const json& reply, const Line& line, bool failed) {
  const std::string errors = text_of(reply, "errors");
  if (!errors.empty() && failed) {
    complain(errors, line);
  } else {
    print_errors(errors);
  }
  Done output = text_of(reply, "output");
  const json pipes = reply.value("pipes", json::array());
  if (const auto local = reply.find("local"); local != reply.end() && !failed) {
    output = run_local(words_of(*local));
  }
  if (has_pipe(reply, "refresh") && !failed && output) {
    return refresh(line, pipes);
  }
  if (!pipes.empty() && !reply.contains("run") && !failed && output) {
    output = apply_pipes(pipes_of(pipes), std::move(*output), pipe_host());
  }
  if (!output) {
    status_ = std::max(status_, kCommandFailed);
    complain("error: " + output.error() + "\n", line);
  }
  print_output(output.value_or(""), reply);
  printed_ = printed_ || !errors.empty() || !output || !output->empty();
}

bool Console::follow_up(const json& reply, const Line& line) {
  if (const auto ask = reply.find("ask"); ask != reply.end()) {
    return answer(*ask, line);
  }
  if (const auto read = reply.find("read"); read != reply.end()) {
    return send_input(*read, line);
  }
  if (const auto run = reply.find("run"); run != reply.end()) {
    run_on_terminal(*run, reply.value("pipes", json::array()));
  }
  return !reply.value("close", false);
}

bool Console::answer(const json& ask, const Line& line) {
  std::string text;
  if (ask.value("secret", false)) {
    return answer_secret(text_of(ask, "question"), line);
  }
  if (reader_) {
    text =
        reader_
            ->read_answer(text_of(ask, "question") + " [yes,no] (" + text_of(ask, "default") + ") ")
            .value_or("no");
    print(stdout, "\n");
  } else if (options_.interactive) {
    print(stdout, text_of(ask, "question") + " [yes,no] (" + text_of(ask, "default") + ") ");
    std::fflush(stdout);
    const auto waited = input_.wait();
    text = waited == Input::Wait::Line ? input_.take()->text : "no";
    print(stdout, waited == Input::Wait::Line ? "\n" : "\n\n");
    interrupts = 0;
  } else if (auto next = input_.take()) {
    // A script may answer on its next line; a line that is no answer leaves the default.
    if (next->text == "yes" || next->text == "no" || next->text == "y" || next->text == "n") {
      text = next->text;
    } else {
      input_.put_back(std::move(*next));
    }
  }
  return call("line.answer", {{"text", text}}, line);
}

bool Console::answer_secret(const std::string& question, const Line& line) {
  std::optional<std::string> text;
  if (reader_) {
    text = reader_->read_secret(question);
  } else if (options_.interactive) {
    print(stdout, question);
    std::fflush(stdout);
    termios shown{};
    const bool hidden = tcgetattr(STDIN_FILENO, &shown) == 0;
    termios silent = shown;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    if (hidden) {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    if (input_.wait() == Input::Wait::Line) {
      text = input_.take()->text;
    }
    if (hidden) {
      tcsetattr(STDIN_FILENO, TCSANOW, &shown);
    }
    print(stdout, "\n");
    interrupts = 0;
  } else if (auto next = input_.take()) {
    text = std::move(next->text);  // of a script: the next line
  }
  return call("line.answer", {{"text", text.value_or("")}}, line);
}

bool Console::send_input(const json& read, const Line& line) {
  const std::string file = text_of(read, "file");
  if (file.empty()) {
    if (options_.interactive) {
      print(stdout, text_of(read, "hint") + "\n");
      std::fflush(stdout);
    }
    auto text = reader_ ? reader_->read_block() : input_.take_all();
    interrupts = 0;
    return text
               ? send_text(std::move(*text), "terminal", line)
               : call("line.input", {{"error", "input was interrupted, nothing was loaded"}}, line);
  }
  if (terminal_) {
    terminal_->set(Terminal::Mode::Found);  // a tool may ask for a password
  }
  auto text = read_source(file, places_);
  if (terminal_) {
    terminal_->set(Terminal::Mode::Working);
  }
  interrupts = 0;
  return text ? send_text(std::move(*text), file, line)
              : call("line.input", {{"error", text.error()}}, line);
}

bool Console::send_text(std::string text, const std::string& name, const Line& line) {
  if (const auto bad = not_utf8(text, true); !bad.empty()) {
    return call("line.input", {{"error", "'" + name + "': " + bad}}, line);
  }
  return call("line.input", {{"text", std::move(text)}}, line);
}

void Console::run_on_terminal(const json& run, const json& pipes) {
  const std::vector<std::string> argv = words_of(run.value("argv", json::array()));
  std::fflush(nullptr);
  if (terminal_) {
    terminal_->set(Terminal::Mode::Found);
  }
  const auto ran = run_program(argv, !pipes.empty());
  if (terminal_) {
    terminal_->set(Terminal::Mode::Working);
  }
  if (!ran) {
    print(stderr, "error: " + ran.error() + "\n");
    status_ = std::max(status_, kCommandFailed);
    return;
  }
  printed_ = true;
  if (ran->status != 0) {
    status_ = std::max(status_, kCommandFailed);
  }
  if (!pipes.empty()) {
    const auto piped = apply_pipes(pipes_of(pipes), ran->output, pipe_host());
    print(piped ? stdout : stderr, piped ? *piped : "error: " + piped.error() + "\n");
    status_ = piped ? status_ : std::max(status_, kCommandFailed);
  }
}

}  // namespace millrace::cli
