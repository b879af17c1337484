// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/statement.h"

#include <gtest/gtest.h>

#include <format>

namespace millrace::syntax {
namespace {

// The statements with every word in <>, so that a test shows in one string what was read.
std::string outline(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& statement : statements) {
    const Tags& tags = statement.tags;
    text += tags.inactive ? "inactive " : "";
    text += tags.protect ? "protect " : "";
    text += tags.unprotect ? "unprotect " : "";
    text += tags.replace ? "replace " : "";
    text += tags.remove ? "delete " : "";
    for (const Word& word : statement.words) {
      text += std::format("<{}>", word.text);
    }
    if (statement.bracketed) {
      text += "[";
      for (const Word& word : statement.values) {
        text += std::format("<{}>", word.text);
      }
      text += "]";
    }
    text += statement.block ? "{" + outline(statement.children) + "}" : ";";
  }
  return text;
}

std::string read(std::string_view text) {
  const Document document = parse_statements(std::string(text));
  std::string result = outline(document.statements);
  for (const SyntaxError& error : document.errors) {
    result += " ! " + error.to_string();
  }
  return result;
}

TEST(Statement, Heads_lists_and_blocks_are_read) {
  EXPECT_EQ(read("system { host-name r1; members [ a b ]; empty { } none [ ]; }"),
            "<system>{<host-name><r1>;<members>[<a><b>];<empty>{}<none>[];}");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read(" \n\t"), "");
}

TEST(Statement, White_space_is_free) {
  EXPECT_EQ(read("a{b c;d[e f];}g;"), "<a>{<b><c>;<d>[<e><f>];}<g>;");
  EXPECT_EQ(read("a\n  b\n{\n}\n"), "<a><b>{}");
}

TEST(Statement, Line_ends_of_windows_and_a_byte_order_mark_are_tolerated) {
  EXPECT_EQ(read("\xef\xbb\xbfsystem {\r\n    # text\r\n    a \"b\r\nc\";\r\n}\r\n"),
            "<system>{<a><b\nc>;}");
}

