// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/word_pattern.h"

#include <re2/re2.h>

#include <format>

namespace millrace::tree {
namespace {

constexpr std::size_t kLongest = 4096;
constexpr std::int64_t kMemory = std::int64_t{1} << 20;

// Debian's abseil has a string_view of its own.
absl::string_view view(std::string_view text) {
  return {text.data(), text.size()};
}

re2::RE2::Options options() {
  re2::RE2::Options options;
  options.set_posix_syntax(true);
  options.set_perl_classes(true);  // \d \s \w, which regcomp(3) of glibc knows in part
  options.set_word_boundary(true);
  options.set_one_line(true);
  options.set_never_capture(true);
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  return options;
}

}  // namespace

base::Result<WordPattern> WordPattern::compile(std::string_view text) {
  if (text.size() > kLongest) {
    return base::fail(base::Code::BadValue,
                      std::format("the pattern is longer than {} characters", kLongest));
  }
  // By itself first: `a)(b` would become whole between our parentheses.
  const re2::RE2 alone(view(text), options());
  auto compiled = std::make_shared<const re2::RE2>(std::format("^({})( |$)", text), options());
  if (!alone.ok() || !compiled->ok()) {
    const std::string why = alone.ok() ? compiled->error() : alone.error();
    return base::fail(base::Code::BadValue, std::format("invalid pattern '{}': {}", text, why));
  }
  return WordPattern(std::move(compiled));
}

bool WordPattern::matches(std::string_view words) const {
  return re2::RE2::PartialMatch(view(words), *compiled_);
}

}  // namespace millrace::tree
