// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the configuration wants of the machine's users.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "system/accounts.h"
#include "tree/view.h"

namespace millrace::appliers {

// The account that the image comes with. Like root it is there before and after the configuration
// knows it, which sets how it logs in and nothing else.
inline constexpr std::string_view kAdmin = "admin";
inline constexpr std::string_view kRoot = "root";

struct Credentials {
  std::string password;  // "!": none is accepted
  std::string keys;      // the file of public keys; empty: there is none
  bool operator==(const Credentials&) const = default;
};

struct LoginUsers {
  struct User {
    system::Account account;
    std::string keys;
    bool operator==(const User&) const = default;
  };
  std::map<std::string, User, std::less<>> users;
  std::map<std::string, Credentials, std::less<>> standing;  // root, admin
};

LoginUsers login_users(const tree::ConfigTree& tree);

// The uid of a user without one: the same on every router and every day, from 2000 to 59999.
std::uint32_t uid_of_name(std::string_view name);

// The text of `message` and `announcement`, where \n begins a line, ended by a newline.
std::string login_text(std::string_view configured);

}  // namespace millrace::appliers
