// SPDX-License-Identifier: GPL-2.0-or-later
//
// load, save, display and compare as typed.
#include <gmock/gmock.h>

#include <fstream>

#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class LoadingTest : public ShellTest {
 protected:
  void SetUp() override {
    setup({"configure", "set system host-name r1", "set interfaces eth0 mtu 1400"});
  }
  // The reply to `line` after the client has sent what it asks for.
  Reply with_input(std::string_view line, std::string text) {
    const Reply asked = run(line);
    EXPECT_TRUE(asked.read) << line << "\n" << asked.errors;
    EXPECT_TRUE(asked.pipes.empty());
    return settle(shell.input(std::move(text)));
  }
  Reply answer(std::string_view text) { return settle(shell.answer(text)); }
  std::string now() { return run("show | display set").output; }
};

TEST_F(LoadingTest, Loads_json_and_xml_by_their_looks_or_by_name) {
  EXPECT_EQ(
      with_input("load merge terminal", R"({"configuration": {"system": {"host-name": "r2"}}})")
          .output,
      "load complete\n");
  EXPECT_EQ(with_input("load merge a.xml xml",
                       "<configuration><interfaces><interface><name>eth1</name><mtu>1500</mtu>"
                       "</interface></interfaces></configuration>")
                .output,
            "load complete\n");
  EXPECT_EQ(
      now(),
      "set system host-name r2\nset interfaces eth0 mtu 1400\nset interfaces eth1 mtu 1500\n");
  EXPECT_TRUE(run("load set terminal json").refused);
  EXPECT_TRUE(run("load merge terminal frobnicate").refused);
}

TEST_F(LoadingTest, Relative_loads_below_the_level) {
  setup({"edit interfaces"});
  with_input("load merge terminal relative", "eth1 { mtu 1300; }");
  EXPECT_THAT(run("show | display set relative").output, HasSubstr("set eth1 mtu 1300\n"));
}

TEST_F(LoadingTest, Errors_are_counted_and_fail_the_command) {
  const Reply reply =
      with_input("load merge terminal", "system {\n  no-such x;\n  host-name b;\n}");
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.output, "load complete (1 errors)\n");
  EXPECT_THAT(reply.errors, HasSubstr("terminal:2:(3) "));
}

TEST_F(LoadingTest, What_compare_prints_is_what_patch_takes) {
  const std::string patch = run("show | compare").output;
  const std::string before = now();
  setup({"rollback 0"});
  EXPECT_EQ(with_input("load patch terminal", patch).output, "load complete\n");
  EXPECT_EQ(now(), before);
  const Reply twice = with_input("load patch terminal", patch);
  EXPECT_FALSE(twice.ok);
  EXPECT_THAT(twice.errors, HasSubstr("hunk does not apply"));
}

TEST_F(LoadingTest, The_difference_in_every_form_leads_to_the_candidate) {
  setup({"commit", "set interfaces eth0 mtu 1500", "set interfaces eth1 disable",
         "delete system host-name"});
  const std::string wanted = now();
  for (const auto& [display, load] :
       {std::pair("set", "load set terminal"), std::pair("json", "load merge terminal"),
        std::pair("xml", "load merge terminal")}) {
    const std::string text = run(std::string("show | compare | display ") + display).output;
    setup({"rollback 0"});
    EXPECT_NE(now(), wanted);
    EXPECT_EQ(with_input(load, text).output, "load complete\n") << text;
    EXPECT_EQ(now(), wanted) << text;
  }
  EXPECT_TRUE(run("show | compare | display detail").refused);
}

TEST_F(LoadingTest, Compares_with_a_file_in_any_form) {
  EXPECT_EQ(with_input("show | compare old.conf", "system { host-name r0; }").output,
            "[edit system]\n-  host-name r0;\n+  host-name r1;\n"
            "[edit]\n+  interfaces {\n+      eth0 {\n+          mtu 1400;\n+      }\n+  }\n");
  EXPECT_EQ(with_input("show | compare old.set", now()).output, "");
  const Reply counted = with_input("show | compare old.set | count", now());
  EXPECT_THAT(counted.pipes, ElementsAre(ElementsAre("count")));
  const Reply bad = with_input("show | compare old.conf", "no-such thing;");
  EXPECT_FALSE(bad.ok);
  EXPECT_THAT(bad.errors, HasSubstr("'old.conf' is not a configuration"));
}

TEST_F(LoadingTest, Compares_with_revisions_by_index_and_id) {
  setup({"commit", "set system host-name r2"});
  EXPECT_THAT(run("show | compare rollback 0").output, HasSubstr("-  host-name r1;"));
  EXPECT_THAT(run("show | compare rollback 1").output, Not(HasSubstr("r1")));
  EXPECT_THAT(run("show | compare revision 2").output, HasSubstr("-  host-name r1;"));
  EXPECT_THAT(run("show | compare revision 77").errors, HasSubstr("no revision '77'"));
}

