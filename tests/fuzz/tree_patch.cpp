// SPDX-License-Identifier: GPL-2.0-or-later
//
// Any bytes as a patch onto any configuration; the two are parted by a line that is "%". What comes
// of it is a configuration like any other, and a report with errors has changed nothing of the
// hunk.
#include "support/fuzz_tree.h"
#include "tree/compare.h"

using namespace millrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = input.find("\n%\n");
  const std::string text = input.substr(0, end);
  const std::string patch = end == std::string::npos ? std::string() : input.substr(end + 3);
  tree::Editor editor{tree::ConfigTree(test::fuzz_schema())};
  tree::load(editor, {}, text, tree::LoadAction::Merge);
  const auto before = editor.tree();
  const auto report = tree::load(editor, {}, patch, tree::LoadAction::Patch);
  test::check_laws(report, editor.tree());
  // The difference of the two is a patch from the one to the other.
  const std::string difference = tree::compare_text(tree::Delta(before, editor.tree()), {});
  tree::Editor again(before);
  const auto applied = tree::load(again, {}, difference, tree::LoadAction::Patch);
  base::check(applied.errors.empty(),
              "a difference applies: " + applied.to_string("d") + difference);
  base::check(tree::to_text(again.tree(), {}) == tree::to_text(editor.tree(), {}),
              "and gives what it is the difference to: " + difference);
  return 0;
}
