// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/diagnostics.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

TEST(Diagnostics, Error_is_printed_in_junos_form) {
  Diagnostics found;
  found.error(Code::BadValue, "interfaces eth0 unit 0 family inet", "address", "message");
  EXPECT_EQ(found.to_string(),
            "[edit interfaces eth0 unit 0 family inet]\n"
            "  'address'\n"
            "    message\n");
}

TEST(Diagnostics, Warning_says_so_and_is_not_an_error) {
  Diagnostics found;
  found.warning("", "", "statement not found", "see there");
  EXPECT_EQ(found.to_string(),
            "[edit]\n"
            "    warning: statement not found\n"
            "    see there\n");
  EXPECT_FALSE(found.has_errors());
  EXPECT_FALSE(found.empty());
}

TEST(Diagnostics, Append_keeps_order_and_counts_errors) {
  Diagnostics first;
  first.error(Code::Syntax, "", "a", "one");
  Diagnostics second;
  second.warning("", "b", "two");
  second.error(Code::Syntax, "", "c", "three");
  first.append(std::move(second));
  EXPECT_EQ(first.error_count(), 2U);
  ASSERT_EQ(first.items().size(), 3U);
  EXPECT_EQ(first.items()[1].message, "two");
  EXPECT_EQ(first.items()[2].statement, "c");
}

}  // namespace
}  // namespace millrace::base
