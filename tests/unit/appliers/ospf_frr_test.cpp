// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every statement of OSPF in a real ospfd: what is rendered must be what `show running-config`
// prints, on the way there and on the way back.
#include <gmock/gmock.h>

#include "appliers/frr_service.h"
#include "appliers/ospf_lines.h"
#include "support/fake_system.h"
#include "support/network_namespace.h"
#include "system/frr_vty.h"
#include "world.h"

namespace millrace::appliers {
namespace {

using ::testing::ElementsAre;

const std::string kArea =
    "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
    "set interfaces lo0 unit 0 family inet address 10.255.0.1/32\n"
    "set routing-options router-id 10.255.0.1\n"
    "set protocols ospf area 0 interface eth0.0\n"
    "set protocols ospf area 0 interface lo0.0\n"
    "set protocols ospf area 0.0.0.1 interface eth1.0\n"
    "set policy-options policy-statement statics from protocol static\n"
    "set policy-options policy-statement statics from route-filter 10.0.0.0/8 orlonger\n"
    "set policy-options policy-statement statics then metric 7\n"
    "set policy-options policy-statement statics then external type 1\n"
    "set policy-options policy-statement statics then tag 9\n"
    "set policy-options policy-statement statics then accept\n";

const std::vector<std::string> kStatements = {
    "set protocols ospf reference-bandwidth 10g",
    "set protocols ospf preference 11",
    "set protocols ospf external-preference 151",
    "set protocols ospf overload",
    "set protocols ospf no-rfc-1583",
    "set protocols ospf export statics",
    "set protocols ospf area 0.0.0.1 stub",
    "set protocols ospf area 0.0.0.1 stub default-metric 20",
    "set protocols ospf area 0.0.0.1 stub default-metric 1\n"
    "set protocols ospf area 0.0.0.1 stub no-summaries",
    "set protocols ospf area 1.0.0.0 nssa",
    "set protocols ospf area 16777217 nssa no-summaries",
    "set protocols ospf area 0 area-range 10.0.0.0/8",
    "set protocols ospf area 0 area-range 10.0.0.0/8 restrict",
    "set protocols ospf area 0 area-range 10.0.0.0/8 override-metric 5",
    "set protocols ospf area 0 interface eth0.0 metric 5",
    "set protocols ospf area 0 interface eth0.0 passive",
    "set protocols ospf area 0 interface eth0.0 interface-type p2p",
    "set protocols ospf area 0 interface eth0.0 interface-type p2mp",
    "set protocols ospf area 0 interface eth0.0 priority 0",
    "set protocols ospf area 0 interface eth0.0 priority 1",
    "set protocols ospf area 0 interface eth0.0 hello-interval 5",
    "set protocols ospf area 0 interface eth0.0 hello-interval 5\n"
    "set protocols ospf area 0 interface eth0.0 dead-interval 40",
    "set protocols ospf area 0 interface eth0.0 dead-interval 60",
    "set protocols ospf area 0 interface eth0.0 retransmit-interval 7",
    "set protocols ospf area 0 interface eth0.0 transit-delay 3",
    "set protocols ospf area 0 interface eth0.0 authentication simple-password sekret",
    "set protocols ospf area 0 interface eth0.0 authentication md5 3 key sekret\n"
    "set protocols ospf area 0 interface eth0.0 authentication md5 4 key other",
    "set protocols ospf area 0 interface eth0.0 disable",
    "set routing-options router-id 10.255.0.77",
    "delete protocols ospf area 0.0.0.1",
    "delete protocols ospf area 0 interface eth0.0\n"
    "set protocols ospf area 0.0.0.1 interface eth0.0",
};

class OspfInFrr : public test::FrrDaemons {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/lib/frr/ospfd")) {
      GTEST_SKIP() << "needs FRR's ospfd";
    }
    FrrDaemons::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) {
      command({"/usr/lib/frr/ospfd", "-d", "-f", "/etc/frr/ospfd.conf"});
    }
  }
  void TearDown() override {
    stop("ospfd", SIGTERM);
    FrrDaemons::TearDown();
  }

  system::System system() {
    return {fake_.kernel, *frr_, fake_.files, fake_.units, fake_.accounts};
  }
  static FrrConfig config(const std::string& lines) {
    base::Diagnostics findings;
    FrrConfig made = ospf_config(test::tree_of(lines), findings);
    EXPECT_TRUE(findings.items().empty()) << lines << findings.items().front().to_string();
    return made;
  }
  void expect_running(const FrrConfig& wanted, const std::string& when) {
    const auto text = frr_->show(system::FrrDaemon::Ospfd, "show running-config");
    ASSERT_TRUE(text) << text.error().to_string();
    const FrrConfig actual = parse_frr_config(*text);
    EXPECT_TRUE(actual == wanted) << when << "\nwanted:\n"
                                  << to_text(wanted) << "ospfd has:\n"
                                  << to_text(actual);
  }

  test::FakeSystem fake_;
  std::unique_ptr<system::Frr> frr_ = system::make_frr({});
};

TEST_F(OspfInFrr, Has_every_statement_as_it_was_rendered_and_gives_it_back) {
  const FrrConfig before = config(kArea);
  auto first = plan_frr(kOspfd, {}, before);
  const auto begun = test::apply(first, system());
  ASSERT_TRUE(begun) << begun.error().to_string();
  expect_running(before, "the areas");
  for (const std::string& statement : kStatements) {
    const FrrConfig after = config(kArea + statement + "\n");
    auto change = plan_frr(kOspfd, before, after);
    const auto applied = test::apply(change, system());
    EXPECT_TRUE(applied) << statement << ": " << applied.error().to_string();
    expect_running(after, statement);
    auto target = system();
    auto left = reconcile_frr(kOspfd, after, target);
    ASSERT_TRUE(left) << left.error().to_string();
    EXPECT_THAT(test::descriptions(*left), ElementsAre()) << statement;
    const auto undone = test::undo(change, system());
    ASSERT_TRUE(undone) << statement << ": " << undone.error().to_string();
    expect_running(before, "without " + statement);
  }
}

TEST_F(OspfInFrr, Returns_from_its_file_with_everything) {
  std::string all = kArea;
  for (const char* const statement :
       {"set protocols ospf export statics", "set protocols ospf area 0.0.0.1 stub no-summaries",
        "set protocols ospf area 0 interface eth0.0 authentication md5 3 key sekret"}) {
    all += std::string(statement) + "\n";
  }
  auto first = plan_frr(kOspfd, {}, config(all));
  const auto begun = test::apply(first, system());
  ASSERT_TRUE(begun) << begun.error().to_string();
  const std::string file = fake_.files.all().at(std::string(kOspfd.file)).text;
  stop("ospfd", SIGKILL);
  ASSERT_TRUE(base::write_file("/etc/frr/ospfd.conf", file));
  command({"chown", "frr:frr", "/etc/frr/ospfd.conf"});
  command({"/usr/lib/frr/ospfd", "-d", "-f", "/etc/frr/ospfd.conf"});
  expect_running(config(all), "after kill -9");
}

}  // namespace
}  // namespace millrace::appliers
