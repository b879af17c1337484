// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/grace.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace millrace::fib {

void wait_for_programs() {
  // kernel/sched/membarrier.c: this command is synchronize_rcu(), and programs run in a read-side
  // section. Kernels with nohz_full refuse it; there, no program runs for as long as we sleep.
  if (::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace millrace::fib