TEST(Statement, Quoted_words_hold_anything) {
  EXPECT_EQ(read(R"(d "a; b { } [ ] # /* \" \\ \n x" "";)"),
            "<d><a; b { } [ ] # /* \" \\ \n x><>;");
  EXPECT_EQ(read("d \"two\nlines\";"), "<d><two\nlines>;");
  EXPECT_EQ(read(R"(match "^10\.[0-9]+$";)"), R"(<match><^10\.[0-9]+$>;)");
}

TEST(Statement, Quoted_is_told_from_bare) {
  const Document document = parse_statements(R"(a "b" c;)");
  ASSERT_EQ(document.statements.size(), 1U);
  const auto& words = document.statements[0].words;
  ASSERT_EQ(words.size(), 3U);
  EXPECT_FALSE(words[0].quoted);
  EXPECT_TRUE(words[1].quoted);
  EXPECT_FALSE(words[2].quoted);
}

TEST(Statement, Words_survive_moving_the_document) {
  Document document =
      parse_statements(R"(a "x\"y" "long \\ word that is not kept in the string";)");
  const Document moved = std::move(document);
  EXPECT_EQ(outline(moved.statements), R"(<a><x"y><long \ word that is not kept in the string>;)");
}

TEST(Statement, Tags_stand_in_any_order_and_may_repeat) {
  EXPECT_EQ(read("protect: inactive: protect: a; replace: b { } delete: c; unprotect: d;"),
            "inactive protect <a>;replace <b>{}delete <c>;unprotect <d>;");
}

TEST(Statement, Tag_is_a_bare_word_before_the_head) {
  EXPECT_EQ(read(R"("inactive:" a; b inactive: c; inactive:d;)"),
            "<inactive:><a>;<b><inactive:><c>;<inactive:d>;");
}

TEST(Statement, Marks_of_comments_inside_a_word_are_text) {
  EXPECT_EQ(read("<ge-0/0/*> { a#b 10.0.0.0/*; }"), "<<ge-0/0/*>>{<a#b><10.0.0.0/*>;}");
}

TEST(Statement, Comments_attach_to_the_next_statement) {
  const Document document = parse_statements(
      "/* one */\n# two\na { # three\n b; # four\n c /* five */ d;\n e; /* last */ }\n## no\nf;\n");
  ASSERT_TRUE(document.errors.empty());
  ASSERT_EQ(document.statements.size(), 2U);
  const Statement& a = document.statements[0];
  EXPECT_EQ(a.comment, "one\ntwo");
  ASSERT_EQ(a.children.size(), 3U);
  EXPECT_EQ(a.children[0].comment, "three");
  EXPECT_EQ(a.children[1].comment, "four");
  EXPECT_EQ(a.children[2].comment, "five");
  EXPECT_EQ(document.statements[1].comment, "");
}

TEST(Statement, Comment_cannot_hold_the_end_of_a_comment) {
  const Document document = parse_statements("# a */ b;\nc;");
  ASSERT_EQ(document.statements.size(), 1U);
  EXPECT_EQ(document.statements[0].comment, "a * / b;");
}

TEST(Statement, Comment_lines_are_kept_as_written) {
  const Document document = parse_statements("/*\n  one\n    two\n*/ a;");
  ASSERT_EQ(document.statements.size(), 1U);
  EXPECT_EQ(document.statements[0].comment, "one\n    two");
}

TEST(Statement, Places_are_lines_and_columns) {
  const Document document = parse_statements("a b;\n\n  inactive: c {\n    d [ \"e\" f ];\n  }\n");
  ASSERT_EQ(document.statements.size(), 2U);
  EXPECT_EQ(document.statements[0].words[1].at, (Position{1, 3}));
  const Statement& c = document.statements[1];
  EXPECT_EQ(c.at, (Position{3, 13}));
  EXPECT_EQ(c.children[0].at, (Position{4, 5}));
  EXPECT_EQ(c.children[0].values[0].at, (Position{4, 9}));
  EXPECT_EQ(c.children[0].values[1].at, (Position{4, 13}));
}

// ===== errors =====

TEST(StatementError, Missing_semicolon_before_a_brace_loses_that_statement_only) {
  EXPECT_EQ(read("a { b; c d }\ne;"), "<a>{<b>;}<e>; ! 1:12: found '}', expected ';' or '{'");
}

TEST(StatementError, Missing_semicolon_at_the_end_is_found) {
  EXPECT_EQ(read("a; b c"), "<a>; ! 1:7: found end of input, expected ';' or '{'");
}

TEST(StatementError, Brace_without_a_head_skips_its_block) {
  EXPECT_EQ(read("a { { x; y { z; } } b; }"), "<a>{<b>;} ! 1:5: found '{', expected a statement");
}

TEST(StatementError, Unbalanced_brace_is_left_out) {
  EXPECT_EQ(read("a; } b;"),
            "<a>;<b>; ! 1:4: found '}', expected a statement or end of input: no block is open");
}

TEST(StatementError, Open_block_names_its_head_and_line) {
  EXPECT_EQ(read("a {\n b { c; }\n"),
            "<a>{<b>{<c>;}} ! 3:1: found end of input, expected '}' of 'a' at line 1");
}

TEST(StatementError, Empty_statement_is_refused) {
  EXPECT_EQ(read("a;; b;"), "<a>;<b>; ! 1:3: found ';', expected a statement");
  EXPECT_EQ(read("inactive: ; b;"), "<b>; ! 1:11: found ';', expected a statement");
}

TEST(StatementError, Bad_lists_lose_their_statement_only) {
  EXPECT_EQ(read("a [ b ; c;"), "<c>; ! 1:7: found ';', expected a word or ']'");
  EXPECT_EQ(read("a [ b ] { x; } c;"), "<c>; ! 1:9: found '{', expected ';'");
  EXPECT_EQ(read("a [ b ] d; c;"), "<c>; ! 1:9: found word 'd', expected ';'");
  EXPECT_EQ(read("a [ b [ d ] ]; c;"), "<c>; ! 1:7: found '[', expected a word or ']'");
  EXPECT_EQ(read("a ]; c;"), "<c>; ! 1:3: found ']', expected ';' or '{'");
  EXPECT_EQ(read("[ a ]; c;"), "<c>; ! 1:1: found '[', expected a statement");
  EXPECT_EQ(read("a [ b"), " ! 1:6: found end of input, expected a word or ']'");
}

TEST(StatementError, Quote_without_an_end_loses_its_line_only) {
  EXPECT_EQ(read("a {\n b \"c;\n d;\n}\ne;"),
            "<a>{<d>;}<e>; ! 2:4: found quote that does not end, expected '\"'");
  EXPECT_EQ(read("a \"b;\nc;\nd \"e\";\nf;"),
            "<c>;<d><e>;<f>; ! 1:3: found quote that does not end on its line, expected '\"'");
  EXPECT_EQ(read("a \"b\\"), " ! 1:3: found quote that does not end, expected '\"'");
}

TEST(StatementError, Comment_without_an_end_takes_the_rest) {
  EXPECT_EQ(read("a { b; /* c; }\nd;"),
            "<a>{<b>;} ! 1:8: found comment that does not end, expected '*/'");
}

TEST(StatementError, Words_need_a_blank_between_them) {
  EXPECT_EQ(read("a \"b\"c; d;"), "<d>; ! 1:6: found word 'c', expected a blank between words");
  EXPECT_EQ(read("a b\"c\"; d;"), "<d>; ! 1:4: found '\"', expected a blank between words");
}

TEST(StatementError, Bad_bytes_lose_their_statement_only) {
  EXPECT_EQ(read("a b\x01; c;"), "<c>; ! 1:4: found control character 0x01, expected UTF-8 text");
  EXPECT_EQ(read("a \"b\x1b[1m\"; c;"),
            "<c>; ! 1:5: found control character 0x1b, expected UTF-8 text");
  EXPECT_EQ(read("# \xff\na; c;"),
            "<c>; ! 1:3: found byte 0xff that is not UTF-8, expected UTF-8 text");
  EXPECT_EQ(read(std::string_view("a\0; c;", 6)),
            "<c>; ! 1:2: found control character 0x00, expected UTF-8 text");
  EXPECT_EQ(read("a; \r c;"), "<a>; ! 1:4: found control character 0x0d, expected UTF-8 text");
  EXPECT_EQ(read("a [ b\x01 ]; c;"),
            "<c>; ! 1:6: found control character 0x01, expected UTF-8 text");
}

TEST(StatementError, Bad_bytes_do_not_reach_the_messages) {
  const Document document = parse_statements("a \x1b[31m \xff;");
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(document.errors[0].context, "a ?[31m ?;");
}

TEST(StatementError, Depth_is_limited) {
  std::string allowed;
  for (unsigned i = 0; i < kMaxDepth; ++i) {
    allowed += "a {";
  }
  EXPECT_TRUE(parse_statements(allowed + "b;" + std::string(kMaxDepth, '}')).errors.empty());
  const Document document =
      parse_statements(allowed + "b { c; } d;" + std::string(kMaxDepth, '}') + "e;");
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(document.errors[0].found, "block within 64 blocks");
  EXPECT_EQ(document.statements.size(), 2U);
  EXPECT_EQ(read(std::string(100'000, '{')), " ! 1:1: found '{', expected a statement");
}

TEST(StatementError, Every_error_carries_its_line) {
  const Document document = parse_statements("a;\n  b c }\nd [;\ne;");
  ASSERT_EQ(document.errors.size(), 2U);
  EXPECT_EQ(document.errors[0].context, "  b c }");
  EXPECT_EQ(document.errors[1].context, "d [;");
  EXPECT_EQ(outline(document.statements), "<a>;<e>;");
}

TEST(StatementError, Count_of_errors_is_limited) {
  const Document document = parse_statements(std::string(10'000, ';'));
  EXPECT_EQ(document.errors.size(), 101U);
  EXPECT_EQ(document.errors.back().to_string(),
            "1:101: found 100 errors, expected fewer: the rest is not read");
}

}  // namespace
}  // namespace millrace::syntax
