// SPDX-License-Identifier: GPL-2.0-or-later
//
// The real configd with real FRR in a network namespace with two links, and the real cli.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/file.h"
#include "client/client.h"
#include "support/network_namespace.h"

namespace millrace {

// Found before any test moves to another mount namespace, after which the link means nothing.
inline const std::filesystem::path kBuild =
    std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();

class EndToEnd : public test::FrrDaemons {
 protected:
  void SetUp() override {
    FrrDaemons::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    ASSERT_EQ(::unshare(CLONE_NEWUTS), 0);
    std::string name = std::filesystem::temp_directory_path() / "end-to-end-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    start_daemon();
  }

  void TearDown() override {
    stop_daemon(SIGTERM);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    FrrDaemons::TearDown();
  }

  void start_daemon() {
    const std::string program = kBuild / "configd/configd";
    const std::vector<std::string> argv = {
        program,         "--templates",     MILLRACE_SOURCE_DIR "/templates",
        "--state",       folder_ / "state", "--run",
        folder_ / "run", "--files-root",    folder_ / "root",
        "--units",       "direct"};
    daemon_ = fork();
    if (daemon_ == 0) {
      std::vector<char*> pointers;
      for (const auto& word : argv) {
        pointers.push_back(const_cast<char*>(word.c_str()));
      }
      pointers.push_back(nullptr);
      execv(pointers[0], pointers.data());
      std::perror(pointers[0]);
      _exit(127);
    }
    int status = 0;
    while (!client::Client::connect(socket())) {
      ASSERT_EQ(waitpid(daemon_, &status, WNOHANG), 0) << "configd ended, wait status " << status;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  int stop_daemon(int signal) {
    if (daemon_ <= 0) {
      return -1;
    }
    kill(daemon_, signal);
    int status = 0;
    waitpid(std::exchange(daemon_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::filesystem::path socket() const { return folder_ / "run/configd.socket"; }

  base::ProcessResult script(const std::string& text) {
    auto result = base::run_process({kBuild / "cli/cli", "--socket", socket()}, text,
                                    std::chrono::minutes(2));
    return result ? *result : base::ProcessResult{-1, "", result.error().to_string()};
  }

  base::ProcessResult commands(const std::vector<std::string>& lines) {
    std::vector<std::string> argv = {kBuild / "cli/cli", "--socket", socket()};
    for (const auto& line : lines) {
      argv.insert(argv.end(), {"-c", line});
    }
    auto result = base::run_process(argv, {}, std::chrono::minutes(2));
    return result ? *result : base::ProcessResult{-1, "", result.error().to_string()};
  }

  std::filesystem::path folder_;
  pid_t daemon_ = -1;
};

}  // namespace millrace
