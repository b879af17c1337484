// SPDX-License-Identifier: GPL-2.0-or-later
//
// A schema with groups, ranges and lists of both orders, and trees of it as text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tree/editor.h"
#include "tree/effective.h"
#include "tree/text.h"

namespace millrace::tree::testing {

inline const schema::Schema& groups_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"groups.tmpl", R"(
feature f { help "F";
  order [ groups system interfaces policy ];
  everywhere {
    leaf-list apply-groups { help "A"; type string; ordered-by user; ref "/groups"; }
    leaf-list apply-groups-except { help "E"; type string; ordered-by user; ref "/groups"; }
  }
  list groups { help "G"; key name; type string; like "/"; }
  container system { help "S";
    leaf host-name { help "H"; type string; }
    leaf word { help "W"; type string; secret; }
    leaf-list search { help "S"; type string; }
    container ntp { help "N";
      list server { help "S"; key name; type string; one-liner;
        leaf prefer { help "P"; type empty; }
        leaf version { help "V"; type integer; }
      }
    }
    container ssh { help "S"; presence; leaf port { help "P"; type integer; default 22; } }
  }
  container interfaces { help "I";
    list interface { help "I"; key name; nameless; type string { pattern "(eth|lo)[0-9]+"; }
      leaf mtu { help "M"; type integer; }
      leaf description { help "D"; type string; }
      list unit { help "U"; key number; type integer;
        leaf description { help "D"; type string; }
        container family { help "F"; joined;
          container inet { help "4"; presence;
            leaf mtu { help "M"; type integer; }
            list address { help "A"; key address; type string; }
          }
        }
      }
    }
    list interface-range { help "R"; key name; type string; like "/interfaces/interface";
      leaf-list member { help "M"; type string; }
      list member-range { help "R"; key first; type string; one-liner;
        leaf to { help "T"; type string; mandatory; }
      }
    }
  }
  container policy { help "P";
    list term { help "T"; key name; type string; ordered-by user;
      leaf metric { help "M"; type integer; }
      leaf-list from { help "F"; type string; ordered-by user; }
    }
  }
})"}});
    EXPECT_TRUE(built) << built.error().message;
    return std::move(*built);
  }();
  return schema;
}

inline ConfigTree groups_tree(std::string text) {
  Editor editor{ConfigTree(groups_schema())};
  const LoadReport report = load(editor, {}, std::move(text), LoadAction::Merge);
  EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
  EXPECT_TRUE(report.warnings.empty()) << report.to_string("test");
  return editor.tree();
}

inline std::string expanded(const ConfigTree& tree) {
  return to_set(Expander().effective(tree), {});
}
inline std::string expanded(std::string text) {
  return expanded(groups_tree(std::move(text)));
}

}  // namespace millrace::tree::testing
