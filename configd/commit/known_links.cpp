// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/known_links.h"

#include <format>

#include "base/file.h"

namespace millrace::commit {
namespace {

std::string text_of(const Facts& facts) {
  std::string text;
  for (const auto& [name, link] : facts.links) {
    text += std::format("{} {}\n", name, link.index);
  }
  return text;
}

}  // namespace

bool KnownLinks::are(const Facts& facts) const {
  const auto text = base::read_file(file_);
  return text && *text == text_of(facts);
}

void KnownLinks::set(const Facts& facts) {
  std::string text = text_of(facts);
  if (text != written_ && base::write_file(file_, text, 0600)) {
    written_ = std::move(text);
  }
}

}  // namespace millrace::commit
