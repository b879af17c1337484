// SPDX-License-Identifier: GPL-2.0-or-later
//
// The real configd, cli and FRR in a network namespace with two links: what a person or a script
// sees, and what the kernel has afterwards.
#include "unit/server/end_to_end.h"

#include <gmock/gmock.h>

namespace millrace {
namespace {

using ::testing::HasSubstr;

TEST_F(EndToEnd, A_script_commits_and_a_rollback_restores_the_kernel) {
  const std::string before = command({"ip", "-br", "address", "show", "eth0"});
  const auto done = script(
      "# a script\n"
      "configure\n"
      "set system host-name e2e\n"
      "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
      "set routing-options static route 198.51.100.0/24 next-hop 192.0.2.2\n"
      "show | compare\n"
      "show | plan\n"
      "commit comment \"first\"\n");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("Entering configuration mode\n"));
  EXPECT_THAT(done.output, HasSubstr("192.0.2.1/24"));
  EXPECT_THAT(done.output, HasSubstr("commit complete\n"));
  EXPECT_THAT(command({"ip", "-br", "address", "show", "eth0"}), HasSubstr("192.0.2.1/24"));
  EXPECT_THAT(commands({"show configuration | display set"}).output,
              HasSubstr("set routing-options static route 198.51.100.0/24 next-hop 192.0.2.2\n"));
  EXPECT_THAT(commands({"show route 192.0.2.0/24 exact"}).output, HasSubstr("*[Direct/0] "));
  EXPECT_THAT(commands({"show interfaces terse"}).output, HasSubstr("192.0.2.1/24"));
  EXPECT_THAT(commands({"show version"}).output, HasSubstr("Hostname: e2e\n"));
  EXPECT_THAT(commands({"show system commit"}).output, HasSubstr("    first\n"));
  const auto back = commands({"configure", "rollback 1", "commit and-quit"});
  EXPECT_EQ(back.status, 0) << back.errors;
  EXPECT_THAT(back.output, HasSubstr("commit complete\nExiting configuration mode\n"));
  EXPECT_EQ(command({"ip", "-br", "address", "show", "eth0"}), before);
}

TEST_F(EndToEnd, A_failing_command_gives_status_1_names_its_line_and_the_script_goes_on) {
  const auto done =
      script("configure\nset interfaces eth0 mtu 70000\nset system host-name e2e\nshow system\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.errors, HasSubstr("line 2:\nset interfaces eth0 mtu 70000\n"));
  EXPECT_THAT(done.output, HasSubstr("host-name e2e;\n"));
}

TEST_F(EndToEnd, Input_that_is_not_UTF_8_is_refused_with_its_place_and_not_changed) {
  const auto done = script(
      "configure\nset interfaces eth0 description \"Z\xfcrich\"\nset system host-name e2e\n"
      "show interfaces\nload set terminal\nset system host-name x\nset system host-name Z\xfc\n"
      "\x04\nshow system\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.errors, HasSubstr("line 2:\nerror: the input is not UTF-8 text: byte 35\n"));
  EXPECT_THAT(done.errors, HasSubstr("'terminal': the input is not UTF-8 text: byte 23 of line 2"));
  EXPECT_EQ(done.output.find("description"), std::string::npos) << done.output;
  EXPECT_THAT(done.output, HasSubstr("host-name e2e;\n"));
}

TEST_F(EndToEnd, Scripts_may_answer_questions_on_their_next_line) {
  const auto done =
      script("configure\nset system host-name e2e\nexit\nno\nshow system\nexit\nyes\n");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("host-name e2e;\n"));
  EXPECT_TRUE(done.output.ends_with("Exiting configuration mode\n")) << done.output;
}

TEST_F(EndToEnd, Files_are_loaded_and_saved_with_the_users_rights) {
  ASSERT_TRUE(base::write_file(folder_ / "in.conf", "system {\n    host-name loaded;\n}\n"));
  const std::string out = folder_ / "out.conf";
  const auto done =
      commands({"configure", "load merge " + (folder_ / "in.conf").string(), "show | save " + out});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("load complete\n"));
  EXPECT_THAT(done.output, HasSubstr("lines of output to '" + out + "'\n"));
  EXPECT_THAT(base::read_file(out).value_or(""), HasSubstr("host-name loaded;"));
  EXPECT_EQ(commands({"configure", "load merge /nonexistent"}).status, 1);
}

TEST_F(EndToEnd, A_thousand_lines_are_one_transaction) {
  std::string text = "configure\nset interfaces eth0 vlan-tagging\n";
  for (int unit = 1; unit <= 1000; ++unit) {
    const std::string number = std::to_string(unit);
    text += "set interfaces eth0 unit " + number + " vlan-id " + number + "\n";
    text += "set interfaces eth0 unit " + number + " description unit-" + number + "\n";
  }
  text += "show | display set | count\nrollback 0\n";
  const auto begin = std::chrono::steady_clock::now();
  const auto done = script(text);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("seconds", std::to_string(took.count()));
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr("Count: 2001 lines\n"));
}

