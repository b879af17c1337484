// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"

namespace millrace::cli {
namespace {

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    from = base::Fd(ends[0]);
    to = base::Fd(ends[1]);
  }
  void write(std::string_view text) const {
    EXPECT_EQ(::write(to.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  base::Fd from;
  base::Fd to;
};

TEST(Input, A_script_is_split_into_numbered_lines) {
  Pipe pipe;
  pipe.write("set a\r\nset b\nlast");
  pipe.to = base::Fd();
  Input input(pipe.from.get());
  ASSERT_EQ(input.wait(), Input::Wait::Line);
  EXPECT_EQ(input.take()->text, "set a");
  const auto second = input.take();
  EXPECT_EQ(second->text, "set b");
  EXPECT_EQ(second->number, 2U);
  ASSERT_EQ(input.wait(), Input::Wait::Line);
  EXPECT_EQ(input.take()->text, "last");
  EXPECT_EQ(input.wait(), Input::Wait::End);
}

TEST(Input, A_line_arrives_before_the_end_of_the_script) {
  Pipe pipe;
  pipe.write("one\ntw");
  Input input(pipe.from.get());
  ASSERT_EQ(input.wait(), Input::Wait::Line);
  EXPECT_EQ(input.take()->text, "one");
  EXPECT_FALSE(input.has_line());
}

TEST(Input, The_other_descriptor_wakes_the_wait) {
  Pipe script;
  Pipe other;
  other.write("x");
  Input input(script.from.get());
  EXPECT_EQ(input.wait(other.from.get()), Input::Wait::Other);
}

TEST(Input, Take_all_stops_at_a_control_d_and_leaves_the_rest) {
  Pipe pipe;
  pipe.write("load merge terminal\nsystem {\n}\n\x04\ncommit\n");
  pipe.to = base::Fd();
  Input input(pipe.from.get());
  ASSERT_EQ(input.wait(), Input::Wait::Line);
  input.take();
  EXPECT_EQ(input.take_all(), "system {\n}\n");
  EXPECT_EQ(input.take()->text, "commit");
}

TEST(Input, Commands_of_the_command_line_come_in_order_and_end) {
  Input input(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(input.wait(), Input::Wait::Line);
  EXPECT_EQ(input.take()->text, "a");
  input.put_back({"again", 0});
  EXPECT_EQ(input.take()->text, "again");
  EXPECT_EQ(input.take()->text, "b");
  EXPECT_EQ(input.wait(), Input::Wait::End);
}

}  // namespace
}  // namespace millrace::cli
