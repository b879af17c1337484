// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loading JSON, XML and patches: what each takes, and what it says about what it does not.
#include <gmock/gmock.h>

#include "syntax/lexeme.h"
#include "tree/compare.h"
#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::path_of;
using testing::set;
using ::testing::SizeIs;
using testing::test_schema;

class LoadFormsTest : public ::testing::Test {
 protected:
  LoadReport json(std::string text, LoadAction action = LoadAction::Merge) {
    return load(editor, {}, std::move(text), action, LoadForm::Json);
  }
  LoadReport xml(std::string_view inside, LoadAction action = LoadAction::Merge) {
    return load(editor, {}, "<configuration>" + std::string(inside) + "</configuration>", action,
                LoadForm::Xml);
  }
  LoadReport patch(std::string text) {
    return load(editor, {}, std::move(text), LoadAction::Patch);
  }
  void start(std::string text) {
    EXPECT_EQ(load(editor, {}, std::move(text), LoadAction::Override).errors.size(), 0U);
  }
  std::string now() const { return to_set(editor.tree(), {}); }
  Editor editor{ConfigTree(test_schema())};
};

TEST_F(LoadFormsTest, Json_of_junos_with_key_names_and_empty_leaves) {
  const auto report = json(R"({"configuration": {"@": {"junos:changed-seconds": "1"},
    "interfaces": {"interface": [{"name": "eth0", "mtu": 1400, "disable": [null],
      "unit": [{"name": 0, "family": {"inet": {"address": [{"name": "192.0.2.1/24"}]}}}]}]},
    "system": {"search": ["a", "b"], "services": {"ssh": {}}}}})");
  EXPECT_EQ(report.to_string("x"), "load complete\n");
  EXPECT_EQ(now(),
            "set system search a\nset system search b\nset system services ssh\n"
            "set interfaces eth0 disable\nset interfaces eth0 mtu 1400\n"
            "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n");
}

TEST_F(LoadFormsTest, Xml_of_a_reply_with_its_envelope) {
  const auto report =
      load(editor, {},
           "<rpc-reply xmlns:junos=\"urn:j\"><configuration junos:commit-seconds=\"1\">"
           "<system><host-name>a b</host-name></system></configuration>"
           "<cli><banner>[edit]</banner></cli></rpc-reply>",
           LoadAction::Merge, LoadForm::Xml);
  EXPECT_EQ(report.to_string("x"), "load complete\n");
  EXPECT_EQ(now(), "set system host-name \"a b\"\n");
}

TEST_F(LoadFormsTest, Bad_elements_are_counted_with_their_lines_and_the_others_count) {
  const auto report = json(
      "{\"configuration\": {\n\"system\": {\n\"no-such\": 1,\n"
      "\"host-name\": \"a\"},\n\"interfaces\": {\"interface\": [{\n"
      "\"name\": \"eth0\",\n\"mtu\": 1,\n\"disable\": [null]}, {\"mtu\": 1400}]}}}");
  ASSERT_THAT(report.errors, SizeIs(3));
  EXPECT_EQ(report.errors[0].at.line, 3U);
  EXPECT_EQ(report.errors[0].level, "system");
  EXPECT_EQ(report.errors[1].at.line, 7U);
  EXPECT_EQ(report.errors[1].level, "interfaces eth0");
  EXPECT_THAT(report.errors[2].message, HasSubstr("an entry without its key"));
  EXPECT_EQ(now(), "set system host-name a\nset interfaces eth0 disable\n");
}

TEST_F(LoadFormsTest, What_is_not_well_formed_loads_nothing) {
  EXPECT_THAT(json("{\"configuration\": {\"system\": {\"host-name\": \"a\"}}").errors, SizeIs(1));
  EXPECT_THAT(xml("<system><host-name>a</host-name>").errors, SizeIs(1));
  EXPECT_THAT(json("{\"system\": {\"host-name\": \"a\"}}").errors, SizeIs(1));
  EXPECT_EQ(now(), "");
}

