// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is speaking and what they may do. The kernel names the peer of a Unix socket; nothing in a
// message can change that. Its user is looked up among the login users of the configuration in
// force, whose class decides (server/rights.h). `may` sees parsed commands and paths, never typed
// text, so a word in a pipe or a value cannot grant or deny anything.
//
// What is shown goes through `visible`, and an edit through `permitted` of tree/filter.h, so that a
// command which asks nothing gives nothing away.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/origin.h"
#include "server/rights.h"
#include "tree/filter.h"
#include "tree/path.h"
#include "tree/text.h"

namespace millrace::server {

// Who is in this group may connect. Root has all rights, and so has a member that the
// configuration does not know.
inline constexpr const char* kAccessGroup = "millrace";
// The users that the configuration made are in this one too: without it they have no rights.
inline constexpr const char* kUserGroup = "millrace-user";

struct Peer {
  uid_t uid = 0;
  pid_t pid = 0;
  std::string user;
  bool super_user = false;                              // by uid or group, unless there are rights
  std::shared_ptr<const ClassRights> rights = nullptr;  // of the class; null: of no class
  // The login statements that `rights` were read from.
  std::shared_ptr<const tree::Node> source = nullptr;
  Origin origin = {};
};

// The process at the other end of a connected Unix socket. Errors: Io.
base::Result<Peer> identify(int socket);

struct Access {
  enum class Kind : unsigned char { View, Edit, Commit, Operate };
  Kind kind = Kind::View;
  std::string_view command = {};     // of Operate: the whole command, arguments included
  std::string_view permission = {};  // what it needs: "view", "clear", …; none: for everybody
  const tree::Path* path = nullptr;  // of the configuration; null: all of it
};

bool may(const Peer& peer, const Access& access);

// Looks the user up in what is in force, unless that has the same login statements as the last
// time. Requires: `running` is effective (tree/effective.h).
void refresh(Peer& peer, const tree::ConfigTree& running);
// Whether the peer may connect at all. Requires: refresh.
bool is_known(const Peer& peer);

// `tree` as the peer may see it.
tree::ConfigTree visible(const Peer& peer, const tree::ConfigTree& tree);
bool sees_everything(const Peer& peer);
bool changes_everything(const Peer& peer);
// Whether the peer may have made `after` of `before`. Errors: Denied, "permission denied: PATH".
// When the peer did not type `after`, as in a rollback, the path is named only if it may be seen.
base::Result<void> check_permitted(const Peer& peer, const tree::ConfigTree& before,
                                   const tree::ConfigTree& after, bool typed);
// The same of what the two amount to: a group or an interface range reaches statements that its own
// path does not name. Requires: both are effective.
base::Result<void> check_effect(const Peer& peer, const tree::ConfigTree& before,
                                const tree::ConfigTree& after);
// As check_permitted for a load, statement by statement: what the peer may not change is as it was
// `before`, and an error of the report unless the peer cannot know of it.
void keep_permitted(const Peer& peer, const tree::ConfigTree& before, tree::Editor& editor,
                    tree::LoadReport& report);
// Runs `change` on what the peer sees of the editor's tree and puts the outcome on top of the rest,
// so that neither outcome nor messages tell of what is hidden. Errors: those of `change`.
base::Result<void> edit_as_seen(const Peer& peer, tree::Editor& editor,
                                const std::function<base::Result<void>(tree::Editor&)>& change);

}  // namespace millrace::server
