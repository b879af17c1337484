// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/path_pattern.h"

#include <gmock/gmock.h>

#include "server/completion.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::HasSubstr;

class PathPatterns : public ShellTest {
 protected:
  PathPatterns() {
    setup({"configure", "set interfaces eth0 mtu 1400", "set interfaces eth0 unit 0 family inet",
           "set interfaces eth1 unit 7 vlan-id 7", "set interfaces eth1 vlan-tagging",
           "set interfaces lo0 unit 0", "set system host-name r1"});
  }
  std::string show(const std::string& line) {
    const Reply reply = run(line);
    return reply.ok ? reply.output : "ERROR " + reply.errors;
  }
};

TEST_F(PathPatterns, Show_all_entries_that_match_with_their_names) {
  EXPECT_EQ(show("show interfaces <lo*>"), "lo0 {\n    unit 0;\n}\n");
  EXPECT_EQ(show("show interfaces <eth*> unit <[1-9]> | display set"),
            "set interfaces eth1 unit 7 vlan-id 7\n");
  EXPECT_EQ(show("show interfaces <*> mtu | display set"), "set interfaces eth0 mtu 1400\n");
  EXPECT_EQ(show("show interfaces eth1 unit <*> vlan-id | display set"),
            "set interfaces eth1 unit 7 vlan-id 7\n");
  EXPECT_EQ(show("show interfaces <x*>"), "");
}

TEST_F(PathPatterns, Serve_the_running_configuration_and_comparisons) {
  ASSERT_TRUE(run("commit").ok);
  EXPECT_EQ(show("run show configuration interfaces <*> mtu | display set"),
            "set interfaces eth0 mtu 1400\n");
  setup({"set interfaces eth0 mtu 1500", "set interfaces lo0 description x"});
  EXPECT_EQ(show("show interfaces <eth*> | compare"),
            "[edit interfaces eth0]\n-   mtu 1400;\n+   mtu 1500;\n");
}

TEST_F(PathPatterns, Count_from_the_level_and_are_names_in_groups) {
  setup({"set groups G interfaces <eth*> mtu 9000", "edit interfaces"});
  EXPECT_EQ(show("show <lo*> unit <*>"), "lo0 {\n    unit 0;\n}\n");
  EXPECT_EQ(show("top show groups G interfaces <eth*>"), "mtu 9000;\n");
}

TEST_F(PathPatterns, Are_refused_where_something_changes_and_in_wrong_paths) {
  EXPECT_THAT(show("delete interfaces <eth*>"), HasSubstr("invalid"));
  EXPECT_THAT(show("show frob <*>"), HasSubstr("ERROR"));
  EXPECT_THAT(show("show interfaces <*> frob"), HasSubstr("ERROR"));
}

TEST_F(PathPatterns, Complete) {
  const auto completion = complete(shell, "show interfaces <eth*> un");
  ASSERT_EQ(completion.offers.size(), 1U);
  EXPECT_EQ(completion.offers[0].text, "unit");
  EXPECT_FALSE(complete(shell, "show interfaces <et").problem);
  EXPECT_TRUE(complete(shell, "delete interfaces <eth*> un").problem);
}

TEST_F(PathPatterns, Running_and_candidate_can_be_named) {
  EXPECT_THAT(show("show system | compare running"), HasSubstr("+  host-name r1;"));
  EXPECT_THAT(show("run show configuration system | compare candidate"),
              HasSubstr("-  host-name r1;"));
  EXPECT_EQ(show("show | compare candidate"), "");
}

}  // namespace
}  // namespace millrace::server
