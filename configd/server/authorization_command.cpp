// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/authorization_command.h"

#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

// "Deny regular expression: show log", or none.
std::string rules(const ClassRights* rights, std::string_view what, std::string_view statement) {
  std::string text;
  if (rights) {
    for (const auto& [name, value] : rights->rules()) {
      if (name.starts_with(statement) &&
          (name.size() == statement.size() || name.ends_with("-regexps"))) {
        text += "    " + std::string(what) + " regular expression: " + value + "\n";
      }
    }
  }
  return text.empty() ? "    " + std::string(what) + " regular expression: none\n" : text;
}

}  // namespace

Outcome show_authorization(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  const Peer& peer = call.shell.peer();
  const ClassRights* rights = peer.rights.get();
  std::string text = "Current user: '" + peer.user + "' class '" +
                     (rights ? rights->class_name() : std::string("super-user")) +
                     "'\nPermissions:\n";
  if (!rights) {
    text += "    all\n";
  } else if (rights->permissions().empty()) {
    text += "    none\n";
  } else {
    for (const auto& permission : rights->permissions()) {
      text += "    " + permission + "\n";
    }
  }
  text += "Individual command authorization:\n" + rules(rights, "Allow", "allow-commands") +
          rules(rights, "Deny", "deny-commands") + "Individual configuration authorization:\n" +
          rules(rights, "Allow", "allow-configuration") +
          rules(rights, "Deny", "deny-configuration");
  return done(std::move(text));
}

}  // namespace millrace::server
