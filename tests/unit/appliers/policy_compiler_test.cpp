// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/compiler.h"

#include <gmock/gmock.h>

#include "appliers/policy/as_path.h"
#include "appliers/policy/community.h"
#include "base/pattern.h"
#include "support/random.h"
#include "world.h"

namespace millrace::test {
namespace {

using appliers::FrrKind;
using appliers::policy::Compiled;
using appliers::policy::Compiler;
using appliers::policy::Direction;
using appliers::policy::Source;
using appliers::policy::Use;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Compiled compiled(const std::string& lines, const Use& use, std::string* findings = nullptr) {
  base::Diagnostics out;
  Compiler compiler(tree_of(lines));
  Compiled result = compiler.compile(use, out);
  if (findings != nullptr) {
    *findings = out.to_string();
  } else {
    EXPECT_EQ(out.to_string(), "");
  }
  return result;
}

std::string text_of(const Compiled& compiled, FrrKind kind) {
  appliers::FrrConfig config;
  for (const auto& object : compiled.objects) {
    if (object.key.kind == kind) {
      config[object.key] = *object.content;
    }
  }
  return appliers::to_text(config);
}

Use import_of(std::vector<std::string> chain) {
  Use use;
  use.chain = std::move(chain);
  use.level = "protocols bgp group g";
  use.statement = "import";
  return use;
}

Use export_of(std::vector<std::string> chain) {
  Use use = import_of(std::move(chain));
  use.direction = Direction::Export;
  return use;
}

const std::string kPolicy = "set policy-options policy-statement ";

TEST(PolicyCompiler, Needs_nothing_to_import_everything_from_the_own_system) {
  const Compiled result = compiled("", import_of({}));
  EXPECT_EQ(result.route_map, "");
  EXPECT_THAT(result.objects, IsEmpty());
}

TEST(PolicyCompiler, Gives_routes_of_another_system_the_local_preference_of_Junos) {
  Use use = import_of({});
  use.external = true;
  const Compiled result = compiled("", use);
  EXPECT_THAT(text_of(result, FrrKind::RouteMap), HasSubstr("set local-preference 100"));
}

TEST(PolicyCompiler, Exports_routes_of_BGP_only_by_default) {
  const Compiled result = compiled("", export_of({}));
  EXPECT_EQ(text_of(result, FrrKind::RouteMap),
            "route-map " + result.route_map + " permit 1\n match source-protocol bgp\nexit\n" +
                "route-map " + result.route_map + " deny 2\nexit\n");
  EXPECT_THAT(result.redistributed, IsEmpty());
}

TEST(PolicyCompiler, Names_what_has_to_be_redistributed) {
  const std::string lines = kPolicy + "S from protocol static\n" + kPolicy + "S then accept\n" +
                            kPolicy + "A then accept\n" + kPolicy + "R then reject\n";
  EXPECT_THAT(compiled(lines, export_of({"S"})).redistributed, ElementsAre(Source::Static));
  EXPECT_THAT(compiled(lines, export_of({"R"})).redistributed, IsEmpty());
  EXPECT_TRUE(compiled(lines, export_of({"A"})).redistributed.contains(Source::Direct));
  EXPECT_TRUE(compiled(lines, export_of({"( !R )"})).redistributed.contains(Source::Ospf));
}

TEST(PolicyCompiler, Denies_below_the_longest_filter) {
  const std::string lines = kPolicy + "P from route-filter 10.0.0.0/8 orlonger\n" + kPolicy +
                            "P from route-filter 10.1.0.0/16 exact\n" + kPolicy +
                            "P from route-filter 192.0.2.0/24 prefix-length-range /26-/28\n" +
                            kPolicy + "P then reject\n";
  const std::string list = text_of(compiled(lines, import_of({"P"})), FrrKind::PrefixList);
  EXPECT_THAT(list, HasSubstr("seq 1 permit 192.0.2.0/24 ge 26 le 28\n"));
  EXPECT_THAT(list, HasSubstr("seq 2 permit 10.1.0.0/16\n"));
  EXPECT_THAT(list, HasSubstr("seq 3 deny 10.1.0.0/16 le 32\n"));
  EXPECT_THAT(list, HasSubstr("seq 4 permit 10.0.0.0/8 le 32\n"));
}

TEST(PolicyCompiler, Shares_what_is_equal_and_renames_what_changes) {
  const auto lines = [](const std::string& name, int preference) {
    return std::format(
        "{0}{1} from route-filter 10.0.0.0/8 exact\n{0}{1} then local-preference {2}\n", kPolicy,
        name, preference);
  };
  const Compiled one = compiled(lines("A", 200), import_of({"A"}));
  const Compiled same = compiled(lines("B", 200), import_of({"B"}));
  const Compiled other = compiled(lines("A", 300), import_of({"A"}));
  EXPECT_EQ(one.route_map, same.route_map);
  EXPECT_NE(one.route_map, other.route_map);
  EXPECT_EQ(text_of(one, FrrKind::PrefixList), text_of(other, FrrKind::PrefixList));
}

TEST(PolicyCompiler, Compiles_once_for_neighbours_that_no_policy_asks_about) {
  const auto maps_of_two = [](const std::string& lines) {
    base::Diagnostics out;
    Compiler compiler(tree_of(lines));
    std::set<const void*> contents;
    for (const char* const neighbor : {"192.0.2.1", "192.0.2.2"}) {
      Use use = import_of({"P"});
      use.neighbor = *base::IpAddress::parse(neighbor);
      contents.insert(compiler.compile(use, out).objects.back().content.get());
    }
    return contents.size();
  };
  EXPECT_EQ(maps_of_two(kPolicy + "P then reject\n"), 1U);
  EXPECT_EQ(maps_of_two(kPolicy + "P from neighbor 192.0.2.2\n" + kPolicy + "P then reject\n"), 2U);
}

TEST(PolicyCompiler, Says_where_and_why_FRR_cannot) {
  std::string findings;
  compiled("set policy-options community C members target:65000:.*\n" + kPolicy +
               "P term t then community delete C\n" + kPolicy + "P term t then next-hop self\n",
           import_of({"P"}), &findings);
  EXPECT_EQ(findings,
            "[edit policy-options policy-statement P term t]\n"
            "  'then next-hop'\n"
            "    self has no meaning for routes that are imported\n"
            "    use it in an export policy\n"
            "[edit policy-options policy-statement P term t]\n"
            "  'then community C'\n"
            "    FRR deletes extended communities by value only, not by regular expression and not "
            "all but some\n");
}

TEST(PolicyCompiler, Finds_policies_that_do_not_exist_and_expressions_that_are_none) {
  std::string findings;
  compiled(kPolicy + "A then accept\n", import_of({"( A && B )", "( A &&"}), &findings);
  EXPECT_THAT(findings, HasSubstr("[edit protocols bgp group g]\n  'import'\n"
                                  "    policy 'B' is not defined\n"));
  EXPECT_THAT(findings, HasSubstr("'( A &&' is no policy expression"));
}

TEST(PolicyCompiler, Refuses_policies_that_ask_themselves) {
  std::string findings;
  compiled(kPolicy + "A from policy B\n" + kPolicy + "A then accept\n" + kPolicy +
               "B from policy A\n" + kPolicy + "B then accept\n",
           import_of({"A"}), &findings);
  EXPECT_THAT(findings, HasSubstr("the policy asks itself"));
}

TEST(PolicyCompiler, Refuses_more_entries_than_a_route_map_has) {
  std::string lines;
  for (int policy = 0; policy < 8; ++policy) {
    for (int term = 0; term < 8; ++term) {
      lines += std::format("{}p{} term {} from policy p{}\n{}p{} term {} then metric {}\n", kPolicy,
                           policy, term, policy + 1, kPolicy, policy, term, term + 1);
    }
  }
  lines += kPolicy + "p8 from origin igp\n" + kPolicy + "p8 then accept\n";
  std::string findings;
  compiled(lines, import_of({"p0"}), &findings);
  EXPECT_THAT(findings, HasSubstr("more than 65535 entries"));
}

TEST(PolicyCompiler, Writes_the_own_system_before_another_that_is_prepended) {
  const std::string lines =
      kPolicy + "P then as-path-prepend 65102\n" + kPolicy + "P then accept\n";
  Use use = export_of({"P"});
  use.external = true;
  use.local_as = 65100;
  const Compiled result = compiled(lines, use);
  EXPECT_TRUE(result.writes_own_as);
  EXPECT_THAT(text_of(result, FrrKind::RouteMap),
              ::testing::ContainsRegex("prepend 65100(.|\n)*prepend 65102"));
  use.local_as = 65102;
  EXPECT_FALSE(compiled(lines, use).writes_own_as);
}

TEST(PolicyCompiler, Knows_what_a_change_reaches) {
  const std::string before =
      "set policy-options prefix-list L 10.0.0.0/8\n"
      "set policy-options community C members 65000:1\n" +
      kPolicy + "A from prefix-list L\n" + kPolicy + "B from policy A\n" + kPolicy +
      "C term t then community add C\n" + kPolicy + "D then accept\n";
  const tree::ConfigTree tree = tree_of(before);
  const auto changed = [&](const std::string& more) {
    tree::Editor editor{tree};
    EXPECT_TRUE(tree::load(editor, {}, more, tree::LoadAction::Set).errors.empty());
    return appliers::policy::changed_policies(tree::Delta(tree, editor.tree()));
  };
  EXPECT_THAT(changed("set system host-name r1\n"), IsEmpty());
  EXPECT_THAT(changed("set policy-options prefix-list L 11.0.0.0/8\n"), ElementsAre("A", "B"));
  EXPECT_THAT(changed("set policy-options community C members 65000:2\n"), ElementsAre("C"));
  EXPECT_THAT(changed(kPolicy + "D then metric 1\n"), ElementsAre("D"));
}

TEST(PolicyCompiler, Translates_expressions_over_paths) {
  using appliers::policy::as_path_expression;
  EXPECT_EQ(*as_path_expression("65000"), "^((65000( |$)))$");
  EXPECT_EQ(*as_path_expression(".*"), "^(([^ ]+( |$))*)$");
  EXPECT_EQ(*as_path_expression("()"), "^$");
  EXPECT_EQ(*as_path_expression("1-12"), "^((([1-9]|1[0-2])( |$)))$");
  for (const char* const bad :
       {"(", "65000)", "x", "4294967296", "2-1", "1{3,2}", "[^1]", "*", "1**", "[]", "!1"}) {
    EXPECT_FALSE(as_path_expression(bad)) << bad;
  }
  EXPECT_FALSE(as_path_expression(std::string(500, '(')));
}

TEST(PolicyCompiler, Writes_ranges_of_numbers_as_expressions_of_exactly_those) {
  support::Random random;
  for (int round = 0; round < 200; ++round) {
    const auto low = static_cast<std::uint32_t>(random.below(3000));
    const auto high = low + static_cast<std::uint32_t>(random.below(3000));
    const auto pattern =
        base::Pattern::compile("^" + appliers::policy::number_range(low, high) + "$");
    ASSERT_TRUE(pattern) << pattern.error();
    for (const std::uint32_t number :
         {low == 0 ? 0U : low - 1, low, (low + high) / 2, high, high + 1, high * 10, low / 10}) {
      EXPECT_EQ(pattern->matches(std::to_string(number)), number >= low && number <= high)
          << number << " in " << low << "-" << high;
    }
  }
}

TEST(PolicyCompiler, Reads_members_of_communities) {
  using appliers::policy::read_member;
  EXPECT_EQ(read_member("65535:65281")->value, "no-export");
  EXPECT_EQ(read_member("no-export-subconfed")->value, "local-AS");
  EXPECT_EQ(read_member("target:70000:1")->value, "rt 70000:1");
  EXPECT_EQ(read_member("target:70000L:1")->value, "rt 70000:1");
  EXPECT_EQ(read_member("origin:192.0.2.1:1")->value, "soo 192.0.2.1:1");
  EXPECT_EQ(read_member("large:4200000000:1:2")->value, "4200000000:1:2");
  EXPECT_EQ(read_member("65000:*")->expression, "65000:[0-9:]*");
  for (const char* const bad : {"65536:1", "1:65536", "target:70000:65536", "target:1L:1",
                                "bandwidth:1:2", "internet", "65000:(", "1:[a]"}) {
    EXPECT_FALSE(read_member(bad)) << bad;
  }
}

}  // namespace
}  // namespace millrace::test