TEST_F(LoadingTest, Shows_xml_with_its_envelope_and_yaml) {
  EXPECT_EQ(run("show system | display xml").output,
            "<rpc-reply xmlns:junos=\"urn:millrace:configuration-history\">\n"
            "    <configuration junos:changed-seconds=\"" +
                std::to_string(shell.candidate().last_changed()) + "\" junos:changed-localtime=\"" +
                run("show").output.substr(17, 23) +
                "\">\n"
                "        <system>\n"
                "            <host-name>r1</host-name>\n"
                "        </system>\n"
                "    </configuration>\n"
                "    <cli>\n"
                "        <banner>[edit]</banner>\n"
                "    </cli>\n"
                "</rpc-reply>\n");
  EXPECT_THAT(run("show interfaces | display yaml").output,
              HasSubstr("  interfaces:\n    interface:\n      - name: eth0\n        mtu: 1400\n"));
}

TEST_F(LoadingTest, Shows_detail_depth_and_changes) {
  EXPECT_THAT(run("show interfaces | display detail").output,
              HasSubstr("    ## range: 256 .. 9192"));
  EXPECT_THAT(run("show | display max-depth 1").output,
              HasSubstr("interfaces {\n    eth0 { ... }\n}\n"));
  setup({"commit", "set interfaces eth0 mtu 1500"});
  const std::string changed = run("show | display changed").output;
  EXPECT_THAT(changed, HasSubstr("<mtu junos:changed=\"changed\">1500</mtu>"));
  EXPECT_THAT(changed, HasSubstr("<host-name>r1</host-name>"));
  EXPECT_TRUE(run("show | display set | display max-depth 1").refused);
  EXPECT_THAT(run("show interfaces eth0 | display set explicit").output,
              HasSubstr("set interfaces eth0\nset interfaces eth0 mtu 1500\n"));
}

TEST_F(LoadingTest, Saves_from_the_level_down_in_any_form) {
  setup({"edit interfaces"});
  const Reply text = run("save out.conf");
  EXPECT_EQ(text.output, "eth0 {\n    mtu 1400;\n}\n");
  EXPECT_THAT(text.pipes, ElementsAre(ElementsAre("save", "out.conf", "configuration")));
  EXPECT_EQ(run("save out.set | display set").output, "set interfaces eth0 mtu 1400\n");
  EXPECT_TRUE(run("save terminal").pipes.empty());
  EXPECT_TRUE(run("save out | display max-depth 1").refused);
}

TEST_F(LoadingTest, Factory_default_takes_the_place_of_the_candidate) {
  services.factory_default = MILLRACE_SOURCE_DIR "/templates/factory-default.conf";
  EXPECT_EQ(run("load factory-default").output, "load complete\n");
  EXPECT_EQ(now(), "set system host-name router\n");
  services.factory_default = "/no/such/file";
  EXPECT_FALSE(run("load factory-default").ok);
  EXPECT_TRUE(run("load factory-default x").refused);
}

TEST_F(LoadingTest, Replace_pattern_and_wildcard_range_edit_many_at_once) {
  setup(
      {"wildcard range set interfaces eth[1-3] mtu 1400", "replace pattern ^eth with eth1 upto 2"});
  EXPECT_EQ(now(),
            "set system host-name r1\nset interfaces eth2 mtu 1400\nset interfaces eth3 mtu 1400\n"
            "set interfaces eth10 mtu 1400\nset interfaces eth11 mtu 1400\n");
  EXPECT_TRUE(run("replace pattern").refused);
  EXPECT_TRUE(run("replace pattern ( with x").refused);
  EXPECT_THAT(run("replace pattern zzz with x").errors, HasSubstr("warning: "));
}

TEST_F(LoadingTest, Wildcard_delete_lists_and_asks) {
  setup({"wildcard range set interfaces eth[1-3] mtu 1400"});
  const Reply asked = run("wildcard delete interfaces ^eth[12]$");
  EXPECT_EQ(asked.output, "  matched: eth1\n  matched: eth2\n");
  ASSERT_TRUE(asked.ask);
  EXPECT_EQ(asked.ask->text, "Delete 2 objects?");
  EXPECT_FALSE(asked.ask->yes_by_default);
  const std::string before = now();
  run("wildcard delete interfaces ^eth[12]$");
  answer("");
  EXPECT_EQ(now(), before);
  run("wildcard delete interfaces ^eth[12]$");
  answer("yes");
  EXPECT_THAT(now(), Not(HasSubstr("eth1")));
  EXPECT_THAT(now(), HasSubstr("eth3"));
  EXPECT_THAT(run("wildcard delete interfaces zzz").errors, HasSubstr("statement not found"));
}

TEST_F(LoadingTest, Delete_without_a_path_asks_and_clears_the_level) {
  setup({"edit interfaces"});
  const Reply asked = run("delete");
  ASSERT_TRUE(asked.ask);
  EXPECT_EQ(asked.ask->text, "Delete everything under this level?");
  EXPECT_FALSE(asked.ask->yes_by_default);
  answer("yes");
  setup({"top"});
  EXPECT_EQ(now(), "set system host-name r1\n");
}

}  // namespace
}  // namespace millrace::server
