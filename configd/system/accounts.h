// SPDX-License-Identifier: GPL-2.0-or-later
//
// Users of the machine. Those that the configuration makes are marked by their primary group,
// kUserGroup, and nobody else's account is ever changed or removed; of the accounts that the
// machine comes with, only the password may be set.
//
// Functions are idempotent in the direction they name, since recovery repeats steps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::system {

inline constexpr std::string_view kUserGroup = "millrace-user";
// The group that may reach configd's socket.
inline constexpr std::string_view kSocketGroup = "millrace";

// With the command line as its shell and /home/NAME as its home.
struct Account {
  std::string name;
  std::uint32_t uid = 0;
  std::string full_name = {};
  std::string password = {};  // as crypt(3) made it; "!": none is accepted
  bool operator==(const Account&) const = default;
};

class Accounts {
 public:
  virtual ~Accounts() = default;

  // Ours, by name.
  virtual base::Result<std::vector<Account>> owned() = 0;
  // Makes the account, or makes it so. Changing the uid ends what the user runs. Errors:
  // ApplyFailed when somebody else has the name or the uid.
  virtual base::Result<void> put(const Account& account) = 0;
  // Ends what the user runs and removes the account; its home stays. Not ours, or absent: success.
  virtual base::Result<void> remove(std::string_view name) = 0;

  // Of any account. Errors: UnknownPath when there is none.
  virtual base::Result<std::string> password(std::string_view name) = 0;
  virtual base::Result<void> set_password(std::string_view name, std::string_view password) = 0;
};

}  // namespace millrace::system
