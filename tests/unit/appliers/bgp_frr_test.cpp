// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every statement of BGP in a real bgpd: what is rendered must be what `show running-config`
// prints, on the way there, on the way back, and when bgpd reads it from its file.
#include <gmock/gmock.h>

#include "appliers/bgp_lines.h"
#include "appliers/frr_service.h"
#include "support/fake_system.h"
#include "support/network_namespace.h"
#include "system/frr_vty.h"
#include "world.h"

namespace millrace::appliers {
namespace {

using ::testing::ElementsAre;

const std::string kGroup =
    "set routing-options autonomous-system 65001\n"
    "set routing-options router-id 192.0.2.1\n"
    "set protocols bgp group g neighbor 192.0.2.2 peer-as 65002\n"
    "set protocols bgp group i type internal\n"
    "set protocols bgp group i neighbor 192.0.2.3\n";

const std::string kPolicies =
    "set policy-options prefix-list ours 198.51.100.0/24\n"
    "set policy-options policy-statement customers term a from route-filter 10.0.0.0/8 longer\n"
    "set policy-options policy-statement customers term a then local-preference add 50\n"
    "set policy-options policy-statement rest then reject\n"
    "set policy-options policy-statement direct from protocol [ direct static ]\n"
    "set policy-options policy-statement direct from prefix-list ours\n"
    "set policy-options policy-statement direct then accept\n"
    "set policy-options policy-statement foreign then as-path-prepend 65033\n";

// What is added to kGroup, a case each.
const std::vector<std::string> kStatements = {
    "set protocols bgp group g type external",
    "set protocols bgp group g neighbor 192.0.2.2 description \"a b, c\"",
    "set protocols bgp group g neighbor 192.0.2.2 local-address 192.0.2.1",
    "set protocols bgp group g neighbor 192.0.2.2 peer-as 65009",
    "set protocols bgp group g neighbor 192.0.2.2 local-as 65010",
    "set protocols bgp group g neighbor 192.0.2.2 local-as 65010 private",
    "set protocols bgp group g neighbor 192.0.2.2 local-as 65010 private\n"
    "set protocols bgp group g neighbor 192.0.2.2 local-as 65010 no-prepend-global-as",
    "set protocols bgp group g neighbor 192.0.2.2 local-as 65010 loops 3",
    "set protocols bgp hold-time 30",
    "set protocols bgp hold-time 0",
    "set protocols bgp hold-time 90",
    "set protocols bgp group g passive",
    "set protocols bgp group g authentication-key sekret",
    "set protocols bgp preference 100",
    "set protocols bgp group g neighbor 192.0.2.2 preference 150",
    "set protocols bgp out-delay 5",
    "set protocols bgp out-delay 0",
    "set protocols bgp tcp-mss 1000",
    "set protocols bgp group g multihop",
    "set protocols bgp group g multihop ttl 2",
    "set protocols bgp group g multihop ttl 255",
    "set protocols bgp multipath",
    "set protocols bgp multipath multiple-as",
    "set protocols bgp group i multipath",
    "set protocols bgp remove-private all",
    "set protocols bgp remove-private all replace",
    "set protocols bgp group i cluster 192.0.2.9",
    "set protocols bgp group g as-override",
    "set protocols bgp advertise-peer-as",
    "set protocols bgp enforce-first-as",
    "set protocols bgp log-updown",
    "set protocols bgp group g shutdown",
    "set protocols bgp keep none",
    "set protocols bgp advertise-inactive",
    "set protocols bgp path-selection always-compare-med",
    "set protocols bgp path-selection external-router-id",
    "set protocols bgp group g family inet unicast\n"
    "set protocols bgp group g family inet6 unicast",
    "set protocols bgp family inet unicast prefix-limit maximum 100",
    "set protocols bgp family inet unicast prefix-limit maximum 100 teardown",
    "set protocols bgp family inet unicast prefix-limit maximum 100 teardown 75",
    "set protocols bgp family inet unicast prefix-limit maximum 100 teardown 80\n"
    "set protocols bgp family inet unicast prefix-limit teardown idle-timeout 5",
    "set protocols bgp family inet unicast prefix-limit maximum 100 teardown 80\n"
    "set protocols bgp family inet unicast prefix-limit teardown idle-timeout forever",
    "set protocols bgp family inet unicast accepted-prefix-limit maximum 100 teardown 80",
    "set protocols bgp family inet unicast add-path receive",
    "set protocols bgp family inet unicast add-path send path-count 3",
    "set routing-options autonomous-system 65001 loops 3",
    "set routing-options autonomous-system 65077",
    "set routing-options router-id 192.0.2.77",
    "set protocols bgp group d peer-as 65020\n"
    "set protocols bgp group d allow [ 198.51.100.0/24 203.0.113.0/24 ]",
    kPolicies + "set protocols bgp import [ customers rest ]",
    kPolicies + "set protocols bgp group g export direct",
    kPolicies + "set protocols bgp group g neighbor 192.0.2.2 export \"( direct && !rest )\"",
    kPolicies +
        "set protocols bgp group i import customers\n"
        "set protocols bgp group i export direct\n"
        "set protocols bgp group i family inet6 unicast",
    kPolicies + "set protocols bgp group g export foreign",
    "set protocols bgp group six neighbor 2001:db8::2 peer-as 65006",
    "delete protocols bgp group g",
};

class BgpInFrr : public test::FrrDaemons {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/lib/frr/bgpd")) {
      GTEST_SKIP() << "needs FRR's bgpd";
    }
    FrrDaemons::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) {
      command({"/usr/lib/frr/bgpd", "-d", "-f", "/etc/frr/bgpd.conf"});
    }
  }
  void TearDown() override {
    stop("bgpd", SIGTERM);
    FrrDaemons::TearDown();
  }

  system::System system() {
    return {fake_.kernel, *frr_, fake_.files, fake_.units, fake_.accounts};
  }
  FrrConfig running() {
    const auto text = frr_->show(system::FrrDaemon::Bgpd, "show running-config");
    EXPECT_TRUE(text) << text.error().to_string();
    return text ? parse_frr_config(*text) : FrrConfig();
  }
  static FrrConfig config(const std::string& lines) {
    base::Diagnostics findings;
    FrrConfig made = bgp_config(test::tree_of(lines), findings);
    EXPECT_TRUE(findings.items().empty()) << lines << findings.items().front().to_string();
    return made;
  }
  void expect_running(const FrrConfig& wanted, const std::string& when) {
    const FrrConfig actual = running();
    EXPECT_TRUE(actual == wanted) << when << "\nwanted:\n"
                                  << to_text(wanted) << "bgpd has:\n"
                                  << to_text(actual);
  }

  test::FakeSystem fake_;
  std::unique_ptr<system::Frr> frr_ = system::make_frr({});
};

