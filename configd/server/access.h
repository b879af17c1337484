// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is speaking and what they may do. The kernel names the peer of a Unix socket; nothing in a
// message can change that. `may` is the one place where rights are decided: login classes replace
// its body, its callers stay. It sees parsed commands and paths, never typed text, so a word in a
// pipe or a value cannot grant or deny anything.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "tree/path.h"

namespace millrace::server {

// Root and the members of this group have all rights.
inline constexpr const char* kAccessGroup = "millrace";

struct Peer {
  uid_t uid = 0;
  pid_t pid = 0;
  std::string user;
  bool super_user = false;
};

// The process at the other end of a connected Unix socket. Errors: Io.
base::Result<Peer> identify(int socket);

struct Access {
  enum class Kind : unsigned char { View, Edit, Commit, Operate };
  Kind kind = Kind::View;
  std::string_view command = {};     // words of an operational command
  std::string_view permission = {};  // its class of permission: "view", "clear", …
  const tree::Path* path = nullptr;  // of the configuration; null: all of it
};

bool may(const Peer& peer, const Access& access);

}  // namespace millrace::server
