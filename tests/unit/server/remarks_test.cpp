// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/remarks.h"

#include <gtest/gtest.h>

#include "support/fake_engine.h"

namespace millrace::server {
namespace {

const schema::Schema& bgp_like() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"t.tmpl", R"(feature t { help t;
      list policy { help p; key name; type string; leaf note { help n; type string; } }
      list group { help g; key name; type string;
        leaf kind { help k; type string; mandatory; }
        leaf peer-as { help p; type integer; mandatory; }
        leaf-list import { help i; type string; ref "/policy"; }
        leaf password { help p; type string; secret; ref "/policy"; }
        list neighbor { help n; key name; type string; ref "/policy"; one-liner;
          leaf export { help e; type string; ref "/policy"; } }
      } })"}});
    EXPECT_TRUE(built) << built.error().message;
    return std::move(*built);
  }();
  return schema;
}

tree::ConfigTree loaded(std::string text, tree::LoadAction action) {
  tree::Editor editor{tree::ConfigTree(bgp_like())};
  const auto report = tree::load(editor, {}, std::move(text), action);
  EXPECT_EQ(report.to_string("t"), "load complete\n");
  return editor.tree();
}

TEST(Remarks, say_what_is_missing_or_not_defined_and_read_back_as_nothing) {
  const test::FakeEngine engine(bgp_like());
  const auto candidate = loaded(
      "set policy A\nset group g import A\nset group g import B\nset group g import C\n"
      "set group g password p\nset group g neighbor A export D\nset group g neighbor E\n"
      "set group h\nset group i kind x\nset group i peer-as 1\nset group i import A\n",
      tree::LoadAction::Set);
  const tree::Notes notes = remarks_of(engine, candidate);
  tree::WriteOptions options;
  options.notes = &notes;
  const std::string text = to_text(candidate, {}, options);
  EXPECT_EQ(text,
            "policy A;\n"
            "group g {\n"
            "    ## Warning: missing mandatory statement(s): 'kind', 'peer-as'\n"
            "    import [ A B C ]; ## 'B' is not defined, 'C' is not defined\n"
            "    password p;\n"
            "    neighbor A export D; ## 'D' is not defined\n"
            "    neighbor E; ## 'E' is not defined\n"
            "}\n"
            "group h; ## Warning: missing mandatory statement(s): 'kind', 'peer-as'\n"
            "group i {\n"
            "    kind x;\n"
            "    peer-as 1;\n"
            "    import A;\n"
            "}\n");
  EXPECT_TRUE(loaded(text, tree::LoadAction::Merge) == candidate);
}

TEST(Remarks, are_not_made_about_what_is_fine) {
  const test::FakeEngine engine(bgp_like());
  EXPECT_TRUE(remarks_of(engine, loaded("set policy A\n", tree::LoadAction::Set)).empty());
}

}  // namespace
}  // namespace millrace::server
