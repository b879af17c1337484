// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/writer.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace millrace::syntax {
namespace {

constexpr std::size_t kBlanksPerLevel = 4;

// A bare word that the parser would take for a tag.
constexpr std::array<std::string_view, 5> kTagWords{
    "inactive:", "protect:", "unprotect:", "replace:", "delete:"};

// At the start of a text it would be dropped as an editor's mark.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool needs_quotes(std::string_view word) {
  return word.empty() || word.starts_with("/*") || word.starts_with(kByteOrderMark) ||
         word.find_first_of(" \t\n;{}[]\"#|") != std::string_view::npos ||
         std::ranges::find(kTagWords, word) != kTagWords.end();
}

void append_tags(std::string& out, Tags tags) {
  const std::array<bool, 5> set{tags.inactive, tags.protect, tags.unprotect, tags.replace,
                                tags.remove};
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i]) {
      out += kTagWords[i];
      out += ' ';
    }
  }
}

// Indentation, tags and words, without a blank at the end.
void append_head(std::string& out, unsigned depth, Tags tags,
                 std::span<const std::string_view> words) {
  base::check(!words.empty(), "a statement has at least one word");
  out.append(depth * kBlanksPerLevel, ' ');
  append_tags(out, tags);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      out += ' ';
    }
    append_quoted(out, words[i]);
  }
}

}  // namespace

std::string quote(std::string_view word) {
  std::string text;
  append_quoted(text, word);
  return text;
}

void append_quoted(std::string& out, std::string_view word) {
  if (!needs_quotes(word)) {
    out += word;
    return;
  }
  out += '"';
  for (const char c : word) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') {
        out += '\\';
      }
      out += c;
    }
  }
  out += '"';
}

void TextWriter::comment(std::string_view text) {
  out_.append(depth_ * kBlanksPerLevel, ' ');
  out_ += "/* ";
  for (const char c : text) {
    // The text must not end the comment early.
    if (c == '/' && out_.back() == '*') {
      out_ += ' ';
    }
    out_ += c;
  }
  out_ += " */\n";
}

void TextWriter::remark(std::string_view text) {
  out_.append(depth_ * kBlanksPerLevel, ' ');
  out_ += text.empty() ? "##" : "## ";
  out_ += text;
  out_ += '\n';
}

void TextWriter::open(Tags tags, std::span<const std::string_view> words) {
  append_head(out_, depth_, tags, words);
  out_ += " {\n";
  ++depth_;
}

void TextWriter::collapsed(Tags tags, std::span<const std::string_view> words) {
  append_head(out_, depth_, tags, words);
  out_ += " { ... }\n";
}

void TextWriter::close() {
  base::check(depth_ > 0, "no more blocks are closed than were opened");
  --depth_;
  out_.append(depth_ * kBlanksPerLevel, ' ');
  out_ += "}\n";
}

void TextWriter::leaf(Tags tags, std::span<const std::string_view> words, std::string_view remark) {
  append_head(out_, depth_, tags, words);
  out_ += ';';
  end_line(remark);
}

void TextWriter::end_line(std::string_view remark) {
  if (!remark.empty()) {
    out_ += " ## ";
    out_ += remark;
  }
  out_ += '\n';
}

void TextWriter::list(Tags tags, std::span<const std::string_view> words,
                      std::span<const std::string_view> values, std::string_view remark) {
  append_head(out_, depth_, tags, words);
  out_ += " [ ";
  for (const std::string_view value : values) {
    append_quoted(out_, value);
    out_ += ' ';
  }
  out_ += "];";
  end_line(remark);
}

}  // namespace millrace::syntax
