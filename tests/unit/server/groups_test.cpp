// SPDX-License-Identifier: GPL-2.0-or-later
//
// Groups at the command line: typed, completed, shown.
#include <gmock/gmock.h>

#include <ranges>

#include "server/completion.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

class Groups : public ShellTest {
 protected:
  Groups() { setup({"configure"}); }
  // Text of which each line begins with four blanks more.
  static std::string indented(const std::string& text) {
    std::string out;
    for (const auto line : text | std::views::split('\n')) {
      if (!line.empty()) {
        out += "    " + std::string(line.begin(), line.end()) + "\n";
      }
    }
    return out;
  }
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
            "jumbo {\n    interfaces {\n        \"<eth[0-3]>\" {\n            mtu 9014;\n   "
            "     }\n"
            "    }\n}\n");
  EXPECT_FALSE(run("set interfaces <eth*> mtu 9014").ok) << "a pattern is for groups";
  EXPECT_FALSE(run("set groups jumbo groups other system host-name a").ok);
}

// What is shown of a level is what stands between its braces in what is shown of the level above.
TEST_F(Groups, and_all_other_containers_show_what_is_within_their_braces) {
  setup({"set groups jumbo interfaces <*> mtu 9014", "set groups base system host-name a",
         "set groups nothing", "annotate groups base \"a base\"", "deactivate groups base",
         "set apply-groups jumbo", "set system ntp server 192.0.2.1 prefer",
         "set interfaces eth0 unit 0 family inet address 192.0.2.1/24",
         "set routing-options static route 198.51.100.0/24 next-hop 192.0.2.2"});
  const std::string whole = run("show").output;
  EXPECT_THAT(whole, testing::HasSubstr("groups {\n    /* a base */\n    inactive: base {\n"));
  for (const std::string level : {"groups", "system", "system ntp", "interfaces", "routing-options",
                                  "interfaces eth0", "groups jumbo", "groups jumbo interfaces"}) {
    const std::size_t space = level.rfind(' ');
    const std::string above = space == std::string::npos ? "" : level.substr(0, space);
    const std::string name = space == std::string::npos ? level : level.substr(space + 1);
    const std::string within = indented(run("show " + level).output);
    EXPECT_THAT("\n" + run("show " + above).output,
                testing::HasSubstr("\n" + name + " {\n" + within + "}\n"))
        << level;
    if (level == "groups") {
      continue;  // nothing can be edited there but a group
    }
    EXPECT_TRUE(run("edit " + level).ok);
    EXPECT_EQ(run("show").output, run("top show " + level).output) << "at the level itself";
    run("top");
  }
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
