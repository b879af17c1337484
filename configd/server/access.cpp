// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/access.h"

#include <grp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "base/user_name.h"
#include "base/words.h"
#include "tree/merge.h"

namespace millrace::server {
namespace {

std::optional<gid_t> group_id(const char* name) {
  group entry{};
  group* found = nullptr;
  std::vector<char> buffer(16384);
  if (getgrnam_r(name, &entry, buffer.data(), buffer.size(), &found) != 0 || !found) {
    return std::nullopt;
  }
  return entry.gr_gid;
}

// The groups of the process when it connected, as the kernel keeps them (net/core/sock.c).
std::vector<gid_t> groups_of(int socket, gid_t primary) {
  std::vector<gid_t> groups(64);
  socklen_t size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
  int outcome = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size);
  if (outcome != 0 && errno == ERANGE) {
    groups.resize(size / sizeof(gid_t));
    outcome = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size);
  }
  groups.resize(outcome == 0 ? size / sizeof(gid_t) : 0);
  groups.push_back(primary);
  return groups;
}

}  // namespace

base::Result<Peer> identify(int socket) {
  ucred credentials{};
  socklen_t size = sizeof(credentials);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
    return base::fail(base::Code::Io,
                      std::string("the kernel does not name the peer: ") + std::strerror(errno));
  }
  Peer peer{credentials.uid, credentials.pid,
            base::user_name(credentials.uid).value_or("uid" + std::to_string(credentials.uid)),
            credentials.uid == 0};
  peer.origin = origin_of(credentials.pid);
  if (const auto group = group_id(kAccessGroup); group && !peer.super_user) {
    const auto groups = groups_of(socket, credentials.gid);
    const auto users = group_id(kUserGroup);
    peer.super_user =
        std::ranges::contains(groups, *group) && !(users && std::ranges::contains(groups, *users));
  }
  return peer;
}

bool may(const Peer& peer, const Access& access) {
  if (!peer.rights) {
    return peer.super_user;
  }
  const ClassRights& rights = *peer.rights;
  const std::string words = access.path ? base::joined(access.path->words()) : std::string();
  const schema::Node* node =
      access.path && !access.path->empty() ? access.path->steps.back().node : nullptr;
  switch (access.kind) {
    case Access::Kind::View:
      if (!access.permission.empty()) {
        return rights.has(access.permission) ||
               rights.has(std::string(access.permission) + "-control");
      }
      return node ? rights.view(*node, words) != tree::Reach::None : rights.views_anything();
    case Access::Kind::Edit:
      return rights.has("configure") &&
             (node ? rights.edit(*node, words) != tree::Reach::None : rights.edits_anything());
    case Access::Kind::Commit:
      return rights.has("configure");
    case Access::Kind::Operate:
      return rights.may_run(access.command, access.permission);
  }
  return false;
}

void refresh(Peer& peer, const tree::ConfigTree& running) {
  if (peer.uid == 0) {
    return;
  }
  const tree::Node* system = running.root().child("system");
  auto source = system ? system->children().find_shared("login") : nullptr;
  const bool is_first = !peer.rights && !peer.source;
  if (source == peer.source && !is_first) {
    return;
  }
  peer.source = std::move(source);
  peer.rights = ClassRights::of_user(running, peer.user);
  if (!peer.rights && !peer.super_user) {
    peer.rights = ClassRights::nothing(running.schema());
  }
}

bool is_known(const Peer& peer) {
  return peer.rights ? !peer.rights->user().empty() : peer.super_user;
}

tree::ConfigTree visible(const Peer& peer, const tree::ConfigTree& tree) {
  if (!peer.rights) {
    return peer.super_user ? tree : tree::ConfigTree(tree.schema());
  }
  return tree::visible(tree, *peer.rights);
}

bool sees_everything(const Peer& peer) {
  return peer.rights ? peer.rights->views_everything() : peer.super_user;
}

bool changes_everything(const Peer& peer) {
  return peer.rights ? peer.rights->has("configure") && peer.rights->edits_everything()
                     : peer.super_user;
}

namespace {

tree::Permitted permitted(const Peer& peer, const tree::ConfigTree& before,
                          const tree::ConfigTree& after) {
  if (!peer.rights) {
    return peer.super_user ? tree::Permitted{after, {}} : tree::Permitted{before, {{.path = {}}}};
  }
  if (!peer.rights->has("configure")) {
    return {before, {{.path = {}}}};
  }
  return tree::permitted(before, after, *peer.rights);
}

// `typed`: what is there afterwards was written by the user, and is no news to them.
std::string denied(const tree::Refusal& refusal, bool typed) {
  const bool known = refusal.seen || (typed && !refusal.removal);
  return "permission denied" + (known && !refusal.path.empty() ? ": " + refusal.path : "");
}

}  // namespace

base::Result<void> check_permitted(const Peer& peer, const tree::ConfigTree& before,
                                   const tree::ConfigTree& after, bool typed) {
  const auto judged = permitted(peer, before, after);
  if (judged.refusals.empty()) {
    return {};
  }
  return base::fail(base::Code::Denied, denied(judged.refusals.front(), typed));
}

base::Result<void> check_effect(const Peer& peer, const tree::ConfigTree& before,
                                const tree::ConfigTree& after) {
  const auto judged = permitted(peer, before, after);
  if (judged.refusals.empty()) {
    return {};
  }
  return base::fail(base::Code::Denied, denied(judged.refusals.front(), false), {},
                    "a group or an interface range would change it");
}

void keep_permitted(const Peer& peer, const tree::ConfigTree& before, tree::Editor& editor,
                    tree::LoadReport& report) {
  auto judged = permitted(peer, before, editor.tree());
  if (judged.refusals.empty() && editor.tree().root_ptr() == judged.tree.root_ptr()) {
    return;
  }
  editor.reset(std::move(judged.tree));
  for (const auto& refusal : judged.refusals) {
    if (refusal.seen || !refusal.removal) {
      report.errors.push_back({{}, {}, refusal.path, denied(refusal, true), {}});
    }
  }
}

base::Result<void> edit_as_seen(const Peer& peer, tree::Editor& editor,
                                const std::function<base::Result<void>(tree::Editor&)>& change) {
  if (sees_everything(peer)) {
    return change(editor);
  }
  const tree::ConfigTree all = editor.tree();
  const tree::ConfigTree seen = visible(peer, all);
  tree::Editor seeing(seen);
  if (auto outcome = change(seeing); !outcome) {
    return outcome;
  }
  // Where a change meets something hidden it is what counts, and the rights decide on it later.
  editor.reset(tree::merge(seen, seeing.tree(), all).tree);
  return {};
}

}  // namespace millrace::server
