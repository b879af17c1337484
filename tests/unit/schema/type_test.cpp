// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace millrace::schema {
namespace {

using ::testing::HasSubstr;

struct Row {
  BaseType base;
  std::string text;
  std::string canonical;  // empty: refused
};

Type of(BaseType base) {
  Type type;
  type.base = base;
  return type;
}

class Canonical : public ::testing::TestWithParam<Row> {};

TEST_P(Canonical, form_is_as_the_table_says) {
  const Row& row = GetParam();
  const auto canonical = of(row.base).canonical(row.text);
  if (row.canonical.empty()) {
    ASSERT_FALSE(canonical.has_value()) << *canonical;
    EXPECT_EQ(canonical.error().code, base::Code::BadValue);
    EXPECT_FALSE(canonical.error().message.empty());
  } else {
    ASSERT_TRUE(canonical.has_value()) << canonical.error().message;
    EXPECT_EQ(*canonical, row.canonical);
    EXPECT_EQ(of(row.base).canonical(*canonical).value(), *canonical) << "not a fixed point";
  }
}

INSTANTIATE_TEST_SUITE_P(
    numbers, Canonical,
    ::testing::Values(
        Row{BaseType::Integer, "0010", "10"}, Row{BaseType::Integer, "-5", "-5"},
        Row{BaseType::Integer, "-0", "0"},
        Row{BaseType::Integer, "9223372036854775807", "9223372036854775807"},
        Row{BaseType::Integer, "9223372036854775808", ""}, Row{BaseType::Integer, "+5", ""},
        Row{BaseType::Integer, "0x10", ""}, Row{BaseType::Integer, " 1", ""},
        Row{BaseType::Integer, "1 ", ""}, Row{BaseType::Integer, "1.5", ""},
        Row{BaseType::Integer, "", ""}, Row{BaseType::AsNumber, "65000", "65000"},
        Row{BaseType::AsNumber, "1.0", "65536"}, Row{BaseType::AsNumber, "0.65000", "65000"},
        Row{BaseType::AsNumber, "65535.65535", "4294967295"},
        Row{BaseType::AsNumber, "4294967295", "4294967295"},
        Row{BaseType::AsNumber, "4294967296", ""}, Row{BaseType::AsNumber, "0", ""},
        Row{BaseType::AsNumber, "0.0", ""}, Row{BaseType::AsNumber, "65536.1", ""},
        Row{BaseType::AsNumber, "1.65536", ""}, Row{BaseType::AsNumber, "22222222222222222.1", ""},
        Row{BaseType::AsNumber, "1.2.3", ""}, Row{BaseType::AsNumber, "1.-1", ""},
        Row{BaseType::AsNumber, ".1", ""}, Row{BaseType::Boolean, "true", "true"},
        Row{BaseType::Boolean, "false", "false"}, Row{BaseType::Boolean, "True", ""},
        Row{BaseType::Boolean, "1", ""}, Row{BaseType::Empty, "x", ""}));

INSTANTIATE_TEST_SUITE_P(
    addresses, Canonical,
    ::testing::Values(
        Row{BaseType::IpAddress, "192.0.2.1", "192.0.2.1"},
        Row{BaseType::IpAddress, "2001:DB8::0:1", "2001:db8::1"},
        Row{BaseType::IpAddress, "10.0.0.300", ""}, Row{BaseType::IpAddress, "10.1", ""},
        Row{BaseType::IpAddress, "010.0.0.1", ""}, Row{BaseType::IpAddress, "", ""},
        Row{BaseType::Ipv4Address, "10.0.0.1", "10.0.0.1"},
        Row{BaseType::Ipv4Address, "2001:db8::1", ""},
        Row{BaseType::Ipv6Address, "2001:db8:0:0:0:0:0:1", "2001:db8::1"},
        Row{BaseType::Ipv6Address, "10.0.0.1", ""}, Row{BaseType::Ipv6Address, "fe80::1%eth0", ""},
        Row{BaseType::IpPrefix, "10.0.0.0/8", "10.0.0.0/8"},
        Row{BaseType::IpPrefix, "2001:DB8::0/32", "2001:db8::/32"},
        Row{BaseType::IpPrefix, "0.0.0.0/0", "0.0.0.0/0"},
        Row{BaseType::IpPrefix, "10.0.0.1/8", ""}, Row{BaseType::IpPrefix, "10.0.0.0/33", ""},
        Row{BaseType::IpPrefix, "10.0.0.0/", ""}, Row{BaseType::IpPrefix, "10.0.0.0/255.0.0.0", ""},
        Row{BaseType::Ipv4Prefix, "192.0.2.1", "192.0.2.1/32"},
        Row{BaseType::Ipv4Prefix, "::/0", ""}, Row{BaseType::Ipv6Prefix, "::/0", "::/0"},
        Row{BaseType::Ipv6Prefix, "10.0.0.0/8", ""},
        Row{BaseType::InterfaceAddress, "192.0.2.1/24", "192.0.2.1/24"},
        Row{BaseType::InterfaceAddress, "2001:DB8::A/64", "2001:db8::a/64"},
        Row{BaseType::Ipv4InterfaceAddress, "192.0.2.1", "192.0.2.1/32"},
        Row{BaseType::Ipv4InterfaceAddress, "2001:db8::1/64", ""},
        Row{BaseType::Ipv6InterfaceAddress, "2001:db8::1", "2001:db8::1/128"},
        Row{BaseType::Ipv6InterfaceAddress, "10.0.0.1/8", ""},
        Row{BaseType::MacAddress, "02:AB:00:00:00:01", "02:ab:00:00:00:01"},
        Row{BaseType::MacAddress, "02:00:00:00:01", ""}, Row{BaseType::MacAddress, "02-00", ""}));

INSTANTIATE_TEST_SUITE_P(
    names, Canonical,
    ::testing::Values(
        Row{BaseType::InterfaceName, "eth0", "eth0"},
        Row{BaseType::InterfaceName, "eth999", "eth999"},
        Row{BaseType::InterfaceName, "eth1000", ""}, Row{BaseType::InterfaceName, "eth", ""},
        Row{BaseType::InterfaceName, "eth01", ""}, Row{BaseType::InterfaceName, "eth0.5", ""},
        Row{BaseType::InterfaceName, "Eth0", ""}, Row{BaseType::InterfaceName, "lo0", "lo0"},
        Row{BaseType::InterfaceName, "lo1", ""}, Row{BaseType::InterfaceName, "lo", ""},
        Row{BaseType::InterfaceName, "ae12", "ae12"}, Row{BaseType::InterfaceName, "irb", "irb"},
        Row{BaseType::InterfaceName, "irb0", ""}, Row{BaseType::InterfaceName, "st0", "st0"},
        Row{BaseType::InterfaceName, "gr0", "gr0"}, Row{BaseType::InterfaceName, "ip0", "ip0"},
        Row{BaseType::InterfaceName, "wg7", "wg7"},
        Row{BaseType::InterfaceName, "ge-0/0/1", "ge-0/0/1"},
        Row{BaseType::InterfaceName, "xe-1/2/30", "xe-1/2/30"},
        Row{BaseType::InterfaceName, "et-0/0/0", "et-0/0/0"},
        Row{BaseType::InterfaceName, "ge-0/0", ""}, Row{BaseType::InterfaceName, "ge-0/0/0/0", ""},
        Row{BaseType::InterfaceName, "ge-00/0/0", ""}, Row{BaseType::InterfaceName, "fe-0/0/0", ""},
        Row{BaseType::InterfaceName, "ge-0/0/", ""}, Row{BaseType::InterfaceName, "", ""},
        Row{BaseType::LogicalInterface, "eth0", "eth0.0"},
        Row{BaseType::LogicalInterface, "eth0.100", "eth0.100"},
        Row{BaseType::LogicalInterface, "ge-0/0/1.16385", "ge-0/0/1.16385"},
        Row{BaseType::LogicalInterface, "eth0.16386", ""},
        Row{BaseType::LogicalInterface, "eth0.", ""},
        Row{BaseType::LogicalInterface, "eth0.01", ""},
        Row{BaseType::LogicalInterface, "eth0.1.2", ""},
        Row{BaseType::LogicalInterface, "br0.1", ""}, Row{BaseType::HostName, "edge1", "edge1"},
        Row{BaseType::HostName, "R-1", "R-1"}, Row{BaseType::HostName, "-r1", ""},
        Row{BaseType::HostName, "r1-", ""}, Row{BaseType::HostName, "r1.example.net", ""},
        Row{BaseType::HostName, "r_1", ""},
        Row{BaseType::HostName, std::string(63, 'a'), std::string(63, 'a')},
        Row{BaseType::HostName, std::string(64, 'a'), ""}, Row{BaseType::HostName, "", ""},
        Row{BaseType::DomainName, "example.net", "example.net"},
        Row{BaseType::DomainName, "example.net.", "example.net"},
        Row{BaseType::DomainName, "net", "net"}, Row{BaseType::DomainName, "a..b", ""},
        Row{BaseType::DomainName, ".", ""}, Row{BaseType::DomainName, "10.0.0.300", ""},
        Row{BaseType::DomainName, "-a.net", ""},
        Row{BaseType::Host, "pool.example.net", "pool.example.net"},
        Row{BaseType::Host, "2001:DB8::1", "2001:db8::1"}, Row{BaseType::Host, "10.0.0.300", ""},
        Row{BaseType::Host, "-c", ""}, Row{BaseType::Host, "a b", ""}));

INSTANTIATE_TEST_SUITE_P(strings, Canonical,
                         ::testing::Values(Row{BaseType::String, "to core, 10G", "to core, 10G"},
                                           Row{BaseType::String, "zürich", "zürich"},
                                           Row{BaseType::String, "a\nb", ""},
                                           Row{BaseType::String, std::string("a\0b", 3), ""},
                                           Row{BaseType::String, "a\tb", ""},
                                           Row{BaseType::String, "a\x7f", ""},
                                           Row{BaseType::String, "\x1b[2J", ""},
                                           Row{BaseType::String, "\xc2\x9b", ""},  // CSI, C1
                                           Row{BaseType::String, "\xff", ""},      // no UTF-8
                                           Row{BaseType::String, "\xc0\x8a", ""},  // overlong LF
                                           Row{BaseType::String, "\xed\xa0\x80", ""},  // surrogate
                                           Row{BaseType::String, "\xf0\x9f\x9a", ""}));  // cut off

TEST(Type, refuses_numbers_out_of_range_in_the_words_of_the_cli) {
  Type type = of(BaseType::Integer);
  type.ranges = {{1, 4094}};
  EXPECT_EQ(type.canonical("4094").value(), "4094");
  EXPECT_EQ(type.canonical("4095").error().message, "Value 4095 is not within range (1..4094)");
  EXPECT_EQ(type.canonical("0").error().message, "Value 0 is not within range (1..4094)");
  EXPECT_EQ(type.canonical("99999999999999999999").error().message,
            "Value 99999999999999999999 is not within range (1..4094)");
  EXPECT_EQ(type.canonical("x").error().message, "invalid value 'x': expected a number");
  type.ranges = {{1, 4}, {8, 8}};
  EXPECT_EQ(type.canonical("8").value(), "8");
  EXPECT_EQ(type.canonical("5").error().message, "Value 5 is not within range (1..4, 8)");
}

TEST(Type, counts_the_length_of_strings_in_characters) {
  Type type = of(BaseType::String);
  type.ranges = {{1, 3}};
  EXPECT_TRUE(type.canonical("äöü").has_value());
  EXPECT_FALSE(type.canonical("äöüß").has_value());
  EXPECT_FALSE(type.canonical("").has_value());
}

TEST(Type, matches_patterns_against_the_whole_text) {
  Type type = of(BaseType::String);
  type.pattern = "[a-z]+|x1";
  EXPECT_TRUE(type.canonical("abc").has_value());
  EXPECT_TRUE(type.canonical("x1").has_value());
  EXPECT_FALSE(type.canonical("abc1").has_value());
  EXPECT_FALSE(type.canonical("1x1").has_value());
  Type interface = of(BaseType::InterfaceName);
  interface.pattern = "eth[0-9]+|lo0";
  EXPECT_TRUE(interface.canonical("eth3").has_value());
  EXPECT_FALSE(interface.canonical("ae0").has_value());
}

TEST(Type, survives_long_values_with_patterns) {
  Type type = of(BaseType::String);
  type.pattern = "([a-z]|[0-9])*";
  EXPECT_TRUE(type.canonical(std::string(200'000, 'a')).has_value());
}

TEST(Type, names_the_values_of_an_enumeration) {
  Type type = of(BaseType::Enumeration);
  type.values = {{"internal", ""}, {"external", ""}};
  EXPECT_EQ(type.canonical("internal").value(), "internal");
  EXPECT_EQ(type.canonical("inter").error().message,
            "invalid value 'inter': expected one of internal, external");
}

TEST(Type, takes_the_first_member_of_a_union_that_accepts) {
  Type type = of(BaseType::Union);
  type.members = {of(BaseType::Ipv4Address), of(BaseType::LogicalInterface)};
  EXPECT_EQ(type.canonical("192.0.2.1").value(), "192.0.2.1");
  EXPECT_EQ(type.canonical("eth1").value(), "eth1.0");
  EXPECT_EQ(type.canonical("x").error().message,
            "invalid value 'x': expected <ipv4-address> or <interface.unit>");
  EXPECT_EQ(type.placeholder(), "<ipv4-address|interface.unit>");
}

TEST(Type, gives_a_union_forms_that_it_keeps) {
  Type type = of(BaseType::Union);
  type.members = {of(BaseType::LogicalInterface), of(BaseType::Host)};
  EXPECT_EQ(type.canonical("wg0.").value(), "wg0.0");
  EXPECT_EQ(type.canonical("example.net.").value(), "example.net");
}

TEST(Type, hints_at_the_prefix_with_its_host_bits_cleared) {
  const auto refused = of(BaseType::IpPrefix).canonical("10.0.0.1/8");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().hint, HasSubstr("10.0.0.0/8"));
}

TEST(Type, never_repeats_control_characters_in_messages) {
  const auto refused = of(BaseType::Integer).canonical("\x1b[2J");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "invalid value '?[2J': expected a number");
}

TEST(natural_less, orders_digit_runs_by_value_and_all_else_by_byte) {
  const std::vector<std::string> sorted = {"",         "10.0.0.9",  "10.0.0.10", "a",     "ae0",
                                           "eth2",     "eth2.5",    "eth02.5x",  "eth10", "eth10.0",
                                           "ge-0/0/9", "ge-0/0/10", "ge-0/1/0",  "lo0"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(natural_less(sorted[i], sorted[j]), i < j) << sorted[i] << " < " << sorted[j];
    }
  }
}

TEST(natural_less, tells_texts_apart_that_differ_in_leading_zeros) {
  EXPECT_NE(natural_less("a01", "a1"), natural_less("a1", "a01"));
  EXPECT_NE(natural_less("a00", "a0"), natural_less("a0", "a00"));
  EXPECT_FALSE(natural_less("a01", "a01"));
}

TEST(natural_less, is_a_strict_weak_order_over_tricky_texts) {
  const std::vector<std::string> texts = {"0",
                                          "00",
                                          "01",
                                          "1",
                                          "1a",
                                          "01a",
                                          "a",
                                          "a0",
                                          "a00b",
                                          "a0b",
                                          "a/",
                                          "a:",
                                          "a9",
                                          "a10",
                                          "\xff",
                                          "9223372036854775808",
                                          "18446744073709551616",
                                          ""};
  for (const auto& a : texts) {
    for (const auto& b : texts) {
      EXPECT_EQ(!natural_less(a, b) && !natural_less(b, a), a == b) << a << " " << b;
      for (const auto& c : texts) {
        EXPECT_TRUE(!(natural_less(a, b) && natural_less(b, c)) || natural_less(a, c))
            << a << " " << b << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace millrace::schema
