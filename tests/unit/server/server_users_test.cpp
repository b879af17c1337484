// SPDX-License-Identifier: GPL-2.0-or-later
//
// Many clients of one server: they are served fairly, and whoever dies, is silent or is sent away
// gives up what he held.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "unit/server/server_fixture.h"

namespace millrace::server {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class ServerUsers : public ServerTest {
 protected:
  static json line(Client& client, const std::string& text) {
    auto reply = client.call("line.execute", {{"line", text}});
    return reply ? std::move(*reply) : json{{"lost", reply.error().message}};
  }

  // What the client hears until the server ends the connection.
  static std::string listen(Client& client) {
    std::string heard;
    client.on_notification = [&](const std::string& method, const json& params) {
      heard += method + ": " + params.value("text", "") + "\n";
    };
    while (client.read_notifications()) {
    }
    return heard;
  }

  // Waits for what other threads bring about.
  static bool becomes(const std::function<bool()>& condition) {
    for (int tries = 0; tries < 500; ++tries) {
      if (condition()) {
        return true;
      }
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }
};

TEST_F(ServerUsers, Ten_commits_run_one_after_the_other_while_reads_stay_fast) {
  constexpr int kClients = 10;
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  engine.while_committing = [&] {
    most = std::max<int>(most, ++inside);
    std::this_thread::sleep_for(60ms);
    --inside;
  };
  serve();
  auto reader = connect();
  ASSERT_TRUE(reader.call("configuration.get", {{"source", "running"}}));
  std::vector<std::thread> committers;
  std::atomic<int> committed = 0;
  for (int number = 0; number < kClients; ++number) {
    committers.emplace_back([this, number, &committed] {
      auto client = connect();
      const std::string name = "eth" + std::to_string(number);
      const bool ok =
          client.call("session.open", {{"client", "test"}, {"candidate", "private"}}) &&
          client.call("configuration.load",
                      {{"action", "set"}, {"text", "set interfaces " + name + " mtu 1400\n"}}) &&
          client.call("configuration.commit");
      committed += ok ? 1 : 0;
    });
  }
  std::vector<double> milliseconds;
  while (committed < kClients && milliseconds.size() < 100000) {
    const auto begin = steady_clock::now();
    ASSERT_TRUE(reader.call("configuration.get", {{"source", "running"}}));
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count());
    std::this_thread::sleep_for(1ms);
  }
  for (auto& thread : committers) {
    thread.join();
  }
  EXPECT_EQ(committed, kClients);
  EXPECT_EQ(most, 1);
  EXPECT_EQ(engine.revisions().size(), kClients + 1U);
  // Private candidates were merged one by one: nobody took back what another one committed.
  EXPECT_EQ(tree::to_set(engine.running(), {}).size(),
            kClients * std::string("set interfaces eth0 mtu 1400\n").size());
  std::ranges::sort(milliseconds);
  RecordProperty("median_ms", std::to_string(milliseconds[milliseconds.size() / 2]));
  RecordProperty("slowest_ms", std::to_string(milliseconds.back()));
  // The budget is 10 ms; on a machine that is busy with other things a single read may not keep it.
  EXPECT_LT(milliseconds[milliseconds.size() * 9 / 10], 10.0);
}

TEST_F(ServerUsers, Who_is_logged_out_is_told_and_gives_up_the_lock) {
  serve();
  auto alice = connect();
  auto bob = connect();
  line(alice, "configure exclusive");
  line(alice, "set system host-name r7");
  EXPECT_THAT(line(bob, "configure exclusive")["errors"].get<std::string>(),
              HasSubstr("database locked by:"));
  const std::string pid = std::to_string(::getpid());
  // Both have this test's pid, and bob is one of those whom it names.
  EXPECT_EQ(line(bob, "request system logout pid " + pid)["output"], "2 sessions ended\n");
  EXPECT_THAT(listen(alice), HasSubstr("has logged you out"));
  auto carol = connect();
  EXPECT_TRUE(becomes([&] { return line(carol, "configure exclusive")["status"] == "ok"; }));
  EXPECT_EQ(line(carol, "show system")["output"], "");
}

TEST_F(ServerUsers,
       Who_does_not_read_gives_up_the_lock_when_logged_out_and_never_piles_up_notices) {
  Limits limits;
  limits.queued = 20000;
  serve(limits);
  const auto deaf = raw();
  const std::string request = frame(json{{"jsonrpc", "2.0"},
                                         {"id", 1},
                                         {"method", "line.execute"},
                                         {"params", {{"line", "configure exclusive"}}}});
  ASSERT_EQ(::write(deaf.get(), request.data(), request.size()),
            static_cast<ssize_t>(request.size()));
  ASSERT_TRUE(becomes([&] { return !services.editors.in(EditMode::Exclusive).empty(); }));
  // More than the socket and the queue take: the connection is given up.
  ASSERT_TRUE(becomes([&] {
    services.notices.broadcast(std::string(10000, 'x'));
    return services.editors.in(EditMode::Exclusive).empty();
  }));
}

TEST_F(ServerUsers, A_client_that_dies_frees_its_lock_at_once) {
  serve();
  {
    auto client = connect();
    line(client, "configure exclusive");
  }
  auto next = connect();
  const auto begin = steady_clock::now();
  EXPECT_TRUE(becomes([&] { return line(next, "configure exclusive")["status"] == "ok"; }));
  EXPECT_LT(steady_clock::now() - begin, 2s);
}

TEST_F(ServerUsers, A_silent_terminal_is_warned_and_closed_and_a_busy_one_is_not) {
  Limits limits;
  limits.minute = 120ms;
  services.idle_limit = [](const Peer&) { return 2U; };
  serve(limits);
  auto client = connect();
  auto program = connect();
  ASSERT_TRUE(client.call("session.open", {{"client", "cli"}, {"terminal", {{"tty", "pts/1"}}}}));
  ASSERT_TRUE(program.call("session.open", {{"client", "program"}}));
  for (int count = 0; count < 6; ++count) {
    std::this_thread::sleep_for(80ms);
    ASSERT_EQ(line(client, "configure exclusive").contains("lost"), false) << count;
  }
  const std::string heard = listen(client);
  EXPECT_THAT(heard, HasSubstr("will be closed in 1 minute"));
  EXPECT_THAT(heard, HasSubstr("will be closed in 10 seconds"));
  EXPECT_THAT(heard, HasSubstr("there was no input for 2 minutes"));
  EXPECT_EQ(heard.find("5 minutes"), std::string::npos);
  EXPECT_EQ(line(program, "configure exclusive")["status"], "ok");
}

TEST_F(ServerUsers, Programs_have_private_candidates_locks_and_conflicts_by_path) {
  serve();
  auto alice = connect();
  auto bob = connect();
  EXPECT_FALSE(alice.call("session.open", {{"client", "x"}, {"candidate", "own"}}));
  ASSERT_TRUE(alice.call("session.open", {{"client", "x"}, {"candidate", "private"}}));
  ASSERT_TRUE(bob.call("session.open", {{"client", "x"}, {"candidate", "private"}}));
  const auto load = [](Client& client, const char* text) {
    return client.call("configuration.load", {{"action", "set"}, {"text", text}}).has_value();
  };
  EXPECT_TRUE(load(alice, "set interfaces eth0 mtu 1400"));
  EXPECT_TRUE(load(bob, "set interfaces eth0 mtu 1500"));
  ASSERT_TRUE(alice.call("configuration.commit"));
  const auto refused = bob.call("configuration.commit");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::Conflict);
  const auto updated = bob.call("configuration.update");
  ASSERT_TRUE(updated);
  EXPECT_EQ((*updated)["diagnostics"][0]["level"], "interfaces eth0");
  EXPECT_EQ((*updated)["diagnostics"][0]["code"], "conflict");
  EXPECT_TRUE(bob.call("configuration.commit"));

  auto carol = connect();
  ASSERT_TRUE(carol.call("configuration.lock"));
  EXPECT_EQ(bob.call("configuration.commit").error().code, base::Code::Locked);
  auto dave = connect();
  EXPECT_EQ(dave.call("configuration.load", {{"text", "system { host-name x; }"}}).error().code,
            base::Code::Locked);
  EXPECT_EQ(dave.call("configuration.unlock").error().code, base::Code::Conflict);
  EXPECT_TRUE(load(carol, "set system host-name r9"));
  ASSERT_TRUE(carol.call("configuration.unlock"));
  const auto left = carol.call("configuration.compare", {{"format", "set"}});
  ASSERT_TRUE(left);
  EXPECT_EQ((*left)["text"], "");
}

}  // namespace
}  // namespace millrace::server
