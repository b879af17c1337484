// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/apply_path.h"

#include <gmock/gmock.h>

#include <random>

#include "tree/delta.h"
#include "tree/effective.h"
#include "tree/inheritance.h"
#include "tree/text.h"
#include "tree/view.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const schema::Schema& paths_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"paths.tmpl", R"(
feature f { help "F";
  everywhere {
    leaf-list apply-groups { help "A"; type string; ordered-by user; ref "/groups"; }
  }
  list groups { help "G"; key name; type string; like "/"; }
  container bgp { help "B";
    list group { help "G"; key name; type string;
      leaf local-address { help "L"; type string; }
      list neighbor { help "N"; key address; type string; leaf note { help "N"; type string; } }
    }
  }
  container servers { help "S"; leaf-list server { help "S"; type string; } }
  container interfaces { help "I";
    list interface { help "I"; nameless; key name; type string;
      list address { help "A"; key address; type string; }
    }
  }
  container gone { refused "not in this release"; }
  container lists { help "L";
    list prefix-list { help "P"; key name; type string;
      list prefix { help "P"; nameless; key prefix; type ip-prefix; }
      leaf apply-path { help "A"; type string; fills prefix; }
    }
  }
})"}});
    EXPECT_TRUE(built) << built.error().message;
    return std::move(*built);
  }();
  return schema;
}

ConfigTree edited(const ConfigTree& tree, const std::string& lines) {
  Editor editor(tree);
  const LoadReport report = load(editor, {}, lines, LoadAction::Set);
  EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
  return editor.tree();
}
ConfigTree tree_of(const std::string& lines) {
  return edited(ConfigTree(paths_schema()), lines);
}
std::vector<std::string> entries(const ConfigTree& effective, std::string_view list = "p") {
  std::vector<std::string> out;
  const View prefixes = View(effective)["lists"]["prefix-list"].entry(list)["prefix"];
  for (const auto& [prefix, view] : prefixes.entries()) {
    out.emplace_back(prefix);
  }
  return out;
}
std::vector<std::string> filled(const std::string& path, const std::string& lines) {
  return entries(Expander().effective(
      tree_of("set lists prefix-list p apply-path \"" + path + "\"\n" + lines)));
}

constexpr std::string_view kNeighbors = "bgp group <*> neighbor <*>";

TEST(ApplyPath, collects_keys_values_of_leaf_lists_and_of_leaves) {
  EXPECT_THAT(filled(std::string(kNeighbors),
                     "set bgp group a neighbor 192.0.2.1\n"
                     "set bgp group b neighbor 192.0.2.1\n"
                     "set bgp group b neighbor 2001:db8::1\n"
                     "set bgp group b neighbor name.example\n"),
              ElementsAre("192.0.2.1/32", "2001:db8::1/128"));
  EXPECT_THAT(filled("bgp group <ext-*> neighbor <10.*>",
                     "set bgp group ext-1 neighbor 10.0.0.1\n"
                     "set bgp group ext-1 neighbor 11.0.0.1\n"
                     "set bgp group int neighbor 10.0.0.2\n"),
              ElementsAre("10.0.0.1/32"));
  EXPECT_THAT(filled("bgp group a neighbor <*>",
                     "set bgp group a neighbor 10.0.0.1\nset bgp group b neighbor 10.0.0.2\n"),
              ElementsAre("10.0.0.1/32"));
  EXPECT_THAT(filled("servers server <*>", "set servers server 10.0.0.1\n"),
              ElementsAre("10.0.0.1/32"));
  EXPECT_THAT(filled("bgp group <*> local-address <*>", "set bgp group a local-address 10.0.0.1\n"),
              ElementsAre("10.0.0.1/32"));
}

TEST(ApplyPath, an_address_of_an_interface_is_its_network) {
  EXPECT_THAT(filled("interfaces <*> address <*>",
                     "set interfaces e0 address 10.1.2.3/24\n"
                     "set interfaces e1 address 10.1.2.4/24\n"),
              ElementsAre("10.1.2.0/24"));
}

TEST(ApplyPath, goes_beside_what_the_list_has_itself_and_is_gone_afterwards) {
  const ConfigTree tree = Expander().effective(
      tree_of("set lists prefix-list p 10.0.0.0/8\n"
              "set lists prefix-list p apply-path \"servers server <*>\"\n"
              "set lists prefix-list q 10.0.0.0/8\nset servers server 1.1.1.1\n"));
  EXPECT_EQ(to_set(tree, {}),
            "set servers server 1.1.1.1\nset lists prefix-list p 1.1.1.1/32\n"
            "set lists prefix-list p 10.0.0.0/8\nset lists prefix-list q 10.0.0.0/8\n");
}

TEST(ApplyPath, collects_what_is_inherited_and_may_be_inherited_and_passes_over_inactive) {
  const ConfigTree tree = tree_of(
      "set groups g bgp group <*> neighbor 10.0.0.9\n"
      "set groups h lists prefix-list <*> apply-path \"bgp group <*> neighbor <*>\"\n"
      "set apply-groups [ g h ]\n"
      "set bgp group a neighbor 10.0.0.1\nset bgp group a neighbor 10.0.0.2\n"
      "deactivate bgp group a neighbor 10.0.0.2\nset lists prefix-list p\n");
  EXPECT_THAT(entries(Expander().effective(tree)), ElementsAre("10.0.0.1/32", "10.0.0.9/32"));
}

