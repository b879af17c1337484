// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/yaml.h"

#include <gtest/gtest.h>

namespace millrace::syntax {
namespace {

TEST(YamlForm, Blocks_nest_by_two_blanks_and_lists_by_dashes) {
  const auto value = nlohmann::ordered_json::parse(
      R"({"a": {"list": [{"name": "eth0", "mtu": 1400}, {"name": "eth1"}], "s": ["x", "z"]},
          "empty": {}, "none": [null], "up": true})");
  EXPECT_EQ(write_yaml(value),
            "a:\n"
            "  list:\n"
            "    - name: eth0\n"
            "      mtu: 1400\n"
            "    - name: eth1\n"
            "  s:\n"
            "    - x\n"
            "    - z\n"
            "empty: {}\n"
            "none:\n"
            "  - null\n"
            "up: true\n");
}

TEST(YamlForm, Strings_that_could_be_something_else_are_quoted) {
  const auto value = nlohmann::ordered_json::parse(
      R"({"a": "no", "b": "10", "c": "2001:db8::1", "d": "x y", "e": "", "f": "192.0.2.1/24",
          "g": "ge-0/0/1", "@": "q\"\n"})");
  EXPECT_EQ(write_yaml(value),
            "a: \"no\"\nb: \"10\"\nc: \"2001:db8::1\"\nd: \"x y\"\ne: \"\"\n"
            "f: \"192.0.2.1/24\"\ng: ge-0/0/1\n\"@\": \"q\\\"\\n\"\n");
}

}  // namespace
}  // namespace millrace::syntax
