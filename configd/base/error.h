// SPDX-License-Identifier: GPL-2.0-or-later
//
// One error type for the whole system. A function that can fail in a way its caller can act on
// returns Result<T>; a broken invariant is not an error but a check() (base/check.h). Library
// folders never log: they return the Error, and whoever finally handles it prints it once.
//
// Messages are lower-case, say what was found and what was expected, and leave the path out of the
// text: `path` carries it ("interfaces eth0 unit 0 family inet"), so that every front end can print
// it in its own form. `hint` says what to do next.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace millrace::base {

enum class Code : std::uint8_t {
  Syntax,       // the text does not parse
  UnknownPath,  // no such statement, object or revision
  BadValue,     // a value outside its type
  Constraint,   // a rule between statements is broken (ref, must, mandatory)
  Conflict,     // somebody else changed the same thing
  Locked,       // somebody else holds the lock
  Denied,       // the user may not
  ApplyFailed,  // kernel, FRR or a service refused
  Io,           // reading or writing failed
  Internal,     // ours to fix
};

// "syntax", "unknown-path", … as the socket protocol spells it. The view is static.
std::string_view to_string(Code code);

struct Error {
  Code code = Code::Internal;
  std::string message = {};
  std::string path = {};
  std::string hint = {};
  std::shared_ptr<const Error> cause = nullptr;

  // "PATH: MESSAGE: CAUSE… (HINT)", for logs and tests; users see Diagnostics instead.
  std::string to_string() const;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Code code, std::string message, std::string path = {},
                                   std::string hint = {}) {
  return std::unexpected(
      Error{code, std::move(message), std::move(path), std::move(hint), nullptr});
}

// Wraps `cause` in a new error of the same code that says what could not be done because of it.
std::unexpected<Error> fail_because(Error cause, std::string message, std::string path = {});

}  // namespace millrace::base
