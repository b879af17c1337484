// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random edits of the test schema, reproducible by seed.
#pragma once

#include <random>

#include "unit/tree/test_schema.h"

namespace millrace::tree::testing {

class RandomEdits {
 public:
  explicit RandomEdits(unsigned seed) : random_(seed) {}

  // Makes one edit of any kind; whether it took effect depends on what is there.
  void edit(Editor& editor) {
    const unsigned kind = below(20);
    const auto walk =
        schema::walk(test_schema().root(), words_of(line()), schema::Abbreviations::No);
    ASSERT_TRUE(walk) << walk.error().message;
    const schema::Walk& first = walk->front();
    const Path path = some_path(first);
    if (kind < 11) {
      (void)editor.set({}, first);
    } else if (kind < 14) {
      (void)editor.remove({}, {path.steps, {}});
    } else if (kind < 16) {
      (void)editor.set_inactive(path, below(3) > 0);
    } else if (kind == 16) {
      (void)editor.set_protected(path, below(4) == 0);
    } else if (kind == 17) {
      (void)editor.annotate(path, comments_ ? pick({"", "why", "two\nlines", "a; b { c }"}) : "");
    } else if (kind == 18) {
      const std::string to(pick({"a", "b", "eth3", "7", "192.0.2.77/24", "10.9.0.0/16"}));
      below(2) ? (void)editor.rename(path, to) : (void)editor.copy(path, to);
    } else {
      (void)editor.insert(path, below(2) ? Editor::Side::Before : Editor::Side::After,
                          pick({"a", "b", "c", "d", "e"}));
    }
  }
  // The set form does not carry comments.
  void without_comments() { comments_ = false; }
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

 private:
  std::string_view pick(std::initializer_list<std::string_view> from) {
    return from.begin()[below(static_cast<unsigned>(from.size()))];
  }
  std::string word(std::initializer_list<std::string_view> from) {
    return std::string(pick(from)) + ' ';
  }

  std::string line() {
    switch (below(8)) {
      case 0:
        return "system " +
               word({"host-name a", "host-name b", "secret-word x;y", "search a", "search b",
                     "search host-name", "search services", "search c", "resolve a", "resolve b",
                     "resolve c", "resolve d", "services ssh", "services ssh port 22"});
      case 1:
        return "system ntp server " + word({"192.0.2.1", "192.0.2.2", "a.example", "b"}) +
               word({"", "prefer", "version 2", "version 4", "tag x", "tag prefer", "tag version"});
      case 2:
        return "interfaces " + word({"eth0", "eth1", "eth10", "lo0"}) +
               word({"", "mtu 1400", "mtu 1500", "disable", "description d\"q", "unit 0"});
      case 3:
      case 4:
        return "interfaces " + word({"eth0", "eth1", "eth10"}) + "unit " + word({"0", "7", "100"}) +
               word({"", "vlan-id 5", "family inet", "family inet mtu 1300",
                     "family inet address 192.0.2.1/24", "family inet address 192.0.2.2/24 primary",
                     "family inet6 address 2001:db8::1/64", "family inet6"});
      case 5:
        return "policy-options prefix-list " + word({"a", "b", "inactive:"}) +
               word({"", "10.0.0.0/8", "10.9.0.0/16", "2001:db8::/32"});
      default:
        return "policy-options policy-statement " + word({"p", "q"}) + "term " +
               word({"a", "b", "c", "d", "e", "from-list"}) +
               word({"", "", "accept", "metric 5", "metric -3", "from-list a", "from-list metric",
                     "from-list b"});
    }
  }

  // The object of the line or one around it.
  Path some_path(const schema::Walk& walk) {
    Path path{walk.steps};
    schema::PathStep& last = path.steps.back();
    if (last.node->kind == schema::Kind::LeafList && !walk.values.empty() && below(2)) {
      last.key = walk.values.front();
      last.keyed = true;
    }
    if (below(2)) {
      path.steps.erase(path.steps.begin() + 1 + below(static_cast<unsigned>(path.steps.size())),
                       path.steps.end());
    }
    return path;
  }

  std::mt19937 random_;
  bool comments_ = true;
};

}  // namespace millrace::tree::testing
