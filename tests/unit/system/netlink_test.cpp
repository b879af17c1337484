// SPDX-License-Identifier: GPL-2.0-or-later
//
// The real kernel, in a network namespace of the test's own.
#include "system/netlink.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "support/network_namespace.h"
#include "system/link_monitor.h"

namespace millrace::system {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

base::InterfaceAddress address(std::string_view text) {
  return base::InterfaceAddress::parse(text).value();
}

class KernelNetlink : public test::NetworkNamespace {
 protected:
  void SetUp() override {
    NetworkNamespace::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) {
      kernel_ = open_kernel().value();
    }
  }

  Link link(std::string_view name) {
    const auto links = kernel_->links();
    const auto found = std::ranges::find(*links, name, &Link::name);
    EXPECT_NE(found, links->end()) << "no link " << name;
    return found == links->end() ? Link() : *found;
  }

  std::vector<LinkAddress> addresses_of(std::string_view name) {
    auto all = kernel_->addresses().value();
    std::erase_if(all, [&](const LinkAddress& one) { return one.link != name; });
    return all;
  }

  std::unique_ptr<Kernel> kernel_;
};

TEST_F(KernelNetlink, Lists_a_device_with_what_the_kernel_knows_of_it) {
  const Link eth0 = link("eth0");
  EXPECT_EQ(eth0.kind, "veth");
  EXPECT_EQ(eth0.parent, "");
  EXPECT_EQ(eth0.mtu, 1500U);
  EXPECT_EQ(eth0.min_mtu, 68U);
  EXPECT_EQ(eth0.max_mtu, 65535U);
  EXPECT_FALSE(eth0.admin_up);
  EXPECT_FALSE(eth0.ours);
  EXPECT_FALSE(eth0.managed);
  EXPECT_THAT(command({"ip", "link", "show", "eth0"}), HasSubstr(eth0.mac.to_string()));
}

TEST_F(KernelNetlink, Changes_one_attribute_and_keeps_the_others) {
  ASSERT_TRUE(kernel_->set_alias("eth0", "to the lake"));
  ASSERT_TRUE(kernel_->set_mtu("eth0", 1400));
  ASSERT_TRUE(kernel_->set_admin_up("eth0", true));
  ASSERT_TRUE(kernel_->set_managed("eth0", true));
  const Link eth0 = link("eth0");
  EXPECT_EQ(eth0.alias, "to the lake");
  EXPECT_EQ(eth0.mtu, 1400U);
  EXPECT_TRUE(eth0.admin_up);
  EXPECT_TRUE(eth0.running);
  EXPECT_TRUE(eth0.managed);
  EXPECT_FALSE(eth0.ours);
}

TEST_F(KernelNetlink, Clears_alias_and_mark_as_if_they_had_never_been) {
  const std::string before = command({"ip", "-d", "link", "show", "eth0"});
  ASSERT_TRUE(kernel_->set_alias("eth0", "to the lake"));
  ASSERT_TRUE(kernel_->set_managed("eth0", true));
  EXPECT_NE(command({"ip", "-d", "link", "show", "eth0"}), before);
  ASSERT_TRUE(kernel_->set_alias("eth0", ""));
  ASSERT_TRUE(kernel_->set_managed("eth0", false));
  EXPECT_EQ(command({"ip", "-d", "link", "show", "eth0"}), before);
}

TEST_F(KernelNetlink, Adds_addresses_of_both_families_with_our_mark) {
  ASSERT_TRUE(kernel_->add_address("eth0", address("192.0.2.1/24")));
  ASSERT_TRUE(kernel_->add_address("eth0", address("2001:db8::1/64")));
  EXPECT_THAT(addresses_of("eth0"), Contains(LinkAddress{"eth0", address("192.0.2.1/24"), true}));
  EXPECT_THAT(addresses_of("eth0"), Contains(LinkAddress{"eth0", address("2001:db8::1/64"), true}));
  EXPECT_THAT(addresses_of("lo"), Contains(LinkAddress{"lo", address("127.0.0.1/8"), false}));
}

TEST_F(KernelNetlink, Repeats_adding_and_deleting_without_error) {
  for (const auto* const text : {"192.0.2.1/24", "2001:db8::1/64"}) {
    EXPECT_TRUE(kernel_->add_address("eth0", address(text)));
    EXPECT_TRUE(kernel_->add_address("eth0", address(text)));
    EXPECT_TRUE(kernel_->delete_address("eth0", address(text)));
    EXPECT_TRUE(kernel_->delete_address("eth0", address(text)));
  }
  EXPECT_TRUE(addresses_of("eth0").empty());
  EXPECT_TRUE(kernel_->delete_address("eth9", address("192.0.2.1/24")));
  EXPECT_TRUE(kernel_->delete_link("eth9"));
}

