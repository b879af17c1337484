// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/segment.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "unit/commit/full_disk.h"

namespace millrace::commit {
namespace {

TEST(Segment_, That_cannot_hold_a_line_stays_as_it_was) {
  std::string pattern = (std::filesystem::temp_directory_path() / "segment-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  auto segment = Segment::open(folder, 0, 0).value();
  ASSERT_TRUE(segment.append("first\n"));
  {
    const FullDisk full(10);
    EXPECT_FALSE(segment.append("a line that does not fit\n"));
  }
  EXPECT_EQ(base::read_file(Segment::path(folder, 0)), "first\n");
  EXPECT_TRUE(segment.append("second\n"));
  EXPECT_EQ(base::read_file(Segment::path(folder, 0)), "first\nsecond\n");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace millrace::commit
