// SPDX-License-Identifier: GPL-2.0-or-later
//
// The server on a real socket, with an engine that has no system: limits, order, and that nobody
// waits for somebody else.
#include "server/server.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>

#include "tree/text.h"
#include "unit/server/server_fixture.h"

namespace millrace::server {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST_F(ServerTest, A_session_opens_and_runs_lines) {
  serve();
  auto client = connect();
  const auto opened = client.call("session.open", {{"client", "cli"}, {"version", 1}});
  ASSERT_TRUE(opened) << opened.error().to_string();
  EXPECT_EQ((*opened)["mode"], "operational");
  const auto reply = client.call("line.execute", {{"line", "configure"}});
  ASSERT_TRUE(reply);
  EXPECT_EQ((*reply)["output"], "Entering configuration mode\n");
  EXPECT_EQ((*reply)["banner"], "[edit]");
}

TEST_F(ServerTest, A_batch_stops_at_a_question) {
  serve();
  auto client = connect();
  const json lines = {"configure", "set system host-name r7", "exit", "show system"};
  const auto result = client.call("line.batch", {{"lines", lines}});
  ASSERT_TRUE(result);
  ASSERT_EQ((*result)["replies"].size(), 3U);
  EXPECT_TRUE((*result)["replies"][2].contains("ask"));
  const auto answered = client.call("line.answer", {{"text", "yes"}});
  EXPECT_EQ((*answered)["output"], "Exiting configuration mode\n");
}

TEST_F(ServerTest, Programs_load_compare_and_commit) {
  serve();
  auto client = connect();
  const auto loaded =
      client.call("configuration.load", {{"text", "system { host-name r7; frob 1; }"}});
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_EQ((*loaded)["errors"].size(), 1U);
  const auto compared = client.call("configuration.compare", {{"format", "set"}});
  EXPECT_EQ((*compared)["text"], "set system host-name r7\n");
  EXPECT_FALSE(client.call("configuration.commit", {{"comment", "two\nlines"}}));
  const auto committed = client.call("configuration.commit", {{"comment", "by program"}});
  ASSERT_TRUE(committed) << committed.error().to_string();
  EXPECT_EQ((*committed)["revision"], 2);
  const auto shown = client.call("configuration.get", {{"format", "set"}, {"path", {"system"}}});
  EXPECT_EQ((*shown)["text"], "set system host-name r7\n");
  const auto unknown = client.call("configuration.get", {{"path", {"frobnicate"}}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, base::Code::UnknownPath);
}

TEST_F(ServerTest, A_notice_reaches_everybody_but_who_caused_it) {
  serve();
  auto alice = connect();
  auto bob = connect();
  std::string heard;
  const auto listen = [&](const std::string& method, const json& params) {
    heard += method + ": " + params.value("text", "") + ";";
  };
  alice.on_notification = listen;
  bob.on_notification = listen;
  const auto number = (*alice.call("session.open", {{"client", "cli"}}))["session"];
  ASSERT_TRUE(bob.call("session.open", {{"client", "cli"}}));
  services.notices.broadcast("the commit was rolled back", number.get<std::uint64_t>());
  ASSERT_TRUE(alice.call("line.execute", {{"line", ""}}));
  EXPECT_EQ(heard, "");
  ASSERT_TRUE(bob.call("line.execute", {{"line", ""}}));
  EXPECT_EQ(heard, "notice: the commit was rolled back;");
}

TEST_F(ServerTest, A_refused_commit_carries_its_diagnostics) {
  engine.findings.error(base::Code::Constraint, "system", "'x'", "may not be");
  serve();
  auto client = connect();
  const auto committed = client.call("configuration.commit");
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, base::Code::Constraint);
  const auto checked = client.call("configuration.check");
  EXPECT_EQ((*checked)["diagnostics"][0]["message"], "may not be");
}

TEST_F(ServerTest, Unknown_methods_and_missing_parameters_are_errors_and_the_session_goes_on) {
  serve();
  auto client = connect();
  EXPECT_THAT(client.call("frobnicate").error().message, HasSubstr("no method 'frobnicate'"));
  EXPECT_THAT(client.call("line.execute").error().message, HasSubstr("line is missing"));
  EXPECT_THAT(client.call("line.batch", {{"lines", 3}}).error().message, HasSubstr("lines"));
  // Refused as a whole: nothing of it has been done.
  EXPECT_THAT(client.call("line.batch", {{"lines", {"configure", 3}}}).error().message,
              HasSubstr("not a string"));
  EXPECT_THAT(client.call("line.batch", {{"lines", {"exit configuration-mode"}}}).value().dump(),
              ::testing::Not(HasSubstr("Exiting")));
  EXPECT_TRUE(client.call("line.execute", {{"line", ""}}));
}

TEST_F(ServerTest, What_is_no_message_ends_the_connection_with_a_reason) {
  serve();
  const auto fd = raw();
  const std::string bad = frame(std::string_view("not json"));
  ASSERT_EQ(::write(fd.get(), bad.data(), bad.size()), static_cast<ssize_t>(bad.size()));
  shutdown(fd.get(), SHUT_WR);
  EXPECT_THAT(receive_all(fd), HasSubstr("the message is not JSON"));
}

TEST_F(ServerTest, A_message_over_the_limit_is_refused_before_it_is_read) {
  serve({.connections = 64,
         .message = 1000,
         .queued = 1000,
         .half_message = std::chrono::seconds(30)});
  const auto fd = raw();
  const std::string header("\0\0\4\0", 4);
  ASSERT_EQ(::write(fd.get(), header.data(), header.size()), 4);
  shutdown(fd.get(), SHUT_WR);
  EXPECT_THAT(receive_all(fd), HasSubstr("longer than 1000 bytes"));
}

TEST_F(ServerTest, Half_a_message_is_given_up_after_a_while) {
  Limits limits;
  limits.half_message = std::chrono::milliseconds(50);
  serve(limits);
  const auto fd = raw();
  ASSERT_EQ(::write(fd.get(), "\0\0", 2), 2);
  EXPECT_EQ(receive_all(fd), "");  // ends, and does not hang
}

TEST_F(ServerTest, Connections_over_the_limit_are_told_so) {
  Limits limits;
  limits.connections = 1;
  serve(limits);
  auto first = connect();
  ASSERT_TRUE(first.call("line.execute", {{"line", ""}}));
  auto second = connect();
  EXPECT_THAT(second.call("line.execute", {{"line", ""}}).error().message,
              HasSubstr("too many connections"));
}

TEST_F(ServerTest, A_client_that_does_not_read_delays_nobody) {
  services.candidate.reset([] {
    tree::Editor editor{tree::ConfigTree(templates())};
    std::string text;
    for (int unit = 0; unit < 2000; ++unit) {
      text += "set interfaces eth0 unit " + std::to_string(unit) + " description some-text-here\n";
    }
    tree::load(editor, {}, text, tree::LoadAction::Set);
    return editor.tree();
  }());
  Limits limits;
  limits.queued = 100000;
  serve(limits);
  std::vector<base::Fd> deaf;
  for (int count = 0; count < 8; ++count) {
    deaf.push_back(raw());
    std::string requests;
    for (int id = 0; id < 50; ++id) {
      requests += frame(json{{"jsonrpc", "2.0"},
                             {"id", id},
                             {"method", "configuration.get"},
                             {"params", {{"source", "candidate"}}}});
    }
    ASSERT_EQ(::send(deaf.back().get(), requests.data(), requests.size(), 0),
              static_cast<ssize_t>(requests.size()));
  }
  auto client = connect();
  EXPECT_TRUE(client.call("line.execute", {{"line", "show version"}}));
}

TEST_F(ServerTest, Reads_and_edits_go_on_during_a_commit_and_commits_wait_for_each_other) {
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<int> commits = 0;
  engine.while_committing = [&] {
    if (commits++ == 0) {
      begun.set_value();
      go_on.get_future().wait();
    }
  };
  serve();
  auto slow = std::async(std::launch::async, [&] {
    auto client = connect();
    return client.call("configuration.commit").has_value();
  });
  begun.get_future().wait();
  auto second = std::async(std::launch::async, [&] {
    auto client = connect();
    return client.call("configuration.commit").has_value();
  });
  auto client = connect();
  EXPECT_TRUE(client.call("line.execute", {{"line", "configure"}}));
  EXPECT_EQ((*client.call("line.execute", {{"line", "set system host-name r7"}}))["status"], "ok");
  EXPECT_EQ(commits, 1);
  go_on.set_value();
  EXPECT_TRUE(slow.get());
  EXPECT_TRUE(second.get());
  EXPECT_EQ(commits, 2);
}

TEST_F(ServerTest, Stopping_lets_the_present_commit_end) {
  std::promise<void> begun;
  std::promise<void> go_on;
  engine.while_committing = [&] {
    begun.set_value();
    go_on.get_future().wait();
  };
  serve();
  auto client = connect();
  auto reply = std::async(std::launch::async, [&] { return client.call("configuration.commit"); });
  begun.get_future().wait();
  server_->stop();
  go_on.set_value();
  thread_.join();
  EXPECT_EQ(engine.revisions().size(), 2U);
  static_cast<void>(reply.get());
}

TEST_F(ServerTest, An_edit_of_a_client_that_dies_stays_and_its_session_is_forgotten) {
  serve();
  {
    auto client = connect();
    ASSERT_TRUE(client.call("line.execute", {{"line", "configure"}}));
    ASSERT_TRUE(client.call("line.execute", {{"line", "set system host-name r7"}}));
  }
  for (int tries = 0; tries < 500 && !services.sessions.to_string().empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(services.sessions.to_string(), "");
  EXPECT_EQ(run("configure").ok, true);
  EXPECT_EQ(run("show system").output, "host-name r7;\n");
}

}  // namespace
}  // namespace millrace::server
