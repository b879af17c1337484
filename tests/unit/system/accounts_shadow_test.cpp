// SPDX-License-Identifier: GPL-2.0-or-later
//
// The real programs on the files of an empty machine, which they change for root only.
#include "system/accounts_shadow.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace millrace::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class AccountsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) {
      GTEST_SKIP() << "only root changes accounts";
    }
    std::string pattern = std::filesystem::temp_directory_path() / "accounts-XXXXXX";
    root = mkdtemp(pattern.data());
    ASSERT_TRUE(base::write_file(root / "etc/passwd",
                                 "root:x:0:0:root:/root:/bin/bash\n"
                                 "builder:x:1500:1500::/home/builder:/bin/sh\n"));
    ASSERT_TRUE(base::write_file(
        root / "etc/shadow", "root:!:19000:0:99999:7:::\nbuilder:*:19000:0:99999:7:::\n", 0640));
    ASSERT_TRUE(base::write_file(root / "etc/group", "root:x:0:\nmillrace:x:990:\n"));
    accounts = make_accounts(root);
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  std::string text(const char* file) { return base::read_file(root / "etc" / file).value(); }
  void put(const Account& account) {
    const auto done = accounts->put(account);
    ASSERT_TRUE(done) << done.error().to_string();
  }

  std::filesystem::path root;
  std::unique_ptr<Accounts> accounts;
};

const Account kAlice{"alice", 2001, "Alice Liddell", "$6$salt$hash"};

TEST_F(AccountsTest, Are_made_with_the_command_line_as_shell_and_a_home_of_their_own) {
  put(kAlice);
  EXPECT_THAT(text("passwd"), HasSubstr(":Alice Liddell:/home/alice:/usr/bin/cli\n"));
  EXPECT_THAT(text("shadow"), HasSubstr("alice:$6$salt$hash:"));
  EXPECT_THAT(text("group"), HasSubstr("millrace:x:990:alice\n"));
  EXPECT_THAT(accounts->owned().value(), ElementsAre(kAlice));
  struct stat home{};
  ASSERT_EQ(stat((root / "home/alice").c_str(), &home), 0);
  EXPECT_EQ(home.st_uid, 2001U);
  EXPECT_EQ(home.st_mode & 0777U, 0700U);
  struct stat shadow{};
  ASSERT_EQ(stat((root / "etc/shadow").c_str(), &shadow), 0);
  EXPECT_EQ(shadow.st_mode & 0007U, 0U);
}

TEST_F(AccountsTest, Change_in_place_and_again_without_effect) {
  put(kAlice);
  for (int time = 0; time < 2; ++time) {
    const Account changed{"alice", 2002, "", "!"};
    put(changed);
    EXPECT_THAT(accounts->owned().value(), ElementsAre(changed));
  }
}

TEST_F(AccountsTest, Go_without_a_trace_but_their_home_and_may_come_back) {
  put(kAlice);
  for (int time = 0; time < 2; ++time) {
    ASSERT_TRUE(accounts->remove("alice"));
    EXPECT_THAT(accounts->owned().value(), IsEmpty());
    EXPECT_THAT(text("passwd") + text("shadow") + text("group"), Not(HasSubstr("alice")));
    EXPECT_TRUE(std::filesystem::exists(root / "home/alice"));
  }
  put(kAlice);
}

TEST_F(AccountsTest, Of_others_are_not_touched) {
  const std::string before = text("passwd") + text("shadow");
  EXPECT_FALSE(accounts->put({"builder", 1500, "", "!"}));
  EXPECT_FALSE(accounts->put({"alice", 1500, "", "!"}));
  EXPECT_TRUE(accounts->remove("builder"));
  EXPECT_EQ(text("passwd") + text("shadow"), before);
}

TEST_F(AccountsTest, Of_the_machine_get_a_password_and_nothing_else) {
  ASSERT_TRUE(accounts->set_password("root", "$6$salt$other"));
  EXPECT_EQ(accounts->password("root").value(), "$6$salt$other");
  ASSERT_TRUE(accounts->set_password("root", ""));
  EXPECT_EQ(accounts->password("root").value(), "");
  EXPECT_FALSE(accounts->password("nobody-there"));
  EXPECT_THAT(text("passwd"), HasSubstr("root:x:0:0:root:/root:/bin/bash\n"));
}

}  // namespace
}  // namespace millrace::system
