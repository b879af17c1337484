// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/schema.h"

namespace millrace::schema {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Schema built(std::vector<Source> sources) {
  auto schema = build(std::move(sources));
  EXPECT_TRUE(schema.has_value()) << schema.error().message;
  return schema ? std::move(*schema) : Schema();
}

Schema built(std::string text) {
  return built({{"t.tmpl", "feature f { help \"F\"; " + text + " }"}});
}

// The problems of one template; its statements begin at line 1, column 1.
std::string problems(std::string text) {
  auto schema = build({{"t.tmpl", "feature f { help \"F\";\n" + text + "\n}"}});
  return schema ? "none" : schema.error().message;
}

std::vector<std::string> names(const Node* node) {
  std::vector<std::string> out;
  for (const auto& child : node->children) {
    out.push_back(child->name);
  }
  return out;
}

constexpr std::string_view kSystem = R"(
  container system { help "System";
    leaf host-name { help "Name"; type host-name; mandatory; }
    leaf ttl { help "TTL"; type integer { range "1..4 | 64 | 200..max"; } default 064; units hops; }
    leaf password { help "Secret"; type string { length 1..8; pattern "[a-z]+"; } secret; }
    leaf-list dns { help "Servers"; type ip-address; ordered-by user; }
    container family { help "Families"; joined; container inet { help "IPv4"; presence; } }
  }
)";

TEST(Build, reads_every_property_of_nodes) {
  const Schema schema = built(std::string(kSystem));
  const Node* system = schema.find("system");
  ASSERT_NE(system, nullptr);
  EXPECT_EQ(system->help, "System");
  EXPECT_EQ(system->origin, "t.tmpl:2");
  EXPECT_EQ(system->parent, &schema.root());
  EXPECT_THAT(names(system), ElementsAre("host-name", "ttl", "password", "dns", "family"));
  EXPECT_TRUE(system->child("host-name")->mandatory);
  const Node* ttl = system->child("ttl");
  EXPECT_EQ(ttl->default_value, "64") << "defaults are canonical";
  EXPECT_EQ(ttl->type.units, "hops");
  ASSERT_EQ(ttl->type.ranges.size(), 3U);
  EXPECT_EQ(ttl->type.ranges[1].low, 64);
  EXPECT_EQ(ttl->type.ranges[1].high, 64);
  EXPECT_EQ(ttl->type.ranges[2].high, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(system->child("password")->secret);
  EXPECT_EQ(system->child("password")->type.pattern, "[a-z]+");
  EXPECT_EQ(system->child("dns")->kind, Kind::LeafList);
  EXPECT_TRUE(system->child("dns")->ordered);
  EXPECT_TRUE(system->child("family")->joined);
  EXPECT_TRUE(schema.find("system family inet")->presence);
  EXPECT_EQ(schema.find("system family inet")->path(), "system family inet");
  EXPECT_EQ(system->child("nothing"), nullptr);
}

constexpr std::string_view kInterfaces = R"T(
  container interfaces { help "Interfaces";
    list interface { help "Interface"; nameless; key name; type interface-name;
      leaf mtu { help "MTU"; type integer; must ". >= 1280 or not exists(../unit/vlan)" { error-message "too small"; } }
      list unit { help "Unit"; key number; type integer; unique vlan;
        leaf vlan { help "VLAN"; type integer; } }
    }
  }
  leaf-list trusted { help "Trusted"; type interface-name; ref "/interfaces/interface"; }
)T";

TEST(Build, finds_nodes_with_the_nameless_list_named_or_left_out) {
  const Schema schema = built(std::string(kInterfaces));
  const Node* vlan = schema.find("interfaces interface unit vlan");
  ASSERT_NE(vlan, nullptr);
  EXPECT_EQ(schema.find("interfaces unit vlan"), vlan);
  EXPECT_EQ(vlan->path(), "interfaces unit vlan");
  EXPECT_EQ(schema.find(""), &schema.root());
  EXPECT_EQ(schema.find("interfaces interface unit speed"), nullptr);
  EXPECT_EQ(schema.find("interfaces")->child("interface"), nullptr);
  EXPECT_EQ(schema.find("interfaces")->nameless_list(), schema.find("interfaces interface"));
}

