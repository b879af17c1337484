// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/xml.h"

#include <gmock/gmock.h>

namespace millrace::syntax {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using Kind = Element::Kind;

TEST(XmlForm, Elements_have_text_children_attributes_and_places) {
  const auto read = parse_xml(
      "<?xml version=\"1.0\"?>\n<!-- no -->\n<a xmlns=\"urn:x\">\n"
      "  <nc:b nc:operation='delete'>1 &lt; 2 &#xe9;</nc:b>\n  <c/>\n  "
      "<d><![CDATA[<&>]]></d>\n</a>");
  ASSERT_THAT(read.errors, SizeIs(0));
  ASSERT_THAT(read.elements, SizeIs(1));
  const Element& a = read.elements[0];
  EXPECT_THAT(a.attributes, SizeIs(0));
  ASSERT_THAT(a.children, SizeIs(3));
  EXPECT_EQ(a.children[0].name, "b");
  EXPECT_EQ(a.children[0].text, "1 < 2 \u00e9");
  EXPECT_EQ(a.children[0].at, (Position{4, 3}));
  EXPECT_THAT(a.children[0].attributes, ElementsAre(Attribute{"operation", "delete"}));
  EXPECT_EQ(a.children[1].kind, Kind::Empty);
  EXPECT_EQ(a.children[2].text, "<&>");
}

TEST(XmlForm, A_comment_of_junos_belongs_to_the_next_element) {
  const auto read = parse_xml("<a><junos:comment>/* why */</junos:comment><b/><c/></a>");
  ASSERT_THAT(read.elements, SizeIs(1));
  EXPECT_THAT(read.elements[0].children[0].attributes,
              ElementsAre(Attribute{"comment", "/* why */"}));
  EXPECT_THAT(read.elements[0].children[1].attributes, SizeIs(0));
}

TEST(XmlForm, Line_breaks_around_text_are_layout_and_other_blanks_are_not) {
  const auto read = parse_xml("<a><b>\n  x y\n</b><c> x </c></a>");
  EXPECT_EQ(read.elements[0].children[0].text, "x y");
  EXPECT_EQ(read.elements[0].children[1].text, " x ");
}

TEST(XmlForm, What_is_written_reads_back_with_every_character) {
  const Element b{.name = "b",
                  .kind = Kind::Text,
                  .text = "<&>\"' ]]>",
                  .attributes = {{"comment", "two\n  lines & <more>"}, {"inactive", "inactive"}}};
  const auto read = parse_xml(write_xml({{.name = "a", .children = {b}}}));
  ASSERT_THAT(read.errors, SizeIs(0));
  const Element& again = read.elements.at(0).children.at(0);
  EXPECT_EQ(again.text, b.text);
  EXPECT_THAT(again.attributes, ElementsAre(Attribute{"inactive", "inactive"},
                                            Attribute{"comment", "/* two\n  lines & <more> */"}));
}

TEST(XmlForm, What_is_not_well_formed_is_one_error_with_its_place) {
  const auto read = parse_xml("<a>\n <b>\n</a>");
  ASSERT_THAT(read.errors, SizeIs(1));
  EXPECT_EQ(read.errors[0].to_string(), "3:1: found '</a>', expected '</b>'");
  for (const char* bad :
       {"<a", "<a>", "<a b>", "<a b=c/>", "<a>x<b/></a>", "<a><b/>x</a>", "x", "<a/>x", "</a>",
        "<!DOCTYPE a><a/>", "<a>&e;</a>", "<a>&#0;</a>", "<a>&#xd800;</a>", "<a>\xff</a>",
        "<a><!-- x</a>", "<a>&amp</a>", "< a/>"}) {
    EXPECT_THAT(parse_xml(bad).errors, SizeIs(1)) << bad;
  }
}

TEST(XmlForm, Nesting_is_limited) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += "<a>";
  }
  EXPECT_THAT(parse_xml(text).errors, SizeIs(1));
}

}  // namespace
}  // namespace millrace::syntax
