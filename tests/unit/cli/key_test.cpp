// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace millrace::cli {

void PrintTo(const Key& key, std::ostream* out) {
  *out << "key " << static_cast<int>(key.code) << " point " << static_cast<unsigned>(key.point)
       << " '" << key.text << "'";
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Key key(KeyCode code) {
  return {code};
}
Key character(char32_t point) {
  return {KeyCode::Character, point};
}
Key control(char32_t point) {
  return {KeyCode::Control, point};
}
Key meta(char32_t point) {
  return {KeyCode::Meta, point};
}
Key pasted(std::string text) {
  return {KeyCode::Paste, 0, std::move(text)};
}

std::vector<Key> keys(KeyDecoder& decoder) {
  std::vector<Key> out;
  while (auto next = decoder.next()) {
    out.push_back(std::move(*next));
  }
  return out;
}

std::vector<Key> keys(std::string_view bytes) {
  KeyDecoder decoder;
  decoder.feed(bytes);
  return keys(decoder);
}

TEST(KeyDecoder, reads_characters_of_any_length) {
  EXPECT_THAT(keys("a é東🙂"), ElementsAre(character(U'a'), character(U' '), character(U'é'),
                                           character(U'東'), character(U'🙂')));
}

TEST(KeyDecoder, reads_control_keys_by_their_letter) {
  EXPECT_THAT(keys("\x01\x12\x1f"), ElementsAre(control(U'a'), control(U'r'), control(U'_')));
  EXPECT_THAT(keys("\r\n\t\b\x7f"),
              ElementsAre(key(KeyCode::Enter), key(KeyCode::Enter), key(KeyCode::Tab),
                          key(KeyCode::Backspace), key(KeyCode::Backspace)));
}

TEST(KeyDecoder, reads_the_keys_of_xterm_in_both_cursor_modes) {
  EXPECT_THAT(
      keys("\x1b[A\x1bOA\x1b[3~\x1b[H\x1bOF\x1b[5~\x1b[6~"),
      ElementsAre(key(KeyCode::Up), key(KeyCode::Up), key(KeyCode::Delete), key(KeyCode::Home),
                  key(KeyCode::End), key(KeyCode::PageUp), key(KeyCode::PageDown)));
}

TEST(KeyDecoder, reads_escape_and_a_key_as_meta) {
  EXPECT_THAT(keys("\x1b"
                   "b\x1b\x7f\x1b/\x1b[1;5C"),
              ElementsAre(meta(U'b'), meta(0x7f), meta(U'/'), meta(U'f')));
}

TEST(KeyDecoder, waits_for_the_rest_of_a_key_however_it_is_cut) {
  const std::string bytes =
      "é\x1b[3~\x1b[200~a\nb\x1b[201~\x1b"
      "fz";
  const auto whole = keys(bytes);
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    KeyDecoder decoder;
    decoder.feed(bytes.substr(0, cut));
    auto parts = keys(decoder);
    decoder.feed(bytes.substr(cut));
    for (auto& part : keys(decoder)) {
      parts.push_back(std::move(part));
    }
    EXPECT_EQ(parts, whole) << "cut at " << cut;
  }
}

TEST(KeyDecoder, takes_a_paste_as_one_key_with_everything_in_it) {
  EXPECT_THAT(keys("\x1b[200~set a ?\r\x03\x1b[Ab\x1b[201~x"),
              ElementsAre(pasted("set a ?\r\x03\x1b[Ab"), character(U'x')));
}

TEST(KeyDecoder, swallows_unknown_sequences_whole) {
  EXPECT_THAT(keys("\x1b[99;1~a\x1bOz"),
              ElementsAre(key(KeyCode::Unknown), character(U'a'), key(KeyCode::Unknown)));
  EXPECT_THAT(keys("\xff"
                   "a"),
              ElementsAre(key(KeyCode::Unknown), character(U'a')));
}

TEST(KeyDecoder, a_sequence_that_never_ends_does_not_swallow_the_session) {
  EXPECT_THAT(keys("\x1b[" + std::string(100, '1') + "A"), testing::Contains(character(U'A')));
  EXPECT_THAT(keys("\x1b[1\r"), ElementsAre(key(KeyCode::Unknown), key(KeyCode::Enter)));
}

TEST(KeyDecoder, gives_back_what_it_has_not_read) {
  KeyDecoder decoder;
  decoder.feed("ab\x1b");
  ASSERT_TRUE(decoder.next());
  EXPECT_EQ(decoder.take_rest(), "b\x1b");
  EXPECT_TRUE(decoder.empty());
  EXPECT_THAT(keys(decoder), IsEmpty());
}

}  // namespace
}  // namespace millrace::cli
