// SPDX-License-Identifier: GPL-2.0-or-later
//
// FRR is the judge: random policies are compiled for a real bgpd between two speakers of BGP. One
// announces random routes, the other records what comes through, and that must be what the
// evaluator of Junos policies says. Both sessions are internal, so that all attributes travel, and
// bgpd reflects with its outbound policies in force.
//
// On the way every object must print as it was rendered: what `show running-config` says reads back
// as the objects that were made.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <future>
#include <map>
#include <optional>
#include <thread>

#include "appliers/policy/compiler.h"
#include "support/bgp_speaker.h"
#include "support/junos_policy.h"
#include "support/network_namespace.h"
#include "support/random_policy.h"
#include "system/frr_vty.h"
#include "world.h"

namespace millrace::test {
namespace {

using appliers::FrrConfig;
using appliers::policy::Compiled;
using appliers::policy::Compiler;
using appliers::policy::Direction;
using appliers::policy::Use;
using namespace std::chrono_literals;

constexpr const char* kFeeder = "192.0.2.1";
constexpr const char* kReceiver = "192.0.2.2";
constexpr const char* kOwn = "192.0.2.100";
constexpr std::uint32_t kAs = 64999;

base::Fd connect_from(const char* address) {
  base::Fd socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in own{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
  ::inet_pton(AF_INET, address, &own.sin_addr);
  sockaddr_in router{.sin_family = AF_INET, .sin_port = htons(179), .sin_addr = {}, .sin_zero = {}};
  ::inet_pton(AF_INET, kOwn, &router.sin_addr);
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&own), sizeof own), 0);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&router), sizeof router), 0)
      << std::generic_category().message(errno);
  return socket;
}

class PolicyInFrr : public FrrDaemons {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/lib/frr/bgpd")) {
      GTEST_SKIP() << "needs FRR's bgpd";
    }
    FrrDaemons::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    command({"ip", "addr", "add", std::string(kOwn) + "/24", "dev", "eth0"});
    command({"ip", "link", "set", "eth0", "up"});
    start("bgpd");
    frr_ = system::make_frr({});
    configure({std::format("router bgp {}", kAs), "bgp router-id 192.0.2.100", "coalesce-time 0",
               "bgp route-reflector allow-outbound-policy",
               std::format("neighbor {} remote-as {}", kFeeder, kAs),
               std::format("neighbor {} passive", kFeeder),
               std::format("neighbor {} remote-as {}", kReceiver, kAs),
               std::format("neighbor {} passive", kReceiver), "address-family ipv4 unicast",
               std::format("neighbor {} route-reflector-client", kFeeder),
               std::format("neighbor {} route-reflector-client", kReceiver)});
    connect();
  }

  void TearDown() override {
    stop("bgpd", SIGTERM);
    FrrDaemons::TearDown();
  }

  // The speakers live in a namespace of their own, which their sockets keep: a router is no
  // neighbour of itself.
  void connect() {
    std::promise<pid_t> inside;
    std::promise<void> moved;
    std::thread speakers([&] {
      EXPECT_EQ(::unshare(CLONE_NEWNET), 0);
      inside.set_value(::gettid());
      moved.get_future().wait();
      for (const char* const address : {kFeeder, kReceiver}) {
        command({"ip", "addr", "add", std::string(address) + "/24", "dev", "eth0peer"});
      }
      command({"ip", "link", "set", "eth0peer", "up"});
      establish(feeder_, kFeeder, 1);
      establish(receiver_, kReceiver, 2);
    });
    const pid_t thread = inside.get_future().get();
    command({"ip", "link", "set", "eth0peer", "netns", std::to_string(thread)});
    moved.set_value();
    speakers.join();
    ASSERT_TRUE(feeder_ && receiver_);
  }

  // A neighbour that has just been configured may still refuse sessions.
  static void establish(std::optional<support::BgpSpeaker>& speaker, const char* address,
                        std::uint32_t id) {
    for (int tries = 0; tries < 50 && !speaker; ++tries) {
      try {
        speaker.emplace(connect_from(address), kAs, id);
        if (speaker->establish(5s)) {
          return;
        }
      } catch (const std::runtime_error&) {
        std::this_thread::sleep_for(200ms);
      }
      speaker.reset();
    }
  }

  void configure(const std::vector<std::string>& lines) {
    const auto replies = frr_->configure(system::FrrDaemon::Bgpd, lines);
    ASSERT_TRUE(replies) << replies.error().to_string();
    ASSERT_TRUE(replies->empty() || !replies->back().refused())
        << replies->back().line << ": " << replies->back().text;
  }

  FrrConfig running() {
    const auto text = frr_->show(system::FrrDaemon::Bgpd, "show running-config");
    EXPECT_TRUE(text) << text.error().to_string();
    return text ? appliers::parse_frr_config(*text) : FrrConfig();
  }

  // Puts the route-map between the speakers and takes the one before away.
  void use(const Compiled& compiled, bool import) {
    const FrrConfig before = running();
    FrrConfig after = before;
    std::erase_if(after, [](const auto& entry) { return appliers::is_policy(entry.first.kind); });
    for (const auto& object : compiled.objects) {
      after[object.key] = *object.content;
    }
    configure(appliers::frr_commands(before, after, commit::Phase::Build));
    std::vector<std::string> lines{std::format("router bgp {}", kAs),
                                   "address-family ipv4 unicast"};
    if (!attached_.empty()) {
      lines.push_back("no " + attached_);
    }
    attached_ = std::format("neighbor {} route-map {} {}", import ? kFeeder : kReceiver,
                            compiled.route_map, import ? "in" : "out");
    lines.push_back(attached_);
    configure(lines);
    configure(appliers::frr_commands(running(), after, commit::Phase::Retire));
    const FrrConfig now = running();
    for (const auto& object : compiled.objects) {
      const auto found = now.find(object.key);
      ASSERT_NE(found, now.end()) << object.key.name << " is not there";
      EXPECT_TRUE(found->second == *object.content)
          << "FRR has\n"
          << appliers::to_text({{object.key, found->second}}) << "made was\n"
          << appliers::to_text({{object.key, *object.content}});
    }
  }

  // Announces `routes` and takes what the receiver gets, until that is as many as `expected` and
  // nothing more comes.
  std::map<base::Prefix, support::Route> through(const std::vector<support::Route>& routes,
                                                 std::size_t expected) {
    for (const support::Route& route : routes) {
      feeder_->announce(route);
    }
    await([&] { return receiver_->received().size() >= expected; });
    receiver_->listen(100ms);
    auto received = receiver_->received();
    for (const support::Route& route : routes) {
      feeder_->withdraw(route.prefix);
    }
    await([&] { return receiver_->received().empty(); });
    EXPECT_TRUE(receiver_->received().empty());
    return received;
  }

  template <class Done>
  void await(Done done) {
    for (const auto end = std::chrono::steady_clock::now() + 10s;
         !done() && std::chrono::steady_clock::now() < end;) {
      receiver_->listen(20ms);
    }
  }

  std::unique_ptr<system::Frr> frr_;
  std::optional<support::BgpSpeaker> feeder_;
  std::optional<support::BgpSpeaker> receiver_;
  std::string attached_;
};

