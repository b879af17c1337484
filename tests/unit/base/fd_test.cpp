// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace millrace::base {
namespace {

int open_null() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}
bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

TEST(Fd, Closes_at_the_end_of_its_life) {
  int raw = -1;
  {
    const Fd fd(open_null());
    raw = fd.get();
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST(Fd, Assignment_closes_the_old_and_moves_the_new) {
  Fd left(open_null());
  Fd right(open_null());
  const int old = left.get();
  const int kept = right.get();
  left = std::move(right);
  EXPECT_FALSE(is_open(old));
  EXPECT_TRUE(is_open(kept));
  EXPECT_EQ(left.get(), kept);
}

TEST(Fd, Released_descriptor_stays_open) {
  int raw = -1;
  {
    Fd fd(open_null());
    raw = fd.release();
    EXPECT_FALSE(fd);
  }
  EXPECT_TRUE(is_open(raw));
  const Fd owner(raw);
}

}  // namespace
}  // namespace millrace::base
