// SPDX-License-Identifier: GPL-2.0-or-later
#include "loader/ports.h"

#include <bpf/bpf.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/netdev.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/fd.h"

namespace millrace::loader {
namespace {

// Queueing disciplines that only hand on: leaving them out changes nothing that anybody configured.
bool only_hands_on(const std::string& qdisc) {
  static constexpr std::string_view kPlain[] = {"",           "noqueue", "noop",    "mq",
                                                "pfifo_fast", "fq",      "fq_codel"};
  return std::ranges::find(kPlain, qdisc) != std::end(kPlain);
}

// Large receive merging and hardware tag removal hide from XDP what it must see. Read first:
// setting what is set already resets some drivers.
void clear_offloads(const std::string& name, bool vlans) {
  const base::Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ethtool_value value = {ETHTOOL_GFLAGS, 0};
  ifreq request = {};
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_data = reinterpret_cast<char*>(&value);
  const __u32 unwanted = ETH_FLAG_LRO | (vlans ? static_cast<__u32>(ETH_FLAG_RXVLAN) : 0u);
  if (::ioctl(socket.get(), SIOCETHTOOL, &request) == 0 && (value.data & unwanted) != 0) {
    value = {ETHTOOL_SFLAGS, value.data & ~unwanted};
    ::ioctl(socket.get(), SIOCETHTOOL, &request);
  }
}

// The device that a pinned link is attached to; 0 when it is gone.
std::uint32_t device_of(int link) {
  bpf_link_info info = {};
  __u32 size = sizeof info;
  if (bpf_link_get_info_by_fd(link, &info, &size) != 0) {
    return 0;
  }
  return info.type == BPF_LINK_TYPE_XDP ? info.xdp.ifindex : info.tcx.ifindex;
}

struct Attached {
  std::string mode = "none";
  std::uint64_t features = 0;
};

Attached ask(std::uint32_t ifindex) {
  Attached attached;
  bpf_xdp_query_opts options = {};
  options.sz = sizeof options;
  if (bpf_xdp_query(static_cast<int>(ifindex), 0, &options) == 0) {
    attached.features = options.feature_flags;
    if (options.attach_mode == XDP_ATTACHED_DRV) {
      attached.mode = "native";
    } else if (options.attach_mode == XDP_ATTACHED_SKB) {
      attached.mode = "generic";
    }
  }
  return attached;
}

}  // namespace

base::Result<Mode> parse_mode(std::string_view text) {
  const std::pair<std::string_view, Mode> modes[] = {{"automatic", Mode::Automatic},
                                                     {"native", Mode::Native},
                                                     {"generic", Mode::Generic},
                                                     {"kernel", Mode::Kernel}};
  for (const auto& [name, mode] : modes) {
    if (name == text) {
      return mode;
    }
  }
  return base::fail(base::Code::BadValue, "found mode '" + std::string(text) +
                                              "', expected automatic, native, generic or kernel");
}

Ports::Ports(Programs& programs, Dispatcher dispatcher, std::string folder)
    : programs_(programs), dispatcher_(std::move(dispatcher)), folder_(std::move(folder)) {}

std::string Ports::pin(const char* kind, std::uint32_t ifindex) const {
  return folder_ + "/" + kind + "-" + std::to_string(ifindex);
}

bool Ports::attach_xdp(State& state, unsigned flags, std::string& why) {
  const std::string path = pin("xdp", state.ifindex);
  bpf_link_create_opts options = {};
  options.sz = sizeof options;
  options.flags = flags;
  const base::Fd link(
      bpf_link_create(dispatcher_.xdp(), static_cast<int>(state.ifindex), BPF_XDP, &options));
  if (!link) {
    const int error = errno;
    why += (why.empty() ? "" : "; ") +
           std::string(flags == XDP_FLAGS_DRV_MODE ? "native" : "generic") +
           " refused: " + std::strerror(error);
    return false;
  }
  if (const int result = bpf_obj_pin(link.get(), path.c_str()); result != 0) {
    why = refused(result, "pin " + path).message;
    return false;
  }
  return true;
}

void Ports::attach(State& state, const fib::Link& link) {
  PortStatus& status = state.status;
  status.mode_reason.clear();
  const std::string xdp = pin("xdp", state.ifindex);
  const std::string tcx = pin("tcx", state.ifindex);
  const std::string before = ask(state.ifindex).mode;
  const auto kept = [&](const std::string& path) {
    const base::Fd pinned(bpf_obj_get(path.c_str()));
    return pinned && device_of(pinned.get()) == state.ifindex;
  };
  // a sender's stack may keep a tag beside a frame of veth, where XDP does not see it
  const bool hidden_tags = link.kind == "veth" && state.vlans;
  const bool native = state.wanted == Mode::Automatic || state.wanted == Mode::Native;
  const bool generic = state.wanted == Mode::Automatic || state.wanted == Mode::Generic;
  const bool keep =
      kept(xdp) && !hidden_tags &&
      ((native && before == "native") || (state.wanted == Mode::Generic && before == "generic"));
  if (!keep) {
    ::unlink(xdp.c_str());
    if (state.wanted == Mode::Kernel) {
      status.mode_reason = "configured";
    } else if (hidden_tags) {
      status.mode_reason = "veth can hide the tags of VLANs from XDP";
    } else {
      clear_offloads(link.name, state.vlans);
      std::string why;
      if (!(native && attach_xdp(state, XDP_FLAGS_DRV_MODE, why)) && generic) {
        attach_xdp(state, XDP_FLAGS_SKB_MODE, why);
      }
      status.mode_reason = why;
    }
  }
  state.tcx = state.wanted != Mode::Kernel;
  if (state.tcx && !kept(tcx)) {
    ::unlink(tcx.c_str());
    bpf_link_create_opts options = {};
    options.sz = sizeof options;
    const base::Fd created(bpf_link_create(dispatcher_.tcx(), static_cast<int>(state.ifindex),
                                           BPF_TCX_INGRESS, &options));
    state.tcx = created && bpf_obj_pin(created.get(), tcx.c_str()) == 0;
  } else if (!state.tcx) {
    ::unlink(tcx.c_str());
  }
  status.mode = ask(state.ifindex).mode;
  if (!kept(xdp) && status.mode != "none") {
    status.mode_reason = "a program of somebody else is attached";
    status.mode = "none";
  }
  if (auto set = programs_.set_transmit(status.number, state.ifindex); !set) {
    status.mode_reason += (status.mode_reason.empty() ? "" : "; ") + set.error().message;
  }
  dp_port& port = programs_.memory().ports[status.number];
  std::uint16_t flags = 0;
  if (status.mode != "none" || state.tcx) {
    flags |= DP_PORT_ON;
  }
  if (link.kind == "veth" && status.mode == "native") {
    flags |= DP_PORT_UNFINISHED;
  }
  port.flags = flags;
}

void Ports::detach(const State& state) {
  ::unlink(pin("xdp", state.ifindex).c_str());
  ::unlink(pin("tcx", state.ifindex).c_str());
  (void)programs_.set_transmit(state.status.number, 0);
}

void Ports::settle_tier(State& state, const fib::Mirror& mirror, const fib::Link& link) {
  dp_port& port = programs_.memory().ports[state.status.number];
  dp_tier tier = DP_TIER_XDP;
  std::string reason;
  std::string shaped =
      only_hands_on(link.qdisc) ? "" : link.name + " has the queueing discipline " + link.qdisc;
  for (const fib::Link& vlan : mirror.vlans_of(link.ifindex)) {
    if (!only_hands_on(vlan.qdisc)) {
      shaped = vlan.name + " has the queueing discipline " + vlan.qdisc;
    }
  }
  if (state.wanted == Mode::Kernel) {
    tier = DP_TIER_KERNEL;
    reason = "configured";
  } else if (!link.running) {
    tier = DP_TIER_KERNEL;
    reason = "the link is down";
  } else if (!shaped.empty()) {
    tier = DP_TIER_TCX;
    reason = shaped;
  } else if ((ask(link.ifindex).features & NETDEV_XDP_ACT_NDO_XMIT) == 0) {
    tier = DP_TIER_TCX;
    reason = link.kind == "veth"
                 ? "the other end of veth polls nothing: no XDP program, and GRO is off"
                 : "the driver cannot send frames of others";
  } else if (port.failed != 0) {
    tier = DP_TIER_TCX;
    reason = std::string("the driver lost frames: ") + std::strerror(static_cast<int>(port.failed));
  }
  static constexpr const char* kNames[] = {"kernel", "tcx", "xdp"};
  state.status.tier = kNames[tier];
  state.status.tier_reason = reason;
  fib::publish(port.egress, tier);
}

void Ports::reconcile(const fib::Mirror& mirror,
                      const std::function<Mode(const std::string&)>& mode) {
  std::map<std::uint32_t, fib::Link> there;
  for (const fib::Mirror::Port& port : mirror.ports()) {
    there[port.number] = port.link;
  }
  std::erase_if(states_, [&](const auto& state) {
    const auto found = there.find(state.first);
    const bool gone = found == there.end() || found->second.ifindex != state.second.ifindex;
    if (gone) {
      detach(state.second);
    }
    return gone;
  });
  for (const auto& [number, link] : there) {
    const auto [place, fresh] = states_.try_emplace(number);
    State& state = place->second;
    const Mode wanted = mode(link.name);
    const bool vlans = !mirror.vlans_of(link.ifindex).empty();
    const bool attach_again = fresh || wanted != state.wanted || vlans != state.vlans;
    state.ifindex = link.ifindex;
    state.wanted = wanted;
    state.vlans = vlans;
    state.status.number = number;
    state.status.name = link.name;
    if (attach_again) {
      attach(state, link);
    }
    settle_tier(state, mirror, link);
  }
  (void)dispatcher_.arm(programs_.xdp(), programs_.tcx());
}

void Ports::retry() {
  for (auto& [number, state] : states_) {
    fib::publish(programs_.memory().ports[number].failed, 0);
  }
}

std::vector<PortStatus> Ports::status() const {
  std::vector<PortStatus> all;
  for (const auto& [number, state] : states_) {
    all.push_back(state.status);
  }
  return all;
}

void Ports::detach_all(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    ::unlink(entry.path().c_str());
  }
}

}  // namespace millrace::loader
