// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <map>
#include <string>

#include "loader/ports.h"

namespace millrace::daemon {

// The file of abi/control.h.
struct Configuration {
  bool enabled = false;
  std::map<std::string, loader::Mode> modes;  // by name of the interface; others: automatic
  loader::Sizes sizes = {};

  loader::Mode mode_of(const std::string& interface) const;
};

// Errors: BadValue, which names the line.
base::Result<Configuration> parse_configuration(std::string_view text);

}  // namespace millrace::daemon