TEST_F(LoadFormsTest, Attributes_delete_replace_rename_insert_and_mark) {
  start(
      "system { host-name a; search [ x y ]; } interfaces { eth0 { mtu 1400; disable; } "
      "inactive: eth1 { mtu 1400; } eth2; }"
      "policy-options { policy-statement p { term a; term b; } }");
  const auto report =
      xml("<system inactive=\"inactive\"><host-name delete=\"delete\"/>"
          "<search operation=\"delete\">x</search></system>"
          "<interfaces><interface replace=\"replace\"><name>eth0</name><mtu>1300</mtu></interface>"
          "<interface active=\"active\"><name>eth1</name></interface>"
          "<interface rename=\"rename\" name=\"eth5\"><name>eth2</name></interface></interfaces>"
          "<policy-options><policy-statement><name>p</name>"
          "<term insert=\"before\" name=\"a\"><name>b</name></term>"
          "<term insert=\"after\" name=\"b\"><name>c</name><accept/></term>"
          "</policy-statement></policy-options>");
  EXPECT_EQ(report.to_string("x"), "load complete\n");
  EXPECT_EQ(now(),
            "set system search y\ndeactivate system\n"
            "set interfaces eth0 mtu 1300\nset interfaces eth1 mtu 1400\nset interfaces eth5\n"
            "set policy-options policy-statement p term b\n"
            "set policy-options policy-statement p term c accept\n"
            "set policy-options policy-statement p term a\n");
}

TEST_F(LoadFormsTest, An_unknown_attribute_refuses_its_element) {
  const auto report = xml("<system><host-name frobnicate=\"1\">a</host-name></system>");
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_THAT(report.errors[0].message, HasSubstr("attribute 'frobnicate'"));
  EXPECT_EQ(now(), "");
}

TEST_F(LoadFormsTest, An_override_that_reads_nothing_changes_nothing) {
  start("system { host-name a; }");
  for (const LoadAction action : {LoadAction::Override, LoadAction::Update}) {
    EXPECT_THAT(load(editor, {}, "\x01garbage } { ;; what", action).errors,
                ::testing::Not(::testing::IsEmpty()));
    EXPECT_THAT(load(editor, {}, "no-such { thing 1; }", action).errors, SizeIs(1));
    EXPECT_THAT(load(editor, {}, "", action).warnings, SizeIs(1));
    EXPECT_THAT(load(editor, {}, "system { }", action).warnings, SizeIs(2));
    EXPECT_THAT(json("{}", action).errors, SizeIs(1));
    EXPECT_EQ(now(), "set system host-name a\n");
  }
  load(editor, {}, "system { search x; no-such y; }", LoadAction::Override);
  EXPECT_EQ(now(), "set system search x\n");
}

TEST_F(LoadFormsTest, A_masked_secret_is_no_secret) {
  start("system { secret-word xyzzy; host-name a; }");
  const WriteOptions masked{.hide_secrets = true};
  const ConfigTree tree = editor.tree();
  EXPECT_THAT(load(editor, {}, to_text(tree, {}, masked), LoadAction::Merge).errors, SizeIs(1));
  EXPECT_THAT(load(editor, {}, to_set(tree, {}, masked), LoadAction::Set).errors, SizeIs(1));
  EXPECT_THAT(json(to_json(tree, {}, masked)).errors, SizeIs(1));
  EXPECT_EQ(now(), "set system host-name a\nset system secret-word xyzzy\n");
}

TEST_F(LoadFormsTest, Delimiters_of_a_comment_may_be_typed) {
  start("system { host-name a; }");
  load(editor, {}, "annotate system \"/* why */\"", LoadAction::Set);
  EXPECT_EQ(editor.tree().find(path_of("system"))->comment(), "why");
  load(editor, {}, "annotate system \"\"", LoadAction::Set);
  EXPECT_EQ(editor.tree().find(path_of("system"))->comment(), "");
}

TEST_F(LoadFormsTest, The_form_is_known_by_its_start) {
  EXPECT_EQ(form_of("\n  { \"configuration\""), LoadForm::Json);
  EXPECT_EQ(form_of("<?xml"), LoadForm::Xml);
  EXPECT_EQ(form_of("<configuration>"), LoadForm::Xml);
  EXPECT_EQ(form_of("system {"), LoadForm::Text);
  EXPECT_EQ(form_of("<*> { mtu 1400; }"), LoadForm::Text);
  EXPECT_EQ(form_of(""), LoadForm::Text);
}

