// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/fake_accounts.h"

#include <format>

namespace millrace::test {

using base::Code;
using base::Result;

std::vector<std::string> FakeAccounts::dump() const {
  std::vector<std::string> lines;
  for (const auto& [name, entry] : entries_) {
    lines.push_back(std::format(
        "account {} uid {} password {}{}{}", name, entry.account.uid, entry.account.password,
        entry.ours ? " ours" : "",
        entry.account.full_name.empty() ? "" : " full-name " + entry.account.full_name));
  }
  return lines;
}

Result<std::vector<system::Account>> FakeAccounts::owned() {
  std::vector<system::Account> accounts;
  for (const auto& [name, entry] : entries_) {
    if (entry.ours) {
      accounts.push_back(entry.account);
    }
  }
  return accounts;
}

Result<void> FakeAccounts::put(const system::Account& account) {
  for (const auto& [name, entry] : entries_) {
    if (name != account.name && entry.account.uid == account.uid) {
      return base::fail(Code::ApplyFailed,
                        std::format("uid {} is that of user '{}' already", account.uid, name));
    }
  }
  const auto found = entries_.find(account.name);
  if (found != entries_.end() && !found->second.ours) {
    return base::fail(
        Code::ApplyFailed,
        std::format("user '{}' exists and is not of the configuration", account.name));
  }
  if (found != entries_.end() && found->second.account == account) {
    return {};
  }
  if (hook_) {
    if (auto done = hook_(std::format("accounts: put {}", account.name)); !done) {
      return done;
    }
  }
  entries_.insert_or_assign(account.name, Entry{account, true});
  return {};
}

Result<void> FakeAccounts::remove(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end() || !found->second.ours) {
    return {};
  }
  if (hook_) {
    if (auto done = hook_(std::format("accounts: remove {}", name)); !done) {
      return done;
    }
  }
  entries_.erase(found);
  return {};
}

Result<std::string> FakeAccounts::password(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    return base::fail(Code::UnknownPath, std::format("there is no user '{}'", name));
  }
  return found->second.account.password;
}

Result<void> FakeAccounts::set_password(std::string_view name, std::string_view password) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    return base::fail(Code::ApplyFailed, std::format("there is no user '{}'", name));
  }
  if (found->second.account.password == password) {
    return {};
  }
  if (hook_) {
    if (auto done = hook_(std::format("accounts: set the password of {}", name)); !done) {
      return done;
    }
  }
  found->second.account.password = password;
  return {};
}

}  // namespace millrace::test
