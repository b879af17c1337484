// SPDX-License-Identifier: GPL-2.0-or-later
//
// The real FRR, and a vty socket that does not behave.
#include "system/frr_vty.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <format>

#include "base/fd.h"
#include "support/network_namespace.h"
#include "system/frr_answer.h"

namespace millrace::system {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FrrVty : public test::FrrDaemons {
 protected:
  std::string running() { return frr_->show(FrrDaemon::Mgmtd, "show running-config").value(); }

  std::unique_ptr<Frr> frr_ = make_frr({});
};

TEST_F(FrrVty, Configures_static_routes_through_mgmtd) {
  const auto replies = frr_->configure(
      FrrDaemon::Mgmtd, {"ip route 203.0.113.0/24 192.0.2.9 5", "ipv6 route ::/0 fe80::1 eth0 5"});
  ASSERT_TRUE(replies) << replies.error().to_string();
  ASSERT_EQ(replies->size(), 3U);
  for (const FrrReply& reply : *replies) {
    EXPECT_FALSE(reply.refused()) << reply.line << ": " << reply.text;
  }
  EXPECT_THAT(running(), HasSubstr("\nip route 203.0.113.0/24 192.0.2.9 5\n"));
  EXPECT_THAT(running(), HasSubstr("\nipv6 route ::/0 fe80::1 eth0 5\n"));
}

TEST_F(FrrVty, Takes_all_lines_of_a_transaction_or_none) {
  const auto refused_line =
      frr_->configure(FrrDaemon::Mgmtd, {"ip route 203.0.113.0/24 192.0.2.9 5", "ip rout", "end"});
  ASSERT_TRUE(refused_line) << refused_line.error().to_string();
  EXPECT_EQ(refused_line->size(), 2U);
  EXPECT_TRUE(refused_line->back().refused());

  const auto refused_whole = frr_->configure(
      FrrDaemon::Mgmtd,
      {"ip route 198.51.100.0/24 blackhole 5", "ip route 198.51.100.0/24 192.0.2.9 5"});
  ASSERT_TRUE(refused_whole) << refused_whole.error().to_string();
  EXPECT_TRUE(refused_whole->back().refused());
  EXPECT_THAT(refused_whole->back().text, HasSubstr("blackhole and non-blackhole"));

  // Nor does the next transaction carry what these left behind.
  ASSERT_TRUE(frr_->configure(FrrDaemon::Mgmtd, {"ip route 192.0.2.128/25 192.0.2.9 5"}));
  EXPECT_THAT(running(), HasSubstr("192.0.2.128/25"));
  EXPECT_THAT(running(), Not(HasSubstr("203.0.113.0")));
  EXPECT_THAT(running(), Not(HasSubstr("198.51.100.0")));
}

std::string all_of(FrrAnswer& answer) {
  std::string text;
  for (auto piece = answer.next(); piece && !piece->empty(); piece = answer.next()) {
    text += *piece;
  }
  return text;
}

TEST_F(FrrVty, Answers_piece_by_piece_say_the_same) {
  std::vector<std::string> lines;
  for (int number = 0; number < 600; ++number) {
    lines.push_back(std::format("ip route 10.{}.{}.0/24 192.0.2.9 5", number / 256, number % 256));
  }
  ASSERT_TRUE(frr_->configure(FrrDaemon::Mgmtd, lines));
  const std::string whole = running();
  const auto answer = ask(*frr_, FrrDaemon::Mgmtd, "show running-config");
  ASSERT_TRUE(answer) << answer.error().to_string();
  EXPECT_EQ(all_of(**answer), whole);
  EXPECT_EQ((*answer)->next().value(), "");  // and stays at its end

  const auto refused = ask(*frr_, FrrDaemon::Zebra, "show nothing");
  ASSERT_TRUE(refused) << refused.error().to_string();
  const auto said = (*refused)->next();
  ASSERT_FALSE(said);
  EXPECT_THAT(said.error().message, HasSubstr("zebra refused 'show nothing'"));

  // A prefix without a route is a warning to zebra, and an answer to us.
  const auto none = ask(*frr_, FrrDaemon::Zebra, "show ip route 203.0.113.77/32 json");
  ASSERT_TRUE(none) << none.error().to_string();
  EXPECT_THAT(all_of(**none), HasSubstr("{}"));
}

TEST_F(FrrVty, Follows_one_transaction_with_the_next) {
  // mgmtd answers before it has released the locks of the one before.
  for (int number = 0; number < 20; ++number) {
    const auto replies = frr_->configure(
        FrrDaemon::Mgmtd, {std::format("ip route 10.{}.0.0/16 192.0.2.9 5", number)});
    ASSERT_TRUE(replies) << replies.error().to_string();
    ASSERT_FALSE(replies->back().refused()) << replies->back().line << ": " << replies->back().text;
  }
  EXPECT_THAT(running(), HasSubstr("ip route 10.19.0.0/16 192.0.2.9 5"));
}

// Leaves lines in mgmtd's candidate, which is everybody's, as a lost connection does.
void leave_in_candidate(std::string_view line) {
  const base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string_view("/run/frr/mgmtd.vty").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const std::string_view each :
       {std::string_view("enable"), std::string_view("configure terminal file-lock"),
        std::string_view("XFRR_start_configuration"), line}) {
    const std::string bytes = std::string(each) + '\0';
    ASSERT_EQ(::write(socket.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    std::string answer;
    char byte = 0;
    while (!answer.ends_with(std::string_view("\0\0\0", 3)) &&
           ::read(socket.get(), &byte, 1) == 1) {
      answer.push_back(byte);
    }
    ASSERT_EQ(::read(socket.get(), &byte, 1), 1);
    ASSERT_EQ(byte, 0) << each << ": " << answer;
  }
}

TEST_F(FrrVty, Is_not_kept_from_its_work_by_what_others_left_in_the_candidate) {
  ASSERT_TRUE(frr_->configure(FrrDaemon::Mgmtd, {"ip route 203.0.113.0/24 192.0.2.9 5"}));
  leave_in_candidate("ip route 203.0.113.0/24 blackhole 5");  // refused beside the other
  const auto replies = frr_->configure(FrrDaemon::Mgmtd, {"ip route 198.51.100.0/24 192.0.2.9 5"});
  ASSERT_TRUE(replies) << replies.error().to_string();
  EXPECT_FALSE(replies->back().refused()) << replies->back().text;
  EXPECT_THAT(running(), HasSubstr("198.51.100.0/24"));
  EXPECT_THAT(running(), Not(HasSubstr("blackhole")));
}

TEST_F(FrrVty, Waits_for_a_daemon_that_hangs_once) {
  using Clock = std::chrono::steady_clock;
  for (const FrrDaemon daemon : {FrrDaemon::Zebra, FrrDaemon::Mgmtd}) {
    const std::string name(to_string(daemon));
    const auto frr = make_frr(
        {.connect = std::chrono::milliseconds(600), .stranger = std::chrono::milliseconds(10)});
    ASSERT_TRUE(frr->answers(daemon));
    const int pid = std::stoi(base::read_file("/run/frr/" + name + ".pid").value());
    ASSERT_EQ(::kill(pid, SIGSTOP), 0);
    const auto begin = Clock::now();
    const auto first = frr->answers(daemon);
    const auto between = Clock::now();
    const auto second = frr->show(daemon, "show version");
    const auto end = Clock::now();
    ASSERT_EQ(::kill(pid, SIGCONT), 0);
    ASSERT_FALSE(first);
    EXPECT_THAT(first.error().message, HasSubstr(name + " did not answer within "));
    EXPECT_FALSE(second);
    EXPECT_GE(between - begin, std::chrono::milliseconds(600));
    EXPECT_LT(between - begin, std::chrono::milliseconds(1100));
    EXPECT_LT(end - between, std::chrono::milliseconds(500));
  }
}

TEST_F(FrrVty, Waits_for_a_daemon_that_is_restarting) {
  ASSERT_TRUE(frr_->answers(FrrDaemon::Mgmtd));
  stop("mgmtd", SIGKILL);
  std::thread restart([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    start("mgmtd");
  });
  const auto text = frr_->show(FrrDaemon::Mgmtd, "show version");
  restart.join();
  ASSERT_TRUE(text) << text.error().to_string();
  EXPECT_THAT(*text, HasSubstr("FRRouting"));
}

TEST_F(FrrVty, Works_with_a_daemon_that_was_restarted_since_it_was_last_asked) {
  ASSERT_TRUE(frr_->configure(FrrDaemon::Mgmtd, {"ip route 203.0.113.0/24 192.0.2.9 5"}));
  for (int round = 0; round < 2; ++round) {
    stop("mgmtd", SIGKILL);
    start("mgmtd");
    EXPECT_THAT(running(), Not(HasSubstr("203.0.113.0")));
    const auto replies = frr_->configure(FrrDaemon::Mgmtd, {"ip route 203.0.113.0/24 192.0.2.9 5"});
    ASSERT_TRUE(replies) << replies.error().to_string();
    EXPECT_FALSE(replies->back().refused()) << replies->back().text;
    EXPECT_THAT(running(), HasSubstr("203.0.113.0"));
  }
}

TEST(FrrVtyWithoutDaemons, Says_which_daemon_does_not_listen) {
  // With the patience for a daemon that answered before, which this one never did.
  const auto frr = make_frr({.sockets = "/nonexistent"});
  const auto begin = std::chrono::steady_clock::now();
  const auto text = frr->show(FrrDaemon::Staticd, "show version");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, base::Code::Io);
  EXPECT_EQ(text.error().message,
            "staticd does not listen at /nonexistent/staticd.vty: No such file or directory");
}

// A daemon that accepts connections, reads `reads` lines and answers each with `answer`.
class FalseDaemon {
 public:
  FalseDaemon(const std::filesystem::path& folder, int lines, std::string answer)
      : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder / "zebra.vty";
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_.get(), 1), 0);
    thread_ = std::thread([this, lines, answer = std::move(answer)] { serve(lines, answer); });
  }
  ~FalseDaemon() { thread_.join(); }

 private:
  void serve(int lines, const std::string& answer) {
    const base::Fd peer(::accept(socket_.get(), nullptr, nullptr));
    char byte = 0;
    while (::read(peer.get(), &byte, 1) == 1) {
      if (byte == '\0' && lines-- > 0) {
        EXPECT_EQ(::write(peer.get(), answer.data(), answer.size()),
                  static_cast<ssize_t>(answer.size()));
      }
      if (byte == '\0' && lines == 0 && answer.empty()) {
        return;
      }
    }
  }

  base::Fd socket_;
  std::thread thread_;
};

