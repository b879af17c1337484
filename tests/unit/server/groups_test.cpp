// SPDX-License-Identifier: GPL-2.0-or-later
//
// Groups at the command line: typed, completed, shown.
#include <gmock/gmock.h>

#include "server/completion.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

class Groups : public ShellTest {
 protected:
  Groups() { setup({"configure"}); }
  std::vector<std::string> offered(std::string_view line) {
    std::vector<std::string> texts;
    for (const Offer& offer : complete(shell, line).offers) {
      texts.push_back(offer.text);
    }
    return texts;
  }
};

TEST_F(Groups, are_edited_like_everything_else) {
  setup({"edit groups jumbo interfaces", "set <eth*> mtu 9014", "rename <eth*> to <eth[0-3]>",
         "top"});
  EXPECT_EQ(run("show groups jumbo | display set").output,
            "set groups jumbo interfaces \"<eth[0-3]>\" mtu 9014\n");
  EXPECT_EQ(run("show groups").output,
            "groups jumbo {\n    interfaces {\n        \"<eth[0-3]>\" {\n            mtu 9014;\n   "
            "     }\n"
            "    }\n}\n");
  EXPECT_FALSE(run("set interfaces <eth*> mtu 9014").ok) << "a pattern is for groups";
  EXPECT_FALSE(run("set groups jumbo groups other system host-name a").ok);
}

TEST_F(Groups, are_offered_where_they_can_be_applied) {
  setup({"set groups jumbo interfaces <*> mtu 9014", "set groups base system host-name a"});
  EXPECT_THAT(offered("set apply-groups "), testing::ElementsAre("<string>", "base", "jumbo"));
  EXPECT_THAT(offered("set interfaces eth0 apply-groups-except j"), testing::Contains("jumbo"));
  EXPECT_THAT(offered("set groups base interfaces "),
              testing::AllOf(testing::Contains("<*>"), testing::Contains("interface-range")));
  EXPECT_THAT(offered("set interfaces "), testing::Not(testing::Contains("<*>")));
  EXPECT_THAT(offered("set groups jumbo interfaces "), testing::Contains("<*>").Times(2))
      << "what patterns are, and the one that is there";
  EXPECT_THAT(offered("set groups base "), testing::Not(testing::Contains("groups")));
}

TEST_F(Groups, display_inheritance_shows_what_they_come_to) {
  setup({"set groups jumbo interfaces <*> mtu 9014", "set apply-groups jumbo",
         "set interfaces eth0 description x"});
  EXPECT_EQ(run("show interfaces | display inheritance").output,
            "eth0 {\n    description x;\n    ##\n    ## '9014' was inherited from group 'jumbo'\n"
            "    ##\n    mtu 9014;\n}\n");
  EXPECT_EQ(run("show interfaces | display inheritance no-comments").output,
            "eth0 {\n    description x;\n    mtu 9014;\n}\n");
  EXPECT_EQ(run("show interfaces | display inheritance brief").output,
            "eth0 {\n    description x;\n    ## '9014' was inherited from group 'jumbo'\n"
            "    mtu 9014;\n}\n");
  EXPECT_EQ(run("show | display inheritance | display set").output,
            "set interfaces eth0 description x\nset interfaces eth0 mtu 9014\n");
  EXPECT_THAT(run("show | compare | display inheritance").output,
              testing::HasSubstr("mtu 9014;\n"));
}

}  // namespace
}  // namespace millrace::server