TEST_F(EndToEnd, A_clean_stop_ends_with_status_0_and_a_second_daemon_is_refused) {
  const auto second =
      base::run_process({kBuild / "configd/configd", "--templates",
                         MILLRACE_SOURCE_DIR "/templates", "--state", folder_ / "state", "--run",
                         folder_ / "run", "--files-root", folder_ / "root", "--units", "direct"});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->status, 1);
  EXPECT_THAT(second->errors, HasSubstr("another configd runs with this state, pid "));
  EXPECT_EQ(stop_daemon(SIGTERM), 0);
  EXPECT_FALSE(std::filesystem::exists(socket()));
  EXPECT_EQ(script("show version\n").status, 3);
}

TEST_F(EndToEnd, A_killed_daemon_comes_back_with_what_was_committed) {
  EXPECT_EQ(commands({"configure", "set system host-name e2e", "commit"}).status, 0);
  stop_daemon(SIGKILL);
  start_daemon();
  EXPECT_THAT(commands({"show configuration system"}).output, HasSubstr("host-name e2e;\n"));
}

// Whether `argv` prints `text` within two seconds.
bool prints(const std::vector<std::string>& argv, std::string_view text) {
  for (int tries = 0; tries < 100; ++tries) {
    const auto result = base::run_process(argv);
    if (result && result->output.contains(text)) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST_F(EndToEnd, An_interface_that_appears_takes_its_configuration) {
  const auto done = commands(
      {"configure", "set interfaces eth7 unit 0 family inet address 198.51.100.1/24", "commit"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_THAT(done.output + done.errors, HasSubstr("eth7 does not exist"));
  command({"ip", "link", "add", "eth7", "type", "veth", "peer", "name", "eth7peer"});
  EXPECT_TRUE(prints({"ip", "address", "show", "dev", "eth7"}, "198.51.100.1/24"));
}

TEST_F(EndToEnd, Is_ready_without_FRR_and_brings_it_its_routes_when_it_comes) {
  EXPECT_EQ(
      commands({"configure", "set interfaces eth0 unit 0 family inet address 192.0.2.1/24",
                "set routing-options static route 198.51.100.0/24 next-hop 192.0.2.2", "commit"})
          .status,
      0);
  stop_daemon(SIGTERM);
  for (const char* const name : {"staticd", "mgmtd", "zebra"}) {
    stop(name, SIGKILL);
  }
  std::filesystem::remove_all(folder_ / "run");  // as after a boot
  const auto begin = std::chrono::steady_clock::now();
  start_daemon();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("seconds", std::to_string(took.count()));
  EXPECT_LT(took.count(), 5.0);  // it once waited for FRR, for 20
  const auto refused =
      commands({"configure", "set routing-options static route 203.0.113.0/24 discard", "commit"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.output + refused.errors, HasSubstr("does not listen at /run/frr/"));
  for (const char* const name : {"zebra", "mgmtd", "staticd"}) {
    start(name);
  }
  bool there = false;
  for (int tries = 0; tries < 8 && !there; ++tries) {  // asked less and less often
    there = prints({"vtysh", "-d", "mgmtd", "-c", "show running-config"}, "198.51.100.0/24");
  }
  EXPECT_TRUE(there);
}

TEST_F(EndToEnd, A_commit_of_routes_is_refused_while_zebra_hangs_and_changes_nothing) {
  const int pid = std::stoi(base::read_file("/run/frr/zebra.pid").value());
  ASSERT_EQ(kill(pid, SIGSTOP), 0);
  const auto begin = std::chrono::steady_clock::now();
  const auto refused =
      commands({"configure", "set routing-options static route 203.0.113.0/24 discard", "commit"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  ASSERT_EQ(kill(pid, SIGCONT), 0);
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.output + refused.errors, HasSubstr("zebra did not answer"));
  EXPECT_LT(took.count(), 12.0);
  EXPECT_EQ(commands({"configure", "commit"}).status, 0);
}

}  // namespace
}  // namespace millrace
