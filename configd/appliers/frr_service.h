// SPDX-License-Identifier: GPL-2.0-or-later
//
// A daemon of FRR that runs only while something is configured for it, from one configuration of
// objects (frr_object.h) to another. It is a unit of its own, started and stopped without the other
// daemons, and reads its own file when it starts, so that one that crashes returns with everything.
//
// Nothing here remembers what was sent. Each phase of a commit is: read what the daemon has of the
// objects that the commit touches, send the difference, read again, and fail if they differ still.
// Apply aims it at the configuration after, undo at the one before; a daemon that refuses to take
// something back is started anew from its file, which is written last.
#pragma once

#include <string_view>

#include "appliers/frr_object.h"
#include "commit/step.h"

namespace millrace::appliers {

struct FrrService {
  system::FrrDaemon daemon;
  std::string_view unit;  // "bgpd.service"
  std::string_view file;  // what the daemon reads when it starts
};

inline constexpr FrrService kBgpd = {system::FrrDaemon::Bgpd, "bgpd.service", "/etc/frr/bgpd.conf"};
inline constexpr FrrService kOspfd = {system::FrrDaemon::Ospfd, "ospfd.service",
                                      "/etc/frr/ospfd.conf"};

// An empty configuration: the daemon does not run. Cost: the objects; running the plan costs what
// differs, and reading the daemon's configuration.
commit::Plan plan_frr(const FrrService& service, FrrConfig before, FrrConfig after);

// The steps from what is there. Errors: the state cannot be read.
base::Result<commit::Plan> reconcile_frr(const FrrService& service, FrrConfig wanted,
                                         system::System& system);

}  // namespace millrace::appliers
