// SPDX-License-Identifier: GPL-2.0-or-later
//
// What golden cases cannot show: the real FRR, and the text it prints.
#include <gmock/gmock.h>

#include <chrono>
#include <format>

#include "appliers/static_lines.h"
#include "appliers/static_readback.h"
#include "support/fake_system.h"
#include "support/network_namespace.h"
#include "system/frr_vty.h"
#include "unit/appliers/world.h"

namespace millrace::appliers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(StaticLines, Reads_routes_of_the_default_VRF_only) {
  const auto routes = parse_static_routes(
      "frr version 10.3\n!\nip route 192.0.2.0/24 203.0.113.9 5\n"
      "ip route 192.0.2.0/24 203.0.113.10 tag 7 5\nvrf red\n ip route 10.0.0.0/8 10.1.1.1\n"
      "exit-vrf\nipv6 route ::/0 fe80::1 eth0 5\nip router-id 1.1.1.1\n!");
  ASSERT_EQ(routes.size(), 2U);
  EXPECT_THAT(routes.at(base::Prefix::parse("192.0.2.0/24").value()),
              ElementsAre("ip route 192.0.2.0/24 203.0.113.10 tag 7 5",
                          "ip route 192.0.2.0/24 203.0.113.9 5"));
  EXPECT_THAT(routes.at(base::Prefix::parse("::/0").value()),
              ElementsAre("ipv6 route ::/0 fe80::1 eth0 5"));
}

TEST(StaticLines, Of_a_single_route_are_read_from_mgmtds_data) {
  const auto prefix = base::Prefix::parse("10.0.7.0/24").value();
  const auto lines = parse_static_data(prefix, R"json({"frr-staticd:route-list": [{
      "prefix": "10.0.7.0/24", "src-prefix": "::/0", "afi-safi": "frr-routing:ipv4-unicast",
      "path-list": [
        {"table-id": 0, "distance": 1, "frr-nexthops": {"nexthop": [
          {"nh-type": "ip4", "vrf": "default", "gateway": "192.0.2.9", "interface": "(null)"}]}},
        {"table-id": 0, "distance": 6, "tag": 9, "frr-nexthops": {"nexthop": [
          {"nh-type": "ip4-ifindex", "vrf": "default", "gateway": "192.0.2.9", "interface": "eth0"},
          {"nh-type": "ifindex", "vrf": "default", "gateway": "", "interface": "eth1"}]}}]}]})json");
  ASSERT_TRUE(lines);
  EXPECT_THAT(*lines, ElementsAre("ip route 10.0.7.0/24 192.0.2.9",
                                  "ip route 10.0.7.0/24 192.0.2.9 eth0 tag 9 6",
                                  "ip route 10.0.7.0/24 eth1 tag 9 6"));
  EXPECT_THAT(*parse_static_data(prefix, "(null)\n"), ElementsAre());
}

