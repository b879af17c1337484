// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which rules a change can have broken. Every statement that came, went or got another value is an
// atom; the rulebook says whose rules look at it, the index where their carriers are. The rules to
// run are first collected and then run once each, so that a thousand changes that meet one rule do
// not run it a thousand times.
#include "check/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "check/lines.h"
#include "check/must.h"
#include "check/rules.h"

namespace millrace::check {
namespace {

using schema::Kind;

class Incremental {
 public:
  Incremental(const Rulebook& book, const tree::Delta& delta, const Index& index)
      : book_(book), delta_(delta), index_(index), rules_(book, delta.after(), &index) {}

  Findings run() && {
    for (const tree::Change& change : delta_.changes()) {
      if (change.path.empty()) {
        continue;
      }
      if (change.after) {
        came(change);
      }
      look_around(change);
    }
    each_atom(book_, delta_, [&](const Spot& spot, Side side, const tree::Change&) {
      readers(spot);
      side == Side::Before ? gone(spot) : owns(spot);
    });
    for (const tree::Path& path : touched_entries(book_, delta_)) {
      owns({path, keys_of(path), delta_.after().find(path)});
    }
    run_musts();
    for (const auto& [prefix, rule] : owners_) {
      run_unique(prefix, *rule);
    }
    return std::move(rules_).take();
  }

 private:
  void came(const tree::Change& change) {
    auto place = find_place(delta_.after(), change.path);
    const schema::PathStep& last = change.path.steps.back();
    if (last.node->kind == Kind::LeafList && last.keyed) {
      // One value among others: the rules of the statement are found by what they read.
      rules_.reference(*place);
    } else if (!change.before) {
      rules_.subtree(*place);
    } else if (last.node->kind == Kind::Leaf) {
      rules_.node(*place);
    }
  }

  // What stands in the same place: it may lack what went, or have too many now.
  void look_around(const tree::Change& change) {
    if (change.before && change.after) {
      return;
    }
    const schema::Node& node = *change.path.steps.back().node;
    const auto parent = find_place(delta_.after(), change.path.parent());
    if (parent) {
      rules_.contains(*parent, node);
    }
  }

  // ===== must =====

  using Carriers = std::pair<const schema::Node*, const schema::Must*>;

  void readers(const Spot& spot) {
    for (const Read* read : book_.of(*spot.node->schema()).readers) {
      if (read->keyed) {
        by_key_.insert({key_prefix(*read, spot.keys), read});
        continue;
      }
      const std::size_t around = keys_to(*read->top);
      below_.insert(
          {{spot.keys.begin(), spot.keys.begin() + static_cast<std::ptrdiff_t>(around)}, read});
    }
  }

  void run_musts() {
    std::map<tree::Path, std::set<const schema::Must*>, PathLess> wanted;
    for (const auto& [prefix, read] : by_key_) {
      const std::size_t around = keys_to(*read->top);
      const std::vector<std::string> first = fields_of(prefix, kHead);
      index_.each(prefix, [&](std::string_view line, std::uint32_t) {
        std::vector<std::string> keys(first.begin(),
                                      first.begin() + static_cast<std::ptrdiff_t>(around));
        std::ranges::move(fields_of(line, prefix.size()), std::back_inserter(keys));
        wanted[path_of(*read->carrier, keys)].insert(read->must);
        return true;
      });
    }
    for (const auto& [keys, read] : below_) {
      if (book_.of(*read->carrier).scanned) {
        const std::string prefix = Line(Line::Kind::Carrier, book_.of(*read->carrier).id)
                                       .fields(keys, 0, keys.size())
                                       .text();
        index_.each(prefix, [&](std::string_view line, std::uint32_t) {
          wanted[path_of(*read->carrier, fields_of(line, kHead))].insert(read->must);
          return true;
        });
      } else if (auto top = find_place(delta_.after(), path_of(*read->top, keys))) {
        each_instance(*top, *read->carrier,
                      [&](const Place& at) { wanted[at.path].insert(read->must); });
      }
    }
    for (const auto& [path, musts] : wanted) {
      const auto place = find_place(delta_.after(), path);
      for (const schema::Must* must : musts) {
        rules_.must(*place, *must);
      }
    }
  }

  // ===== ref =====

