// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include <gtest/gtest.h>

#include <set>

namespace millrace::base {
namespace {

TEST(Error, Text_has_path_message_cause_and_hint) {
  const Error inner{.code = Code::Io, .message = "disk full"};
  const Result<int> outer = fail_because(inner, "cannot save", "system ntp");
  EXPECT_EQ(outer.error().to_string(), "system ntp: cannot save: disk full");
  EXPECT_EQ(outer.error().code, Code::Io);
  const Result<int> hinted = fail(Code::BadValue, "bad", "a b", "try this");
  EXPECT_EQ(hinted.error().to_string(), "a b: bad (try this)");
}

TEST(Error, Every_code_has_its_own_name) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Code::Internal); ++code) {
    names.insert(to_string(static_cast<Code>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::Internal) + 1);
  EXPECT_EQ(to_string(Code::UnknownPath), "unknown-path");
}

}  // namespace
}  // namespace millrace::base
