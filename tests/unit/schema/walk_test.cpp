// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <format>
#include <ranges>

namespace millrace::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kTemplate = R"(feature f { help "F";
  container interfaces { help "Interfaces";
    list interface { help "Name of the interface"; nameless; key name; type interface-name;
      leaf disable { help "Down"; type empty; }
      leaf description { help "Text"; type string; }
      leaf mtu { help "MTU"; type integer { range 256..9192; } units bytes; }
      list unit { help "Unit"; key number; type integer { range 0..16385; }
        container family { help "Family"; joined;
          container inet { help "IPv4"; presence;
            list address { help "Address"; key address; type ipv4-interface-address; } }
          container inet6 { help "IPv6"; presence; }
          container iso { refused "not in this release: IS-IS"; } } }
    }
    list range { help "Ranges"; key name; type string; }
  }
  container routing-options { help "Routing";
    list route { help "Route"; key destination; type ipv4-prefix;
      leaf-list next-hop { help "Next hop"; type ipv4-address; }
      leaf preference { help "Preference"; type integer; }
      leaf discard { help "Discard"; type empty; }
      container defunct { refused "gone"; } }
    leaf-list members { help "Members"; type string; }
    leaf mode { help "Mode"; type enumeration {
      enum fast { help "F"; } enum slow { help "S"; } enum slower { help "S2"; } } }
    leaf enabled { help "Enabled"; type boolean; }
  }
  container routing-instances { refused "not in this release: VRFs"; }
  container protocols { refused "not in this release: routing protocols"; }
})";

const Schema& schema() {
  static const Schema built = [] {
    auto result = build({{"t.tmpl", std::string(kTemplate)}});
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result ? std::move(*result) : Schema();
  }();
  return built;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (const auto word : std::views::split(line, ' ')) {
    if (!word.empty()) {
      words.emplace_back(word);
    }
  }
  return words;
}

// "interfaces interface[eth0] mtu = 1500" for each walk; a list as a whole has no brackets.
std::vector<std::string> walked(std::string_view line,
                                Abbreviations abbreviations = Abbreviations::No,
                                std::string_view from = "") {
  const auto result = walk(*schema().find(from), words_of(line), abbreviations);
  if (!result) {
    return {std::format("error at {}: {}", result.error().word, result.error().message)};
  }
  std::vector<std::string> out;
  for (const Walk& one : *result) {
    std::string text;
    for (const PathStep& step : one.steps) {
      text += (text.empty() ? "" : " ") + step.node->name;
      text += step.keyed ? "[" + step.key + "]" : "";
    }
    for (const std::string& value : one.values) {
      text += " = " + value;
    }
    out.push_back(text);
  }
  return out;
}

std::vector<std::string> typed(std::string_view line) {
  return walked(line, Abbreviations::Yes);
}

TEST(Walk, reads_names_keys_and_values_to_canonical_steps) {
  EXPECT_THAT(walked("interfaces eth0 mtu 01500"),
              ElementsAre("interfaces interface[eth0] mtu = 1500"));
  EXPECT_THAT(walked("interfaces eth0 unit 007 family inet address 10.0.0.1/24"),
              ElementsAre("interfaces interface[eth0] unit[7] family inet address[10.0.0.1/24]"));
  EXPECT_THAT(walked("interfaces eth0 disable"), ElementsAre("interfaces interface[eth0] disable"));
  EXPECT_THAT(walked(""), ElementsAre(""));
}

TEST(Walk, stops_at_paths_that_only_show_and_delete_can_use) {
  EXPECT_THAT(walked("interfaces"), ElementsAre("interfaces"));
  EXPECT_THAT(walked("interfaces eth0 unit"), ElementsAre("interfaces interface[eth0] unit"));
  EXPECT_THAT(walked("interfaces eth0 mtu"), ElementsAre("interfaces interface[eth0] mtu"));
  EXPECT_THAT(walked("interfaces eth0 unit 0 family"),
              ElementsAre("interfaces interface[eth0] unit[0] family"));
}

TEST(Walk, prefers_a_name_to_a_key_of_the_nameless_list) {
  EXPECT_THAT(walked("interfaces range r1"), ElementsAre("interfaces range[r1]"));
}