TEST_F(LoadFormsTest, A_patch_ignores_indentation) {
  start("system { host-name a; } interfaces { eth0 { mtu 1400; } }");
  EXPECT_EQ(patch("[edit system]\n-host-name a;\n+        host-name b;\n[edit interfaces]\n"
                  "-  eth0 {\n- mtu 1400;\n-}\n+ eth1 {\n+ disable;\n+ }\n")
                .to_string("x"),
            "load complete\n");
  EXPECT_EQ(now(), "set system host-name b\nset interfaces eth1 disable\n");
}

TEST_F(LoadFormsTest, A_hunk_that_does_not_fit_is_named_and_leaves_nothing_of_itself) {
  start("system { host-name a; } interfaces { eth0 { mtu 1400; } }");
  const auto report = patch(
      "[edit interfaces eth0]\n+  disable;\n-  mtu 1500;\n+  mtu 1600;\n"
      "[edit system]\n-  host-name a;\n+  host-name b;\n"
      "[edit system services]\n+  ssh;\n"
      "[edit system services]\n+  ssh;\n");
  ASSERT_THAT(report.errors, SizeIs(2));
  EXPECT_EQ(report.to_string("terminal"),
            "terminal:1:(1) hunk does not apply: 'interfaces eth0 mtu' is not what the patch takes "
            "away\n  [edit interfaces eth0]\n    '[edit interfaces eth0]'\n"
            "      hunk does not apply: 'interfaces eth0 mtu' is not what the patch takes away\n"
            "terminal:10:(1) hunk does not apply: 'system services ssh' is there already\n"
            "  [edit system services]\n    '[edit system services]'\n"
            "      hunk does not apply: 'system services ssh' is there already\n"
            "load complete (2 errors)\n");
  EXPECT_EQ(now(),
            "set system host-name b\nset system services ssh\nset interfaces eth0 mtu 1400\n");
}

TEST_F(LoadFormsTest, A_hunk_that_fails_leaves_what_another_one_takes_away) {
  start("system { host-name a; search x; } interfaces { eth0 { mtu 1400; } }");
  const auto report = patch(
      "[edit system]\n-  host-name a;\n-  search x;\n"
      "[edit system]\n+  host-name b;\n-  search nowhere;\n");
  EXPECT_EQ(report.statements, 1U);
  EXPECT_THAT(report.errors, SizeIs(1));
  EXPECT_EQ(now(), "set interfaces eth0 mtu 1400\n");
}

TEST_F(LoadFormsTest, A_patch_leaves_what_is_protected) {
  start("protect: system { host-name a; }");
  const auto report = patch("[edit system]\n-  host-name a;\n+  host-name b;\n");
  ASSERT_THAT(report.errors, SizeIs(1));
  EXPECT_THAT(report.errors[0].message, HasSubstr("is protected"));
}

TEST_F(LoadFormsTest, What_is_no_patch_is_refused) {
  EXPECT_THAT(patch("system { host-name a; }").errors, SizeIs(1));
  EXPECT_THAT(patch("[edit no-such]\n+ x;\n").errors, SizeIs(1));
  EXPECT_THAT(patch("[edit system]\n+ host-name {;\n").errors, SizeIs(1));
  EXPECT_THAT(patch("[edit system]\n+ /* alone */\n").errors, SizeIs(1));
  EXPECT_EQ(now(), "");
}

// A terminal acts on what a file of somebody else may hold.
TEST_F(LoadFormsTest, A_report_quotes_nothing_that_a_terminal_acts_on) {
  const std::string bad = "sys\x1b[2J\xff\xfe";
  for (const LoadReport& report :
       {patch("[edit " + bad + "]\n+ x;\n"), patch(bad), patch("[edit system]\n+ " + bad + ";\n"),
        json("{\"" + bad + "\": 1}"), xml("<a>" + bad + "</a>"),
        load(editor, {}, "set " + bad, LoadAction::Set),
        load(editor, {}, "system { host-name " + bad + "; }", LoadAction::Merge)}) {
    ASSERT_FALSE(report.errors.empty());
    EXPECT_EQ(syntax::find_bad_byte(report.to_string("file")), std::string::npos)
        << report.to_string("file");
  }
}

}  // namespace
}  // namespace millrace::tree
