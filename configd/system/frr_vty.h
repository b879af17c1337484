// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "system/frr.h"

namespace millrace::system {

struct FrrVtyOptions {
  std::filesystem::path sockets = "/run/frr";  // DAEMON.vty below it
  std::chrono::milliseconds connect =
      std::chrono::seconds(10);  // for a daemon that answered before
  std::chrono::milliseconds stranger = std::chrono::seconds(4);  // for one that did not
  std::chrono::milliseconds reply = std::chrono::seconds(60);    // for one line
};

// The FRR daemons of this machine. Opens nothing yet: every call connects, so that a daemon that
// was restarted in between is no special case.
std::unique_ptr<Frr> make_frr(FrrVtyOptions options);

}  // namespace millrace::system
