// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace millrace::base {
namespace {

using namespace std::chrono_literals;

TEST(Process, Status_and_both_outputs_are_returned) {
  const auto result = run_process({"sh", "-c", "echo out; echo err >&2; exit 7"});
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(result->status, 7);
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "err\n");
}

TEST(Process, Arguments_are_not_read_by_a_shell) {
  EXPECT_EQ(run_process({"echo", "$HOME; `id`", "a b"})->output, "$HOME; `id` a b\n");
}

TEST(Process, Large_input_and_output_do_not_block_each_other) {
  const std::string input(4 << 20, 'x');
  EXPECT_EQ(run_process({"cat"}, input)->output, input);
}

TEST(Process, Output_without_end_is_ended) {
  const auto result = run_process({"yes"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::Io);
  EXPECT_NE(result.error().message.find("bytes of output"), std::string::npos);
}

TEST(Process, Child_that_does_not_read_its_input_does_not_kill_us) {
  const auto result = run_process({"true"}, std::string(4 << 20, 'x'));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 0);
}

TEST(Process, Environment_is_clean) {
  ::setenv("MILLRACE_LEAK", "1", 1);
  const auto result = run_process({"env"});
  ::unsetenv("MILLRACE_LEAK");
  EXPECT_EQ(result->output, "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nLANG=C.UTF-8\nHOME=/\n");
}

TEST(Process, Descriptors_of_ours_are_not_inherited) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as a library may
  const auto result = run_process({"ls", "/proc/self/fd"});
  ::close(leaked);
  EXPECT_EQ(result->output, "0\n1\n2\n3\n");  // 3: the directory that ls itself reads
}

// The state letter of proc(5), or 'X' when there is no such process.
char process_state(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string id;
  std::string name;
  char state = 'X';
  stat >> id >> name >> state;
  return state;
}

TEST(Process, Group_is_killed_at_the_deadline) {
  std::string pattern = "/tmp/millrace-process-XXXXXX";
  ::close(mkstemp(pattern.data()));
  // The sleeper would live on if only the shell were killed.
  const auto result =
      run_process({"sh", "-c", "sleep 60 & echo $! > " + pattern + "; wait"}, {}, 2s);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::Io);
  EXPECT_NE(result.error().message.find("2000 ms"), std::string::npos);
  std::string sleeper;
  std::ifstream(pattern) >> sleeper;
  ASSERT_FALSE(sleeper.empty());
  char state = process_state(sleeper);
  for (int tries = 0; state != 'X' && state != 'Z' && tries < 200; ++tries) {
    ::usleep(50'000);
    state = process_state(sleeper);
  }
  EXPECT_TRUE(state == 'X' || state == 'Z') << state;
  ::unlink(pattern.c_str());
}

TEST(Process, Endless_output_meets_the_deadline) {
  EXPECT_FALSE(run_process({"yes"}, {}, 50ms));
}

TEST(Process, Daemon_left_behind_does_not_hold_us) {
  const auto result = run_process({"sh", "-c", "sleep 20 & echo started"}, {}, 15s);
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(result->output, "started\n");
}

TEST(Process, Death_by_signal_is_128_and_the_signal) {
  EXPECT_EQ(run_process({"sh", "-c", "kill -TERM $$"})->status, 128 + 15);
}

TEST(Process, Missing_program_is_an_error) {
  const auto result = run_process({"no-such-program-here"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Code::Io);
}

TEST(Process, Argument_with_a_nul_is_refused) {
  EXPECT_FALSE(run_process({"echo", std::string("a\0b", 3)}));
}

}  // namespace
}  // namespace millrace::base
