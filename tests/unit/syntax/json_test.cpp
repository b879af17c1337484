// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/json.h"

#include <gmock/gmock.h>

namespace millrace::syntax {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using Kind = Element::Kind;

TEST(JsonForm, Members_become_elements_with_their_places) {
  const auto read =
      parse_json("{\n  \"a\": {\n    \"n\": 14,\n    \"list\": [{\"x\": \"y\"}, {}]\n  }\n}");
  ASSERT_THAT(read.errors, SizeIs(0));
  ASSERT_THAT(read.elements, SizeIs(1));
  const Element& a = read.elements[0];
  ASSERT_THAT(a.children, SizeIs(3));
  EXPECT_EQ(a.children[0].kind, Kind::Number);
  EXPECT_EQ(a.children[0].text, "14");
  EXPECT_EQ(a.children[0].at, (Position{3, 5}));
  EXPECT_TRUE(a.children[1].listed);
  EXPECT_EQ(a.children[1].name, "list");
  EXPECT_EQ(a.children[1].at, (Position{4, 14}));
  EXPECT_EQ(a.children[2].name, "list");
}

TEST(JsonForm, Attributes_go_to_what_they_stand_beside_whichever_comes_first) {
  const auto read = parse_json(
      R"({"@s": {"inactive": true}, "s": 1, "l": ["a", "b"], "@l": [null, {"comment": "/* c */"}],
          "o": {"@": {"protect": true, "inactive": false}}})");
  ASSERT_THAT(read.elements, SizeIs(4));
  EXPECT_THAT(read.elements[0].attributes, ElementsAre(Attribute{"inactive", "inactive"}));
  EXPECT_THAT(read.elements[1].attributes, SizeIs(0));
  EXPECT_THAT(read.elements[2].attributes, ElementsAre(Attribute{"comment", "/* c */"}));
  EXPECT_THAT(read.elements[3].attributes, ElementsAre(Attribute{"protect", "protect"}));
}

TEST(JsonForm, The_whole_list_and_its_values_may_both_have_attributes) {
  Element a{.name = "l",
            .kind = Kind::Text,
            .listed = true,
            .text = "a",
            .list_attributes = {{"inactive", "inactive"}}};
  Element b{.name = "l",
            .kind = Kind::Text,
            .listed = true,
            .text = "b",
            .attributes = {{"protect", "protect"}}};
  const auto read = parse_json(write_json({a, b}));
  ASSERT_THAT(read.elements, SizeIs(2));
  EXPECT_EQ(read.elements[0].list_attributes, a.list_attributes);
  EXPECT_EQ(read.elements[0].attributes, a.attributes);
  EXPECT_EQ(read.elements[1].attributes, b.attributes);
}

TEST(JsonForm, What_is_not_json_is_one_error_with_its_place) {
  const auto read = parse_json("{\"a\": 1,\n \"b\" 2}");
  ASSERT_THAT(read.errors, SizeIs(1));
  EXPECT_EQ(read.errors[0].at, (Position{2, 6}));
  EXPECT_EQ(read.errors[0].found, "'2'");
  EXPECT_THAT(parse_json("").errors, SizeIs(1));
  EXPECT_THAT(parse_json("[1]").errors, SizeIs(1));
  EXPECT_THAT(parse_json("{\"a\": [[1]]}").errors, SizeIs(1));
  EXPECT_THAT(parse_json("{\"@a\": [[[[[[1]]]]]]}").errors, SizeIs(1));
  EXPECT_THAT(parse_json("{\"a\": \"\xff\"}").errors, SizeIs(1));
  EXPECT_THAT(parse_json("{} x").errors, SizeIs(1));
}

TEST(JsonForm, Nesting_is_limited) {
  std::string text = "{\"a\": 1}";
  for (int i = 0; i < 100; ++i) {
    text = "{\"a\": " + text + "}";
  }
  EXPECT_THAT(parse_json(text).errors, SizeIs(1));
}

}  // namespace
}  // namespace millrace::syntax
