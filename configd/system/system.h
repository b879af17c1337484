// SPDX-License-Identifier: GPL-2.0-or-later
//
// Everything outside configd that a commit may change, in one argument. Steps act through this and
// nothing else, which is what lets the golden cases run every plan against a fake world.
#pragma once

#include <memory>

#include "system/accounts.h"
#include "system/files.h"
#include "system/frr.h"
#include "system/kernel.h"
#include "system/units.h"

namespace millrace::system {

struct System {
  Kernel& kernel;
  Frr& frr;
  Files& files;
  Units& units;
  Accounts& accounts;
};

// The real ones. `units`: "systemd", or "direct" where no systemd runs (test guests).
struct RealSystem {
  RealSystem(std::unique_ptr<Kernel> kernel, std::unique_ptr<Frr> frr, std::unique_ptr<Files> files,
             std::unique_ptr<Units> units, std::unique_ptr<Accounts> accounts);
  ~RealSystem();
  System view() { return {*kernel, *frr, *files, *units, *accounts}; }

  std::unique_ptr<Kernel> kernel;
  std::unique_ptr<Frr> frr;
  std::unique_ptr<Files> files;
  std::unique_ptr<Units> units;
  std::unique_ptr<Accounts> accounts;
};

struct SystemOptions {
  std::string_view frr_sockets = "/run/frr";  // DAEMON.vty below it
  std::string_view files_root = "/";          // prefix of every path
  std::string_view units = "systemd";
};
base::Result<std::unique_ptr<RealSystem>> open_system(const SystemOptions& options);

}  // namespace millrace::system
