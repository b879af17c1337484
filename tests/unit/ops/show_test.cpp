// SPDX-License-Identifier: GPL-2.0-or-later
//
// The builtins against a machine in memory.
#include <gmock/gmock.h>

#include "ops/builtins.h"
#include "support/fake_engine.h"
#include "support/fake_system.h"
#include "tree/text.h"

namespace millrace::ops {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const schema::Schema& templates() {
  static const auto schema = schema::load(MILLRACE_SOURCE_DIR "/templates");
  EXPECT_TRUE(schema) << schema.error().to_string();
  return *schema;
}

class Show : public ::testing::Test {
 protected:
  Show() : engine(templates()) {}

  void configure(std::string text) {
    tree::Editor editor(engine.running());
    const auto report = tree::load(editor, {}, std::move(text), tree::LoadAction::Merge);
    EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
    EXPECT_TRUE(engine.commit({editor.tree(), "alice", "cli", "why not"}, nullptr).committed);
  }

  Reply show(Builtin builtin, std::map<std::string, std::string, std::less<>> arguments = {}) {
    Context context{engine,
                    {machine.kernel, machine.frr, machine.files, machine.units, machine.accounts},
                    "1.2.3"};
    auto reply = builtin({nullptr, std::move(arguments), 0}, context);
    return reply ? *reply : Reply{"ERROR " + reply.error().message, nullptr};
  }

  test::FakeEngine engine;
  test::FakeSystem machine;
};

TEST_F(Show, Policy_has_names_or_the_terms_of_one) {
  configure(R"(policy-options {
  prefix-list L { 192.0.2.0/24; }
  community C { members 65000:1; }
  policy-statement OUT {
    term statics {
      from { protocol [ static direct ]; tag 7; prefix-list-filter L orlonger;
             route-filter 10.0.0.0/8 upto /16 reject; }
      to { neighbor 192.0.2.1; }
      then { community add C; local-preference add 50; accept; }
    }
    then reject;
  }
  policy-statement IN { then accept; }
})");
  EXPECT_EQ(show(policy).text, "Configured policies:\nIN\nOUT\n");
  EXPECT_EQ(show(policy, {{"name", "OUT"}}).text,
            "Policy OUT:\n"
            "    Term statics:\n"
            "        from proto static direct, tag 7\n"
            "          route filter:\n"
            "            10.0.0.0/8 upto /16 reject\n"
            "          prefix-list filter:\n"
            "            L orlonger\n"
            "        to neighbor 192.0.2.1\n"
            "        then community add C, local-preference add 50, accept\n"
            "    then reject\n");
  EXPECT_EQ(show(policy, {{"name", "OUT"}}).data["terms"][1]["then"][0], "reject");
  EXPECT_EQ(show(policy, {{"name", "NONE"}}).text, "ERROR policy 'NONE' is not defined");
}

TEST_F(Show, Interfaces_terse_has_a_line_for_each_interface_unit_family_and_address) {
  machine.kernel.plug("eth0");
  machine.kernel.plug("eth1");
  ASSERT_TRUE(machine.kernel.set_admin_up("eth0", true));
  for (const auto* address : {"192.0.2.1/24", "198.51.100.1/24", "2001:db8::1/64"}) {
    ASSERT_TRUE(machine.kernel.add_address("eth0", *base::InterfaceAddress::parse(address)));
  }
  configure("interfaces { eth0 { unit 0 { family inet; family inet6; } } }");
  const Reply reply = show(interfaces_terse);
  EXPECT_THAT(
      reply.text,
      HasSubstr("Interface               Admin Link Proto    Local                 Remote\n"));
  EXPECT_THAT(reply.text, HasSubstr("eth0                    up    up\n"
                                    "eth0.0                  up    up   inet     192.0.2.1/24\n"
                                    "                                            198.51.100.1/24\n"
                                    "                                   inet6    "));
  EXPECT_THAT(reply.text, HasSubstr("eth1                    down  down\n"));
  EXPECT_THAT(reply.text, Not(HasSubstr("eth1.0")));
  EXPECT_FALSE(reply.data["interfaces"].empty());
}

TEST_F(Show, Interfaces_may_be_named_by_a_pattern) {
  for (const auto* name : {"eth0", "eth1", "eth10"}) {
    machine.kernel.plug(name);
  }
  const auto names = [&](const std::string& pattern) {
    std::string out;
    const Reply reply = show(interfaces, {{"interface", pattern}});
    for (const auto& each : reply.data["interfaces"]) {
      out += each["name"].get<std::string>() + " ";
    }
    return out;
  };
  EXPECT_EQ(names("eth*"), "eth0 eth1 eth10 ");
  EXPECT_EQ(names("eth[1-9]"), "eth1 ");
  EXPECT_EQ(names("eth?0"), "eth10 ");
  EXPECT_EQ(show(interfaces, {{"interface", "ge-*"}}).text, "ERROR device ge-* not found");
}

TEST_F(Show, Interfaces_shows_vlan_units_below_their_parent_and_can_select_one) {
  machine.kernel.plug("eth0");
  ASSERT_TRUE(machine.kernel.add_vlan("eth0.7", "eth0", 70));
  configure(
      "interfaces { eth0 { description uplink; vlan-tagging; unit 7 { vlan-id 70; description x; "
      "} } }");
  const Reply reply = show(interfaces);
  EXPECT_THAT(reply.text, HasSubstr("Physical interface: eth0, Administratively down, "));
  EXPECT_THAT(reply.text, HasSubstr("  Description: uplink\n"));
  EXPECT_THAT(reply.text, HasSubstr("Ethernet, MTU: 1514\n"));
  EXPECT_THAT(reply.text, HasSubstr("  Logical interface eth0.7 (Index "));
  EXPECT_THAT(reply.text, HasSubstr("VLAN-Tag [ 0x8100.70 ]"));
  EXPECT_THAT(show(interfaces, {{"interface", "eth0.7"}}).text, HasSubstr("eth0.7"));
  EXPECT_EQ(show(interfaces, {{"interface", "eth9"}}).text, "ERROR device eth9 not found");
}

TEST_F(Show, Commits_are_listed_with_their_comments) {
  configure("system { host-name r1; }");
  EXPECT_EQ(show(system_commit).text,
            "0   1970-01-01 00:33:20 UTC by alice via cli\n"
            "    why not\n"
            "1   1970-01-01 00:16:40 UTC by root via boot\n");
}

TEST_F(Show, Version_and_uptime_begin_with_the_lines_that_scripts_look_for) {
  ASSERT_TRUE(machine.kernel.set_host_name("r1"));
  EXPECT_THAT(show(version).text, ::testing::StartsWith("Hostname: r1\nModel: "));
  EXPECT_THAT(show(version).text, HasSubstr("Millrace: 1.2.3\n"));
  EXPECT_THAT(show(system_uptime).text, ::testing::StartsWith("Current time: "));
}

TEST_F(Show, Every_builtin_of_the_templates_exists) {
  EXPECT_THAT(unknown_builtins(Commands(templates().commands())), ::testing::IsEmpty());
}

}  // namespace
}  // namespace millrace::ops
