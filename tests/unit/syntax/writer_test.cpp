// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/writer.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace millrace::syntax {
namespace {

using Words = std::vector<std::string_view>;

TEST(Quote, Plain_words_stay_bare) {
  for (const std::string_view word : {"eth0", "10.0.0.0/8", "2001:db8::1", "a/*b", "<ge-*>", "a\\d",
                                      "$9$x", "'", "inactive", "\xc3\xa4"}) {
    EXPECT_EQ(quote(word), word);
  }
}

TEST(Quote, What_would_be_read_otherwise_is_quoted) {
  for (const std::string_view word :
       {"", "a b", "a\tb", ";", "{", "}", "[", "]", "#", "a#", "a|b", "/* x",
        "inactive:", "protect:", "unprotect:", "replace:", "delete:", "\xef\xbb\xbf"}) {
    EXPECT_EQ(quote(word), "\"" + std::string(word) + "\"");
  }
  EXPECT_EQ(quote("a\"b"), R"("a\"b")");
  EXPECT_EQ(quote("a\\ b"), R"("a\\ b")");
  EXPECT_EQ(quote("a\nb"), R"("a\nb")");
}

TEST(TextWriter, Layout_is_four_blanks_a_level) {
  std::string text;
  TextWriter writer(text, 1);
  writer.comment("the edge");
  writer.open({.inactive = true, .protect = true}, Words{"unit", "0"});
  writer.leaf({}, Words{"mtu", "1500"}, "SECRET-DATA");
  writer.leaf({.replace = true}, Words{"disable"});
  writer.list({.remove = true}, Words{"members"}, Words{"a", "b c"});
  writer.remark("Warning: x");
  writer.close();
  EXPECT_EQ(text,
            "    /* the edge */\n"
            "    inactive: protect: unit 0 {\n"
            "        mtu 1500; ## SECRET-DATA\n"
            "        replace: disable;\n"
            "        delete: members [ a \"b c\" ];\n"
            "        ## Warning: x\n"
            "    }\n");
}

TEST(TextWriter, Comment_cannot_end_early) {
  std::string text;
  TextWriter(text).comment("a */ b; /* c *");
  EXPECT_EQ(text, "/* a * / b; /* c * */\n");
}

// ===== what is written reads back the same =====

struct Tree {
  Tags tags;
  std::vector<std::string> words;
  std::vector<std::string> values;
  std::vector<Tree> children;
  bool bracketed = false;
  bool block = false;
  std::string comment;
  bool operator==(const Tree&) const = default;
};

// Characters that structure the language, each more likely than in real text.
std::string random_word(support::Random& random) {
  static const std::vector<std::string> kHard{
      "", "inactive:", "delete:", "/*", "*/", "##", "\\", "\"", "\\n", "a\\", "\xe2\x82\xac"};
  return random.one_in(4) ? random.pick(kHard)
                          : random.text(random.between(1, 6), "ab0:/.*#;{}[]\"\\ \t\n|n");
}

std::string random_comment(support::Random& random) {
  const std::string text = random.text(random.between(1, 8), "ab#/;\"{ \n");
  const std::size_t first = text.find_first_not_of(" \n");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

Tree random_tree(support::Random& random, unsigned depth) {
  Tree tree;
  tree.tags = {random.one_in(5), random.one_in(5), random.one_in(9), random.one_in(9),
               random.one_in(9)};
  for (std::uint64_t n = random.between(1, 3); n > 0; --n) {
    tree.words.push_back(random_word(random));
  }
  if (random.one_in(4)) {
    tree.comment = random_comment(random);
  }
  if (depth > 0 && random.one_in(2)) {
    tree.block = true;
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      tree.children.push_back(random_tree(random, depth - 1));
    }
  } else if (random.one_in(3)) {
    tree.bracketed = true;
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      tree.values.push_back(random_word(random));
    }
  }
  return tree;
}

void write(TextWriter& writer, const Tree& tree) {
  const Words words(tree.words.begin(), tree.words.end());
  if (!tree.comment.empty()) {
    writer.comment(tree.comment);
  }
  if (tree.block) {
    writer.open(tree.tags, words);
    for (const Tree& child : tree.children) {
      write(writer, child);
    }
    writer.close();
  } else if (tree.bracketed) {
    writer.list(tree.tags, words, Words(tree.values.begin(), tree.values.end()));
  } else {
    writer.leaf(tree.tags, words, "dropped ; { when read");
  }
}

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> result;
  for (const Word& word : words) {
    result.emplace_back(word.text);
  }
  return result;
}

Tree to_tree(const Statement& statement) {
  Tree tree{statement.tags,      texts(statement.words), texts(statement.values), {},
            statement.bracketed, statement.block,        statement.comment};
  for (const Statement& child : statement.children) {
    tree.children.push_back(to_tree(child));
  }
  return tree;
}

TEST(TextWriter, Every_tree_reads_back_the_same) {
  support::Random random;
  for (int round = 0; round < 500; ++round) {
    std::vector<Tree> trees;
    std::string text;
    TextWriter writer(text);
    for (std::uint64_t n = random.between(1, 4); n > 0; --n) {
      trees.push_back(random_tree(random, 4));
      write(writer, trees.back());
    }
    const Document document = parse_statements(text);
    ASSERT_TRUE(document.errors.empty()) << document.errors[0].to_string() << "\n" << text;
    std::vector<Tree> read;
    for (const Statement& statement : document.statements) {
      read.push_back(to_tree(statement));
    }
    ASSERT_TRUE(read == trees) << text;
  }
}

}  // namespace
}  // namespace millrace::syntax