TEST(Build, resolves_references_and_unique_and_keeps_musts) {
  const Schema schema = built(std::string(kInterfaces));
  const Node* trusted = schema.find("trusted");
  ASSERT_TRUE(trusted->reference.has_value());
  EXPECT_EQ(trusted->reference->target, schema.find("interfaces interface"));
  ASSERT_EQ(schema.find("interfaces unit")->unique.size(), 1U);
  EXPECT_THAT(schema.find("interfaces unit")->unique[0].leaves,
              ElementsAre(schema.find("interfaces unit vlan")));
  const Node* mtu = schema.find("interfaces mtu");
  ASSERT_EQ(mtu->musts.size(), 1U);
  EXPECT_EQ(mtu->musts[0].message, "too small");
  EXPECT_EQ(mtu->musts[0].text, ". >= 1280 or not exists(../unit/vlan)");
}

TEST(Build, resolves_references_of_union_members_to_leaves_too) {
  const Schema schema = built(R"T(
    list zone { help "Z"; key name; type string; unique-in "/zone" { error-message "m"; }
      max-elements 8; unique "mark tcp/port";
      leaf mark { help "M"; type string; }
      container tcp { help "T"; leaf port { help "P"; type integer; } }
    }
    leaf-list source { help "S"; min-elements 1;
      type union { type ip-address; type string { ref "/zone/mark"; } } }
  )T");
  const Node* zone = schema.find("zone");
  EXPECT_EQ(schema.find("source")->type.members[1].target, zone->child("mark"));
  EXPECT_EQ(schema.find("source")->min_elements, 1U);
  EXPECT_EQ(zone->unique_in->scope, zone);
  EXPECT_EQ(zone->max_elements, 8U);
  EXPECT_THAT(zone->unique[0].leaves,
              ElementsAre(zone->child("mark"), schema.find("zone tcp port")));
}

TEST(Build, places_augments_in_any_order_of_files) {
  const Schema schema = built({
      {"a.tmpl",
       R"(feature a { help "A"; augment system ntp { leaf burst { help "B"; type empty; } } })"},
      {"b.tmpl",
       R"(feature b { help "B"; augment system { container ntp { help "N"; presence; } } })"},
      {"c.tmpl", R"(feature c { help "C"; augment / { leaf top { help "T"; type empty; } }
                    container system { help "S"; leaf name { help "N"; type string; } } })"},
  });
  EXPECT_NE(schema.find("system ntp burst"), nullptr);
  EXPECT_NE(schema.find("top"), nullptr);
  EXPECT_THAT(names(schema.find("system")), ElementsAre("name", "ntp"))
      << "a container's own statements come before what others add";
}

TEST(Build, orders_siblings_as_the_order_statement_says) {
  const Schema schema = built(R"(order [ c a ];
      leaf a { help "A"; type empty; } leaf b { help "B"; type empty; } leaf c { help "C"; type empty; })");
  EXPECT_THAT(names(&schema.root()), ElementsAre("c", "a", "b"));
  EXPECT_LT(schema.find("c")->order, schema.find("a")->order);
}

TEST(Build, copies_a_grouping_to_each_use_even_across_files) {
  const Schema schema = built({
      {"a.tmpl", R"(feature a { help "A";
         container v4 { help "4"; uses address; } container v6 { help "6"; uses address; } })"},
      {"b.tmpl", R"(feature b { help "B";
         grouping address { list address { help "Address"; key ip; type ip-address; uses more; } }
         grouping more { leaf primary { help "Primary"; type empty; } } })"},
  });
  const Node* v4 = schema.find("v4 address primary");
  const Node* v6 = schema.find("v6 address primary");
  ASSERT_NE(v4, nullptr);
  ASSERT_NE(v6, nullptr);
  EXPECT_NE(v4, v6);
  EXPECT_EQ(v4->origin, "b.tmpl:3");
}

TEST(Build, inherits_warnings_and_keeps_the_hint_of_refusals) {
  const Schema schema = built(R"(
      container snmp { help "SNMP"; warns "no agent"; leaf name { help "N"; type string; } }
      container bgp { refused "not yet"; })");
  EXPECT_EQ(schema.find("snmp name")->support, Support::Warns);
  EXPECT_EQ(schema.find("snmp name")->support_reason, "no agent");
  EXPECT_EQ(schema.find("bgp")->support, Support::Refused);
  EXPECT_EQ(schema.find("bgp")->support_reason, "not yet");
}