TEST_F(BgpInFrr, Has_every_statement_as_it_was_rendered_and_gives_it_back) {
  const FrrConfig before = config(kGroup);
  auto first = plan_frr(kBgpd, {}, before);
  const auto begun = test::apply(first, system());
  ASSERT_TRUE(begun) << begun.error().to_string();
  expect_running(before, "the group");
  for (const std::string& statement : kStatements) {
    const FrrConfig after = config(kGroup + statement + "\n");
    auto change = plan_frr(kBgpd, before, after);
    const auto applied = test::apply(change, system());
    EXPECT_TRUE(applied) << statement << ": " << applied.error().to_string();
    expect_running(after, statement);
    auto target = system();
    auto left = reconcile_frr(kBgpd, after, target);
    ASSERT_TRUE(left) << left.error().to_string();
    EXPECT_THAT(test::descriptions(*left), ElementsAre()) << statement;
    const auto undone = test::undo(change, system());
    ASSERT_TRUE(undone) << statement << ": " << undone.error().to_string();
    expect_running(before, "without " + statement);
  }
}

TEST_F(BgpInFrr, Returns_from_its_file_with_everything) {
  std::string all = kGroup;
  for (const char* const statement :
       {"set protocols bgp group g authentication-key sekret", "set protocols bgp hold-time 30",
        "set protocols bgp group g family inet unicast",
        "set protocols bgp group g family inet6 unicast", "set protocols bgp group d peer-as 65020",
        "set protocols bgp group d allow 10.0.0.0/8"}) {
    all += std::string(statement) + "\n";
  }
  auto first = plan_frr(kBgpd, {}, config(all));
  const auto begun = test::apply(first, system());
  ASSERT_TRUE(begun) << begun.error().to_string();
  const std::string file = fake_.files.all().at(std::string(kBgpd.file)).text;
  stop("bgpd", SIGKILL);
  ASSERT_TRUE(base::write_file("/etc/frr/bgpd.conf", file));
  command({"chown", "frr:frr", "/etc/frr/bgpd.conf"});
  command({"/usr/lib/frr/bgpd", "-d", "-f", "/etc/frr/bgpd.conf"});
  expect_running(config(all), "after kill -9");
}

}  // namespace
}  // namespace millrace::appliers
