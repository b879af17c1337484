// SPDX-License-Identifier: GPL-2.0-or-later
//
// FRR's static routes as mgmtd keeps them (FRR 10.3: staticd's vty has no configuration of its
// own). Lines are parsed and kept as data, so that show running-config is in FRR's canonical form
// and not an echo of what was typed: host bits cleared, distance 1 and tag 0 left out. As in FRR
// the tag belongs to (prefix, distance): giving it with one next hop changes it for all of them
// (yang/frr-staticd.yang: path-list). The lines of one configure() are one transaction: after a
// refusal none of them is in force. bgpd and ospfd are daemons of their own (fake_frr_daemon.h),
// whose lines are in force one by one. Not thread-safe.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/fake_frr_daemon.h"
#include "support/fake_kernel.h"
#include "system/frr.h"

namespace millrace::test {

class FakeFrr : public system::Frr {
 public:
  explicit FakeFrr(const ChangeHook& hook) : hook_(hook) {}

  // A daemon that is not there answers nothing (Code::Io).
  void set_running(system::FrrDaemon daemon, bool running);
  // Lines that contain `text` are refused, until accept_all().
  void refuse(std::string text) { refused_.push_back(std::move(text)); }
  void accept_all() { refused_.clear(); }
  // A restarted FRR is empty: nothing was ever written to its files.
  void reboot() {
    routes_.clear();
    bgpd.stop();
    ospfd.stop();
  }
  // The configuration, sorted: "ip route 10.0.0.0/8 192.0.2.1 tag 7 5", then those of bgpd and
  // ospfd.
  std::vector<std::string> dump() const;

  base::Result<std::vector<system::FrrReply>> configure(
      system::FrrDaemon daemon, const std::vector<std::string>& lines) override;
  base::Result<std::string> show(system::FrrDaemon daemon, std::string_view command) override;
  base::Result<void> answers(system::FrrDaemon daemon) override;

  FakeFrrDaemon bgpd{"bgpd"};
  FakeFrrDaemon ospfd{"ospfd"};

 private:
  base::Result<std::vector<system::FrrReply>> configure_own(FakeFrrDaemon& daemon,
                                                            const std::vector<std::string>& lines);
  FakeFrrDaemon* own(system::FrrDaemon daemon);  // nullptr: not one of its own
  bool refused(const std::string& line) const;
  bool stopped(system::FrrDaemon daemon);
  std::string data_of(std::string_view command) const;

  struct PathList {
    std::uint32_t tag = 0;
    std::set<std::string> next_hops;  // "192.0.2.1", "192.0.2.1 eth0", "eth0", "blackhole"
  };

  using Routes = std::map<base::Prefix, std::map<unsigned, PathList>>;

  system::FrrReply run(const std::string& line, Routes& routes) const;

  const ChangeHook& hook_;
  std::set<system::FrrDaemon> stopped_;
  std::vector<std::string> refused_;
  Routes routes_;
};

}  // namespace millrace::test
