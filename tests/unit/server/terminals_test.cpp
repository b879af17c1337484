// SPDX-License-Identifier: GPL-2.0-or-later
//
// People at terminals: the real cli on pseudo-terminals, the real configd behind it.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "support/pseudo_terminal.h"
#include "unit/server/end_to_end.h"

namespace millrace {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Terminals : public EndToEnd {
 protected:
  void log_in(test::PseudoTerminal& terminal) {
    const std::string program = kBuild / "cli/cli";
    const std::string path = socket();
    terminal.start("xterm", {.ws_row = 40, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0}, [&] {
      execl(program.c_str(), program.c_str(), "--socket", path.c_str(), nullptr);
    });
    terminal.see("> ");
  }
};

TEST_F(Terminals, A_session_from_login_to_logout) {
  test::PseudoTerminal alice;
  log_in(alice);
  alice.type("configure private\n");
  alice.see("warning: uncommitted changes will be discarded on exit");
  alice.see("Entering configuration mode");
  alice.see("[edit]");
  alice.see("# ");
  alice.type("edit system\n");
  alice.see("[edit system]");
  alice.see("# ");
  alice.type("set host-name pty\n");
  alice.see("[edit system]");
  alice.see("# ");
  // ^C drops what is typed and nothing else.
  alice.type("delete host-name\x03");
  alice.see("[edit system]");
  alice.see("# ");
  alice.type("show\n");
  alice.see("host-name pty;");
  alice.see("# ");
  alice.type("commit\n");
  alice.see("a private candidate is committed as a whole, from the top level");
  alice.see("# ");
  alice.type("top commit\n");
  alice.see("commit complete");
  alice.see("# ");
  alice.type("set host-name other\n");
  alice.see("# ");
  alice.type("exit configuration-mode\n");
  alice.see("Discard uncommitted changes? [yes,no] (yes) ");
  alice.type("no\n");
  alice.see("# ");
  alice.type("exit configuration-mode\n");
  alice.see("Discard uncommitted changes? [yes,no] (yes) ");
  alice.type("\n");
  alice.see("Exiting configuration mode");
  alice.see("> ");
  alice.type("exit\n");
  EXPECT_EQ(WEXITSTATUS(alice.end()), 1) << "one commit was refused";
  EXPECT_THAT(commands({"show configuration system"}).output, HasSubstr("host-name pty;"));
}

TEST_F(Terminals, Two_people_see_and_disturb_each_other_as_far_as_they_should) {
  test::PseudoTerminal alice;
  test::PseudoTerminal bob;
  log_in(alice);
  log_in(bob);
  alice.type("configure exclusive\n");
  alice.see("# ");
  alice.type("set system host-name alice\n");
  alice.see("# ");
  alice.type("set system host-n");  // left half typed
  bob.type("configure\n");
  const std::string list = bob.see("exclusive [edit]");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(list, found, std::regex("\\(pid ([0-9]+)\\)"))) << list;
  bob.see("# ");
  bob.type("set system host-name bob\n");
  bob.see("error: configuration database locked by:");
  bob.see("# ");
  // A message appears above the line that alice is typing, which stays.
  bob.type("run request message all message \"lunch is ready\"\n");
  bob.see("# ");
  const std::string above = alice.see("lunch is ready");
  EXPECT_THAT(above, HasSubstr("Message from "));
  alice.see("set system host-n");
  bob.type("run request system logout pid " + found[1].str() + "\n");
  bob.see("1 session ended");
  bob.see("# ");
  alice.see("has logged you out");
  EXPECT_EQ(WEXITSTATUS(alice.end()), 3);
  bob.type("set system host-name bob\n");
  const std::string said = bob.see("# ");
  EXPECT_THAT(said, Not(HasSubstr("error")));
  bob.type("exit\n");
  bob.see("Exit with uncommitted changes? [yes,no] (yes) ");
  bob.type("yes\n");
  bob.see("> ");
}

// docs/guide/programs.md is what programmers copy, so it is what runs here.
TEST_F(EndToEnd, The_program_of_the_guide_edits_commits_on_trial_and_reads_back) {
  const auto page = base::read_file(MILLRACE_SOURCE_DIR "/docs/guide/programs.md");
  ASSERT_TRUE(page);
  const std::string fence = "```python\n";
  const auto start = page->find(fence);
  const auto end = page->find("\n```", start + 1);
  ASSERT_TRUE(start != std::string::npos && end != std::string::npos);
  const std::string program = page->substr(start + fence.size(), end - start - fence.size());
  EXPECT_LE(std::ranges::count(program, '\n'), 40);
  ASSERT_TRUE(base::write_file(folder_ / "program.py", program));
  const auto done =
      base::run_process({"python3", folder_ / "program.py", socket()}, {}, std::chrono::minutes(1));
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(done->status, 0) << done->errors;
  EXPECT_THAT(done->output, HasSubstr("      host-name r7;\n"));
  EXPECT_THAT(done->output, HasSubstr("\"host-name\": \"r7\""));
  EXPECT_THAT(commands({"show system commit"}).output, HasSubstr("from a program"));
  EXPECT_THAT(commands({"show configuration system"}).output, HasSubstr("host-name r7;"));
}

}  // namespace
}  // namespace millrace