constexpr std::string_view kService = R"T(
  container ntp { help "NTP"; list server { help "Server"; key address; type host; one-liner;
    leaf prefer { help "Prefer"; type empty; } } }
  render ntp { path ntp; file /etc/ntp.conf; mode 0640; escape word; unit ntp.service; reload;
    validate [ ntpd -t "{}" ]; text "{{#server}}server {{address}}
{{/server}}"; }
  command "show ntp" { help "Show"; permission view; run exec [ ntpq "-n{-no-resolve}" -- "{host}" ];
    argument no-resolve { help "N"; type empty; }
    argument host { help "H"; type string; positional; mandatory; } }
  command "show version" { help "V"; permission view; run builtin version; }
  command "show rip" { help "R"; permission view; run frr ripd [ "show ip rip" ]; }
)T";

TEST(Build, reads_renders) {
  const Schema schema = built(std::string(kService));
  ASSERT_EQ(schema.renders().size(), 1U);
  const Render& render = schema.renders()[0];
  EXPECT_EQ(render.name, "ntp");
  EXPECT_EQ(render.path, "ntp");
  EXPECT_EQ(render.file, "/etc/ntp.conf");
  EXPECT_EQ(render.mode, 0640U);
  EXPECT_EQ(render.escape, "word");
  EXPECT_EQ(render.unit, "ntp.service");
  EXPECT_TRUE(render.reloads);
  EXPECT_THAT(render.validate, ElementsAre("ntpd", "-t", "{}"));
  EXPECT_EQ(render.text, "{{#server}}server {{address}}\n{{/server}}");
}

TEST(Build, reads_commands_of_every_runner) {
  const Schema schema = built(std::string(kService));
  ASSERT_EQ(schema.commands().size(), 3U);
  const Command& ntp = schema.commands()[0];
  EXPECT_EQ(ntp.words, "show ntp");
  EXPECT_EQ(ntp.runner, "exec");
  EXPECT_THAT(ntp.argv, ElementsAre("ntpq", "-n{-no-resolve}", "--", "{host}"));
  ASSERT_EQ(ntp.arguments.size(), 2U);
  EXPECT_FALSE(ntp.arguments[0].positional);
  EXPECT_TRUE(ntp.arguments[1].positional && ntp.arguments[1].mandatory);
  EXPECT_EQ(schema.commands()[1].target, "version");
  EXPECT_EQ(schema.commands()[2].target, "ripd");
  EXPECT_THAT(schema.commands()[2].argv, ElementsAre("show ip rip"));
}

TEST(Build, reports_all_problems_of_all_files_at_once_with_their_places) {
  const auto schema = build({
      {"a.tmpl", "feature a { help \"A\";\n  leaf x { type strin; }\n  container c { }\n}"},
      {"b.tmpl", "feature b {\n  augment nowhere { }\n  bogus;\n}"},
      {"c.tmpl", "feature c { help \"C\"; leaf y { help \"Y\"; type empty } }"},
  });
  ASSERT_FALSE(schema.has_value());
  EXPECT_EQ(schema.error().code, base::Code::Syntax);
  EXPECT_THAT(schema.error().message,
              AllOf(HasSubstr("a.tmpl:2:12: found type 'strin', expected one of empty, string"),
                    HasSubstr("a.tmpl:2:3: found 'x' without help, expected help"),
                    HasSubstr("a.tmpl:3:3: found 'c' without help"),
                    HasSubstr("b.tmpl:1:1: found a feature without help"),
                    HasSubstr("b.tmpl:2:3: found augment 'nowhere', expected the path of"),
                    HasSubstr("b.tmpl:3:3: found 'bogus', expected one of help, grouping"),
                    HasSubstr("c.tmpl:1:")));
}

struct Problem {
  std::string name;
  std::string text;
  std::string message;
};

class BuildProblem : public ::testing::TestWithParam<Problem> {};

