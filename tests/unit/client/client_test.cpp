// SPDX-License-Identifier: GPL-2.0-or-later
//
// The client against a daemon that says exactly what the test wants.
#include "client/client.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace millrace::client {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string framed(const std::string& payload) {
  const auto size = payload.size();
  std::string out;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out += static_cast<char>(size >> shift & 0xff);
  }
  return out + payload;
}

class ClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "client-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    listener_ = base::Fd(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path().c_str());
    ASSERT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    ASSERT_EQ(::listen(listener_.get(), 1), 0);
  }
  void TearDown() override {
    if (daemon_.joinable()) {
      daemon_.join();
    }
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path path() const { return folder_ / "socket"; }

  // Takes one connection, waits for a request if `after_request`, sends `bytes` and hangs up.
  void answer(std::string bytes, bool after_request = true) {
    daemon_ = std::thread([this, bytes = std::move(bytes), after_request] {
      const base::Fd peer(::accept(listener_.get(), nullptr, nullptr));
      char buffer[65536];
      if (after_request) {
        EXPECT_GT(::read(peer.get(), buffer, sizeof(buffer)), 4);
      }
      EXPECT_EQ(::write(peer.get(), bytes.data(), bytes.size()),
                static_cast<ssize_t>(bytes.size()));
    });
  }

  std::filesystem::path folder_;
  base::Fd listener_;
  std::thread daemon_;
};

TEST_F(ClientTest, A_result_is_returned_and_notifications_before_it_are_passed_on) {
  answer(framed(R"({"jsonrpc":"2.0","method":"progress","params":{"text":"working"}})") +
         framed(R"({"jsonrpc":"2.0","id":1,"result":{"x":3}})"));
  auto client = Client::connect(path());
  ASSERT_TRUE(client);
  std::vector<std::string> seen;
  client->on_notification = [&](const std::string& method, const json& params) {
    seen.push_back(method + " " + params["text"].get<std::string>());
  };
  const auto result = client->call("anything");
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ((*result)["x"], 3);
  EXPECT_THAT(seen, ElementsAre("progress working"));
}

TEST_F(ClientTest, An_error_keeps_its_code_path_and_hint) {
  answer(framed(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no",
                   "data":{"code":"bad-value","path":"system","hint":"try"}}})"));
  auto client = Client::connect(path());
  const auto result = client->call("anything");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::Code::BadValue);
  EXPECT_EQ(result.error().path, "system");
  EXPECT_EQ(result.error().hint, "try");
}

TEST_F(ClientTest, A_refusal_without_an_id_is_the_error_of_the_call) {
  answer(framed(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"go away",
                   "data":{"code":"denied"}}})"));
  auto client = Client::connect(path());
  EXPECT_EQ(client->call("anything").error().code, base::Code::Denied);
}

TEST_F(ClientTest, An_end_in_the_middle_of_an_answer_is_an_error_and_stays_one) {
  answer(std::string("\0\0\1\0half", 8));
  auto client = Client::connect(path());
  EXPECT_THAT(client->call("anything").error().message, HasSubstr("ended the connection"));
  EXPECT_THAT(client->call("anything").error().message, HasSubstr("has ended"));
}

TEST_F(ClientTest, What_is_no_answer_is_recognised) {
  answer(framed("[1,2]"));
  auto client = Client::connect(path());
  EXPECT_THAT(client->call("anything").error().message, HasSubstr("does not speak the protocol"));
}

TEST_F(ClientTest, An_answer_to_another_request_is_recognised) {
  answer(framed(R"({"jsonrpc":"2.0","id":9,"result":{}})"));
  auto client = Client::connect(path());
  EXPECT_THAT(client->call("anything").error().message, HasSubstr("does not speak the protocol"));
}

TEST_F(ClientTest, Nobody_at_the_socket_is_an_error_that_names_it) {
  const auto client = Client::connect(folder_ / "nowhere");
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().path, folder_ / "nowhere");
  EXPECT_THAT(client.error().message, HasSubstr("cannot connect"));
}

}  // namespace
}  // namespace millrace::client
