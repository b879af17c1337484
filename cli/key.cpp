// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/key.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/glyph.h"

namespace millrace::cli {
namespace {

constexpr char kEscape = 0x1b;
constexpr char kDelete = 0x7f;
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::size_t kLongestSequence = 32;  // nothing a keyboard sends is longer

struct Named {
  std::string_view sequence;  // after ESC [ or ESC O
  Key key;
};

const std::array kSequences = {
    Named{"A", {KeyCode::Up}},
    Named{"B", {KeyCode::Down}},
    Named{"C", {KeyCode::Right}},
    Named{"D", {KeyCode::Left}},
    Named{"F", {KeyCode::End}},
    Named{"H", {KeyCode::Home}},
    Named{"M", {KeyCode::Enter}},  // of the keypad, after ESC O
    Named{"1~", {KeyCode::Home}},
    Named{"3~", {KeyCode::Delete}},
    Named{"4~", {KeyCode::End}},
    Named{"5~", {KeyCode::PageUp}},
    Named{"6~", {KeyCode::PageDown}},
    Named{"7~", {KeyCode::Home}},
    Named{"8~", {KeyCode::End}},
    Named{"1;3C", {KeyCode::Meta, U'f'}},
    Named{"1;3D", {KeyCode::Meta, U'b'}},
    Named{"1;5C", {KeyCode::Meta, U'f'}},
    Named{"1;5D", {KeyCode::Meta, U'b'}},
};

Key named(std::string_view sequence) {
  const auto found = std::ranges::find(kSequences, sequence, &Named::sequence);
  return found == kSequences.end() ? Key{} : found->key;
}

Key control(char byte) {
  switch (byte) {
    case '\r':
    case '\n':
      return {KeyCode::Enter};
    case '\t':
      return {KeyCode::Tab};
    case '\b':
    case kDelete:
      return {KeyCode::Backspace};
    default:
      // ^@ to ^_; letters in lower case, the others (^] ^_) as they are.
      const char letter = static_cast<char>(byte | 0x40);
      return {KeyCode::Control,
              static_cast<char32_t>(letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter)};
  }
}

bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == kDelete;
}

}  // namespace

std::string KeyDecoder::take_rest() {
  std::string out(rest());
  bytes_.clear();
  at_ = 0;
  pasting_ = false;
  return out;
}

Key KeyDecoder::consume(std::size_t size, Key key) {
  at_ += size;
  if (at_ == bytes_.size() || at_ > 65536) {
    bytes_.erase(0, std::exchange(at_, 0));
  }
  return key;
}

std::optional<Key> KeyDecoder::next() {
  if (pasting_) {
    return paste();
  }
  if (empty()) {
    return std::nullopt;
  }
  const char first = bytes_[at_];
  if (first == kEscape) {
    return escape();
  }
  if (is_control(first)) {
    return consume(1, control(first));
  }
  const CodePoint point = decode(rest());
  if (point.truncated) {
    return std::nullopt;
  }
  return consume(point.size, point.valid ? Key{KeyCode::Character, point.value} : Key{});
}

std::optional<Key> KeyDecoder::escape() {
  const auto bytes = rest();
  if (bytes.size() == 1) {
    return std::nullopt;
  }
  if (bytes[1] == '[') {
    return control_sequence();
  }
  if (bytes[1] == 'O') {
    return bytes.size() < 3 ? std::nullopt : std::optional(consume(3, named(bytes.substr(2, 1))));
  }
  if (bytes[1] == kEscape) {
    return consume(1, Key{});
  }
  if (is_control(bytes[1])) {
    const char32_t point = bytes[1] == '\b' ? 0x7f : static_cast<unsigned char>(bytes[1]);
    return consume(2, {KeyCode::Meta, point});
  }
  const CodePoint point = decode(bytes.substr(1));
  if (point.truncated) {
    return std::nullopt;
  }
  return consume(1 + point.size, point.valid ? Key{KeyCode::Meta, point.value} : Key{});
}

// ECMA-48 5.4: parameters 0x30-0x3f, intermediates 0x20-0x2f, one final 0x40-0x7e.
std::optional<Key> KeyDecoder::control_sequence() {
  const auto bytes = rest();
  std::size_t end = 2;
  while (end < bytes.size() && bytes[end] >= 0x20 && bytes[end] < 0x40) {
    ++end;
  }
  if (end > kLongestSequence) {
    return consume(end, Key{});
  }
  if (end == bytes.size()) {
    return std::nullopt;
  }
  if (bytes[end] < 0x40 || bytes[end] == kDelete) {
    return consume(end, Key{});  // broken off by another key, which is read next
  }
  const auto sequence = bytes.substr(2, end - 1);
  if (sequence == "200~") {
    pasting_ = true;
    searched_ = 0;
    consume(end + 1, {});
    return paste();
  }
  return consume(end + 1, named(sequence));
}

std::optional<Key> KeyDecoder::paste() {
  const auto bytes = rest();
  const auto end = bytes.find(kPasteEnd, searched_);
  if (end == std::string_view::npos) {
    searched_ = bytes.size() < kPasteEnd.size() ? 0 : bytes.size() - kPasteEnd.size() + 1;
    return std::nullopt;
  }
  pasting_ = false;
  Key key{KeyCode::Paste, 0, std::string(bytes.substr(0, end))};
  return consume(end + kPasteEnd.size(), std::move(key));
}

}  // namespace millrace::cli
