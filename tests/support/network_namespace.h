// SPDX-License-Identifier: GPL-2.0-or-later
//
// A network namespace of the test's own, and real FRR daemons in it. The test process moves into it
// and its end is the end of everything in it. Needs root and, for FRR, the daemons of the router; a
// test without them is skipped and says why.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/process.h"

namespace millrace::test {

class NetworkNamespace : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "needs root: a network namespace of its own";
    }
    ASSERT_EQ(::unshare(CLONE_NEWNET | CLONE_NEWNS), 0) << std::generic_category().message(errno);
    // In a chroot the root is no mount point and cannot be changed; there the caller keeps its
    // mounts to itself.
    const bool own = ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    ASSERT_TRUE(own || errno == EINVAL) << std::generic_category().message(errno);
    ASSERT_EQ(::mount("tmpfs", "/run", "tmpfs", 0, nullptr), 0);
    command({"ip", "link", "set", "lo", "up"});
    for (const char* const link : {"eth0", "eth1"}) {
      const std::string peer = std::string(link) + "peer";
      command({"ip", "link", "add", link, "type", "veth", "peer", "name", peer});
      command({"ip", "link", "set", peer, "up"});
    }
  }

  // Runs a program that must succeed; what it printed.
  static std::string command(const std::vector<std::string>& argv) {
    const auto result = base::run_process(argv);
    EXPECT_TRUE(result) << argv.front() << ": " << result.error().to_string();
    if (!result) {
      return {};
    }
    EXPECT_EQ(result->status, 0) << argv.front() << ": " << result->errors;
    return result->output;
  }
};

// zebra, mgmtd and staticd, empty, at /run/frr.
class FrrDaemons : public NetworkNamespace {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/lib/frr/mgmtd")) {
      GTEST_SKIP() << "needs FRR";
    }
    NetworkNamespace::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    ASSERT_EQ(::mount("tmpfs", "/etc/frr", "tmpfs", 0, nullptr), 0);
    command({"install", "-d", "-o", "frr", "-g", "frr", "/run/frr"});
    for (const char* const name : {"zebra", "mgmtd", "staticd"}) {
      start(name);
    }
  }

  void TearDown() override {
    for (const char* const name : {"staticd", "mgmtd", "zebra"}) {
      stop(name, SIGTERM);
    }
  }

  static void start(const std::string& name) { command({"/usr/lib/frr/" + name, "-d"}); }

  static void stop(const std::string& name, int signal) {
    const auto text = base::read_file("/run/frr/" + name + ".pid");
    const int pid = text ? std::stoi(*text) : 0;
    if (pid <= 1 || ::kill(pid, signal) != 0) {
      return;
    }
    // A dead process that nobody has reaped has no program either.
    const std::string program = "/proc/" + std::to_string(pid) + "/exe";
    std::error_code gone;
    for (int tries = 0; tries < 500 && !gone; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      static_cast<void>(std::filesystem::read_symlink(program, gone));
    }
  }
};

}  // namespace millrace::test
