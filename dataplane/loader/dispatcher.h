// SPDX-License-Identifier: GPL-2.0-or-later
//
// The programs of bpf/dispatch.bpf.c, which ports keep while daemons come and go. They are pinned
// once; a new daemon finds them, and through them the arrays they call through, and puts its own
// programs there.
#pragma once

#include <string>

#include "base/fd.h"
#include "loader/objects.h"

namespace millrace::loader {

class Dispatcher {
 public:
  // Pins in `folder`, on a mounted bpffs. Errors: ApplyFailed.
  static base::Result<Dispatcher> open(const std::string& folder);

  int xdp() const { return xdp_.get(); }
  int tcx() const { return tcx_.get(); }

  // From now on ports run these programs; repeating it costs two system calls, and is needed once
  // after a start, since the kernel may still be emptying the arrays of the daemon before (it does
  // so later).
  base::Result<void> arm(int xdp_program, int tcx_program);
  // Ports run nothing, and packets take the kernel's way.
  void disarm();

 private:
  base::Fd xdp_;
  base::Fd tcx_;
  base::Fd xdp_stage_;
  base::Fd tcx_stage_;
};

}  // namespace millrace::loader
