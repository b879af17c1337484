// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a person did at the keyboard, and how it is read from the bytes that a terminal sends:
// UTF-8, the escape sequences of xterm and its kin, and bracketed paste. ESC before a key is Meta,
// at any distance in time, as in Emacs; no timer is involved, so decoding is a pure function of the
// bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::cli {

enum class KeyCode : std::uint8_t {
  Character,  // `point`
  Control,    // `point` is the letter: ^A is 'a'
  Meta,       // `point` is the key after ESC: M-b is 'b', M-Backspace is 0x7f
  Paste,      // `text`, as sent
  Enter,
  Tab,
  Backspace,
  Delete,
  Up,
  Down,
  Left,
  Right,
  Home,
  End,
  PageUp,
  PageDown,
  Unknown,  // a sequence that nothing is bound to
};

struct Key {
  KeyCode code = KeyCode::Unknown;
  char32_t point = 0;
  std::string text = {};
  bool operator==(const Key&) const = default;
};

class KeyDecoder {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }
  // The next complete key; nothing when more bytes are needed.
  std::optional<Key> next();
  // Bytes of keys that are not complete, or not asked for yet.
  bool empty() const { return at_ == bytes_.size(); }
  // Gives back what was not read as keys; the decoder is empty afterwards.
  std::string take_rest();

 private:
  std::string_view rest() const { return std::string_view(bytes_).substr(at_); }
  Key consume(std::size_t size, Key key);
  std::optional<Key> escape();
  std::optional<Key> control_sequence();
  std::optional<Key> paste();

  std::string bytes_;
  std::size_t at_ = 0;
  bool pasting_ = false;
  std::size_t searched_ = 0;  // of a paste: bytes known not to hold its end
};

}  // namespace millrace::cli
