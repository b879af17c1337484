// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/file.h"
#include "system/units_kinds.h"

namespace millrace::system {
namespace {

class DirectUnits : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "millrace-units.XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    const std::string pid = folder_ / "sleep.pid";
    // Goes into the background as daemons do and is its own program, not a shell.
    std::ofstream(folder_ / "table") << "# comment\n\n"
                                     << "sleep.service " << pid << " /usr/bin/sleep 1000\n"
                                     << "broken.service " << pid << " /usr/bin/false now\n";
    units_ = make_direct_units(folder_ / "table");
  }
  void TearDown() override {
    EXPECT_TRUE(units_->stop("sleep.service"));
    std::filesystem::remove_all(folder_);
  }

  // What /usr/bin/sleep does not do by itself.
  void run_in_background() {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::fork() != 0) {
        ::_exit(0);
      }
      std::ofstream(folder_ / "sleep.pid") << ::getpid() << "\n";
      ::execl("/usr/bin/sleep", "sleep", "1000", nullptr);
      ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    for (int tries = 0; tries < 500 && !units_->active("sleep.service").value(); ++tries) {
      ::usleep(10'000);
    }
  }

  std::filesystem::path folder_;
  std::unique_ptr<Units> units_;
};

TEST_F(DirectUnits, Knows_a_running_service_by_its_pid_file) {
  EXPECT_FALSE(units_->active("sleep.service").value());
  run_in_background();
  EXPECT_TRUE(units_->active("sleep.service").value());
  EXPECT_TRUE(units_->start("sleep.service"));
}

TEST_F(DirectUnits, Stops_a_service_and_finds_a_stopped_one_stopped) {
  run_in_background();
  ASSERT_TRUE(units_->stop("sleep.service"));
  EXPECT_FALSE(units_->active("sleep.service").value());
  EXPECT_TRUE(units_->stop("sleep.service"));
}

TEST_F(DirectUnits, Does_not_take_another_process_for_the_service) {
  ASSERT_TRUE(base::write_file(folder_ / "sleep.pid", std::to_string(::getpid()) + "\n"));
  EXPECT_FALSE(units_->active("sleep.service").value());
}

TEST_F(DirectUnits, Refuses_what_it_cannot_do) {
  EXPECT_FALSE(units_->start("broken.service"));
  EXPECT_FALSE(units_->start("unlisted.service"));
  EXPECT_FALSE(units_->reload("sleep.service"));
}

}  // namespace
}  // namespace millrace::system
