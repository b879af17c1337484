// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/password.h"

#include <crypt.h>
#include <gtest/gtest.h>

#include <string>

namespace millrace::base {
namespace {

TEST(Password, Is_hashed_with_a_salt_of_its_own_and_verifies) {
  const auto first = hash_password("correct horse");
  const auto second = hash_password("correct horse");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->starts_with("$y$"));
  EXPECT_NE(*first, *second);
  crypt_data memory{};
  EXPECT_EQ(crypt_r("correct horse", first->c_str(), &memory), *first);
  EXPECT_NE(crypt_r("correct horsf", first->c_str(), &memory), *first);
}

TEST(Password, Too_short_or_with_control_characters_is_refused_without_repeating_it) {
  for (const std::string password : {"", "12345", "abc\ndefgh", "abcdef\x7f"}) {
    const auto hash = hash_password(password);
    ASSERT_FALSE(hash);
    EXPECT_EQ(hash.error().code, Code::BadValue);
    EXPECT_TRUE(password.empty() || !hash.error().message.contains(password));
  }
  EXPECT_FALSE(hash_password(std::string(10'000, 'x')));
}

}  // namespace
}  // namespace millrace::base