TEST(Walk, starts_again_at_the_parent_of_a_complete_leaf) {
  EXPECT_THAT(
      walked("interfaces eth0 disable mtu 1500 description x"),
      ElementsAre("interfaces interface[eth0] disable", "interfaces interface[eth0] mtu = 1500",
                  "interfaces interface[eth0] description = x"));
  EXPECT_THAT(walked("interfaces eth0 mtu 1500 unit 0 family inet"),
              ElementsAre("interfaces interface[eth0] mtu = 1500",
                          "interfaces interface[eth0] unit[0] family inet"));
}

TEST(Walk, gives_a_leaf_list_values_until_the_name_of_a_sibling) {
  EXPECT_THAT(walked("routing-options route 10.0.0.0/8 next-hop 10.1.1.1 10.1.1.2"),
              ElementsAre("routing-options route[10.0.0.0/8] next-hop = 10.1.1.1 = 10.1.1.2"));
  EXPECT_THAT(walked("routing-options route 10.0.0.0/8 next-hop 10.1.1.1 preference 7 discard"),
              ElementsAre("routing-options route[10.0.0.0/8] next-hop = 10.1.1.1",
                          "routing-options route[10.0.0.0/8] preference = 7",
                          "routing-options route[10.0.0.0/8] discard"));
  EXPECT_THAT(typed("routing-options route 10.0.0.0/8 next-hop 10.1.1.1 pref 7"),
              ElementsAre("routing-options route[10.0.0.0/8] next-hop = 10.1.1.1",
                          "routing-options route[10.0.0.0/8] preference = 7"));
  EXPECT_THAT(walked("routing-options members mode"), ElementsAre("routing-options members = mode"))
      << "the first word is always a value";
}

TEST(Walk, goes_on_from_a_node_below_the_root) {
  EXPECT_THAT(walked("unit 0 family inet", Abbreviations::No, "interfaces interface"),
              ElementsAre("unit[0] family inet"));
  EXPECT_THAT(walked("mtu 1500 disable", Abbreviations::No, "interfaces interface"),
              ElementsAre("mtu = 1500", "disable"));
  EXPECT_THAT(walked("eth0", Abbreviations::No, "interfaces"), ElementsAre("interface[eth0]"));
}

TEST(Walk, takes_unambiguous_prefixes_of_typed_words_only) {
  EXPECT_THAT(typed("int eth0 un 0 fam inet6"),
              ElementsAre("interfaces interface[eth0] unit[0] family inet6"));
  EXPECT_THAT(typed("int eth0 un 0 fam inet"),
              ElementsAre("interfaces interface[eth0] unit[0] family inet"))
      << "a whole name wins over longer ones";
  EXPECT_THAT(walked("int eth0"), ElementsAre("error at 0: syntax error."));
  EXPECT_THAT(typed("int eth0 d"), ElementsAre("error at 2: 'd' is ambiguous."));
  EXPECT_THAT(typed("rout"), ElementsAre("routing-options")) << "refused statements do not count";
  EXPECT_THAT(typed("int interface"), ElementsAre("error at 1: invalid value 'interface': expected "
                                                  "the name of an interface, such as eth0 or lo0"));
}

TEST(Walk, takes_unambiguous_prefixes_of_enumerated_values) {
  EXPECT_THAT(typed("routing-options mode f"), ElementsAre("routing-options mode = fast"));
  EXPECT_THAT(typed("routing-options mode slow"), ElementsAre("routing-options mode = slow"));
  EXPECT_THAT(typed("routing-options mode slo"), ElementsAre("error at 2: 'slo' is ambiguous."));
  EXPECT_THAT(walked("routing-options mode f"),
              ElementsAre("error at 2: invalid value 'f': expected one of fast, slow, slower"));
}

TEST(Walk, names_the_offending_word) {
  EXPECT_THAT(walked("bogus"), ElementsAre("error at 0: syntax error."));
  EXPECT_THAT(walked("interfaces eth0 unit 0 bogus"), ElementsAre("error at 4: syntax error."));
  EXPECT_THAT(walked("interfaces eth0 mtu 9193"),
              ElementsAre("error at 3: Value 9193 is not within range (256..9192)"));
  EXPECT_THAT(walked("interfaces eth0 disable bogus"), ElementsAre("error at 3: syntax error."));
  EXPECT_THAT(walked("routing-options route 10.0.0.0/8 next-hop 10.1.1.1 x"),
              ElementsAre("error at 5: invalid ip address 'x': expected an IPv4 address"));
  EXPECT_THAT(typed(" "), ElementsAre(""));
}

