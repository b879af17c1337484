// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a line is walked to is canonical: written out and walked again it gives the same steps and
// values. No value holds a control character, and no message repeats one.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "schema/schema.h"
#include "schema/walk.h"

using namespace millrace;

namespace {

constexpr std::string_view kTemplate = R"(feature f { help "F";
  container c { help "C"; joined; container presence { help "P"; presence; } }
  list l { help "L"; nameless; key k; type interface-name;
    leaf flag { help "F"; type empty; }
    leaf enum { help "E"; type enumeration { enum one { help "1"; } enum two { help "2"; } } }
    list integer { help "I"; key n; type integer { range "-5..9 | 20"; }
      leaf-list any { help "A"; type union { type ip-prefix; type as-number; type mac-address;
                                             type logical-interface; type host; type boolean; } }
      leaf text { help "T"; type string { length 0..9; } }
      leaf pattern { help "P"; type string { pattern "[a-z]+(-[a-z]+)*"; } } }
    list address { help "A"; key a; type interface-address;
      leaf-list words { help "W"; type string; }
      leaf name { help "N"; type host-name; } } }
  container refused { refused "no"; }
})";

const schema::Node& root() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"t.tmpl", std::string(kTemplate)}});
    base::check(built.has_value(), built ? "" : built.error().message);
    return std::move(*built);
  }();
  return schema.root();
}

void check_printable(std::string_view text) {
  base::check(std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }),
              "no control characters");
}

// The words of one walk, with one of its values: as a set line has them.
std::vector<std::string_view> words_of(const schema::Walk& walk, const std::string* value) {
  std::vector<std::string_view> words;
  for (const schema::PathStep& step : walk.steps) {
    if (!step.node->nameless) {
      words.push_back(step.node->name);
    }
    if (step.keyed) {
      words.push_back(step.key);
    }
  }
  if (value != nullptr) {
    words.push_back(*value);
  }
  return words;
}

void check_again(const schema::Walk& walk, const std::string* value) {
  const auto words = words_of(walk, value);
  const auto again = schema::walk(root(), words, schema::Abbreviations::No);
  base::check(again.has_value() && again->size() == 1, "a canonical line is a line");
  base::check(again->front().steps == walk.steps, "steps are canonical");
  base::check(value == nullptr || again->front().values == std::vector{*value},
              "values are canonical");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::vector<std::string_view> words;
  std::string_view rest(reinterpret_cast<const char*>(bytes), size);
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    words.push_back(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  for (const auto abbreviations : {schema::Abbreviations::No, schema::Abbreviations::Yes}) {
    const auto walks = schema::walk(root(), words, abbreviations);
    if (!walks) {
      base::check(walks.error().word < words.size(), "an error names a word");
      check_printable(walks.error().message);
      continue;
    }
    for (const schema::Walk& walk : *walks) {
      check_again(walk, nullptr);
      for (const std::string& value : walk.values) {
        check_printable(value);
        check_again(walk, &value);
      }
    }
  }
  for (const schema::Choice& choice : schema::choices(root(), words, {})) {
    base::check(!choice.text.empty(), "a choice is something");
  }
  return 0;
}
