// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random edits of groups, of what applies them and of what stands beside: what the expander makes
// of a version, knowing the versions before, is what it makes of it knowing nothing; and without
// groups in groups it is what the naive expansion makes.
#include <cstdlib>
#include <random>

#include "tree/delta.h"
#include "unit/tree/groups_naive.h"
#include "unit/tree/groups_schema.h"

namespace millrace::tree {
namespace {

class Lines {
 public:
  Lines(unsigned seed, bool nested) : random_(seed), nested_(nested) {}

  std::string next() {
    const unsigned kind = below(12);
    in_group_ = below(3) == 0;
    const std::string prefix = in_group_ ? "groups " + one({"a", "b", "c"}) : "";
    if (kind < 7) {
      return "set " + prefix + statement();
    }
    if (kind < 9 && (!in_group_ || nested_)) {
      const std::string level =
          one({"", "system", "system ntp", "system ntp server s", "interfaces", "interfaces eth0",
               "interfaces eth0 unit 0", "policy", "policy term p"});
      const bool except = below(3) == 0 && level != " ";
      return "set " + prefix + level + (except ? "apply-groups-except " : "apply-groups ") +
             one({"a", "b", "c"});
    }
    const std::string what =
        one({"system", "system ntp", "system ntp server s", "interfaces eth0",
             "interfaces eth0 unit 0", "interfaces eth1", "policy term p", "policy term q",
             "interfaces interface-range r", "apply-groups", "interfaces eth0 apply-groups",
             "system search", "interfaces <*>", "system host-name"});
    return one({"delete", "delete", "deactivate", "activate"}) + prefix + what;
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::string one(std::vector<std::string> from) {
    return from[below(static_cast<unsigned>(from.size()))] + ' ';
  }
  // The last ones are for groups only.
  std::string key(std::vector<std::string> from, unsigned patterns) {
    from.resize(from.size() - (in_group_ ? 0 : patterns));
    return one(from);
  }

  std::string statement() {
    switch (below(7)) {
      case 0:
        return "system " + one({"host-name x", "host-name y", "search a", "search b", "search c",
                                "ssh", "ssh port 1", "ssh port 2"});
      case 1:
        return "system ntp server " + key({"s", "t", "<*>", "<s*>"}, 2) +
               one({"", "prefer", "version 1", "version 2"});
      case 2:
      case 3:
        return "interfaces " + key({"eth0", "eth1", "lo0", "<*>", "<eth*>", "<eth?>"}, 3) +
               (below(2) ? one({"", "mtu 1", "mtu 2", "description x"})
                         : "unit " + key({"0", "1", "<*>"}, 1) +
                               one({"", "description u", "family inet", "family inet mtu 3",
                                    "family inet address x", "family inet address y"}));
      case 4:
        if (in_group_ && !nested_) {
          return "system host-name z";
        }
        return "interfaces interface-range " + one({"r", "q"}) +
               one({"member eth0", "member eth2", "member \"eth[2-3]\"", "member eth*", "mtu 7",
                    "unit 0 description r", "apply-groups a"});
      default:
        return "policy term " + one({"p", "q", "r"}) +
               one({"", "metric 1", "metric 2", "from a", "from b", "from c"});
    }
  }

  std::mt19937 random_;
  bool nested_;
  bool in_group_ = false;
};

unsigned rounds() {
  return std::getenv("MILLRACE_RELEASE") != nullptr ? 3'000 : 60;
}

std::vector<std::string> sorted_lines(const ConfigTree& tree) {
  std::vector<std::string> lines;
  std::istringstream text(to_set(tree, {}));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(GroupsProperty, what_was_known_before_makes_no_difference) {
  for (unsigned seed = 0; seed < rounds(); ++seed) {
    Lines lines(seed, true);
    Editor editor{ConfigTree(testing::groups_schema())};
    Expander expander;
    std::string log;
    for (int i = 0; i < 40; ++i) {
      const std::string line = lines.next();
      log += line + '\n';
      load(editor, {}, line, LoadAction::Set);
      const ConfigTree known = expander.effective(editor.tree());
      const ConfigTree fresh = Expander().effective(editor.tree());
      ASSERT_EQ(known, fresh) << seed << ":\n"
                              << log << "--- known\n"
                              << to_set(known, {}) << "--- fresh\n"
                              << to_set(fresh, {});
      ASSERT_EQ(expander.effective(known).root_ptr(), known.root_ptr()) << log;
    }
    const ConfigTree nothing(testing::groups_schema());
    const ConfigTree& tree = editor.tree();
    ASSERT_EQ(testing::groups_tree(to_text(tree, {})), tree) << log;
    const auto logged = apply(encode(Delta(nothing, tree)), nothing);
    ASSERT_TRUE(logged) << logged.error().to_string() << "\n" << log;
    ASSERT_EQ(*logged, tree) << log;
  }
}

TEST(GroupsProperty, the_naive_expansion_comes_to_the_same) {
  for (unsigned seed = 0; seed < rounds(); ++seed) {
    Lines lines(seed, false);
    Editor editor{ConfigTree(testing::groups_schema())};
    std::string log;
    for (int i = 0; i < 40; ++i) {
      const std::string line = lines.next();
      log += line + '\n';
      load(editor, {}, line, LoadAction::Set);
      if (i % 4 == 3) {
        ASSERT_EQ(sorted_lines(Expander().effective(editor.tree())),
                  testing::NaiveExpansion::lines(editor.tree().root()))
            << seed << ":\n"
            << log;
      }
    }
  }
}

}  // namespace
}  // namespace millrace::tree
