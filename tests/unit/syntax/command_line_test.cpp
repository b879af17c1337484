// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/command_line.h"

#include <gtest/gtest.h>

#include <format>

#include "support/random.h"
#include "syntax/writer.h"

namespace millrace::syntax {
namespace {

// Words in <>, or "" when quoted, the number of their bracket before them, pipes after |, errors
// after !.
std::string show(const std::vector<LineWord>& words) {
  std::string text;
  for (const LineWord& word : words) {
    text += word.bracket > 0 ? std::to_string(word.bracket) : "";
    text += word.quoted ? std::format("\"{}\"", word.text) : std::format("<{}>", word.text);
  }
  return text;
}

std::string read(std::string_view line) {
  const ParsedLine parsed = parse_line(line);
  std::string text = show(parsed.line.words);
  for (const auto& pipe : parsed.line.pipes) {
    text += "|" + show(pipe);
  }
  for (const LineError& error : parsed.errors) {
    text += std::format(" ! {} {}", error.column, error.message);
  }
  return text;
}

TEST(CommandLine, Words_are_split_at_blanks) {
  EXPECT_EQ(read("  set system\thost-name r1 "), "<set><system><host-name><r1>");
  EXPECT_EQ(read("show version\r\n"), "<show><version>");
  EXPECT_EQ(read("set x a#b {c}; d\\e"), "<set><x><a#b><{c};><d\\e>");
}

TEST(CommandLine, Blank_and_comment_lines_have_no_words) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read(" \t"), "");
  EXPECT_EQ(read("  # set \"x"), "");
  EXPECT_EQ(read("set # x"), "<set><#><x>");
}

TEST(CommandLine, Quoted_words_hold_blanks_pipes_and_escapes) {
  EXPECT_EQ(read(R"(set d "a | [b] \"c\" \\ \." "")"), R"(<set><d>"a | [b] "c" \ \.""")");
  EXPECT_EQ(read(R"(set d "a\nb")"), "<set><d>\"a\nb\"");
}

TEST(CommandLine, Columns_are_of_the_first_byte) {
  const ParsedLine parsed = parse_line("  set \"a b\" [ c ] | count");
  ASSERT_EQ(parsed.line.words.size(), 3U);
  EXPECT_EQ(parsed.line.words[0].column, 3U);
  EXPECT_EQ(parsed.line.words[1].column, 7U);
  EXPECT_EQ(parsed.line.words[2].column, 15U);
  EXPECT_EQ(parsed.line.pipes.at(0).at(0).column, 21U);
}

TEST(CommandLine, Brackets_number_their_words) {
  EXPECT_EQ(read("set m [ a \"b c\" ] x [d] y"), "<set><m>1<a>1\"b c\"<x>2<d><y>");
  EXPECT_EQ(read("copy http://[::1]/a b[1]"), "<copy><http://[::1]/a><b[1]>");
}

TEST(CommandLine, Pipes_are_lists_of_words) {
  EXPECT_EQ(read("show x | match eth[0-9] | count"), "<show><x>|<match><eth[0-9]>|<count>");
  EXPECT_EQ(read("show x|match \"a|b\"|count"), "<show><x>|<match>\"a|b\"|<count>");
}

TEST(CommandLineError, Quote_without_an_end_keeps_the_word) {
  EXPECT_EQ(read("set \"a b"), "<set>\"a b\" ! 5 missing closing quote");
  EXPECT_EQ(read("set \"a\\"), "<set>\"a\\\" ! 5 missing closing quote");
  EXPECT_EQ(read("show | match \"a"), "<show>|<match>\"a\" ! 14 missing closing quote");
}

TEST(CommandLineError, Words_need_a_blank_beside_a_quote) {
  EXPECT_EQ(read("set \"a\"b"), "<set>\"a\"<b> ! 8 missing blank after closing quote");
  EXPECT_EQ(read("set a\"b\""), "<set><a>\"b\" ! 6 missing blank before quote");
}

TEST(CommandLineError, Brackets_must_match_and_hold_words) {
  EXPECT_EQ(read("set [ a b"), "<set>1<a>1<b> ! 5 missing closing bracket");
  EXPECT_EQ(read("set [ a | count"), "<set>1<a>|<count> ! 5 missing closing bracket");
  EXPECT_EQ(read("set a ]"), "<set><a> ! 7 ']' without '['");
  EXPECT_EQ(read("set [ a [ b ]"), "<set>1<a>1<b> ! 9 '[' inside brackets");
  EXPECT_EQ(read("delete m [ ]"), "<delete><m> ! 10 empty brackets");
}

TEST(CommandLineError, Pipes_need_a_command_on_both_sides) {
  EXPECT_EQ(read("show |"), "<show>| ! 6 empty pipe");
  EXPECT_EQ(read("show | | count"), "<show>||<count> ! 6 empty pipe");
  EXPECT_EQ(read("| count"), "|<count> ! 1 missing command before '|'");
}

TEST(CommandLineError, Bad_bytes_are_refused) {
  EXPECT_EQ(read("set \x1b[0m"), " ! 5 control character 0x1b");
  EXPECT_EQ(read("set a\nset b"), " ! 6 control character 0x0a");
  EXPECT_EQ(read("set \xff"), " ! 5 byte 0xff that is not UTF-8");
}

TEST(CommandLine, Every_quoted_word_reads_back_the_same) {
  support::Random random;
  for (int i = 0; i < 5000; ++i) {
    const std::string word = random.text(random.below(7), "ab:/*#;{}[]\"\\ \t\n|n");
    const std::string line = "set " + quote(word) + " | match " + quote(word);
    const ParsedLine parsed = parse_line(line);
    ASSERT_TRUE(parsed.errors.empty()) << line;
    ASSERT_EQ(parsed.line.words.size(), 2U) << line;
    EXPECT_EQ(parsed.line.words[1].text, word) << line;
    ASSERT_EQ(parsed.line.pipes.size(), 1U) << line;
    EXPECT_EQ(parsed.line.pipes[0].at(1).text, word) << line;
  }
}

}  // namespace
}  // namespace millrace::syntax
