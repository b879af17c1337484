// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/reply.h"

namespace millrace::server {

Reply failed(std::string_view message) {
  return {false, {}, "error: " + std::string(message) + "\n"};
}

Reply failed(const base::Error& error) {
  std::string text = error.message;
  for (const base::Error* cause = error.cause.get(); cause; cause = cause->cause.get()) {
    text += ": " + cause->message;
  }
  if (!error.path.empty()) {
    text = error.path + ": " + text;
  }
  Reply reply = failed(text);
  if (!error.hint.empty()) {
    reply.errors += "  " + error.hint + "\n";
  }
  return reply;
}

Reply warned(std::string_view message) {
  return {true, {}, "warning: " + std::string(message) + "\n"};
}

}  // namespace millrace::server
