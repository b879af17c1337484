// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a login class allows, read once from the configuration in force and immutable after:
// permission flags, and patterns over parsed commands and paths. A pattern that denies wins over
// everything, one that allows adds to the flags. Patterns see whole words of the language
// ("interfaces eth0 unit 0", "show route 192.0.2.0/24"), never what was typed.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tree/filter.h"
#include "tree/view.h"
#include "tree/word_pattern.h"

namespace millrace::server {

class ClassRights final : public tree::Rights {
 public:
  // Of the class that the user has in `running`; null when the user is not configured there. A
  // class that does not exist allows nothing.
  static std::shared_ptr<const ClassRights> of_user(const tree::ConfigTree& running,
                                                    std::string_view user);
  static std::shared_ptr<const ClassRights> nothing(const schema::Schema& schema);

  tree::Reach view(const schema::Node& node, std::string_view words) const override;
  tree::Reach edit(const schema::Node& node, std::string_view words) const override;

  // `command` is all of it in words; one without a permission is for everybody.
  bool may_run(std::string_view command, std::string_view permission) const;
  bool has(std::string_view permission) const;  // `all` has every one
  bool views_anything() const;
  bool edits_anything() const;
  bool views_everything() const;
  bool edits_everything() const;
  // Wherever and however often the statement stands.
  bool views_all_of(const schema::Node& node) const;

  const std::string& user() const { return user_; }  // empty: of nobody
  const std::string& class_name() const { return class_name_; }
  const std::set<std::string, std::less<>>& permissions() const { return permissions_; }
  // "deny-commands" and its value, in the order of the template.
  const std::vector<std::pair<std::string, std::string>>& rules() const { return rules_; }
  unsigned idle_minutes() const { return idle_minutes_; }  // 0: no limit

 private:
  // What the flags alone say about a statement and all below it.
  struct Summary {
    bool views_all = true;
    bool views_none = true;
    bool edits_all = true;
    bool edits_none = true;
  };
  struct Rules {
    std::vector<tree::WordPattern> allow;
    std::vector<tree::WordPattern> deny;
    bool empty() const { return allow.empty() && deny.empty(); }
  };

  // What decides about viewing or changing one statement.
  struct Judgement {
    bool all = false;                      // the flags alone: it and everything below it
    bool none = false;                     // neither it nor anything below it
    bool flags = false;                    // it, by its permission
    bool allowable = true;                 // rules may allow it
    tree::Reach value = tree::Reach::All;  // how far the right to a value goes
  };

  ClassRights() = default;
  tree::Reach judge(const schema::Node& node, std::string_view words,
                    const Judgement& judgement) const;
  void read_class(const tree::View& login, std::string_view name);
  bool read_rules(const tree::View& entry, const char* statement,
                  std::vector<tree::WordPattern>& into);
  Summary summarise(const schema::Node& node);
  const Summary& summary(const schema::Node& node) const;
  bool views_by_flags(const schema::Node& node) const;
  bool edits_by_flags(const schema::Node& node) const;
  static bool any(const std::vector<tree::WordPattern>& patterns, std::string_view text);

  std::string user_;
  std::string class_name_;
  std::set<std::string, std::less<>> permissions_;
  Rules commands_;
  Rules configuration_;
  std::vector<std::pair<std::string, std::string>> rules_;
  unsigned idle_minutes_ = 0;
  const schema::Node* root_ = nullptr;
  std::unordered_map<const schema::Node*, Summary> summaries_;
};

}  // namespace millrace::server
