// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one unit-runner seam: services by systemd unit name. On a router systemd runs them; in a
// guest without systemd a table of command lines does.
#pragma once

#include <string_view>

#include "base/error.h"

namespace millrace::system {

class Units {
 public:
  virtual ~Units() = default;
  virtual base::Result<bool> active(std::string_view unit) = 0;
  virtual base::Result<void> start(std::string_view unit) = 0;  // running: success
  virtual base::Result<void> stop(std::string_view unit) = 0;   // stopped: success
  virtual base::Result<void> restart(std::string_view unit) = 0;
  virtual base::Result<void> reload(std::string_view unit) = 0;
};

}  // namespace millrace::system
