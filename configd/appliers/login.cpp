// SPDX-License-Identifier: GPL-2.0-or-later
//
// Users of the machine from `system login`. A user of ours is made, changed attribute by attribute
// and removed; its group marks it, and an account of anybody else is never touched. root and the
// image's admin are there anyway: the configuration lends them a password and keys, and what they
// had before is kept in a file, so that it can be given back.
//
// Public keys stand in files of root below /etc, which sshd is told of (image/package): a user who
// can write files cannot let others in. Classes are not here: they are nothing of the machine's, a
// session looks its class up in the configuration (server/rights.h).
#include <algorithm>
#include <array>
#include <format>

#include "appliers/action_step.h"
#include "appliers/login_users.h"
#include "commit/applier.h"
#include "tree/view.h"
#include "tree/word_pattern.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using base::Result;
using commit::Phase;
using commit::World;
using system::System;
using tree::View;
using User = LoginUsers::User;

constexpr std::array<std::string_view, 4> kBuiltInClasses = {"super-user", "operator", "read-only",
                                                             "unauthorized"};

std::string keys_file(std::string_view name) {
  return std::format("/etc/millrace/authorized-keys/{}", name);
}

// The password that an account of the machine had before.
std::string memory_file(std::string_view name) {
  return std::format("/etc/millrace/passwords-before/{}", name);
}

Result<void> write_keys(System& system, std::string_view name, const std::string& keys) {
  return keys.empty() ? system.files.remove(keys_file(name))
                      : system.files.write(keys_file(name), {keys, 0644});
}

Result<std::string> read_keys(System& system, std::string_view name) {
  auto file = system.files.read(keys_file(name));
  if (!file) {
    return std::unexpected(file.error());
  }
  return *file ? (*file)->text : std::string();
}

// ===== users of ours =====

Result<void> move_user(System& system, const std::string& name, const std::optional<User>& to) {
  if (!to) {
    if (auto keys = write_keys(system, name, {}); !keys) {
      return keys;
    }
    return system.accounts.remove(name);
  }
  if (auto made = system.accounts.put(to->account); !made) {
    return made;
  }
  return write_keys(system, name, to->keys);
}

std::string changed_attributes(const User& before, const User& after) {
  std::string text;
  const auto note = [&](bool differs, std::string_view name) {
    text += differs ? (text.empty() ? "" : ", ") + std::string(name) : "";
  };
  note(before.account.uid != after.account.uid, "uid");
  note(before.account.full_name != after.account.full_name, "full-name");
  note(before.account.password != after.account.password, "password");
  note(before.keys != after.keys, "keys");
  return text;
}

void add_user_step(commit::Plan& plan, Phase phase, const std::string& name,
                   const std::optional<User>& before, const std::optional<User>& after) {
  const Action apply = [name, after](System& system) { return move_user(system, name, after); };
  const Action undo = [name, before](System& system) { return move_user(system, name, before); };
  if (!before) {
    plan.add(phase, action_step(std::format("create user {}", name), apply, undo));
  } else if (!after) {
    plan.add(phase, disruptive_step(std::format("remove user {} and end its sessions", name), apply,
                                    undo));
  } else {
    const std::string what =
        std::format("change user {}: {}", name, changed_attributes(*before, *after));
    const bool ends_sessions = before->account.uid != after->account.uid;
    plan.add(phase,
             ends_sessions ? disruptive_step(what, apply, undo) : action_step(what, apply, undo));
  }
}

using Users = std::map<std::string, User, std::less<>>;

bool has_uid(const Users& users, std::uint32_t uid) {
  for (const auto& [name, user] : users) {
    if (user.account.uid == uid) {
      return true;
    }
  }
  return false;
}

void plan_users(commit::Plan& plan, const Users& before, const Users& after) {
  for (const auto& [name, user] : before) {
    if (!after.contains(name)) {
      // A uid that passes to somebody else is free first.
      const bool passed_on = has_uid(after, user.account.uid);
      add_user_step(plan, passed_on ? Phase::Teardown : Phase::Retire, name, user, std::nullopt);
    }
  }
  for (const auto& [name, user] : after) {
    const auto old = before.find(name);
    if (old == before.end()) {
      add_user_step(plan, Phase::Build, name, std::nullopt, user);
    } else if (!(old->second == user)) {
      add_user_step(plan, Phase::Switch, name, old->second, user);
    }
  }
}

