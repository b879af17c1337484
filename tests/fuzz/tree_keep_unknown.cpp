// SPDX-License-Identifier: GPL-2.0-or-later
//
// Any bytes as what another version of the software has written, as a snapshot and as lines of the
// log: what is not known is kept, comes back when it is read again, and nothing that is known is
// among what is kept.
#include "support/fuzz_tree.h"
#include "tree/keep_unknown.h"

using namespace millrace;

namespace {

const schema::Schema& the_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"k.tmpl", R"(feature k { help "K";
  leaf-list unknown-statement { help "U"; ordered-by user;
    type string { pattern "(set|deactivate|protect|annotate|insert) .*"; } }
  container c { help "C"; leaf t { help "T"; type string; } leaf n { help "N"; type integer; }
    leaf-list l { help "L"; type string; }
    list i { help "I"; key name; type string; leaf d { help "D"; type string; } } }
})"}});
    base::check(built.has_value(), built ? "" : built.error().to_string());
    return std::move(*built);
  }();
  return schema;
}

void check_settled(tree::Editor& editor) {
  tree::restore_known(editor);
  for (const auto& unknown : tree::unknown_statements(editor.tree())) {
    base::check(unknown.reason != "it is known" || unknown.statement.contains("insert"),
                "what is known is not kept: " + unknown.statement);
  }
  const std::string text = tree::to_text(editor.tree(), {});
  tree::Editor again{tree::ConfigTree(the_schema())};
  const auto lost = tree::load_keeping(again, text);
  base::check(lost.empty(), "a snapshot of what is kept reads back: " + text);
  base::check(tree::to_text(again.tree(), {}) == text, "the same: " + text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  tree::Editor snapshot{tree::ConfigTree(the_schema())};
  tree::load_keeping(snapshot, text);
  check_settled(snapshot);
  tree::Editor log{tree::ConfigTree(the_schema())};
  tree::apply_keeping(log, text);
  check_settled(log);
  return 0;
}