class FrrVtyWithFalseDaemon : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "millrace-vty.XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(FrrVtyWithFalseDaemon, Gives_up_on_a_daemon_that_does_not_answer) {
  const FalseDaemon daemon(folder_, 0, "silence");
  const auto frr = make_frr({.sockets = folder_, .reply = std::chrono::milliseconds(50)});
  const auto text = frr->show(FrrDaemon::Zebra, "show version");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, base::Code::Io);
  EXPECT_THAT(text.error().message, HasSubstr("did not answer"));
}

TEST_F(FrrVtyWithFalseDaemon, Gives_up_on_a_daemon_whose_queue_of_connections_is_full) {
  const base::Fd daemon(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (folder_ / "zebra.vty").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(daemon.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(daemon.get(), 0), 0);
  const auto frr = make_frr({.sockets = folder_, .stranger = std::chrono::milliseconds(20)});
  for (int i = 0; i < 4; ++i) {
    const auto text = frr->show(FrrDaemon::Zebra, "show version");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, base::Code::Io);
  }
}

TEST_F(FrrVtyWithFalseDaemon, Says_where_the_connection_broke) {
  const FalseDaemon daemon(folder_, 1, {});
  const auto frr = make_frr({.sockets = folder_});
  const auto text = frr->show(FrrDaemon::Zebra, "show version");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "zebra closed the connection at 'enable'");
}

TEST_F(FrrVtyWithFalseDaemon, Reports_the_status_and_the_words_of_a_refusal) {
  const FalseDaemon daemon(folder_, 9, std::string("no\0\0\0\0", 6));
  const auto frr = make_frr({.sockets = folder_});
  EXPECT_EQ(frr->show(FrrDaemon::Zebra, "show version").value(), "no");
}

}  // namespace
}  // namespace millrace::system