// ===== accounts of the machine =====

using Lent = std::optional<Credentials>;  // nothing: as the account was before

Result<void> move_standing(System& system, const std::string& name, const Lent& to) {
  const auto memory = system.files.read(memory_file(name));
  if (!memory) {
    return std::unexpected(memory.error());
  }
  if (!to && !*memory) {
    return {};
  }
  if (to && !*memory) {
    const auto password = system.accounts.password(name);
    if (!password) {
      return std::unexpected(password.error());
    }
    if (auto kept = system.files.write(memory_file(name), {*password, 0600}); !kept) {
      return kept;
    }
  }
  if (auto keys = write_keys(system, name, to ? to->keys : std::string()); !keys) {
    return keys;
  }
  auto set = system.accounts.set_password(name, to ? to->password : (*memory)->text);
  return set && !to ? system.files.remove(memory_file(name)) : set;
}

void add_standing_step(commit::Plan& plan, const std::string& name, const Lent& before,
                       const Lent& after) {
  if (before == after) {
    return;
  }
  const std::string what = std::format("{} how {} logs in", after ? "set" : "give back", name);
  plan.add(!before  ? Phase::Build
           : !after ? Phase::Retire
                    : Phase::Switch,
           action_step(
               what, [name, after](System& system) { return move_standing(system, name, after); },
               [name, before](System& system) { return move_standing(system, name, before); }));
}

Lent find(const LoginUsers& users, std::string_view name) {
  const auto found = users.standing.find(name);
  return found == users.standing.end() ? Lent() : found->second;
}

// ===== the message before logging in =====

using Content = std::optional<system::FileContent>;
using MessageFiles = std::map<std::string, Content>;

// For the console, where agetty reads escapes, and for sshd, which does not.
MessageFiles message_files(const tree::ConfigTree& tree) {
  const View message = View(tree)["system"]["login"]["message"];
  MessageFiles files = {{"/etc/issue.d/millrace-login.issue", std::nullopt},
                        {"/etc/millrace/login-message", std::nullopt}};
  if (!message.exists()) {
    return files;
  }
  const std::string text = login_text(message.text());
  std::string escaped;
  for (const char byte : text) {
    escaped += byte == '\\' ? std::string("\\\\") : std::string(1, byte);
  }
  files["/etc/issue.d/millrace-login.issue"] = {escaped, 0644};
  files["/etc/millrace/login-message"] = {text, 0644};
  return files;
}

void add_file_step(commit::Plan& plan, const std::string& path, const Content& before,
                   const Content& after) {
  if (before == after) {
    return;
  }
  const auto moved_to = [path](const Content& to) -> Action {
    return [path, to](System& system) {
      return to ? system.files.write(path, *to) : system.files.remove(path);
    };
  };
  plan.add(Phase::Switch, action_step(std::format("{} {}", after ? "write" : "remove", path),
                                      moved_to(after), moved_to(before)));
}

// ===== checks =====

std::string level_of(std::string_view kind, std::string_view name) {
  return std::format("system login {} {}", kind, name);
}

void check_classes(const View& login, Diagnostics& out) {
  for (const auto& [name, entry] : login["class"].entries()) {
    const auto check_rule = [&](std::string_view statement, std::string_view text) {
      if (const auto pattern = tree::WordPattern::compile(text); !pattern) {
        out.error(Code::BadValue, level_of("class", name), std::string(statement),
                  pattern.error().message,
                  "POSIX extended regular expressions, matched from the first word on");
      }
    };
    for (const char* statement :
         {"allow-commands", "deny-commands", "allow-configuration", "deny-configuration"}) {
      if (const View rule = entry[statement]; rule.exists()) {
        check_rule(statement, rule.text());
      }
      const std::string list = std::string(statement) + "-regexps";
      for (const auto& [text, value] : entry[list].entries()) {
        check_rule(list, text);
      }
    }
  }
}

// It should have become a hash; as a statement it would do nothing.
void check_asked(const std::string& level, const View& authentication, Diagnostics& out) {
  if (authentication["plain-text-password"].exists()) {
    out.error(Code::BadValue, level, "plain-text-password",
              "a password that is to be asked for cannot be loaded",
              "type it with set at a terminal, or load encrypted-password");
  }
}

