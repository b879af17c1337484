// SPDX-License-Identifier: GPL-2.0-or-later
//
// What fuzz targets of tree/ have in common: a schema with one statement of every kind, and the
// laws of what any input loads to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "syntax/lexeme.h"
#include "tree/text.h"

namespace millrace::test {

inline const schema::Schema& fuzz_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"f.tmpl", R"(feature f { help "F";
  everywhere {
    leaf-list apply-groups { help "A"; type string; ordered-by user; ref "/groups"; }
    leaf-list apply-groups-except { help "E"; type string; ordered-by user; ref "/groups"; }
  }
  list groups { help "G"; key name; type string; like "/"; }
  container c { help "C";
    leaf t { help "T"; type string; }
    leaf e { help "E"; type empty; }
    leaf n { help "N"; type integer { range 0..9; } }
    leaf b { help "B"; type boolean; }
    leaf s { help "S"; type string; secret; }
    leaf-list l { help "L"; type string; }
    leaf-list o { help "O"; type string; ordered-by user; }
    container p { help "P"; presence; leaf t { help "T"; type string; } }
    container j { help "J"; joined; container i { help "I"; presence; leaf n { help "N"; type integer; } } }
  }
  list i { help "I"; key name; type string; leaf d { help "D"; type string; }
    list u { help "U"; key n; type integer; ordered-by user; leaf d { help "D"; type string; } } }
  list k { help "K"; key name; type string; one-liner; leaf f { help "F"; type empty; }
           leaf v { help "V"; type string; } }
  container w { help "W"; list x { help "X"; nameless; key name; type string;
                                   leaf d { help "D"; type string; } } }
})"}});
    base::check(built.has_value(), built ? "" : built.error().to_string());
    return std::move(*built);
  }();
  return schema;
}

inline void check_same(const tree::ConfigTree& tree, const std::string& written,
                       tree::LoadAction action, tree::LoadForm form, const char* what) {
  tree::Editor editor{tree::ConfigTree(fuzz_schema())};
  const auto report = tree::load(editor, {}, written, action, form);
  base::check(report.errors.empty(),
              std::string(what) + " without errors: " + report.to_string("w") + written);
  base::check(tree::to_text(editor.tree(), {}) == tree::to_text(tree, {}),
              std::string(what) + " reads back the same: " + written);
}

// What is loaded is a configuration like any other: every form of it reads back.
inline void check_laws(const tree::LoadReport& report, const tree::ConfigTree& tree) {
  std::string said;
  for (const tree::LoadError& error : report.errors) {
    said += error.message + error.level + error.statement + error.hint;
  }
  for (const std::string& warning : report.warnings) {
    said += warning;
  }
  base::check(syntax::find_bad_byte(said) == std::string::npos, "a report is printable");
  if (tree.empty()) {
    return;
  }
  using tree::LoadAction;
  using tree::LoadForm;
  check_same(tree, tree::to_text(tree, {}), LoadAction::Override, LoadForm::Text, "text");
  check_same(tree, tree::to_json(tree, {}), LoadAction::Override, LoadForm::Json, "JSON");
  check_same(tree, tree::to_xml(tree, {}), LoadAction::Override, LoadForm::Xml, "XML");
}

inline int load_anything(const std::uint8_t* bytes, std::size_t size, tree::LoadForm form) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  tree::Editor editor{tree::ConfigTree(fuzz_schema())};
  check_laws(tree::load(editor, {}, text, tree::LoadAction::Merge, form), editor.tree());
  // Onto what is there.
  const auto before = editor.tree();
  check_laws(tree::load(editor, {}, text, tree::LoadAction::Replace, form), editor.tree());
  editor.reset(before);
  check_laws(tree::load(editor, {}, text, tree::LoadAction::Update, form), editor.tree());
  return 0;
}

}  // namespace millrace::test
