// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/password.h"

#include <crypt.h>

#include <algorithm>
#include <memory>

namespace millrace::base {
namespace {

constexpr std::size_t kShortest = 6;

}  // namespace

Result<std::string> hash_password(std::string_view password) {
  if (password.size() < kShortest) {
    return fail(Code::BadValue, "the password is shorter than 6 characters");
  }
  if (password.size() > CRYPT_MAX_PASSPHRASE_SIZE || std::ranges::any_of(password, [](char byte) {
        return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f;
      })) {
    return fail(Code::BadValue, "the password is too long or holds control characters");
  }
  const auto memory = std::make_unique<crypt_data>();
  char setting[CRYPT_GENSALT_OUTPUT_SIZE] = {};
  // Without bytes of ours libxcrypt takes them from the kernel.
  if (!crypt_gensalt_rn("$y$", 0, nullptr, 0, setting, sizeof(setting))) {
    return fail(Code::Io, "no salt for the password");
  }
  std::string phrase(password);
  const char* hash =
      crypt_rn(phrase.c_str(), setting, memory.get(), static_cast<int>(sizeof(crypt_data)));
  std::ranges::fill(phrase, '\0');
  if (!hash) {
    return fail(Code::Io, "the password cannot be hashed");
  }
  return std::string(hash);
}

}  // namespace millrace::base