void check_users(const View& login, Diagnostics& out) {
  std::map<std::uint32_t, std::string> uids;
  for (const auto& [name, user] : login["user"].entries()) {
    const std::string level = level_of("user", name);
    const std::string of = user["class"].text();
    const bool known = of.empty() || std::ranges::contains(kBuiltInClasses, of) ||
                       login["class"].entry(of).exists();
    if (!known) {
      out.error(Code::Constraint, level, "class " + of,
                std::format("class '{}' is not defined", of),
                "super-user, operator, read-only and unauthorized are built in");
    }
    check_asked(level + " authentication", user["authentication"], out);
    if (name == kAdmin) {
      for (const char* fixed : {"uid", "full-name"}) {
        if (user[fixed].exists()) {
          out.error(Code::Constraint, level, fixed,
                    "admin comes with the system, and this of it cannot be changed");
        }
      }
      continue;
    }
    const auto number = user["uid"].number();
    const auto uid = number ? static_cast<std::uint32_t>(*number) : uid_of_name(name);
    if (const auto [first, is_new] = uids.emplace(uid, name); !is_new) {
      out.error(Code::Constraint, level, number ? std::format("uid {}", uid) : std::string("uid"),
                std::format("uid {} is that of user '{}' already", uid, first->second),
                number ? "" : "without one, the uid follows from the name: set it here");
    }
  }
}

class Login final : public commit::Applier {
 public:
  std::string_view name() const override { return "login"; }
  std::vector<std::string> owns() const override {
    return {"system login", "system root-authentication"};
  }

  void check(const World& /*before*/, const World& after, const tree::Delta& /*delta*/,
             Diagnostics& out) const override {
    const View login = View(after.tree)["system"]["login"];
    check_classes(login, out);
    check_users(login, out);
    check_asked("system root-authentication", View(after.tree)["system"]["root-authentication"],
                out);
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& /*delta*/) const override {
    commit::Plan plan;
    const LoginUsers old_users = login_users(before.tree);
    const LoginUsers new_users = login_users(after.tree);
    plan_users(plan, old_users.users, new_users.users);
    for (const std::string_view name : {kRoot, kAdmin}) {
      add_standing_step(plan, std::string(name), find(old_users, name), find(new_users, name));
    }
    const MessageFiles old_files = message_files(before.tree);
    for (const auto& [path, content] : message_files(after.tree)) {
      add_file_step(plan, path, old_files.at(path), content);
    }
    return plan;
  }

  Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    const LoginUsers target = login_users(wanted.tree);
    const auto owned = system.accounts.owned();
    if (!owned) {
      return std::unexpected(owned.error());
    }
    Users actual;
    for (const auto& account : *owned) {
      auto keys = read_keys(system, account.name);
      if (!keys) {
        return std::unexpected(keys.error());
      }
      actual.emplace(account.name, User{account, std::move(*keys)});
    }
    commit::Plan plan;
    plan_users(plan, actual, target.users);
    for (const std::string_view name : {kRoot, kAdmin}) {
      const auto lent = actual_credentials(system, name);
      if (!lent) {
        return std::unexpected(lent.error());
      }
      add_standing_step(plan, std::string(name), *lent, find(target, name));
    }
    for (const auto& [path, content] : message_files(wanted.tree)) {
      const auto file = system.files.read(path);
      if (!file) {
        return std::unexpected(file.error());
      }
      add_file_step(plan, path, *file, content);
    }
    return plan;
  }

 private:
  static Result<Lent> actual_credentials(System& system, std::string_view name) {
    const auto memory = system.files.read(memory_file(name));
    if (!memory) {
      return std::unexpected(memory.error());
    }
    if (!*memory) {
      return Lent();
    }
    auto password = system.accounts.password(name);
    auto keys = read_keys(system, name);
    if (!password || !keys) {
      return std::unexpected(!password ? password.error() : keys.error());
    }
    return Credentials{std::move(*password), std::move(*keys)};
  }
};

}  // namespace

std::unique_ptr<commit::Applier> make_login() {
  return std::make_unique<Login>();
}

}  // namespace millrace::appliers
