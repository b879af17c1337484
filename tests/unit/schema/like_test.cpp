// SPDX-License-Identifier: GPL-2.0-or-later
//
// Statements that several levels share: the hierarchy in a group, what may stand everywhere, a list
// in its range.
#include <gmock/gmock.h>

#include "schema/schema.h"
#include "schema/walk.h"

namespace millrace::schema {
namespace {

constexpr std::string_view kTemplate = R"(feature f { help "F";
  order [ groups system ];
  everywhere {
    leaf-list apply-groups { help "A"; type string; ordered-by user; ref "/groups"; }
    leaf-list apply-groups-except { help "E"; type string; ref "/groups"; }
  }
  container system { help "S"; leaf host-name { help "H"; type string; } }
  list groups { help "G"; key name; type string { pattern "[a-z]+"; } like "/"; }
  container interfaces { help "I";
    list interface { help "I"; key name; nameless; type string { pattern "eth[0-9]"; }
      leaf mtu { help "M"; type integer; }
      container family { help "F"; joined; container inet { help "4"; presence; } }
    }
    list interface-range { help "R"; key name; type string; like "/interfaces/interface";
      leaf-list member { help "M"; type string; }
    }
  }
})";

const Schema& schema() {
  static const Schema made = [] {
    auto built = build({{"like.tmpl", std::string(kTemplate)}});
    EXPECT_TRUE(built) << built.error().message;
    return std::move(*built);
  }();
  return made;
}

std::string refusal(std::initializer_list<std::string_view> words) {
  const std::vector<std::string_view> all(words);
  const auto walks = walk(schema().root(), all, Abbreviations::Yes);
  return walks ? "" : walks.error().message;
}

std::vector<std::string> offered(const Node& from, std::initializer_list<std::string_view> words,
                                 Keys keys = Keys::Names) {
  const std::vector<std::string_view> all(words);
  std::vector<std::string> texts;
  for (const Choice& choice : choices(from, all, "", keys)) {
    texts.push_back(choice.text);
  }
  return texts;
}

TEST(Like, a_group_takes_the_whole_hierarchy_without_a_copy_of_it) {
  EXPECT_EQ(refusal({"groups", "g", "system", "host-name", "a"}), "");
  EXPECT_EQ(schema().find("groups system"), schema().find("system"));
  EXPECT_EQ(schema().find("groups interfaces interface mtu"), schema().find("interfaces mtu"));
  EXPECT_EQ(refusal({"groups", "g", "interfaces", "eth0", "mtu", "x"}),
            refusal({"interfaces", "eth0", "mtu", "x"}));
}

TEST(Like, a_group_has_no_groups) {
  EXPECT_EQ(refusal({"groups", "g", "groups", "h", "system"}), "syntax error.");
  EXPECT_THAT(offered(schema().root(), {"groups", "g"}),
              testing::ElementsAre("apply-groups", "interfaces", "system"));
}

TEST(Like, keys_are_patterns_in_groups_only) {
  EXPECT_EQ(refusal({"groups", "g", "interfaces", "<*>", "mtu", "1400"}), "");
  EXPECT_EQ(refusal({"groups", "g", "interfaces", "<eth[0-3]>"}), "");
  EXPECT_NE(refusal({"interfaces", "<*>", "mtu", "1400"}), "");
  EXPECT_NE(refusal({"groups", "<*>"}), "");
  EXPECT_THAT(refusal({"groups", "g", "interfaces", "<eth[>"}),
              testing::StartsWith("invalid pattern '<eth[>': expected"));
  EXPECT_THAT(offered(schema().root(), {"groups", "g", "interfaces"}),
              testing::ElementsAre("<*>", "<name>", "apply-groups", "apply-groups-except",
                                   "interface-range"));
  EXPECT_THAT(offered(*schema().find("interfaces"), {}, Keys::Patterns), testing::Contains("<*>"));
}

TEST(Like, groups_may_be_applied_at_every_level_and_excepted_below_the_top) {
  EXPECT_EQ(refusal({"apply-groups", "g"}), "");
  EXPECT_EQ(refusal({"apply-groups-except", "g"}), "syntax error.");
  EXPECT_EQ(refusal({"system", "apply-groups-except", "g"}), "");
  EXPECT_EQ(refusal({"interfaces", "eth0", "family", "inet", "apply-groups", "g"}), "");
  EXPECT_NE(refusal({"interfaces", "eth0", "family", "apply-groups", "g"}), "")
      << "it has no line of its own";
  EXPECT_THAT(offered(schema().root(), {"system"}),
              testing::ElementsAre("apply-groups", "apply-groups-except", "host-name"));
}

TEST(Like, a_range_takes_the_statements_of_its_list) {
  EXPECT_EQ(refusal({"interfaces", "interface-range", "r", "mtu", "1400"}), "");
  EXPECT_EQ(refusal({"interfaces", "interface-range", "r", "member", "eth0"}), "");
  EXPECT_NE(refusal({"interfaces", "eth0", "member", "eth0"}), "");
}

TEST(Like, statements_shared_by_levels_keep_an_order_of_display) {
  const auto order = [](std::string_view path) { return schema().find(path)->order; };
  EXPECT_LT(order("groups"), order("apply-groups"));
  EXPECT_LT(order("apply-groups"), order("system"));
  EXPECT_LT(order("system apply-groups"), order("system apply-groups-except"));
  EXPECT_LT(order("interfaces apply-groups-except"), order("interfaces interface-range member"));
  EXPECT_LT(order("interfaces interface-range member"), order("interfaces mtu"));
}

TEST(Like, problems_name_the_statement) {
  const auto built = build({{"bad.tmpl", R"(feature f { help "F";
    everywhere { leaf x { help "X"; type string; } }
    container a { help "A";
      list b { help "B"; key k; type string; like "/"; }
      list c { help "C"; key k; type string; like "/nowhere"; } } })"}});
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().message, testing::HasSubstr("found 'leaf', expected leaf-list apply"));
  EXPECT_THAT(built.error().message, testing::HasSubstr("expected a list at the top"));
  EXPECT_THAT(built.error().message, testing::HasSubstr("found like '/nowhere', expected"));
}

}  // namespace
}  // namespace millrace::schema
