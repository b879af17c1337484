// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/render_text.h"

#include <gmock/gmock.h>

#include "tree/text.h"

namespace millrace::appliers {
namespace {

constexpr std::string_view kTemplate = R"(
feature test {
    help "Test";
    container top {
        help "Top";
        presence;
        leaf name { help "Name"; type string; }
        leaf level { help "Level"; type integer; default 3; }
        leaf flag { help "Flag"; type empty; }
        leaf-list word { help "Words"; type string; }
        container inner { help "Inner"; leaf name { help "Name"; type string; } }
        list host {
            help "Hosts"; key address; type host;
            leaf name { help "Name"; type string; }
        }
    }
}
)";

class RenderText : public ::testing::Test {
 protected:
  RenderedText render(std::string text, const std::string& set_lines, std::string escape = "word") {
    tree::Editor editor{tree::ConfigTree(schema_)};
    const auto report = tree::load(editor, {}, set_lines, tree::LoadAction::Set);
    EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
    schema::Render render;
    render.text = std::move(text);
    render.escape = std::move(escape);
    return render_text(render, subtree_at(editor.tree(), "top"));
  }

  schema::Schema schema_ = schema::build({{"test.tmpl", std::string(kTemplate)}}).value();
};

TEST_F(RenderText, Prints_values_and_defaults) {
  EXPECT_EQ(render("{{name}} {{level}}\n", "set top name x").text, "x 3\n");
  EXPECT_EQ(render("{{level}}\n", "set top level 7").text, "7\n");
}

TEST_F(RenderText, Tests_presence_and_not_the_default) {
  const std::string text = "{{#level}}set{{/level}}{{^level}}unset{{/level}} {{level}}";
  EXPECT_EQ(render(text, "set top name x").text, "unset 3");
  EXPECT_EQ(render(text, "set top level 4").text, "set 4");
}

TEST_F(RenderText, Tests_flags) {
  const std::string text = "{{#flag}}on{{/flag}}{{^flag}}off{{/flag}}";
  EXPECT_EQ(render(text, "set top flag").text, "on");
  EXPECT_EQ(render(text, "set top name x").text, "off");
}

TEST_F(RenderText, Repeats_for_entries_in_order_of_keys) {
  EXPECT_EQ(render("{{#host}}\nserver {{address}}\n{{/host}}\n",
                   "set top host 10.0.0.10\nset top host 10.0.0.9")
                .text,
            "server 10.0.0.9\nserver 10.0.0.10\n");
}

TEST_F(RenderText, Repeats_for_values) {
  EXPECT_EQ(render("{{#word}} {{.}}{{/word}}", "set top word [ a b ]").text, " a b");
}

TEST_F(RenderText, Finds_a_name_where_the_schema_has_it_and_not_further_out) {
  // The entry and the container have a name of their own, which is absent.
  EXPECT_EQ(render("{{#host}}[{{name}}]{{/host}}", "set top name x\nset top host a").text, "[]");
  EXPECT_EQ(render("{{#inner}}[{{name}}]{{/inner}}", "set top name x").text, "");
  EXPECT_EQ(render("{{#host}}[{{level}}]{{/host}}", "set top level 9\nset top host a").text, "[9]");
}

TEST_F(RenderText, Escapes_nothing_for_HTML) {
  EXPECT_EQ(render("{{name}}", "set top name \"<a&b>\"", "line").text, "<a&b>");
}

TEST_F(RenderText, Refuses_a_value_that_is_more_than_a_word) {
  for (const char* const value : {"a b", "a;b", "a#b", "a'b", "a\\\\b", "$(a)", "a|b", "!a"}) {
    const auto result = render("{{name}}\n", std::string("set top name \"") + value + "\"");
    EXPECT_EQ(result.refused.size(), 1U) << value;
    EXPECT_EQ(result.text, "?\n");
  }
}

TEST_F(RenderText, Takes_words_of_any_language) {
  const auto result = render("{{name}}", "set top name Zürich-1.example");
  EXPECT_TRUE(result.refused.empty());
  EXPECT_EQ(result.text, "Zürich-1.example");
}

TEST_F(RenderText, Looks_for_mustache_in_the_template_only) {
  EXPECT_EQ(render("{{name}}", "set top name \"{{level}}\"", "line").text, "{{level}}");
}

TEST(Renderable, Refuses_what_turns_escaping_off) {
  EXPECT_TRUE(why_not_renderable("{{{name}}}"));
  EXPECT_TRUE(why_not_renderable("{{&name}}"));
  EXPECT_TRUE(why_not_renderable("{{>partial}}"));
  EXPECT_TRUE(why_not_renderable("{{=<% %>=}}"));
  EXPECT_TRUE(why_not_renderable("{{#open}}"));
  EXPECT_TRUE(why_not_renderable("{{}}"));
  EXPECT_FALSE(why_not_renderable("a {{! why }}{{#b}}{{c}}{{/b}}\n"));
}

}  // namespace
}  // namespace millrace::appliers
