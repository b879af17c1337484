// SPDX-License-Identifier: GPL-2.0-or-later
//
// The server on a real socket, with an engine that has no system.
#pragma once

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "client/client.h"
#include "server/server.h"
#include "tree/text.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {

using client::Client;

class ServerTest : public ShellTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "needs root: others may not connect";
    }
    std::string name = std::filesystem::temp_directory_path() / "server-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }

  void serve(Limits limits = {}) {
    auto listening = Server::listen(services, {folder_ / "socket", 4, limits});
    ASSERT_TRUE(listening) << listening.error().to_string();
    server_ = std::move(*listening);
    thread_ = std::thread([this] { server_->run(); });
  }

  void TearDown() override {
    if (thread_.joinable()) {
      server_->stop();
      thread_.join();
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  Client connect() {
    auto client = Client::connect(folder_ / "socket");
    EXPECT_TRUE(client) << client.error().to_string();
    return std::move(*client);
  }

  // A bare socket, for what a good client never does.
  base::Fd raw() {
    base::Fd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (folder_ / "socket").c_str());
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return fd;
  }

  static std::string receive_all(const base::Fd& fd) {
    std::string out;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(fd.get(), buffer, sizeof(buffer))) > 0;) {
      out.append(buffer, static_cast<std::size_t>(count));
    }
    return out;
  }

  std::filesystem::path folder_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

}  // namespace millrace::server