TEST(ApplyPath, that_leads_nowhere_says_where_it_ends) {
  const auto message = [](std::string_view path) {
    const auto steps = read_apply_path(paths_schema().root(), path);
    return steps ? std::string() : steps.error().message;
  };
  EXPECT_EQ(message(kNeighbors), "");
  EXPECT_THAT(message("bgp groups <*>"), HasSubstr("no statement 'groups' in 'bgp'"));
  EXPECT_THAT(message("gone <*>"), HasSubstr("no statement 'gone'"));
  EXPECT_THAT(message("groups <*>"), HasSubstr("no statement 'groups'"));
  for (const std::string_view path :
       {"", "bgp", "bgp group", "bgp group a", "bgp group <*> neighbor",
        "bgp group <*> neighbor 10.0.0.1"}) {
    EXPECT_THAT(message(path), HasSubstr("ends with")) << path;
  }
  EXPECT_THAT(message("servers server <*> <*>"), HasSubstr("after a value"));
  EXPECT_THAT(message("servers server <[>"), HasSubstr("no pattern"));
}

TEST(ApplyPath, display_inheritance_shows_what_it_collects) {
  const Inheritance inheritance(
      tree_of("set lists prefix-list p apply-path \"servers server <*>\"\n"
              "set servers server 10.0.0.10\n"
              "set servers server 10.0.0.9\n"));
  WriteOptions options;
  options.inheritance = &inheritance;
  EXPECT_THAT(to_text(inheritance.tree(), {}, options), HasSubstr(R"(
    prefix-list p {
        ##
        ## apply-path was expanded to:
        ##     10.0.0.9/32;
        ##     10.0.0.10/32;
        ##
        apply-path "servers server <*>";
    })"));
}

// ===== versions =====

// Whatever the edits, going by the difference ends where starting anew does, and shares what did
// not change: a delta has what changed and no more.
TEST(ApplyPath, following_edits_is_the_same_as_starting_anew) {
  std::mt19937 random(7);
  const auto pick = [&](unsigned n) {
    return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
  };
  for (int sequence = 0; sequence < 30; ++sequence) {
    Expander expander;
    std::vector<ConfigTree> versions{tree_of("set servers server 9.9.9.9\n")};
    for (int step = 0; step < 40; ++step) {
      const std::string verb = pick(3) == 0 ? "delete" : "set";
      const std::string number = std::to_string(pick(4));
      const std::string group = pick(2) == 0 ? "a" : "b";
      const std::vector<std::string> lines = {
          verb + " bgp group " + group + " neighbor 10.0.0." + number,
          "set bgp group " + group + " neighbor 10.0.0." + number + " note x" + number,
          verb + " bgp group " + group,
          verb + " servers server 10.0.0." + number,
          verb + " lists prefix-list p 10.0.0." + number + "/32",
          verb + " lists prefix-list " + (pick(2) == 0 ? "p" : "q") + " apply-path" +
              (verb == "set"
                   ? pick(2) == 0 ? " \"bgp group <*> neighbor <*>\"" : " \"servers server <*>\""
                   : ""),
          verb + " lists prefix-list " + (pick(2) == 0 ? "p" : "q"),
          (pick(2) == 0 ? "deactivate" : "activate") +
              std::string(" lists prefix-list p apply-path"),
      };
      // Sometimes from a version before, as another session would.
      const ConfigTree base =
          versions[versions.size() - 1 -
                   pick(static_cast<unsigned>(std::min<std::size_t>(3, versions.size())))];
      Editor editor(base);
      load(editor, {}, lines[pick(static_cast<unsigned>(lines.size()))] + "\n", LoadAction::Set);
      versions.push_back(editor.tree());
      ASSERT_EQ(to_set(expander.effective(editor.tree()), {}),
                to_set(Expander().effective(editor.tree()), {}))
          << sequence << " " << step << "\n"
          << to_set(editor.tree(), {});
    }
  }
}

TEST(ApplyPath, one_neighbor_more_is_a_delta_of_one_entry_in_each_list_that_has_it) {
  std::string lines =
      "set lists prefix-list p apply-path \"bgp group <*> neighbor <*>\"\n"
      "set lists prefix-list q apply-path \"servers server <*>\"\nset servers server 1.1.1.1\n";
  for (int i = 0; i < 2000; ++i) {
    lines +=
        std::format("set bgp group a neighbor 10.0.{}.{}\nset lists prefix-list x{} 10.0.0.0/8\n",
                    i / 200, i % 200, i);
  }
  Expander expander;
  const ConfigTree before = tree_of(lines);
  const ConfigTree was = expander.effective(before);
  const ConfigTree is = expander.effective(edited(before,
                                                  "set bgp group a neighbor 10.0.0.0 note new\n"
                                                  "set bgp group b neighbor 10.9.9.9\n"));
  EXPECT_THAT(encode(Delta(was, is)),
              "set bgp group a neighbor 10.0.0.0 note new\n"
              "set bgp group b neighbor 10.9.9.9\n"
              "set lists prefix-list p 10.9.9.9/32\n");
  Path list{{{paths_schema().find("lists"), {}, false},
             {paths_schema().find("lists prefix-list"), {}, false}}};
  EXPECT_THAT(Delta(was, is).changed_keys(list), ElementsAre("p"));
  const Node* one = was.root().child("lists")->child("prefix-list")->child("q");
  EXPECT_EQ(one, is.root().child("lists")->child("prefix-list")->child("q"));
}

}  // namespace
}  // namespace millrace::tree