TEST_P(BuildProblem, is_reported) {
  EXPECT_THAT(problems(GetParam().text), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    table, BuildProblem,
    ::testing::Values(
        Problem{"twice", "leaf a { help \"A\"; type empty; }\nleaf a { help \"A\"; type empty; }",
                "t.tmpl:3:1: found 'a' again, expected one of a name; the first is at t.tmpl:2"},
        Problem{"no_type", "leaf a { help \"A\"; }", "found 'a' without a type"},
        Problem{"no_key", "list a { help \"A\"; type string; leaf b { help \"B\"; type empty; } }",
                "found list 'a' without a key"},
        Problem{"empty_key", "list a { help \"A\"; key k; type empty; }",
                "found type 'empty', expected a type with values"},
        Problem{"wrong_word", "container a { help \"A\"; mandatory; presence; }",
                "t.tmpl:2:25: found 'mandatory', expected one of help, presence"},
        Problem{"bad_name", "leaf \"a b\" { help \"A\"; type empty; }",
                "found 'a b', expected a name"},
        Problem{"bad_default", "leaf a { help \"A\"; type integer { range 1..4; } default 9; }",
                "found Value 9 is not within range (1..4)"},
        Problem{"mandatory_default", "leaf a { help \"A\"; type integer; default 9; mandatory; }",
                "found a default in a mandatory leaf"},
        Problem{"bad_range", "leaf a { help \"A\"; type integer { range 4..1; } }",
                "found '4..1', expected ascending ranges"},
        Problem{"overlap", "leaf a { help \"A\"; type integer { range \"1..4 | 4..5\"; } }",
                "expected ascending ranges"},
        Problem{"range_of_string", "leaf a { help \"A\"; type string { range 1..4; } }",
                "found 'range' in type 'string'"},
        Problem{"bad_pattern", "leaf a { help \"A\"; type string { pattern \"(\"; } }",
                "found '(', expected a POSIX extended regular expression"},
        Problem{"no_values", "leaf a { help \"A\"; type enumeration; }",
                "found an enumeration without values"},
        Problem{"enum_help", "leaf a { help \"A\"; type enumeration { enum x { } } }",
                "found an enum without help"},
        Problem{"small_union", "leaf a { help \"A\"; type union { type string; } }",
                "found a union of fewer than two types"},
        Problem{"bad_must",
                "leaf a { help \"A\"; type empty; must \"exists(\" { error-message \"m\"; } }",
                "must 'exists('"},
        Problem{"must_path",
                "leaf a { help \"A\"; type empty; must \"exists(../b)\" { error-message \"m\"; } }",
                "found path step 'b'"},
        Problem{
            "must_above_root",
            "leaf a { help \"A\"; type empty; must \"exists(../../b)\" { error-message \"m\"; } }",
            "found path step '..'"},
        Problem{"must_message", "leaf a { help \"A\"; type empty; must \"exists(../a)\"; }",
                "found a must without a message"},
        Problem{"bad_ref", "leaf a { help \"A\"; type string; ref \"/b\"; }",
                "found ref '/b', expected the absolute path of a list"},
        Problem{"bad_unique", "list a { help \"A\"; key k; type string; unique b; }",
                "found unique 'b', expected a leaf of the list"},
        Problem{"bad_unique_in",
                "list a { help \"A\"; key k; type string; unique-in \"/b\"; }"
                " leaf b { help \"B\"; type string; }",
                "found unique-in '/b', expected the absolute path of a statement around"},
        Problem{"no_elements", "leaf-list a { help \"A\"; type string; max-elements 0; }",
                "found '0', expected a number of at least 1"},
        Problem{"bad_elements",
                "leaf-list a { help \"A\"; type string; min-elements 3; max-elements 2; }",
                "found at most 2 elements, expected at least the min-elements, 3"},
        Problem{
            "bad_member_ref",
            "leaf a { help \"A\"; type union { type ip-address; type string { ref \"/x\"; } } }",
            "found ref '/x', expected the absolute path of a list"},
        Problem{"ref_outside_union", "leaf a { help \"A\"; type string { ref \"/a\"; } }",
                "found 'ref' in type 'string'"},
        Problem{"no_grouping", "uses g;", "found 'g', expected the name of a grouping"},
        Problem{"unused_grouping", "grouping g { }", "found grouping 'g', expected a use of it"},
        Problem{"endless_grouping", "grouping g { container c { help \"C\"; uses g; } } uses g;",
                "found 'g' inside of itself"},
        Problem{"bad_order", "order [ x ];", "found 'x', expected the name of a statement"},
        Problem{"joined_leaf",
                "container a { help \"A\"; joined; leaf b { help \"B\"; type empty; } }",
                "found 'b' in joined 'a', expected only containers"},
        Problem{"empty_container", "container a { help \"A\"; }",
                "found container 'a' with nothing in it"},
        Problem{"two_nameless",
                "container a { help \"A\"; list b { help \"B\"; nameless; key k; type string; }"
                " list c { help \"C\"; nameless; key k; type string; } }",
                "found 2 nameless lists in 'a'"},
        Problem{"refused_children",
                "container a { refused \"no\"; leaf b { help \"B\"; type empty; } }",
                "found statements in a refused one"},
        Problem{"augment_refused",
                "container a { refused \"no\"; } augment a { leaf b { help \"B\"; type empty; } }",
                "found augment of 'a'"},
        Problem{"tagged", "inactive: leaf a { help \"A\"; type empty; }", "found a tag"},
        Problem{"no_block", "leaf a;", "found no block after 'leaf', expected '{'"},
        Problem{"render_path", "render r { path x; file /r; escape word; text \"t\"; }",
                "found render path 'x'"},
        Problem{"render_escape", "render r { path x; file /r; text \"t\"; }",
                "found a render without its escaping"},
        Problem{"render_mode", "render r { path x; file /r; mode 0888; escape word; text \"t\"; }",
                "found '0888', expected an octal mode"},
        Problem{"command_run", "command \"show x\" { help \"X\"; permission view; }",
                "found a command that runs nothing"},
        Problem{"command_permission",
                "command \"show x\" { help \"X\"; permission root; run builtin x; }",
                "found permission 'root'"},
        Problem{"command_argument",
                "command \"show x\" { help \"X\"; permission view; run exec [ x \"{y}\" ]; }",
                "found '{y}', expected {NAME} of an argument"},
        Problem{"command_option",
                "command x { help \"X\"; permission view; run exec [ x \"{y}\" ];"
                " argument y { help \"Y\"; type string; positional; } }",
                "found '{y}', a value that may begin with '-'"},
        Problem{"command_runner", "command x { help \"X\"; permission view; run shell [ x ]; }",
                "found run 'shell', expected builtin NAME, exec"}),
    [](const auto& info) { return info.param.name; });

Schema with_owners() {
  return built(R"(
      container a { help "A"; leaf x { help "X"; type empty; }
        container b { help "B"; leaf y { help "Y"; type empty; } } }
      container n { help "N"; leaf z { help "Z"; type empty; } }
      container r { refused "no"; }
      container w { help "W"; warns "no effect"; leaf v { help "V"; type empty; } }
      render n { path n; file /n; escape word; text "t"; })");
}

TEST(assign_owners, gives_a_subtree_to_its_deepest_owner_and_renders_their_paths) {
  Schema schema = with_owners();
  const std::vector<Ownership> owners = {{"outer", {"a"}}, {"inner", {"a b"}}};
  const auto assigned = assign_owners(schema, owners);
  ASSERT_TRUE(assigned.has_value()) << assigned.error().message;
  EXPECT_EQ(schema.find("a x")->owner, "outer");
  EXPECT_EQ(schema.find("a b y")->owner, "inner");
  EXPECT_EQ(schema.find("n z")->owner, "n");
  EXPECT_EQ(schema.find("w v")->owner, "");
}

TEST(assign_owners, refuses_statements_without_owner_owners_without_statement_and_double_owners) {
  Schema schema = with_owners();
  const std::vector<Ownership> owners = {{"inner", {"a b", "gone"}}, {"second", {"n"}}};
  const auto assigned = assign_owners(schema, owners);
  ASSERT_FALSE(assigned.has_value());
  EXPECT_THAT(assigned.error().message,
              AllOf(HasSubstr("3 problems"), HasSubstr("'a x' (t.tmpl:2) has no owner"),
                    HasSubstr("'inner' owns 'gone', expected a declared statement"),
                    HasSubstr("'n' owns 'n', expected one owner, found 'second' too"),
                    Not(HasSubstr("'w"))));
}

TEST(load, reports_a_folder_that_is_not_there) {
  const auto schema = load("/nowhere/templates");
  ASSERT_FALSE(schema.has_value());
  EXPECT_EQ(schema.error().path, "/nowhere/templates");
}

}  // namespace
}  // namespace millrace::schema
