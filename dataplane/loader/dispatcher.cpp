// SPDX-License-Identifier: GPL-2.0-or-later
#include "loader/dispatcher.h"

#include <bpf/bpf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace millrace::loader {
namespace {

// Another form of the dispatcher gets another number, and ports are moved to it by bpf_link_update.
constexpr const char* kXdpPin = "/xdp-entry-1";
constexpr const char* kTcxPin = "/tcx-entry-1";

// The array that a dispatcher calls through; -1 when it cannot be found.
base::Fd stage_of(int program) {
  __u32 map = 0;
  bpf_prog_info info = {};
  info.nr_map_ids = 1;
  info.map_ids = reinterpret_cast<__u64>(&map);
  __u32 size = sizeof info;
  if (bpf_prog_get_info_by_fd(program, &info, &size) != 0 || info.nr_map_ids != 1) {
    return {};
  }
  return base::Fd(bpf_map_get_fd_by_id(map));
}

}  // namespace

base::Result<Dispatcher> Dispatcher::open(const std::string& folder) {
  Dispatcher dispatcher;
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return std::unexpected(refused(errno, "make " + folder + ", which must be on a bpffs"));
  }
  dispatcher.xdp_ = base::Fd(bpf_obj_get((folder + kXdpPin).c_str()));
  dispatcher.tcx_ = base::Fd(bpf_obj_get((folder + kTcxPin).c_str()));
  if (!dispatcher.xdp_ || !dispatcher.tcx_) {
    auto object = open_object(dispatch_object(), "dispatch");
    if (!object) {
      return std::unexpected(std::move(object.error()));
    }
    if (auto loaded = load_object(object->get(), "dispatch"); !loaded) {
      return std::unexpected(std::move(loaded.error()));
    }
    const std::tuple<const char*, const char*, base::Fd*> programs[] = {
        {"dp_xdp_entry", kXdpPin, &dispatcher.xdp_}, {"dp_tcx_entry", kTcxPin, &dispatcher.tcx_}};
    for (const auto& [name, pin, fd] : programs) {
      const int program = bpf_program__fd(bpf_object__find_program_by_name(object->get(), name));
      ::unlink((folder + pin).c_str());
      if (const int result = bpf_obj_pin(program, (folder + pin).c_str()); result != 0) {
        return std::unexpected(refused(result, "pin " + folder + pin));
      }
      *fd = base::Fd(bpf_obj_get((folder + pin).c_str()));
    }
    dispatcher.xdp_stage_ = stage_of(dispatcher.xdp_.get());
    dispatcher.tcx_stage_ = stage_of(dispatcher.tcx_.get());
  } else {
    dispatcher.xdp_stage_ = stage_of(dispatcher.xdp_.get());
    dispatcher.tcx_stage_ = stage_of(dispatcher.tcx_.get());
  }
  if (!dispatcher.xdp_stage_ || !dispatcher.tcx_stage_) {
    return base::fail(base::Code::ApplyFailed,
                      "cannot find what the pinned programs in " + folder + " call");
  }
  return dispatcher;
}

base::Result<void> Dispatcher::arm(int xdp_program, int tcx_program) {
  const __u32 slot = 0;
  int result = bpf_map_update_elem(xdp_stage_.get(), &slot, &xdp_program, BPF_ANY);
  if (result == 0) {
    result = bpf_map_update_elem(tcx_stage_.get(), &slot, &tcx_program, BPF_ANY);
  }
  if (result != 0) {
    return std::unexpected(refused(result, "put the forwarding programs in place"));
  }
  return {};
}

void Dispatcher::disarm() {
  const __u32 slot = 0;
  bpf_map_delete_elem(xdp_stage_.get(), &slot);
  bpf_map_delete_elem(tcx_stage_.get(), &slot);
}

}  // namespace millrace::loader
