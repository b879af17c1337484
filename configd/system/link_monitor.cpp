// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/link_monitor.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <format>
#include <string_view>
#include <system_error>
#include <utility>

namespace millrace::system {
namespace {

// Of an RTM_NEWLINK; empty when it has none.
std::string name_in(const nlmsghdr& header) {
  const auto* info = static_cast<const ifinfomsg*>(NLMSG_DATA(&header));
  auto left = static_cast<unsigned>(IFLA_PAYLOAD(&header));
  for (const rtattr* one = IFLA_RTA(info); RTA_OK(one, left); one = RTA_NEXT(one, left)) {
    if (one->rta_type == IFLA_IFNAME) {
      const std::string_view name(static_cast<const char*>(RTA_DATA(one)), RTA_PAYLOAD(one));
      return std::string(name.substr(0, name.find('\0')));
    }
  }
  return {};
}

}  // namespace

base::Result<LinkMonitor> LinkMonitor::open() {
  const auto failed = [] {
    return base::fail(base::Code::Io, std::format("cannot follow the links of this machine: {}",
                                                  std::generic_category().message(errno)));
  };
  base::Fd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE));
  if (!socket) {
    return failed();
  }
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_LINK;
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return failed();
  }
  return LinkMonitor(std::move(socket));
}

bool LinkMonitor::learn(const void* message, std::size_t size) {
  bool changed = false;
  auto left = static_cast<unsigned>(size);
  for (const auto* header = static_cast<const nlmsghdr*>(message); NLMSG_OK(header, left);
       header = NLMSG_NEXT(header, left)) {
    if (header->nlmsg_type != RTM_NEWLINK && header->nlmsg_type != RTM_DELLINK) {
      continue;
    }
    const auto* info = static_cast<const ifinfomsg*>(NLMSG_DATA(header));
    if (info->ifi_family != AF_UNSPEC) {
      continue;  // a bridge speaks of its port, which has not changed by that
    }
    if (header->nlmsg_type == RTM_DELLINK) {
      names_.erase(info->ifi_index);
      changed = true;
      continue;
    }
    std::string name = name_in(*header);
    std::string& known = names_[info->ifi_index];
    changed = changed || known != name;
    known = std::move(name);
  }
  return changed;
}

bool LinkMonitor::changed() {
  bool changed = false;
  alignas(nlmsghdr) std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (count > 0) {
      changed = learn(buffer.data(), static_cast<std::size_t>(count)) || changed;
    } else if (count < 0 && errno == ENOBUFS) {
      changed = true;
    } else if (count == 0 || errno != EINTR) {
      return changed;
    }
  }
}

}  // namespace millrace::system
