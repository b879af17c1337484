// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel as far as system::Kernel can see it, with the habits that have surprised other router
// systems: state goes when what it stands on goes, and it does not come back by itself.
//
//   delete a link           its addresses, its sysctls and the VLAN devices on it go
//   mtu below 1280          every IPv6 address and net/ipv6/conf/LINK go (addrconf.c:
//   addrconf_ifdown) administratively down   IPv6 addresses go unless keep_addr_on_down; VLAN
//   devices on it go down administratively up     VLAN devices on it come up as well (8021q/vlan.c:
//   vlan_device_event) parent's mtu lowered    VLAN devices' mtu is clamped and never raised again
//   delete a primary IPv4   the secondaries of its subnet go unless promote_secondaries (here 1, as
//                           systemd sets it)
//
// Link-local addresses are made by the kernel when a link comes up. Not thread-safe.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "system/kernel.h"

namespace millrace::test {

// Called before every change with its text, "kernel: set mtu of eth0 to 1400". An error refuses the
// change; throwing simulates a crash at that point.
using ChangeHook = std::function<base::Result<void>(const std::string&)>;

class FakeKernel : public system::Kernel {
 public:
  explicit FakeKernel(const ChangeHook& hook);

  // A foreign device with carrier, administratively down, as after power-up.
  void plug(std::string_view name, std::uint32_t mtu = 1500, std::uint32_t min_mtu = 68,
            std::uint32_t max_mtu = 9216);
  void unplug(std::string_view name);
  // The device keeps everything but its name (udev, a person with ip(8)).
  void rename(std::string_view name, std::string_view to);
  // An address that somebody else added.
  void add_foreign_address(std::string_view link, std::string_view address);
  // What a reboot leaves: the plugged devices, as new.
  void reboot();
  // The state as sorted lines; without indexes and counters.
  std::vector<std::string> dump() const;

  base::Result<std::vector<system::Link>> links() override;
  base::Result<std::vector<system::LinkAddress>> addresses() override;
  base::Result<void> add_vlan(std::string_view name, std::string_view parent,
                              std::uint16_t vlan_id) override;
  base::Result<void> delete_link(std::string_view name) override;
  base::Result<void> set_mtu(std::string_view link, std::uint32_t mtu) override;
  base::Result<void> set_admin_up(std::string_view link, bool up) override;
  base::Result<void> set_alias(std::string_view link, std::string_view alias) override;
  base::Result<void> set_managed(std::string_view link, bool managed) override;
  base::Result<void> add_address(std::string_view link,
                                 const base::InterfaceAddress& address) override;
  base::Result<void> delete_address(std::string_view link,
                                    const base::InterfaceAddress& address) override;
  base::Result<std::string> host_name() override;
  base::Result<void> set_host_name(std::string_view name) override;
  base::Result<std::string> sysctl(std::string_view name) override;
  base::Result<void> set_sysctl(std::string_view name, std::string_view value) override;

 private:
  struct Plugged {
    std::uint32_t index, mtu, min_mtu, max_mtu;
  };

  base::Result<void> changing(const std::string& what);
  base::Result<system::Link*> need(std::string_view name);
  std::vector<std::string> vlans_on(std::string_view parent) const;
  bool has_inet6(const system::Link& link) const;
  bool flag(std::string_view family, std::string_view link, std::string_view leaf) const;
  base::Result<std::string> default_sysctl(std::string_view name) const;
  void add_link(std::string_view name, const Plugged& plugged);
  void erase_link(std::string_view name);
  void make_link_local(const system::Link& link);
  void drop_inet6(std::string_view link, bool keep_static);
  void drop_sysctls(const std::string& prefix);
  void set_flag_up(system::Link& link, bool up);

  const ChangeHook& hook_;
  std::map<std::string, Plugged, std::less<>> plugged_;
  std::map<std::string, system::Link, std::less<>> links_;
  std::vector<system::LinkAddress> addresses_;  // in order of adding: the first is the primary
  std::map<std::string, std::string, std::less<>> sysctls_;  // that differ from their default
  std::string host_name_ = "localhost";
  std::uint32_t next_index_ = 2;
};

}  // namespace millrace::test
