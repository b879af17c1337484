// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/inheritance.h"

#include <gtest/gtest.h>

#include "unit/tree/groups_schema.h"

namespace millrace::tree {
namespace {

using testing::groups_tree;

std::string shown(std::string text, InheritanceRemarks remarks = InheritanceRemarks::Full,
                  Defaults defaults = Defaults::Hidden) {
  const Inheritance inheritance(groups_tree(std::move(text)), defaults);
  WriteOptions options;
  options.inheritance = &inheritance;
  options.inheritance_remarks = remarks;
  return to_text(inheritance.tree(), {}, options);
}

constexpr std::string_view kGroups =
    "groups { g { system { host-name a; search [ x y ]; ntp { server t { version 3; prefer; } } } "
    "} }"
    " apply-groups g; ";

TEST(Inheritance, a_statement_says_its_group_and_what_is_local_says_nothing) {
  EXPECT_EQ(shown(std::string(kGroups) + "system { search x; }"), R"(system {
    ##
    ## 'a' was inherited from group 'g'
    ##
    host-name a;
    ##
    ## 'y' was inherited from group 'g'
    ##
    search [ x y ];
    ##
    ## 'ntp' was inherited from group 'g'
    ##
    ntp {
        ##
        ## 't' was inherited from group 'g'
        ## 'prefer' was inherited from group 'g'
        ## '3' was inherited from group 'g'
        ##
        server t prefer version 3;
    }
}
)");
}

TEST(Inheritance, remarks_are_as_long_as_wanted) {
  const std::string text =
      "groups { g { interfaces { <*> { mtu 9000; } } } } apply-groups g; interfaces { eth0; }";
  EXPECT_EQ(shown(text, InheritanceRemarks::Brief),
            "interfaces {\n    eth0 {\n        ## '9000' was inherited from group 'g'\n"
            "        mtu 9000;\n    }\n}\n");
  EXPECT_EQ(shown(text, InheritanceRemarks::Terse),
            "interfaces {\n    eth0 {\n        ## from group 'g'\n        mtu 9000;\n    }\n}\n");
}

TEST(Inheritance, a_range_is_shown_as_its_members) {
  EXPECT_EQ(
      shown("interfaces { interface-range r { member eth1; mtu 9000; } eth1 { description x; } }",
            InheritanceRemarks::Brief),
      "interfaces {\n    eth1 {\n"
      "        ## '9000' was expanded from interface-range 'r'\n        mtu 9000;\n"
      "        description x;\n    }\n}\n");
  EXPECT_EQ(shown("interfaces { interface-range r { member eth1; } }", InheritanceRemarks::Brief),
            "interfaces {\n    ## 'eth1' was expanded from interface-range 'r'\n    eth1;\n}\n");
}

TEST(Inheritance, two_groups_that_are_copies_are_told_apart) {
  Editor editor{
      groups_tree("groups { a { system { host-name x; } } }"
                  " apply-groups b; system { ntp { apply-groups a; } }")};
  ASSERT_EQ(load(editor, {}, "copy groups a to groups b", LoadAction::Set).errors.size(), 0U);
  const Inheritance inheritance(editor.tree());
  EXPECT_EQ(inheritance.origin(*inheritance.tree().root().child("system")->child("host-name")),
            "was inherited from group 'b'");
}

TEST(Inheritance, defaults_are_a_group_of_their_own) {
  EXPECT_EQ(shown("system { ssh; }", InheritanceRemarks::Brief, Defaults::Shown),
            "system {\n    ssh {\n        ## '22' was inherited from group 'defaults'\n"
            "        port 22;\n    }\n}\n");
}

TEST(Inheritance, what_is_written_loads_as_what_is_in_force) {
  const ConfigTree tree = groups_tree(std::string(kGroups) + "system { search x; }");
  EXPECT_EQ(groups_tree(shown(to_text(tree, {}))), Expander().effective(tree));
}

TEST(Inheritance, diagnostics_of_inherited_statements_name_the_group) {
  base::Diagnostics found;
  found.error(base::Code::Constraint, "interfaces eth0", "mtu 9000", "too large");
  found.error(base::Code::Constraint, "interfaces eth0", "description mine", "too long", "cut it");
  const base::Diagnostics named = with_origins(
      found, groups_tree("groups { g { interfaces { <*> { mtu 9000; } } } } apply-groups g;"
                         " interfaces { eth0 { description mine; } }"));
  ASSERT_EQ(named.items().size(), 2U);
  EXPECT_EQ(named.items()[0].hint, "'9000' was inherited from group 'g'");
  EXPECT_EQ(named.items()[1].hint, "cut it");
  EXPECT_EQ(named.error_count(), 2U);
}

TEST(Inheritance, diagnostics_name_no_secret) {
  base::Diagnostics found;
  found.error(base::Code::Constraint, "system", "word", "too short");
  const base::Diagnostics named =
      with_origins(found, groups_tree("groups { g { system { word hush; } } } apply-groups g;"));
  EXPECT_EQ(named.items().front().hint, "'word' was inherited from group 'g'");
}

}  // namespace
}  // namespace millrace::tree