  // Those who refer to what is not there any more.
  void gone(const Spot& spot) {
    const NodeRules& rules = book_.of(*spot.node->schema());
    if (!rules.referred || (spot.node->schema()->kind == Kind::LeafList && !spot.is_value())) {
      return;
    }
    const std::string_view value = spot.node->is_entry() ? spot.node->name() : spot.node->value();
    if (index_.holds_any((Line(Line::Kind::Target, rules.id) << value).text())) {
      return;
    }
    const std::string prefix = (Line(Line::Kind::Referrer, rules.id) << value).text();
    index_.each(prefix, [&](std::string_view line, std::uint32_t) {
      const schema::Node& who = book_.node(number_at(line, prefix.size()));
      tree::Path path = path_of(who, fields_of(line, prefix.size() + sizeof(std::uint32_t)));
      if (who.kind == Kind::LeafList) {
        path.steps.back() = {&who, std::string(value), true};
      }
      rules_.reference(*find_place(delta_.after(), path));
      return true;
    });
  }

  // ===== unique =====

  void owns(const Spot& spot) {
    for (const UniqueRule& rule : book_.of(*spot.node->schema()).uniques) {
      if (const auto owner = ownership(rule, spot)) {
        owners_.insert({owner->line.substr(0, owner->prefix), &rule});
      }
    }
  }

  void run_unique(const std::string& prefix, const UniqueRule& rule) {
    const std::size_t around = rule.unique ? keys_to(*rule.node) - 1 : keys_to(*rule.within->scope);
    const std::vector<std::string> first = fields_of(prefix, kHead);
    std::vector<tree::Path> owners;
    index_.each(prefix, [&](std::string_view line, std::uint32_t) {
      std::vector<std::string> keys(first.begin(),
                                    first.begin() + static_cast<std::ptrdiff_t>(around));
      std::ranges::move(fields_of(line, prefix.size()), std::back_inserter(keys));
      tree::Path path = path_of(*rule.node, keys);
      if (rule.node->kind == Kind::LeafList) {
        path.steps.back() = {rule.node, keys.back(), true};
      }
      owners.push_back(std::move(path));
      return true;
    });
    if (owners.size() > 1) {
      rules_.repeated(rule, std::move(owners));
    }
  }

  static constexpr std::size_t kHead = 1 + sizeof(std::uint32_t);  // of a line: kind and number

  const Rulebook& book_;
  const tree::Delta& delta_;
  const Index& index_;  // of delta_.after()
  Rules rules_;
  std::set<std::pair<std::string, const Read*>> by_key_;
  std::set<std::pair<std::vector<std::string>, const Read*>> below_;
  std::map<std::string, const UniqueRule*> owners_;
};

// Uniqueness of a whole tree, the plain way.
class AllUnique {
 public:
  AllUnique(const Rulebook& book, const tree::ConfigTree& tree, Rules& rules)
      : book_(book), tree_(tree), rules_(rules) {}

  void run() {
    Spot root{{}, {}, &tree_.root()};
    each_spot(book_, root, [&](const Spot& spot) {
      for (const UniqueRule& rule : book_.of(*spot.node->schema()).uniques) {
        if (const auto owner = ownership(rule, spot)) {
          owners_[owner->line.substr(0, owner->prefix)].push_back(spot.path);
          rule_of_[owner->line.substr(0, owner->prefix)] = &rule;
        }
      }
    });
    for (auto& [line, owners] : owners_) {
      if (owners.size() > 1) {
        rules_.repeated(*rule_of_.at(line), std::move(owners));
      }
    }
  }

 private:
  const Rulebook& book_;
  const tree::ConfigTree& tree_;
  Rules& rules_;
  std::unordered_map<std::string, std::vector<tree::Path>> owners_;
  std::unordered_map<std::string, const UniqueRule*> rule_of_;
};

}  // namespace

Checker::Checker(const schema::Schema& schema) : book_(std::make_unique<Rulebook>(schema)) {}
Checker::~Checker() = default;

Index Checker::index_of(const tree::ConfigTree& tree) const {
  return check::index_of(*book_, tree);
}

Checker::Checked Checker::check(const tree::Delta& delta, const Index& running) const {
  Checked checked{{}, updated(*book_, running, delta)};
  if (!delta.empty()) {
    checked.findings = Incremental(*book_, delta, checked.index).run();
  }
  return checked;
}

Findings Checker::check_all(const tree::ConfigTree& tree) const {
  Rules rules(*book_, tree, nullptr);
  Place root = root_place(tree);
  rules.subtree(root);
  AllUnique(*book_, tree, rules).run();
  return std::move(rules).take();
}

base::Diagnostics check_all(const tree::ConfigTree& tree) {
  return Checker(tree.schema()).check_all(tree).diagnostics();
}

}  // namespace millrace::check
