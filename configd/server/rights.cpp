// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/rights.h"

#include <array>
#include <utility>

namespace millrace::server {
namespace {

using schema::Kind;
using schema::Node;
using tree::Reach;

struct BuiltIn {
  std::string_view name;
  std::array<std::string_view, 5> permissions;
};

constexpr std::array kBuiltIn = {
    BuiltIn{"super-user", {"all"}},
    BuiltIn{"operator", {"clear", "network", "reset", "trace", "view"}},
    BuiltIn{"read-only", {"view"}},
    BuiltIn{"unauthorized", {}},
};

bool is_value(const Node& node) {
  return node.kind == Kind::Leaf || node.kind == Kind::LeafList;
}

// In a group a statement is what it is outside of it: rules see the path behind `groups NAME`.
std::string_view inherited_path(std::string_view words) {
  constexpr std::string_view kGroups = "groups ";
  if (!words.starts_with(kGroups)) {
    return words;
  }
  const auto end = words.find(' ', kGroups.size());
  return end == std::string_view::npos ? words : words.substr(end + 1);
}

// The statement `name` below `view`, absent when the templates do not have it.
bool declares(const tree::View& view, std::string_view name) {
  return view.schema().child(name) != nullptr;
}

}  // namespace

std::shared_ptr<const ClassRights> ClassRights::of_user(const tree::ConfigTree& running,
                                                        std::string_view user) {
  const tree::View top(running);
  if (!declares(top, "system") || !declares(top["system"], "login")) {
    return nullptr;
  }
  const tree::View login = top["system"]["login"];
  const tree::View entry = login["user"].entry(user);
  if (!entry.exists()) {
    return nullptr;
  }
  auto rights = std::shared_ptr<ClassRights>(new ClassRights);
  rights->root_ = &running.schema().root();
  rights->user_ = user;
  rights->read_class(login, entry["class"].text());
  rights->summarise(*rights->root_);
  return rights;
}

std::shared_ptr<const ClassRights> ClassRights::nothing(const schema::Schema& schema) {
  auto rights = std::shared_ptr<ClassRights>(new ClassRights);
  rights->root_ = &schema.root();
  rights->class_name_ = "unauthorized";
  rights->summarise(*rights->root_);
  return rights;
}

void ClassRights::read_class(const tree::View& login, std::string_view name) {
  class_name_ = name;
  idle_minutes_ = static_cast<unsigned>(login["idle-timeout"].number().value_or(0));
  for (const auto& built_in : kBuiltIn) {
    if (built_in.name == name) {
      for (const auto permission : built_in.permissions) {
        permissions_.emplace(permission);
      }
      permissions_.erase("");
      return;
    }
  }
  const tree::View entry = login["class"].entry(name);
  for (const auto& [permission, value] : entry["permissions"].entries()) {
    permissions_.emplace(permission);
  }
  idle_minutes_ = static_cast<unsigned>(entry["idle-timeout"].number().value_or(idle_minutes_));
  const bool good = read_rules(entry, "allow-commands", commands_.allow) &&
                    read_rules(entry, "allow-commands-regexps", commands_.allow) &&
                    read_rules(entry, "deny-commands", commands_.deny) &&
                    read_rules(entry, "deny-commands-regexps", commands_.deny) &&
                    read_rules(entry, "allow-configuration", configuration_.allow) &&
                    read_rules(entry, "allow-configuration-regexps", configuration_.allow) &&
                    read_rules(entry, "deny-configuration", configuration_.deny) &&
                    read_rules(entry, "deny-configuration-regexps", configuration_.deny);
  if (!good) {
    // The commit refuses such a pattern; one that got here would deny who knows what.
    permissions_.clear();
    commands_ = {};
    configuration_ = {};
  }
}

bool ClassRights::read_rules(const tree::View& entry, const char* statement,
                             std::vector<tree::WordPattern>& into) {
  const auto add = [&](std::string_view text) {
    auto pattern = tree::WordPattern::compile(text);
    if (pattern) {
      into.push_back(std::move(*pattern));
      rules_.emplace_back(statement, text);
    }
    return pattern.has_value();
  };
  const tree::View rules = entry[statement];
  if (rules.schema().kind == Kind::Leaf) {
    return !rules.exists() || add(rules.text());
  }
  bool good = true;
  for (const auto& [text, value] : rules.entries()) {
    good = add(text) && good;
  }
  return good;
}

bool ClassRights::has(std::string_view permission) const {
  return permissions_.contains("all") || permissions_.contains(permission);
}

bool ClassRights::views_by_flags(const Node& node) const {
  return has("view-configuration") ||
         (!node.permission.empty() && (has(node.permission) || has(node.permission + "-control")));
}

bool ClassRights::edits_by_flags(const Node& node) const {
  return has(node.permission.empty() ? "all" : node.permission + "-control") &&
         (!node.secret || has("secret-control"));
}

ClassRights::Summary ClassRights::summarise(const Node& node) {
  const bool views = node.parent && views_by_flags(node);
  const bool edits = node.parent && edits_by_flags(node);
  const bool clear = !node.secret || has("secret") || has("secret-control");
  // A group holds anything: its statements are judged one by one, by what they are.
  if (node.role == schema::Role::Groups) {
    const Summary sum{
        .views_all = has("all"), .views_none = false, .edits_all = has("all"), .edits_none = false};
    summaries_.insert_or_assign(&node, sum);
    return sum;
  }
  Summary sum{.views_all = (views && clear) || !node.parent,
              .views_none = !views,
              .edits_all = edits || !node.parent,
              .edits_none = !edits};
  for (const auto& child : node.children) {
    if (child->support == schema::Support::Refused) {
      continue;
    }
    const Summary below = summarise(*child);
    sum.views_all = sum.views_all && below.views_all;
    sum.edits_all = sum.edits_all && below.edits_all;
    const bool is_group = child->role == schema::Role::Groups;
    sum.views_none = sum.views_none && (is_group || below.views_none);
    sum.edits_none = sum.edits_none && (is_group || below.edits_none);
  }
  summaries_.insert_or_assign(&node, sum);
  return sum;
}

// What may stand everywhere, such as apply-groups, has an effect that no path tells: it is for who
// may do everything.
const ClassRights::Summary& ClassRights::summary(const Node& node) const {
  static constexpr Summary kAll{true, false, true, false};
  static constexpr Summary kViews{true, false, false, true};
  static constexpr Summary kNone{false, true, false, true};
  const auto found = summaries_.find(&node);
  return found != summaries_.end()   ? found->second
         : has("all")                ? kAll
         : has("view-configuration") ? kViews
                                     : kNone;
}

bool ClassRights::any(const std::vector<tree::WordPattern>& patterns, std::string_view text) {
  for (const auto& pattern : patterns) {
    if (pattern.matches(text)) {
      return true;
    }
  }
  return false;
}

Reach ClassRights::judge(const Node& node, std::string_view words,
                         const Judgement& judgement) const {
  if (configuration_.empty()) {
    return judgement.all     ? Reach::All
           : judgement.none  ? Reach::None
           : judgement.flags ? Reach::Self
                             : Reach::Below;
  }
  const std::string_view path = inherited_path(words);
  if (any(configuration_.deny, path) || (path != words && any(configuration_.deny, words))) {
    return Reach::None;
  }
  const bool itself = judgement.flags || (judgement.allowable && any(configuration_.allow, path));
  if (is_value(node)) {
    return itself ? judgement.value : Reach::None;
  }
  return itself                                           ? Reach::Self
         : judgement.none && configuration_.allow.empty() ? Reach::None
                                                          : Reach::Below;
}

Reach ClassRights::view(const Node& node, std::string_view words) const {
  const Summary& sum = summary(node);
  const bool clear = !node.secret || has("secret") || has("secret-control");
  return judge(node, words,
               {.all = sum.views_all,
                .none = sum.views_none,
                .flags = views_by_flags(node),
                .value = clear ? Reach::All : Reach::Self});
}

Reach ClassRights::edit(const Node& node, std::string_view words) const {
  const Summary& sum = summary(node);
  return judge(node, words,
               {.all = sum.edits_all,
                .none = sum.edits_none,
                .flags = edits_by_flags(node),
                .allowable = !node.secret || has("secret-control")});
}

bool ClassRights::may_run(std::string_view command, std::string_view permission) const {
  if (permission.empty()) {
    return true;
  }
  if (any(commands_.deny, command)) {
    return false;
  }
  return any(commands_.allow, command) ||
         (permission == "view-configuration" ? views_anything() : has(permission));
}

bool ClassRights::views_anything() const {
  return !summary(*root_).views_none || !configuration_.allow.empty();
}

bool ClassRights::edits_anything() const {
  return !summary(*root_).edits_none || !configuration_.allow.empty();
}

bool ClassRights::views_everything() const {
  return summary(*root_).views_all && configuration_.empty();
}

bool ClassRights::edits_everything() const {
  return summary(*root_).edits_all && configuration_.empty();
}

bool ClassRights::views_all_of(const schema::Node& node) const {
  return summary(node).views_all && configuration_.empty();
}

}  // namespace millrace::server
