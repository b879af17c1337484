// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/access.h"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

namespace millrace::server {
namespace {

std::optional<gid_t> access_group() {
  group entry{};
  group* found = nullptr;
  std::vector<char> buffer(16384);
  if (getgrnam_r(kAccessGroup, &entry, buffer.data(), buffer.size(), &found) != 0 || !found) {
    return std::nullopt;
  }
  return entry.gr_gid;
}

std::string user_name(uid_t uid) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> buffer{};
  if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || !found) {
    return "uid" + std::to_string(uid);
  }
  return entry.pw_name;
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
  Peer peer{credentials.uid, credentials.pid, user_name(credentials.uid), credentials.uid == 0};
  if (const auto group = access_group(); group && !peer.super_user) {
    peer.super_user = std::ranges::contains(groups_of(socket, credentials.gid), *group);
  }
  return peer;
}

bool may(const Peer& peer, const Access& /*access*/) {
  return peer.super_user;
}

}  // namespace millrace::server
