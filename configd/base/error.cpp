// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

namespace millrace::base {

std::string_view to_string(Code code) {
  switch (code) {
    case Code::Syntax:
      return "syntax";
    case Code::UnknownPath:
      return "unknown-path";
    case Code::BadValue:
      return "bad-value";
    case Code::Constraint:
      return "constraint";
    case Code::Conflict:
      return "conflict";
    case Code::Locked:
      return "locked";
    case Code::Denied:
      return "denied";
    case Code::ApplyFailed:
      return "apply-failed";
    case Code::Io:
      return "io";
    case Code::Internal:
      return "internal";
  }
  return "internal";
}

std::string Error::to_string() const {
  std::string text = path;
  if (!path.empty()) {
    text += ": ";
  }
  text += message;
  if (cause) {
    text += ": " + cause->to_string();
  }
  if (!hint.empty()) {
    text += " (" + hint + ")";
  }
  return text;
}

std::unexpected<Error> fail_because(Error cause, std::string message, std::string path) {
  const Code code = cause.code;
  return std::unexpected(Error{.code = code,
                               .message = std::move(message),
                               .path = std::move(path),
                               .cause = std::make_shared<const Error>(std::move(cause))});
}

}  // namespace millrace::base
