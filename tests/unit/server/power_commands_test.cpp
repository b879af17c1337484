// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/power_commands.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "server/logins_command.h"
#include "server/zeroize.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class PowerTest : public ShellTest {
 protected:
  PowerTest() {
    shell.set_client("cli", {true, "pts/0"});
    services.machine = [this](const std::vector<std::string>& argv) {
      ran.push_back(argv);
      return base::Result<std::string>("");
    };
  }
  Reply answer(std::string_view text) { return settle(shell.answer(text)); }

  std::vector<std::vector<std::string>> ran;
};

TEST_F(PowerTest, A_reboot_asks_and_no_is_the_default) {
  const Reply asked = run("request system reboot");
  ASSERT_TRUE(asked.ask);
  EXPECT_EQ(asked.ask->text, "Reboot the system ?");
  EXPECT_FALSE(asked.ask->yes_by_default);
  EXPECT_TRUE(answer("").ok);
  EXPECT_THAT(ran, IsEmpty());
  run("request system reboot");
  EXPECT_EQ(answer("yes").output, "Shutdown NOW!\n");
  EXPECT_THAT(ran, ElementsAre(ElementsAre("shutdown", "-r", "now")));
}

TEST_F(PowerTest, Time_and_message_go_to_the_system) {
  run("request system halt in 5 message \"new disk\"");
  answer("yes");
  run("request system power-off message bye at 23:30");
  answer("y");
  EXPECT_THAT(ran, ElementsAre(ElementsAre("shutdown", "-H", "+5", "new disk"),
                               ElementsAre("shutdown", "-P", "23:30", "bye")));
}

TEST_F(PowerTest, What_is_about_to_be_lost_is_said_first) {
  setup({"configure", "set system host-name other"});
  EXPECT_THAT(run("run request system reboot").errors, HasSubstr("changed but not committed"));
}

TEST_F(PowerTest, A_program_that_does_not_confirm_has_failed) {
  shell.set_client("cli", {});
  run("request system reboot");
  EXPECT_FALSE(answer("").ok);
  EXPECT_THAT(ran, IsEmpty());
}

TEST_F(PowerTest, Words_that_are_wrong_ask_nothing) {
  for (const auto* line :
       {"request system reboot in", "request system reboot in x", "request system reboot at 25:00",
        "request system reboot in 5 at now", "request system reboot now",
        "request system reboot message --force", "request system zeroize x"}) {
    const Reply reply = run(line);
    EXPECT_FALSE(reply.ok) << line;
    EXPECT_FALSE(reply.ask) << line;
  }
}

TEST_F(PowerTest, Without_a_machine_nothing_is_stopped) {
  services.machine = nullptr;
  run("request system reboot");
  EXPECT_EQ(answer("yes").errors, "error: this system has no machine to stop\n");
}

TEST_F(PowerTest, Zeroize_leaves_a_mark_for_the_next_start) {
  std::string name = fs::temp_directory_path() / "zeroize-XXXXXX";
  const fs::path root = mkdtemp(name.data());
  services.state = root / "state";
  fs::create_directories(services.state / "archive");
  for (const auto* file : {"home/alice/notes", "root/x", "etc/ssh/ssh_host_rsa_key",
                           "etc/ssh/moduli", "var/log/frr/frr.log", "state/log"}) {
    fs::create_directories((root / file).parent_path());
    ASSERT_TRUE(base::write_file(root / file, "text"));
  }
  EXPECT_THAT(run("request system zeroize").errors, HasSubstr("all users"));
  EXPECT_TRUE(answer("no").ok);
  EXPECT_FALSE(is_marked_for_zeroize(services.state));
  run("request system zeroize");
  EXPECT_TRUE(answer("yes").ok);
  EXPECT_THAT(ran, ElementsAre(ElementsAre("shutdown", "-r", "now", "all data is erased")));
  ASSERT_TRUE(is_marked_for_zeroize(services.state));

  ASSERT_TRUE(erase_revisions(services.state));
  EXPECT_FALSE(fs::exists(services.state / "log"));
  EXPECT_TRUE(is_marked_for_zeroize(services.state));
  ASSERT_TRUE(erase_traces(root, services.state, services.machine));
  EXPECT_TRUE(fs::is_empty(root / "home/alice"));
  EXPECT_TRUE(fs::is_empty(root / "root"));
  EXPECT_FALSE(fs::exists(root / "etc/ssh/ssh_host_rsa_key"));
  EXPECT_TRUE(fs::exists(root / "etc/ssh/moduli"));
  EXPECT_EQ(*base::read_file(root / "var/log/frr/frr.log"), "");
  EXPECT_FALSE(is_marked_for_zeroize(services.state));
  fs::remove_all(root);
}

TEST(ShutdownTime, Takes_what_people_write) {
  constexpr std::int64_t kNow = 1'796'087'801;  // 2026-12-01 01:16:41 UTC
  EXPECT_EQ(shutdown_time("now", kNow), "now");
  EXPECT_EQ(shutdown_time("+90", kNow), "+90");
  EXPECT_EQ(shutdown_time("07:05", kNow), "07:05");
  EXPECT_TRUE(shutdown_time("2701010000", kNow));
  for (const auto* wrong : {"", "+", "soon", "7:05", "24:00", "12:60", "2613010000", "2602300000",
                            "2611302359", "+9999999999"}) {
    EXPECT_FALSE(shutdown_time(wrong, kNow)) << wrong;
  }
}

TEST(Scheduled, Is_read_from_what_systemd_keeps) {
  const auto found = read_scheduled("USEC=1796087801000000\nWARN_WALL=1\nMODE=reboot\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->time, 1'796'087'801);
  EXPECT_EQ(found->mode, "reboot");
  EXPECT_FALSE(read_scheduled("MODE=reboot\n"));
  EXPECT_FALSE(read_scheduled(""));
}

TEST(ProcessStatTest, Survives_names_with_anything_in_them) {
  const auto stat = read_process_stat(
      "4711 (a) b (c\x1b) S 1 4711 4711 34816 4800 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->pid, 4711);
  EXPECT_EQ(stat->name, "a) b (c\\x1b");
  EXPECT_EQ(stat->session, 4711);
  EXPECT_EQ(stat->terminal, 34816U);
  EXPECT_EQ(stat->foreground, 4800);
  EXPECT_EQ(stat->started, 98765U);
  EXPECT_FALSE(read_process_stat("4711 (cut) S 1"));
}

TEST_F(PowerTest, Users_are_listed_for_people_and_programs) {
  const Reply reply = run("show system users");
  EXPECT_THAT(reply.output, HasSubstr("USER         TTY      FROM"));
  EXPECT_TRUE(reply.data["users"].is_array());
}

}  // namespace
}  // namespace millrace::server
