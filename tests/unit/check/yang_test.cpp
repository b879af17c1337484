// SPDX-License-Identifier: GPL-2.0-or-later
//
// The YANG module, judged by yanglint: it is one, what our rules accept is an instance of it, and
// what they refuse is not.
#include <gmock/gmock.h>

#include "check/check.h"
#include "unit/check/golden_trees.h"
#include "unit/check/instance.h"

namespace millrace::check {
namespace {

using testing::instance_of;
using testing::Yanglint;

const schema::Schema& every_kind() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"kinds.tmpl", R"tmpl(
feature kinds { help "k";
container top {
  help "t";
  list zone {
    help "A zone, \"quoted\""; key name; type string { pattern "^[[:alpha:]_][^]\\[:space:]-]*$"; length 1..8; }
    ordered-by user; unique "port tcp/mark"; max-elements 4;
    must "not exists(./port) or ./port != /top/limit" { error-message "the limit is no port"; }
    leaf port { help "p"; type integer { range "1..4 | 8..max"; } units hops; }
    leaf address { help "a"; type interface-address; unique-in "/top" { by-address; } }
    leaf 802.3ad { help "8"; type boolean; warns "nothing listens"; }
    container tcp {
      help "t";
      leaf mark { help "m"; type enumeration { enum high { help "h"; } enum low { help "l"; } } }
      leaf needed { help "n"; type mac-address; mandatory; }
    }
    leaf-list peer { help "p"; type string; ref "/top/zone"; }
    leaf-list source { help "s"; type union { type ip-prefix; type string { ref "/top/zone"; } } }
    leaf level { help "l"; type integer; default 3;
      must ". > count(../peer)" { error-message "too many peers"; } }
  }
  list name { help "n"; key name; type as-number; leaf name { help "n"; type host-name; } }
  leaf limit { help "l"; type integer { range 1..9; } default 9; }
  leaf strict { help "s"; type empty;
    must "not exists(/top/limit) and ../limit = 9" { error-message "strict keeps the limit"; }
    must "not /top/zone['a']/level >= 5 or /top/name[../name]/name = 'x'" { error-message "no"; }
  }
  leaf class { help "c"; type string { reserved [ super-user read.only ]; } }
  leaf-list dns { help "d"; type ip-address; min-elements 2; }
  container old { refused "never"; }
}
}
)tmpl"}});
    EXPECT_TRUE(built) << built.error().message;
    return std::move(*built);
  }();
  return schema;
}

std::string instance(const std::string& lines, bool good) {
  tree::Editor editor{tree::ConfigTree(every_kind())};
  const auto report = tree::load(editor, {}, "set top dns 192.0.2.1\nset top dns ::1\n" + lines,
                                 tree::LoadAction::Set);
  EXPECT_EQ(report.to_string("lines"), "load complete\n");
  const auto errors = check_all(editor.tree());
  EXPECT_EQ(!errors.has_errors(), good) << lines << errors.to_string();
  return instance_of(editor.tree());
}

TEST(Yang, What_the_rules_accept_is_an_instance) {
  Yanglint lint(every_kind());
  ASSERT_EQ(lint.judge(), "") << schema::to_yang(every_kind());
  EXPECT_EQ(
      lint.judge({
          instance("", true),
          instance("set top zone a_ port 2\nset top zone b port 2\n", true),
          instance("set top zone a peer b\nset top zone b source 10.0.0.0/8\n"
                   "set top zone b source a\nset top zone b level 4\n",
                   true),
          instance("set top zone a tcp needed 02:00:00:00:00:01\nset top zone a tcp mark low\n"
                   "set top zone a 802.3ad true\n",
                   true),
          instance("set top zone a address fe80::1/64\nset top zone b address fe80::1/64\n"
                   "set top name 1 name x\nset top strict\n",
                   true),
      }),
      "")
      << schema::to_yang(every_kind());
}

TEST(Yang, What_the_rules_refuse_is_none) {
  Yanglint lint(every_kind());
  for (const std::string lines : {
           "set top zone a peer b\n",
           "set top zone a source b\n",
           "set top zone a tcp mark low\n",
           "set top zone a port 8\nset top limit 8\n",
           "set top zone a level 1\nset top zone a peer a\n",
           "set top zone a address 192.0.2.1/24\nset top zone b address 192.0.2.1/25\n",
           "delete top dns\nset top limit 2\n",
           "set top strict\nset top limit 7\n",
           "set top strict\nset top zone a level 6\n",
           "set top zone a\nset top zone b\nset top zone c\nset top zone d\nset top zone e\n",
           "set top zone a port 2\nset top zone a tcp mark low\nset top zone b port 2\n"
           "set top zone b tcp mark low\nset top zone a tcp needed 02:00:00:00:00:01\n"
           "set top zone b tcp needed 02:00:00:00:00:01\n",
       }) {
    EXPECT_NE(lint.judge({instance(lines, false)}), "") << lines;
  }
}

// What the types refuse while typing has no tree: the document is written out.
TEST(Yang, What_the_types_refuse_is_none) {
  Yanglint lint(every_kind());
  const auto document = [](const std::string& inside) {
    return "<top xmlns=\"" + std::string(schema::kYangNamespace) +
           "\"><dns>192.0.2.1</dns><dns>::1</dns>" + inside + "</top>";
  };
  EXPECT_EQ(lint.judge({document("<class>own</class>")}), "");
  for (const std::string inside :
       {"<class>read.only</class>", "<class>super-user</class>", "<limit>10</limit>",
        "<zone><name>-a</name></zone>", "<zone><name>too-long-a-name</name></zone>",
        "<zone><name>a</name><port>5</port></zone>",
        "<zone><name>a</name><address>192.0.2.1/33</address></zone>", "<old/>"}) {
    EXPECT_NE(lint.judge({document(inside)}), "") << inside;
  }
}

TEST(Yang, The_shipped_module_and_every_golden_configuration_are_accepted) {
  std::vector<std::string> instances;
  for (const auto& trees : testing::golden_trees()) {
    if (trees.commits && !trees.after.empty()) {
      instances.push_back(instance_of(trees.after));
    }
  }
  ASSERT_FALSE(instances.empty());
  EXPECT_EQ(Yanglint(testing::shipped_schema()).judge(instances), "");
}

}  // namespace
}  // namespace millrace::check
