// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/machine.h"

#include <gmock/gmock.h>

namespace millrace::ops {
namespace {

using ::testing::ElementsAre;

TEST(Meminfo, Has_bytes_by_name) {
  const auto values = read_meminfo("MemTotal:       2048 kB\nHugePages_Total:       7\nodd line\n");
  EXPECT_EQ(values.at("MemTotal"), 2048U * 1024);
  EXPECT_EQ(values.at("HugePages_Total"), 7U);
  EXPECT_EQ(values.size(), 2U);
}

TEST(Mounts, Are_those_that_hold_files_each_place_once) {
  EXPECT_THAT(read_mounts("proc /proc proc rw 0 0\n"
                          "/dev/vda1 / ext4 rw 0 0\n"
                          "overlay /a\\040b overlay rw 0 0\n"
                          "tmpfs /run tmpfs rw 0 0\n"
                          "/dev/vdb / xfs rw 0 0\n"
                          "cut off\n"),
              ElementsAre(Mount{"/dev/vdb", "/", "xfs"}, Mount{"overlay", "/a b", "overlay"},
                          Mount{"tmpfs", "/run", "tmpfs"}));
}

TEST(Sizes, Have_at_most_three_digits) {
  EXPECT_EQ(short_size(0), "0B");
  EXPECT_EQ(short_size(999), "999B");
  EXPECT_EQ(short_size(1000), "1.0K");
  EXPECT_EQ(short_size(9U << 20), "9.0M");
  EXPECT_EQ(short_size(std::uint64_t{12345} << 20), "12G");
  EXPECT_EQ(short_size(~std::uint64_t{0}), "16E");
}

}  // namespace
}  // namespace millrace::ops
