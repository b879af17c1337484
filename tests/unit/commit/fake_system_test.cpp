// SPDX-License-Identifier: GPL-2.0-or-later
//
// The fake's habits are what other tests rely on; each of these was read from the kernel's or FRR's
// own code, named in support/fake_kernel.h and support/fake_frr.h.
#include "support/fake_system.h"

#include <gmock/gmock.h>

namespace millrace::test {
namespace {

using system::FrrDaemon;
using ::testing::Contains;
using ::testing::Not;

base::InterfaceAddress address(std::string_view text) {
  return base::InterfaceAddress::parse(text).value();
}

class FakeSystem_ : public ::testing::Test {
 protected:
  FakeSystem_() {
    system_.kernel.plug("eth0");
    EXPECT_TRUE(system_.kernel.set_admin_up("eth0", true));
    EXPECT_TRUE(system_.kernel.add_address("eth0", address("192.0.2.1/24")));
    EXPECT_TRUE(system_.kernel.add_address("eth0", address("2001:db8::1/64")));
  }
  FakeSystem system_;
};

TEST_F(FakeSystem_, A_link_takes_its_vlans_and_addresses_with_it) {
  ASSERT_TRUE(system_.kernel.add_vlan("eth0.5", "eth0", 5));
  ASSERT_TRUE(system_.kernel.add_address("eth0.5", address("198.51.100.1/24")));
  system_.kernel.unplug("eth0");
  EXPECT_THAT(system_.kernel.dump(),
              ::testing::UnorderedElementsAre("address lo 127.0.0.1/8", "address lo ::1/128",
                                              "host-name localhost", "link lo mtu 65536 up"));
}

TEST_F(FakeSystem_, A_small_mtu_or_going_down_takes_the_IPv6_addresses) {
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1279));
  EXPECT_THAT(system_.kernel.dump(), Contains("address eth0 192.0.2.1/24 ours"));
  EXPECT_THAT(system_.kernel.dump(), Not(Contains("address eth0 2001:db8::1/64 ours")));
  EXPECT_FALSE(system_.kernel.add_address("eth0", address("2001:db8::1/64")));
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1500));
  EXPECT_THAT(system_.kernel.dump(), Not(Contains("address eth0 2001:db8::1/64 ours")));
  ASSERT_TRUE(system_.kernel.add_address("eth0", address("2001:db8::1/64")));
  ASSERT_TRUE(system_.kernel.set_admin_up("eth0", false));
  EXPECT_THAT(system_.kernel.dump(), Not(Contains("address eth0 2001:db8::1/64 ours")));
}

TEST_F(FakeSystem_, A_vlan_follows_its_parent_up_and_down_and_its_mtu_down_only) {
  ASSERT_TRUE(system_.kernel.add_vlan("eth0.5", "eth0", 5));
  ASSERT_TRUE(system_.kernel.set_admin_up("eth0", false));
  EXPECT_FALSE(system_.kernel.set_admin_up("eth0.5", true));
  ASSERT_TRUE(system_.kernel.set_admin_up("eth0", true));
  EXPECT_THAT(system_.kernel.dump(), Contains("link eth0.5 vlan 5 on eth0 mtu 1500 up ours"));
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1400));
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1500));
  EXPECT_THAT(system_.kernel.dump(), Contains("link eth0.5 vlan 5 on eth0 mtu 1400 up ours"));
}

TEST_F(FakeSystem_, An_address_of_somebody_else_is_in_conflict) {
  system_.kernel.add_foreign_address("eth0", "203.0.113.1/24");
  const auto added = system_.kernel.add_address("eth0", address("203.0.113.1/24"));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, base::Code::Conflict);
}

TEST_F(FakeSystem_, Frr_keeps_routes_in_canonical_form_and_refuses_garbage_whole) {
  const auto configure = [&](std::vector<std::string> lines) {
    return system_.frr.configure(FrrDaemon::Mgmtd, lines)->back().refused();
  };
  EXPECT_FALSE(configure({"ip route 10.1.2.3/8 192.0.2.254 1", "ipv6 route 2001:DB8:1::/48 Null0 5",
                          "ip route 10.0.0.0/8 192.0.2.253 tag 7"}));
  EXPECT_THAT(system_.frr.dump(), testing::ElementsAre("ip route 10.0.0.0/8 192.0.2.253 tag 7",
                                                       "ip route 10.0.0.0/8 192.0.2.254 tag 7",
                                                       "ipv6 route 2001:db8:1::/48 Null0 5"));
  const auto before = system_.frr.dump();
  EXPECT_TRUE(configure({"no ip route 10.0.0.0/8 192.0.2.253", "ip route 10.0.0.0/8 nonsense x"}));
  EXPECT_TRUE(configure({"no ip route 10.0.0.0/8 192.0.2.1"}));
  EXPECT_TRUE(configure({"ip route 10.0.0.0/8 2001:db8::1"}));
  EXPECT_EQ(system_.frr.dump(), before);
}

TEST_F(FakeSystem_, A_unit_that_was_not_told_of_its_new_file_is_stale) {
  system_.units.reads("x.service", "/etc/x");
  ASSERT_TRUE(system_.files.write("/etc/x", {"1"}));
  ASSERT_TRUE(system_.units.start("x.service"));
  EXPECT_THAT(system_.units.dump(), Contains("unit x.service active"));
  ASSERT_TRUE(system_.files.write("/etc/x", {"2"}));
  EXPECT_THAT(system_.units.dump(), Contains("unit x.service active stale"));
  ASSERT_TRUE(system_.units.reload("x.service"));
  EXPECT_THAT(system_.units.dump(), Contains("unit x.service active"));
}

}  // namespace
}  // namespace millrace::test
