// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/login_users.h"

namespace millrace::appliers {
namespace {

using tree::View;

Credentials credentials(const View& authentication) {
  Credentials result{authentication["encrypted-password"].text("!"), {}};
  for (const char* kind : {"ssh-ecdsa", "ssh-ed25519", "ssh-rsa"}) {
    for (const auto& [key, value] : authentication[kind].entries()) {
      result.keys += std::string(key) + "\n";
    }
  }
  return result;
}

}  // namespace

LoginUsers login_users(const tree::ConfigTree& tree) {
  LoginUsers result;
  const View system = View(tree)["system"];
  for (const auto& [name, user] : system["login"]["user"].entries()) {
    Credentials how = credentials(user["authentication"]);
    if (name == kAdmin) {
      result.standing.emplace(name, std::move(how));
      continue;
    }
    const auto uid = user["uid"].number();
    result.users.emplace(
        name, LoginUsers::User{
                  {std::string(name), uid ? static_cast<std::uint32_t>(*uid) : uid_of_name(name),
                   user["full-name"].text(), std::move(how.password)},
                  std::move(how.keys)});
  }
  if (const View root = system["root-authentication"]; root.exists()) {
    result.standing.emplace(kRoot, credentials(root));
  }
  return result;
}

// FNV-1a.
std::uint32_t uid_of_name(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char byte : name) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
  }
  return 2000 + hash % 58000;
}

std::string login_text(std::string_view configured) {
  std::string text;
  while (!configured.empty()) {
    const bool begins_line = configured.starts_with("\\n");
    text += begins_line ? '\n' : configured.front();
    configured.remove_prefix(begins_line ? 2 : 1);
  }
  return text + "\n";
}

}  // namespace millrace::appliers
