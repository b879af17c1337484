// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is attached to each port and why. A port receives natively (in its driver), generically (in
// the stack) or by tcx alone; it is sent to by its driver (tier xdp), through its queues (tier tcx)
// or by the kernel. Each has a reason, which `show forwarding dataplane interfaces` prints. One
// port's limits never touch another's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fib/mirror.h"
#include "loader/dispatcher.h"
#include "loader/programs.h"

namespace millrace::loader {

enum class Mode : std::uint8_t { Automatic, Native, Generic, Kernel };
// "automatic", … Errors: BadValue.
base::Result<Mode> parse_mode(std::string_view text);

struct PortStatus {
  std::uint32_t number = 0;
  std::string name;
  std::string mode = "none";  // as the kernel says: native, generic, none
  std::string mode_reason;
  std::string tier = "kernel";  // xdp, tcx, kernel
  std::string tier_reason;
};

class Ports {
 public:
  Ports(Programs& programs, Dispatcher dispatcher, std::string folder);

  // Attaches to ports that are new, takes back what is attached to those that are gone, and settles
  // the tier of each. Cheap when nothing has changed. `mode` says what the configuration wants.
  void reconcile(const fib::Mirror& mirror, const std::function<Mode(const std::string&)>& mode);
  // Lets ports whose driver lost frames try again, and repeats what the kernel may have undone.
  void retry();
  std::vector<PortStatus> status() const;

  // Detaches everything, of this and of earlier daemons.
  static void detach_all(const std::string& folder);

 private:
  struct State {
    std::uint32_t ifindex = 0;
    Mode wanted = Mode::Automatic;
    bool vlans = false;
    PortStatus status;
    bool tcx = false;
  };
  void attach(State& state, const fib::Link& link);
  void detach(const State& state);
  bool attach_xdp(State& state, unsigned flags, std::string& why);
  void settle_tier(State& state, const fib::Mirror& mirror, const fib::Link& link);
  std::string pin(const char* kind, std::uint32_t ifindex) const;

  Programs& programs_;
  Dispatcher dispatcher_;
  std::string folder_;
  std::map<std::uint32_t, State> states_;  // by port number
};

}  // namespace millrace::loader
