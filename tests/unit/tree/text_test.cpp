// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/text.h"

#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using testing::path_of;
using testing::tree_of;

ConfigTree sample() {
  return tree_of(
      "system { host-name \"a b\"; secret-word xyz; search x; resolve [ b a ];"
      "  ntp { server 192.0.2.1 prefer version 3; server 192.0.2.2;"
      "        server 192.0.2.3 { inactive: prefer; version 4; } } services { ssh; } }"
      "interfaces { inactive: eth0 { disable; unit 0; unit 10 { family inet { mtu 1300; }"
      "  family inet6; } } }"
      "policy-options { prefix-list A { 10.0.0.0/8; } }");
}

TEST(Text, Every_layout_is_written_as_its_schema_says) {
  EXPECT_EQ(to_text(sample(), {}),
            "system {\n"
            "    host-name \"a b\";\n"
            "    secret-word xyz;\n"
            "    search x;\n"
            "    resolve [ b a ];\n"
            "    services {\n"
            "        ssh;\n"
            "    }\n"
            "    ntp {\n"
            "        server 192.0.2.1 prefer version 3;\n"
            "        server 192.0.2.2;\n"
            "        server 192.0.2.3 {\n"
            "            inactive: prefer;\n"
            "            version 4;\n"
            "        }\n"
            "    }\n"
            "}\n"
            "interfaces {\n"
            "    inactive: eth0 {\n"
            "        disable;\n"
            "        unit 0;\n"
            "        unit 10 {\n"
            "            family inet {\n"
            "                mtu 1300;\n"
            "            }\n"
            "            family inet6;\n"
            "        }\n"
            "    }\n"
            "}\n"
            "policy-options {\n"
            "    prefix-list A {\n"
            "        10.0.0.0/8;\n"
            "    }\n"
            "}\n");
}

TEST(Text, Starts_inside_the_named_object) {
  EXPECT_EQ(to_text(sample(), path_of("interfaces eth0 unit 10")),
            "family inet {\n    mtu 1300;\n}\nfamily inet6;\n");
  EXPECT_EQ(to_text(sample(), path_of("system host-name")), "host-name \"a b\";\n");
  EXPECT_EQ(to_text(sample(), path_of("interfaces eth0 unit")).substr(0, 8), "unit 0;\n");
  EXPECT_EQ(to_text(sample(), path_of("interfaces eth7")), "");
}

TEST(Text, Secrets_are_masked_and_remarked) {
  const ConfigTree tree = tree_of("system { secret-word xyz; }");
  EXPECT_EQ(to_text(tree, {}, {.hide_secrets = true, .remarks = true}),
            "system {\n    secret-word \"/* SECRET-DATA */\"; ## SECRET-DATA\n}\n");
  EXPECT_EQ(to_set(tree, {}, {.hide_secrets = true}),
            "set system secret-word \"/* SECRET-DATA */\"\n");
  EXPECT_EQ(to_json(tree, {}, {.hide_secrets = true}).find("xyz"), std::string::npos);
}

TEST(Text, Set_lines_are_absolute_or_relative_with_marks_behind_their_subtree) {
  EXPECT_EQ(to_set(sample(), path_of("interfaces")),
            "set interfaces eth0 disable\n"
            "set interfaces eth0 unit 0\n"
            "set interfaces eth0 unit 10 family inet mtu 1300\n"
            "set interfaces eth0 unit 10 family inet6\n"
            "deactivate interfaces eth0\n");
  EXPECT_EQ(to_set(sample(), path_of("interfaces eth0 unit 10"), {.relative = true}),
            "set family inet mtu 1300\nset family inet6\n");
}

TEST(Text, Json_has_lists_as_arrays_and_attributes_beside) {
  EXPECT_EQ(to_json(sample(), path_of("interfaces")),
            R"({
    "configuration": {
        "interfaces": {
            "interface": [
                {
                    "@": {
                        "inactive": true
                    },
                    "name": "eth0",
                    "disable": [
                        null
                    ],
                    "unit": [
                        {
                            "name": 0
                        },
                        {
                            "name": 10,
                            "family": {
                                "inet": {
                                    "mtu": 1300
                                },
                                "inet6": {}
                            }
                        }
                    ]
                }
            ]
        }
    }
}
)");
  EXPECT_EQ(to_json(tree_of(""), {}), "{\n    \"configuration\": {}\n}\n");
}

}  // namespace
}  // namespace millrace::tree
