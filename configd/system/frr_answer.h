// SPDX-License-Identifier: GPL-2.0-or-later
//
// The answer of a daemon piece by piece: the table of a router with a million routes is half a
// gigabyte of JSON, which nobody needs at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "system/frr.h"

namespace millrace::system {

class FrrAnswer {
 public:
  virtual ~FrrAnswer() = default;
  // The next piece; empty when there is no more. Errors: Io when the daemon is gone or late;
  // ApplyFailed when it refused the command, which it tells at the end.
  virtual base::Result<std::string> next() = 0;
};

// What can answer so. make_frr() can; what cannot answers in one piece.
class FrrStream {
 public:
  virtual ~FrrStream() = default;
  virtual base::Result<std::unique_ptr<FrrAnswer>> ask(FrrDaemon daemon,
                                                       std::string_view command) = 0;
};

// One command in enable mode. The answer may outlive nothing of `frr` and needs a connection of its
// own, so several may be read in turn. A status other than success with a JSON object is an answer:
// zebra calls it a warning that it knows no route. Errors: as Frr::show.
base::Result<std::unique_ptr<FrrAnswer>> ask(Frr& frr, FrrDaemon daemon, std::string_view command);

}  // namespace millrace::system
