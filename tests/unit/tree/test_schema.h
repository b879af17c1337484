// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small schema with one statement of every layout, and short ways to read and edit trees of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/walk.h"
#include "tree/editor.h"
#include "tree/text.h"

namespace millrace::tree::testing {

inline const schema::Schema& test_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"test.tmpl", R"(
feature test { help "t";
container system {
  help "s";
  leaf host-name { help "h"; type string; }
  leaf secret-word { help "h"; type string; secret; }
  leaf-list search { help "h"; type string; }
  leaf-list resolve { help "h"; type string; ordered-by user; }
  container services {
    help "s";
    container ssh {
      help "s";
      presence;
      leaf port { help "p"; type integer { range 1..65535; } default 22; }
    }
  }
  container ntp {
    help "n";
    list server {
      help "s"; key name; type host; one-liner;
      leaf prefer { help "p"; type empty; }
      leaf version { help "v"; type integer { range 1..4; } }
      leaf-list tag { help "t"; type string; ordered-by user; }
    }
  }
}
container interfaces {
  help "i";
  list interface {
    help "i"; key name; type interface-name; nameless;
    leaf description { help "d"; type string; }
    leaf disable { help "d"; type empty; }
    leaf mtu { help "m"; type integer { range 68..65535; } }
    list unit {
      help "u"; key number; type integer { range 0..16385; }
      leaf vlan-id { help "v"; type integer { range 1..4094; } }
      container family {
        help "f";
        joined;
        container inet {
          help "4";
          presence;
          leaf mtu { help "m"; type integer { range 68..65535; } }
          list address { help "a"; key address; type ipv4-interface-address;
            leaf primary { help "p"; type empty; }
          }
        }
        container inet6 {
          help "6";
          presence;
          list address { help "a"; key address; type ipv6-interface-address; }
        }
      }
    }
  }
}
container policy-options {
  help "p";
  list policy-statement {
    help "p"; key name; type string;
    list term {
      help "t"; key name; type string; ordered-by user;
      leaf accept { help "a"; type empty; }
      leaf metric { help "m"; type integer; }
      leaf-list from-list { help "f"; type string; ref "/policy-options/prefix-list"; }
    }
  }
  list prefix-list {
    help "p"; key name; type string;
    list item { help "i"; key prefix; type ip-prefix; nameless; }
  }
}
}
)"}});
    if (!built) {
      ADD_FAILURE() << built.error().to_string();
      std::abort();
    }
    return std::move(*built);
  }();
  return schema;
}

inline std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) {
      words.push_back(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// The path that `text` names; a value at the end of a leaf-list is part of it.
inline Path path_of(std::string_view text) {
  const auto walks = schema::walk(test_schema().root(), words_of(text), schema::Abbreviations::No);
  EXPECT_TRUE(walks.has_value()) << text << ": " << (walks ? "" : walks.error().message);
  Path path;
  if (walks) {
    path.steps = walks->front().steps;
    if (!walks->front().values.empty() && path.steps.back().node->kind == schema::Kind::LeafList) {
      path.steps.back().key = walks->front().values.front();
      path.steps.back().keyed = true;
    }
  }
  return path;
}

// The path of a child of the node at `path`; of an entry, the path of its list with the key.
inline Path path_to(const Node& child, Path path) {
  if (child.is_entry()) {
    path.steps.back().key = child.name();
    path.steps.back().keyed = true;
  } else {
    path.steps.push_back({child.schema(), {}, false});
  }
  return path;
}

inline base::Result<void> set(Editor& editor, std::string_view text) {
  const auto walks = schema::walk(test_schema().root(), words_of(text), schema::Abbreviations::No);
  EXPECT_TRUE(walks.has_value()) << text << ": " << (walks ? "" : walks.error().message);
  return walks ? editor.set({}, walks->front()) : base::Result<void>{};
}

inline base::Result<void> remove(Editor& editor, std::string_view text) {
  const auto walks = schema::walk(test_schema().root(), words_of(text), schema::Abbreviations::No);
  EXPECT_TRUE(walks.has_value()) << text << ": " << (walks ? "" : walks.error().message);
  return walks ? editor.remove({}, walks->front()) : base::Result<void>{};
}

// The tree that nested text makes; the text must be good.
inline ConfigTree tree_of(std::string text) {
  Editor editor{ConfigTree(test_schema())};
  const LoadReport report = load(editor, {}, std::move(text), LoadAction::Merge);
  EXPECT_EQ(report.to_string("text"), "load complete\n");
  return editor.tree();
}

}  // namespace millrace::tree::testing