std::vector<support::Route> routes_of(support::RandomPolicy& policy) {
  std::map<base::Prefix, support::Route> routes;
  for (int n = 0; n < 60; ++n) {
    support::Route route = policy.route();
    route.protocol = "bgp";
    route.neighbor = kFeeder;
    route.tag = 0;
    routes.emplace(route.prefix, std::move(route));
  }
  std::vector<support::Route> list;
  for (auto& [prefix, route] : routes) {
    list.push_back(std::move(route));
  }
  return list;
}

// As the receiver would see it.
std::string on_the_wire(support::Outcome outcome) {
  outcome.route.neighbor.clear();
  outcome.route.protocol = "bgp";
  outcome.route.tag = 0;
  return outcome.to_string();
}

TEST_F(PolicyInFrr, Refuses_a_bad_line_of_many) {
  const auto refused = [&](const std::vector<std::string>& lines) {
    const auto replies = frr_->configure(system::FrrDaemon::Bgpd, lines);
    EXPECT_TRUE(replies);
    return replies && replies->back().refused() ? replies->back().line : std::string();
  };
  EXPECT_EQ(refused({"ip prefix-list x seq 1 permit 10.0.0.0/8"}), "");
  EXPECT_EQ(refused({"ip prefix-list x seq 2 permit 11.0.0.0/8",
                     "ip prefix-list x seq 3 permit 10.0.0.0/8 ge 33"}),
            "ip prefix-list x seq 3 permit 10.0.0.0/8 ge 33");
  EXPECT_TRUE(running().contains({appliers::FrrKind::PrefixList, "x"}));
  // A jump backwards is taken without a word, and is not there: only reading back tells.
  EXPECT_EQ(refused({"route-map m permit 5", "on-match goto 3", "exit"}), "");
  EXPECT_FALSE(appliers::to_text(running()).contains("goto"));
}

TEST_F(PolicyInFrr, Decides_as_Junos_does) {
  support::Random random;
  int judged = 0;
  int accepted = 0;
  for (int round = 0; judged < 20 && round < 200; ++round) {
    const bool import = round % 2 == 0;
    support::RandomPolicy policy(random, import);
    const std::string lines = policy.definitions();
    const auto chain = policy.chain();
    const auto routes = routes_of(policy);
    const tree::ConfigTree tree = tree_of(lines);
    Use use;
    use.direction = import ? Direction::Import : Direction::Export;
    use.chain = chain;
    use.neighbor = *base::IpAddress::parse(import ? kFeeder : kReceiver);
    base::Diagnostics findings;
    Compiler compiler(tree);
    const Compiled compiled = compiler.compile(use, findings);
    if (findings.has_errors() || compiled.objects.back().content->lines.size() > 3000) {
      continue;  // FRR cannot, or only slowly
    }
    ++judged;
    SCOPED_TRACE(lines + "chain " + ::testing::PrintToString(chain));
    ASSERT_NO_FATAL_FAILURE(this->use(compiled, import));
    const support::JunosPolicy junos(tree, {import, import ? kFeeder : kReceiver, kOwn});
    std::map<base::Prefix, support::Outcome> wanted;
    for (const support::Route& route : routes) {
      support::Outcome outcome = junos.evaluate(chain, route);
      // no-advertise: bgpd tells nobody, whatever the policy says.
      const bool kept = (import ? outcome.route : route).communities.contains(0xFFFFFF02);
      wanted[route.prefix] = kept ? support::Outcome() : std::move(outcome);
    }
    const auto count =
        std::ranges::count_if(wanted, [](const auto& entry) { return entry.second.accepted; });
    const auto received = through(routes, static_cast<std::size_t>(count));
    accepted += static_cast<int>(count);
    for (const support::Route& route : routes) {
      const auto found = received.find(route.prefix);
      const support::Outcome got =
          found == received.end() ? support::Outcome() : support::Outcome{true, found->second};
      ASSERT_EQ(on_the_wire(got), on_the_wire(wanted[route.prefix])) << route.to_string();
    }
  }
  EXPECT_EQ(judged, 20);
  EXPECT_GT(accepted, 20);
}

}  // namespace
}  // namespace millrace::test
