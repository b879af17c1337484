// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/fake_kernel.h"
#include "system/accounts.h"

namespace millrace::test {

// The users of a machine in memory: root and admin without a password, builder of somebody else.
class FakeAccounts : public system::Accounts {
 public:
  explicit FakeAccounts(const ChangeHook& hook) : hook_(hook) {}

  std::vector<std::string> dump() const;  // "account alice uid 2000 password HASH full-name NAME"

  base::Result<std::vector<system::Account>> owned() override;
  base::Result<void> put(const system::Account& account) override;
  base::Result<void> remove(std::string_view name) override;
  base::Result<std::string> password(std::string_view name) override;
  base::Result<void> set_password(std::string_view name, std::string_view password) override;

 private:
  struct Entry {
    system::Account account;
    bool ours = false;
  };
  const ChangeHook& hook_;
  std::map<std::string, Entry, std::less<>> entries_ = {
      {"root", {{"root", 0, "", "!"}}},
      {"admin", {{"admin", 999, "", "!"}}},
      {"builder", {{"builder", 1500, "", "*"}}},
  };
};

}  // namespace millrace::test
