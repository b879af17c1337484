// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a typed line comes to: a reply at once, or work for the commit thread and a reply after it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "commit/engine.h"

namespace millrace::server {

struct Question {
  std::string text;  // "Exit with uncommitted changes?"
  bool yes_by_default = true;
  bool secret = false;  // any text answers it, and nobody may see it
};

// The client is to send input: what the user types until the end of file, or a file that it reads
// with the user's rights, never with ours.
struct InputWanted {
  std::string file;  // empty: from the terminal
};

struct Reply {
  bool ok = true;
  std::string output;
  std::string errors;  // for the error stream, shown before the output
  std::vector<std::vector<std::string>> pipes = {};
  nlohmann::json data = nullptr;
  std::optional<Question> ask = {};
  std::optional<InputWanted> read = {};
  std::vector<std::string> run = {};
  std::vector<std::string> local = {};  // what the client does itself: "file", "list", …
  bool close = false;
  bool refused = false;               // the line was wrong and nothing ran
  nlohmann::json settings = nullptr;  // of the client, that the line changed
};

template <class T>
struct Deferred {
  std::function<void(commit::Observer*)> work;  // on the commit thread
  std::function<T()> finish;                    // on the session again, after `work`
};

using Outcome = std::variant<Reply, Deferred<Reply>>;

inline Reply done(std::string output = {}) {
  return {true, std::move(output), {}};
}
// "error: MESSAGE" and a failed status.
Reply failed(std::string_view message);
// "error: …" with causes, and the hint on a line of its own.
Reply failed(const base::Error& error);
// "warning: MESSAGE"; the command counts as done.
Reply warned(std::string_view message);

}  // namespace millrace::server