TEST_F(KernelNetlink, Refuses_to_take_over_an_address_of_somebody_else) {
  command({"ip", "address", "add", "192.0.2.1/24", "dev", "eth0"});
  const auto added = kernel_->add_address("eth0", address("192.0.2.1/24"));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, base::Code::Conflict);
  EXPECT_THAT(addresses_of("eth0"), Contains(LinkAddress{"eth0", address("192.0.2.1/24"), false}));
}

TEST_F(KernelNetlink, Does_not_delete_what_somebody_else_made) {
  for (const auto* const text : {"192.0.2.1/24", "2001:db8::1/64"}) {
    command({"ip", "address", "add", text, "dev", "eth0", "nodad"});
    EXPECT_TRUE(kernel_->delete_address("eth0", address(text)));
    EXPECT_THAT(addresses_of("eth0"), Contains(LinkAddress{"eth0", address(text), false}));
  }
  EXPECT_TRUE(kernel_->delete_link("eth0"));
  EXPECT_EQ(link("eth0").kind, "veth");
}

TEST_F(KernelNetlink, Says_what_the_kernel_refused) {
  const auto mtu = kernel_->set_mtu("eth0", 20);
  ASSERT_FALSE(mtu);
  EXPECT_EQ(mtu.error().code, base::Code::ApplyFailed);
  EXPECT_EQ(mtu.error().message,
            "cannot set mtu 20 on eth0: Invalid argument: mtu less than device minimum");
  const auto absent = kernel_->set_admin_up("eth9", true);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message, "cannot bring up eth9: No such device");
}

TEST_F(KernelNetlink, Creates_a_vlan_device_with_our_mark) {
  const auto added = kernel_->add_vlan("eth0.5", "eth0", 100);
  if (!added && added.error().message.find("Unknown device type") != std::string::npos) {
    GTEST_SKIP() << "this kernel has no VLAN devices: " << added.error().message;
  }
  ASSERT_TRUE(added) << added.error().to_string();
  const Link vlan = link("eth0.5");
  EXPECT_EQ(vlan.kind, "vlan");
  EXPECT_EQ(vlan.parent, "eth0");
  EXPECT_EQ(vlan.vlan_id, 100);
  EXPECT_TRUE(vlan.ours);
  EXPECT_FALSE(vlan.admin_up);
  EXPECT_TRUE(kernel_->add_vlan("eth0.5", "eth0", 100));
  EXPECT_EQ(kernel_->add_vlan("eth0.5", "eth0", 101).error().code, base::Code::Conflict);
  EXPECT_TRUE(kernel_->delete_link("eth0.5"));
  EXPECT_TRUE(kernel_->delete_link("eth0.5"));
}

TEST_F(KernelNetlink, Reads_and_writes_sysctls_of_its_namespace) {
  ASSERT_TRUE(kernel_->set_sysctl("net/ipv4/ip_forward", "1"));
  EXPECT_EQ(kernel_->sysctl("net.ipv4.ip_forward").value(), "1");
  const auto absent = kernel_->set_sysctl("net/ipv4/no_such_thing", "1");
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("net/ipv4/no_such_thing"));
}

TEST_F(KernelNetlink, Sets_the_host_name) {
  ASSERT_EQ(::unshare(CLONE_NEWUTS), 0);
  ASSERT_TRUE(kernel_->set_host_name("r1"));
  EXPECT_EQ(kernel_->host_name().value(), "r1");
}

TEST_F(KernelNetlink, Is_heard_when_devices_come_go_and_get_another_name) {
  auto monitor = LinkMonitor::open();
  ASSERT_TRUE(monitor) << monitor.error().to_string();
  EXPECT_FALSE(monitor->changed());
  command({"ip", "link", "add", "eth5", "type", "veth", "peer", "name", "eth5peer"});
  EXPECT_TRUE(monitor->changed());
  EXPECT_FALSE(monitor->changed());
  command({"ip", "link", "set", "eth5", "mtu", "1400"});
  EXPECT_FALSE(monitor->changed());
  command({"ip", "link", "set", "eth5", "name", "wan0"});
  EXPECT_TRUE(monitor->changed());
  command({"ip", "link", "delete", "wan0"});
  EXPECT_TRUE(monitor->changed());
  EXPECT_FALSE(monitor->changed());
}

}  // namespace
}  // namespace millrace::system