TEST(Walk, refuses_statements_of_other_releases_with_their_hint) {
  const auto bgp = walk(schema().root(), words_of("protocols bgp group g"), Abbreviations::No);
  ASSERT_FALSE(bgp.has_value());
  EXPECT_EQ(bgp.error().word, 0U);
  EXPECT_EQ(bgp.error().code, base::Code::UnknownPath);
  EXPECT_EQ(bgp.error().message, "'protocols' is not supported");
  EXPECT_EQ(bgp.error().hint, "not in this release: routing protocols");
  EXPECT_THAT(walked("interfaces eth0 unit 0 family iso"),
              ElementsAre("error at 5: 'iso' is not supported"));
}

TEST(Walk, passes_the_hint_of_a_refused_value_on) {
  const auto route =
      walk(schema().root(), words_of("routing-options route 10.0.0.1/8"), Abbreviations::No);
  ASSERT_FALSE(route.has_value());
  EXPECT_EQ(route.error().code, base::Code::BadValue);
  EXPECT_THAT(route.error().hint, ::testing::HasSubstr("10.0.0.0/8"));
}

TEST(lacking, asks_for_the_argument_that_a_set_needs) {
  const auto lacks = [](std::string_view line) {
    const auto words = words_of(line);
    const auto walks = walk(schema().root(), words, Abbreviations::No);
    return lacking(walks.value(), words.size());
  };
  EXPECT_EQ(lacks("interfaces eth0 mtu")->message, "missing argument.");
  EXPECT_EQ(lacks("interfaces eth0 mtu")->word, 3U);
  EXPECT_TRUE(lacks("interfaces eth0 unit").has_value());
  EXPECT_TRUE(lacks("routing-options members").has_value());
  EXPECT_TRUE(lacks("").has_value());
  EXPECT_FALSE(lacks("interfaces eth0 mtu 1500").has_value());
  EXPECT_FALSE(lacks("interfaces eth0 disable").has_value());
  EXPECT_FALSE(lacks("interfaces eth0 unit 0 family inet").has_value());
  EXPECT_FALSE(lacks("interfaces eth0").has_value());
}

std::vector<std::string> offered(std::string_view line, std::string_view prefix = "") {
  std::vector<std::string> out;
  for (const Choice& choice : choices(schema().root(), words_of(line), prefix)) {
    out.push_back(std::format("{} {} {}", choice.marker, choice.text, choice.help));
  }
  return out;
}

TEST(choices, lists_placeholders_first_and_leaves_refused_statements_out) {
  EXPECT_THAT(offered(""), ElementsAre("> interfaces Interfaces", "> routing-options Routing"));
  EXPECT_THAT(offered("interfaces"),
              ElementsAre("> <name> Name of the interface", "> range Ranges"));
  EXPECT_THAT(offered("interfaces eth0 unit 0 family"), ElementsAre("> inet IPv4", "> inet6 IPv6"));
  EXPECT_THAT(offered("routing-options route 10.0.0.0/8"),
              ElementsAre("  discard Discard", "+ next-hop Next hop", "  preference Preference"));
}

TEST(choices, describes_what_a_key_or_value_may_be) {
  EXPECT_THAT(offered("interfaces eth0 unit"), ElementsAre("  <number> Unit (0..16385)"));
  EXPECT_THAT(offered("interfaces eth0 mtu"), ElementsAre("  <256..9192> MTU (bytes)"));
  EXPECT_THAT(offered("routing-options mode"), ElementsAre("  fast F", "  slow S", "  slower S2"));
  EXPECT_THAT(offered("routing-options mode", "slow"), ElementsAre("  slow S", "  slower S2"));
  EXPECT_THAT(offered("routing-options enabled"), ElementsAre("  false Enabled", "  true Enabled"));
}

TEST(choices, offers_siblings_after_a_complete_leaf) {
  EXPECT_THAT(offered("routing-options route 10.0.0.0/8 discard", "p"),
              ElementsAre("  preference Preference"));
  EXPECT_THAT(offered("routing-options route 10.0.0.0/8 next-hop 10.1.1.1"),
              ElementsAre("  <ipv4-address> Next hop", "  discard Discard", "+ next-hop Next hop",
                          "  preference Preference"));
}

TEST(choices, are_none_after_words_that_cannot_stand) {
  EXPECT_THAT(offered("bogus"), IsEmpty());
  EXPECT_THAT(offered("protocols"), IsEmpty());
  EXPECT_THAT(offered("interfaces ethernet"), IsEmpty());
}

}  // namespace
}  // namespace millrace::schema