TEST(StaticLines, Of_a_route_with_something_unknown_are_not_guessed) {
  const auto prefix = base::Prefix::parse("10.0.7.0/24").value();
  for (const char* const hop :
       {R"("nh-type": "ip4", "vrf": "red", "gateway": "192.0.2.9")",
        R"("nh-type": "ip4", "vrf": "default", "gateway": "192.0.2.9", "bfd-monitoring": {})",
        R"("nh-type": "ip4", "vrf": "default", "gateway": "192.0.2.9", "onlink": true)",
        R"("nh-type": "teleport", "vrf": "default", "gateway": "")"}) {
    EXPECT_FALSE(parse_static_data(
        prefix, std::string(R"({"frr-staticd:route-list": [{"path-list": [{"table-id": 0,
                   "distance": 5, "frr-nexthops": {"nexthop": [{)") +
                    hop + "}]}}]}]}"))
        << hop;
  }
  EXPECT_FALSE(parse_static_data(prefix, "% Unknown command"));
}

// Where the next hops of these tests are.
constexpr const char* kNetworks =
    "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
    "set interfaces eth0 unit 0 family inet6 address 2001:db8::1/64\n";

TEST(StaticRoutes, Need_a_next_hop_on_a_network_unless_they_are_resolved) {
  const auto lines = [](const std::string& more) {
    const auto tree = test::tree_of(kNetworks + more);
    std::vector<std::string> all;
    for (const auto& [prefix, of_route] : all_static_routes(tree)) {
      all.insert(all.end(), of_route.begin(), of_route.end());
    }
    return all;
  };
  const std::string far = "set routing-options static route 10.0.0.0/8 next-hop 10.9.9.9\n";
  EXPECT_THAT(lines(far), ElementsAre());
  EXPECT_THAT(lines(far + "set routing-options static route 10.0.0.0/8 resolve\n"),
              ElementsAre("ip route 10.0.0.0/8 10.9.9.9 5"));
  EXPECT_THAT(lines(far + "set routing-options static defaults resolve\n"),
              ElementsAre("ip route 10.0.0.0/8 10.9.9.9 5"));
  EXPECT_THAT(lines(far + "set routing-options static defaults resolve\n"
                          "set routing-options static route 10.0.0.0/8 no-resolve\n"),
              ElementsAre());
  EXPECT_THAT(
      lines("set routing-options static route 10.0.0.0/8 next-hop [ 10.9.9.9 192.0.2.9 ]\n"),
      ElementsAre("ip route 10.0.0.0/8 192.0.2.9 eth0 5"));
}

TEST(StaticRoutes, Have_the_defaults_of_their_family_unless_they_say_otherwise) {
  const auto routes = all_static_routes(
      test::tree_of("set routing-options static defaults preference 50\n"
                    "set routing-options static defaults tag 1000\n"
                    "set routing-options static route 10.1.0.0/24 discard\n"
                    "set routing-options static route 10.2.0.0/24 discard\n"
                    "set routing-options static route 10.2.0.0/24 preference 7\n"
                    "set routing-options rib inet6.0 static defaults preference 60\n"
                    "set routing-options rib inet6.0 static route 2001:db8::/48 discard\n"));
  EXPECT_THAT(routes.at(base::Prefix::parse("10.1.0.0/24").value()),
              ElementsAre("ip route 10.1.0.0/24 blackhole tag 1000 50"));
  EXPECT_THAT(routes.at(base::Prefix::parse("10.2.0.0/24").value()),
              ElementsAre("ip route 10.2.0.0/24 blackhole tag 1000 7"));
  EXPECT_THAT(routes.at(base::Prefix::parse("2001:db8::/48").value()),
              ElementsAre("ipv6 route 2001:db8::/48 blackhole 60"));
}

TEST(StaticRoutes, Are_refused_before_anything_is_sent_while_a_daemon_is_dead) {
  const auto registry = make_registry(test::real_schema());
  const auto before = test::world_of("");
  const auto after = test::world_of(
      std::string(kNetworks) + "set routing-options static route 10.0.0.0/8 next-hop 192.0.2.9");
  for (const auto daemon :
       {system::FrrDaemon::Zebra, system::FrrDaemon::Staticd, system::FrrDaemon::Mgmtd}) {
    test::FakeSystem fake;
    fake.frr.set_running(daemon, false);
    auto target = fake.view();
    auto plan = test::applier(registry, "static").plan(before, after, {before.tree, after.tree});
    const auto prepared = plan.steps().front().step->prepare(target);
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error().message,
              std::string(system::to_string(daemon)) + " does not answer");
  }
}

// Takes everything until it is stubborn, and then nothing until it is restarted.
class StubbornFrr : public test::FakeFrr {
 public:
  using test::FakeFrr::FakeFrr;
  base::Result<std::vector<system::FrrReply>> configure(
      system::FrrDaemon daemon, const std::vector<std::string>& lines) override {
    if (stubborn) {
      return std::vector<system::FrrReply>{{lines.front(), 13, "% Configuration failed.\n"}};
    }
    return test::FakeFrr::configure(daemon, lines);
  }
  bool stubborn = false;
};

class RestartingUnits : public test::FakeUnits {
 public:
  RestartingUnits(const test::ChangeHook& hook, const test::FakeFiles& files, StubbornFrr& frr)
      : FakeUnits(hook, files, frr), frr_(frr) {}
  base::Result<void> restart(std::string_view unit) override {
    restarted.emplace_back(unit);
    frr_.stubborn = false;
    return {};
  }
  std::vector<std::string> restarted;

 private:
  StubbornFrr& frr_;
};

TEST(StaticRoutes, Restart_an_FRR_that_does_not_take_them_back) {
  const test::ChangeHook hook;
  test::FakeSystem fake;
  StubbornFrr frr(hook);
  RestartingUnits units(hook, fake.files, frr);
  const system::System system{fake.kernel, frr, fake.files, units, fake.accounts};
  const auto registry = make_registry(test::real_schema());
  const auto before = test::world_of("");
  const auto after = test::world_of(
      std::string(kNetworks) + "set routing-options static route 10.0.0.0/8 next-hop 192.0.2.9");
  auto plan = test::applier(registry, "static").plan(before, after, {before.tree, after.tree});
  ASSERT_TRUE(test::apply(plan, system));
  EXPECT_THAT(frr.dump(), ElementsAre("ip route 10.0.0.0/8 192.0.2.9 eth0 5"));
  frr.stubborn = true;
  ASSERT_TRUE(test::undo(plan, system));
  EXPECT_THAT(units.restarted, ElementsAre("frr.service"));
  EXPECT_THAT(frr.dump(), ElementsAre());
}

class StaticRoutesInFrr : public test::FrrDaemons {
 protected:
  void SetUp() override {
    FrrDaemons::SetUp();
    if (!IsSkipped()) {
      command({"ip", "link", "set", "eth0", "up"});
      command({"ip", "address", "add", "192.0.2.1/24", "dev", "eth0"});
      command({"ip", "address", "add", "2001:db8::1/64", "dev", "eth0"});
    }
  }

  const commit::Applier& routes() const { return test::applier(registry_, "static"); }
  system::System system() {
    return {fake_.kernel, *frr_, fake_.files, fake_.units, fake_.accounts};
  }
  std::string running() {
    return frr_->show(system::FrrDaemon::Mgmtd, "show running-config").value();
  }

  // From `before` to `after`; the state of FRR has to be that of `before`.
  commit::Plan plan(const std::string& before, const std::string& after) {
    const auto old_world = test::world_of(before);
    const auto new_world = test::world_of(after);
    return routes().plan(old_world, new_world, {old_world.tree, new_world.tree});
  }

  // What reconcile would still have to do.
  std::vector<std::string> missing(const std::string& wanted) {
    auto target = system();
    auto left = routes().reconcile(test::world_of(wanted), target);
    EXPECT_TRUE(left) << left.error().to_string();
    return left ? test::descriptions(*left) : std::vector<std::string>{"?"};
  }

  commit::Registry registry_ = make_registry(test::real_schema());
  test::FakeSystem fake_;
  std::unique_ptr<system::Frr> frr_ = system::make_frr({});
};

constexpr const char* kBefore =
    "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
    "set interfaces eth0 unit 0 family inet6 address 2001:db8::1/64\n"
    "set routing-options static route 198.51.100.0/24 next-hop 192.0.2.9\n"
    "set routing-options static route 203.0.113.0/25 discard\n"
    "set routing-options static route 203.0.113.128/25 next-hop [ 192.0.2.8 192.0.2.9 ]\n"
    "set routing-options static route 203.0.113.128/25 tag 9\n"
    "set routing-options static route 192.0.2.128/25 reject\n"
    "set routing-options rib inet6.0 static route ::/0 next-hop 2001:db8::9\n";
// Every kind of change at once.
constexpr const char* kAfter =
    "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
    "set interfaces eth0 unit 0 family inet6 address 2001:db8::1/64\n"
    "set routing-options static route 198.51.100.0/24 next-hop 192.0.2.10\n"
    "set routing-options static route 203.0.113.0/25 reject\n"
    "set routing-options static route 203.0.113.128/25 next-hop [ 192.0.2.9 192.0.2.10 ]\n"
    "set routing-options static route 203.0.113.128/25 preference 1\n"
    "set routing-options static route 203.0.113.128/25 qualified-next-hop 192.0.2.8 preference 20\n"
    "set routing-options static route 192.0.2.128/25 next-hop eth0.0\n"
    "set routing-options static route 0.0.0.0/0 next-hop 192.0.2.9\n"
    "set routing-options rib inet6.0 static route ::/0 qualified-next-hop fe80::9 interface eth0\n"
    "set routing-options rib inet6.0 static route 2001:db8:9::/48 discard\n"
    "set routing-options rib inet6.0 static route 2001:db8:9::/48 tag 4294967295\n";

TEST_F(StaticRoutesInFrr, Are_what_FRR_prints_after_every_kind_of_change) {
  auto first = plan("", kBefore);
  const auto begun = test::apply(first, system());
  ASSERT_TRUE(begun) << begun.error().to_string();
  EXPECT_THAT(missing(kBefore), ElementsAre());

  auto change = plan(kBefore, kAfter);
  const auto changed = test::apply(change, system());
  ASSERT_TRUE(changed) << changed.error().to_string();
  EXPECT_THAT(missing(kAfter), ElementsAre());
  EXPECT_THAT(missing(kBefore), Not(ElementsAre()));

  const auto undone = test::undo(change, system());
  ASSERT_TRUE(undone) << undone.error().to_string();
  EXPECT_THAT(missing(kBefore), ElementsAre());
}

TEST_F(StaticRoutesInFrr, Are_read_one_by_one_as_FRR_prints_them_all) {
  auto target = system();
  ASSERT_TRUE(frr_->answers(system::FrrDaemon::Mgmtd));
  const auto none = read_static_routes(target, all_static_routes(test::tree_of(kBefore)));
  ASSERT_TRUE(none) << none.error().to_string();
  EXPECT_TRUE(none->empty());
  for (const char* const configuration : {kBefore, kAfter}) {
    auto all = routes().reconcile(test::world_of(configuration), target);
    ASSERT_TRUE(all) << all.error().to_string();
    ASSERT_TRUE(test::apply(*all, target));
    const auto one_by_one =
        read_static_routes(target, all_static_routes(test::tree_of(configuration)));
    ASSERT_TRUE(one_by_one) << one_by_one.error().to_string();
    EXPECT_EQ(*one_by_one, parse_static_routes(running()));
  }
}

TEST_F(StaticRoutesInFrr, Reach_the_kernel_and_leave_it) {
  auto first = plan("", kBefore);
  ASSERT_TRUE(test::apply(first, system()));
  const auto reaches = [](std::string_view text) {
    for (int tries = 0; tries < 100; ++tries) {
      if (command({"ip", "route"}).find(text) != std::string::npos) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  };
  EXPECT_TRUE(reaches("198.51.100.0/24"));
  EXPECT_TRUE(reaches("blackhole 203.0.113.0/25"));
  EXPECT_TRUE(reaches("unreachable 192.0.2.128/25"));
}

TEST_F(StaticRoutesInFrr, Change_without_a_gap) {
  auto first = plan("", kBefore);
  ASSERT_TRUE(test::apply(first, system()));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  command({"sh", "-c", "ip monitor route >/run/monitor 2>/dev/null & echo $! >/run/monitor.pid"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const std::string after =
      std::string(kNetworks) +
      "set routing-options static route 198.51.100.0/24 next-hop 192.0.2.10\n"
      "set routing-options static route 203.0.113.0/25 next-hop 192.0.2.10\n"
      "set routing-options static route 203.0.113.128/25 next-hop 192.0.2.9\n"
      "set routing-options static route 192.0.2.128/25 discard\n"
      "set routing-options rib inet6.0 static route ::/0 next-hop 2001:db8::10\n";
  auto change = plan(kBefore, after);
  ASSERT_TRUE(test::apply(change, system()));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  command({"sh", "-c", "kill $(cat /run/monitor.pid)"});
  const std::string seen = base::read_file("/run/monitor").value();
  EXPECT_THAT(seen, HasSubstr("198.51.100.0/24"));
  EXPECT_THAT(seen, HasSubstr("192.0.2.128/25"));
  // A replaced IPv6 route shows as a deletion of the old one after the new one has come. One that
  // was discarded and is forwarded now, or the other way round, goes in one transaction, since FRR
  // has never both; under load zebra may take it away in between.
  for (const char* const prefix : {"198.51.100.0/24", "203.0.113.128/25"}) {
    EXPECT_THAT(seen, Not(HasSubstr(std::format("Deleted {}", prefix)))) << seen;
  }
}

TEST_F(StaticRoutesInFrr, Are_all_or_none_when_FRR_refuses_one) {
  auto first = plan("", kBefore);
  ASSERT_TRUE(test::apply(first, system()));
  const std::string before = running();
  // What check() would have refused: FRR must not be left with half of it.
  auto bad = plan(kBefore, std::string(kNetworks) +
                               "set routing-options static route 10.0.0.0/8 next-hop 192.0.2.9\n"
                               "set routing-options static route 10.1.0.0/16 next-hop 192.0.2.9\n"
                               "set routing-options static route 10.1.0.0/16 discard\n");
  const auto refused = test::apply(bad, system());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("blackhole and non-blackhole"));
  ASSERT_TRUE(test::undo(bad, system()));
  EXPECT_EQ(running(), before);
}

TEST_F(StaticRoutesInFrr, Are_reconciled_with_what_a_restarted_FRR_lost) {
  auto first = plan("", kBefore);
  ASSERT_TRUE(test::apply(first, system()));
  stop("mgmtd", SIGKILL);
  start("mgmtd");
  EXPECT_FALSE(missing(kBefore).empty());
  auto target = system();
  auto repair = routes().reconcile(test::world_of(kBefore), target);
  ASSERT_TRUE(repair) << repair.error().to_string();
  const auto repaired = test::apply(*repair, system());
  ASSERT_TRUE(repaired) << repaired.error().to_string();
  EXPECT_THAT(missing(kBefore), ElementsAre());
}

TEST_F(StaticRoutesInFrr, Go_in_one_transaction_however_many_they_are) {
  std::string many = kNetworks;
  for (int number = 0; number < 2000; ++number) {
    many += std::format("set routing-options static route 10.{}.{}.0/24 next-hop 192.0.2.9\n",
                        number / 250, number % 250);
  }
  auto first = plan("", many);
  ASSERT_EQ(first.steps().size(), 2000U);
  const auto begin = std::chrono::steady_clock::now();
  const auto done = test::apply(first, system());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_THAT(missing(many), ElementsAre());
  RecordProperty("seconds", std::format("{:.2f}", took.count()));
}

}  // namespace
}  // namespace millrace::appliers
