// SPDX-License-Identifier: GPL-2.0-or-later
//
// The loop of the CLI: lines to configd, replies to the terminal. It knows nothing about commands;
// what a line means, which prompt follows and what to ask is in the replies.
//
// At a terminal one line travels at a time, with prompts. A script travels in batches (line.batch),
// so thousands of lines take a few round trips; the order of output and the line that an error
// belongs to are the same as one by one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/history.h"
#include "cli/input.h"
#include "cli/line_reader.h"
#include "cli/places.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "cli/text_pipes.h"
#include "client/client.h"

namespace millrace::cli {

struct ConsoleOptions {
  bool interactive = false;  // prompts and questions to a person
  bool editing = false;      // interactive, on a terminal in both directions
  bool numbered = false;     // errors name the line of the script
};

class Console {
 public:
  Console(client::Client client, Input input, ConsoleOptions options);

  // Until the end of input or of the session. The exit status: 0, 1 when a command failed, 3 when
  // configd went away.
  int run();

 private:
  bool open();  // false when the daemon refuses the session
  void run_lines();
  void run_batch();
  bool read_command(std::string& line);  // at the terminal, after the prompt
  void show_prompt();
  void show_completions(const std::string& line);
  void start_editing();
  std::optional<Answer> complete(const std::string& before);
  bool read_edited(std::string& line);
  // The line just read and pasted ones behind it, in few round trips. False when the session is over.
  bool run_pasted(std::string first);
  void print_output(const std::string& output, const nlohmann::json& reply);
  void print_errors(const std::string& errors);
  void print_time();
  // console_local.cpp: what the client carries out itself, and pipes that need the session.
  using Done = std::expected<std::string, std::string>;
  Done run_local(const std::vector<std::string>& words);
  Done change_directory(const std::string& path);
  Done show_history(const std::vector<std::string>& words) const;
  Done monitor(const std::string& interface);
  PipeHost pipe_host();
  void add_files(Answer& answer, const std::string& word) const;
  // Runs `line` again and again until a key is pressed; what `| refresh` is for.
  void refresh(const Line& line, const nlohmann::json& pipes);
  void apply_settings(const nlohmann::json& settings);
  // One request and all that follows from its reply; false when the session is over.
  bool call(const char* method, nlohmann::json params, const Line& line);
  bool show(const nlohmann::json& reply, const Line& line);
  void show_result(const nlohmann::json& reply, const Line& line, bool failed);
  bool follow_up(const nlohmann::json& reply, const Line& line);
  bool answer(const nlohmann::json& ask, const Line& line);
  bool answer_secret(const std::string& question, const Line& line);
  bool send_input(const nlohmann::json& read, const Line& line);
  bool send_text(std::string text, const std::string& name, const Line& line);
  void run_on_terminal(const nlohmann::json& run, const nlohmann::json& pipes);
  void remember(const nlohmann::json& reply);
  void complain(const std::string& text, const Line& line);
  bool lost(const base::Error& error);

  client::Client client_;
  Input input_;
  ConsoleOptions options_;
  std::string prompt_;
  std::string banner_;
  std::string host_;
  Places places_ = Places::everywhere();
  Settings settings_;
  bool configuring_ = false;
  std::unique_ptr<Terminal> terminal_;  // null unless editing
  std::unique_ptr<LineReader> reader_;  // the same
  History operational_lines_;
  History configuration_lines_;
  bool printed_ = false;  // since the last prompt
  bool pasting_ = false;  // lines of a paste run, and are not corrected one by one
  int status_ = 0;
};

}  // namespace millrace::cli
