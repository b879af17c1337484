// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/address.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace millrace::base {
namespace {

std::string canonical(std::string_view text) {
  const auto address = IpAddress::parse(text);
  return address ? address->to_string() : "refused";
}

TEST(IpAddress, Text_is_canonical_by_rfc_5952) {
  EXPECT_EQ(canonical("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(canonical("2001:DB8:0:0:0:0:0:1"), "2001:db8::1");
  EXPECT_EQ(canonical("2001:db8:0:1:1:1:1:1"), "2001:db8:0:1:1:1:1:1");  // §4.2.2: no lone group
  EXPECT_EQ(canonical("2001:0:0:1:0:0:0:1"), "2001:0:0:1::1");           // §4.2.3: the longest
  EXPECT_EQ(canonical("2001:db8:0:0:1:0:0:1"), "2001:db8::1:0:0:1");     // §4.2.3: the first
  EXPECT_EQ(canonical("::"), "::");
  EXPECT_EQ(canonical("::1"), "::1");
  EXPECT_EQ(canonical("fe80::"), "fe80::");
  EXPECT_EQ(canonical("::ffff:192.0.2.1"), "::ffff:192.0.2.1");  // §5
}

TEST(IpAddress, What_is_not_an_address_is_refused) {
  for (const std::string_view text :
       {"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", " 1.2.3.4", "1.2.3.4 ", "1.2.3.4/32",
        "::1%eth0", ":::", "2001:db8::1::2", "g::", "1:2:3:4:5:6:7:8:9"}) {
    EXPECT_EQ(canonical(text), "refused") << text;
  }
  EXPECT_EQ(canonical(std::string_view("1.2.3.4\0x", 9)), "refused");
}

TEST(IpAddress, Every_address_reads_back_the_same) {
  support::Random random;
  for (int i = 0; i < 2000; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    for (auto& byte : bytes) {
      byte = random.one_in(2) ? 0 : static_cast<std::uint8_t>(random.below(256));
    }
    const IpAddress six(Family::Inet6, bytes);
    EXPECT_EQ(IpAddress::parse(six.to_string()).value(), six) << six.to_string();
    const IpAddress four(Family::Inet, std::span(bytes).first<4>());
    EXPECT_EQ(IpAddress::parse(four.to_string()).value(), four) << four.to_string();
  }
}

TEST(IpAddress, Kinds_of_address_are_known) {
  EXPECT_TRUE(IpAddress::parse("224.0.0.5")->is_multicast());
  EXPECT_TRUE(IpAddress::parse("239.255.255.255")->is_multicast());
  EXPECT_FALSE(IpAddress::parse("240.0.0.0")->is_multicast());
  EXPECT_TRUE(IpAddress::parse("ff02::1")->is_multicast());
  EXPECT_TRUE(IpAddress::parse("0.0.0.0")->is_unspecified());
  EXPECT_TRUE(IpAddress::parse("::")->is_unspecified());
  EXPECT_FALSE(IpAddress::parse("::1")->is_unspecified());
  EXPECT_TRUE(IpAddress::parse("169.254.0.1")->is_link_local());
  EXPECT_FALSE(IpAddress::parse("169.253.0.1")->is_link_local());
  EXPECT_TRUE(IpAddress::parse("febf::1")->is_link_local());
  EXPECT_FALSE(IpAddress::parse("fec0::1")->is_link_local());
}

TEST(InterfaceAddress, Host_bits_are_kept_and_a_missing_length_is_a_host) {
  EXPECT_EQ(InterfaceAddress::parse("192.0.2.1/24")->to_string(), "192.0.2.1/24");
  EXPECT_EQ(InterfaceAddress::parse("192.0.2.1")->to_string(), "192.0.2.1/32");
  EXPECT_EQ(InterfaceAddress::parse("2001:DB8::1")->to_string(), "2001:db8::1/128");
}

TEST(InterfaceAddress, Bad_length_is_refused_with_the_range) {
  for (const std::string_view length : {"", "33", "-1", "+1", "08", "1x", " 8", "4294967296"}) {
    const auto parsed = InterfaceAddress::parse("192.0.2.1/" + std::string(length));
    ASSERT_FALSE(parsed) << length;
    EXPECT_EQ(parsed.error().code, Code::BadValue);
    EXPECT_NE(parsed.error().message.find("0..32"), std::string::npos);
  }
  EXPECT_TRUE(InterfaceAddress::parse("2001:db8::1/128"));
  EXPECT_FALSE(InterfaceAddress::parse("2001:db8::1/129"));
}

TEST(Prefix, Host_bits_are_refused_with_the_prefix_that_was_meant) {
  const auto parsed = Prefix::parse("192.0.2.129/25");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().hint, "use 192.0.2.128/25");
  EXPECT_EQ(Prefix::parse("192.0.2.128/25")->to_string(), "192.0.2.128/25");
  EXPECT_EQ(Prefix::parse("2001:db8:8000::/33")->to_string(), "2001:db8:8000::/33");
  EXPECT_FALSE(Prefix::parse("2001:db8:8000::/32"));
}

TEST(Prefix, Contains_exactly_the_addresses_that_share_its_bits) {
  const Prefix net = Prefix::parse("10.1.2.0/23").value();
  EXPECT_TRUE(net.contains(IpAddress::parse("10.1.3.255").value()));
  EXPECT_FALSE(net.contains(IpAddress::parse("10.1.4.0").value()));
  EXPECT_FALSE(net.contains(IpAddress::parse("::").value()));
  EXPECT_TRUE(Prefix::parse("0.0.0.0/0")->contains(IpAddress::parse("255.0.0.1").value()));
}

TEST(Prefix, Order_is_by_family_then_address_then_length) {
  EXPECT_LT(Prefix::parse("9.0.0.0/8").value(), Prefix::parse("10.0.0.0/8").value());
  EXPECT_LT(Prefix::parse("10.0.0.0/8").value(), Prefix::parse("10.0.0.0/9").value());
  EXPECT_LT(Prefix::parse("255.0.0.0/8").value(), Prefix::parse("::/0").value());
}

TEST(MacAddress, Text_is_lower_case_with_colons) {
  EXPECT_EQ(MacAddress::parse("02:AB:00:00:00:01")->to_string(), "02:ab:00:00:00:01");
}

TEST(MacAddress, Other_forms_are_refused) {
  for (const std::string_view text :
       {"", "02:00:00:00:00", "02:00:00:00:00:0", "02:00:00:00:00:0g", "02-00-00-00-00-01",
        "02:00:00:00:00:01:", "0200.0000.0001", "2:000:00:00:00:01", "0x:00:00:00:00:01"}) {
    EXPECT_FALSE(MacAddress::parse(text)) << text;
  }
}

}  // namespace
}  // namespace millrace::base
