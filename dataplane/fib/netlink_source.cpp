// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/netlink_source.h"

#include <linux/fib_rules.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/netconf.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "fib/netlink_parse.h"

namespace millrace::fib {
namespace {

constexpr int kReceiveBuffer = 64 << 20;  // a hundred thousand route changes while we are busy
constexpr std::size_t kReadSize = 256 << 10;
constexpr int kReadsAtOnce = 64;
constexpr int kAttempts = 5;

base::Error io(const std::string& what, int error) {
  return {base::Code::Io, "cannot " + what + ": " + std::strerror(error)};
}

void enlarge(int fd) {
  // needs CAP_NET_ADMIN; without it the usual limit stays, and a resync mends what that loses
  ::setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer);
}

}  // namespace

void NetlinkSource::Close::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

NetlinkSource::NetlinkSource(Socket listener, Socket asker)
    : listener_(std::move(listener)), asker_(std::move(asker)), buffer_(kReadSize) {}

base::Result<std::unique_ptr<NetlinkSource>> NetlinkSource::open() {
  Socket listener(nl_socket_alloc());
  Socket asker(nl_socket_alloc());
  for (nl_sock* socket : {listener.get(), asker.get()}) {
    if (const int result = nl_connect(socket, NETLINK_ROUTE); result < 0) {
      return base::fail(base::Code::Io,
                        std::string("cannot open a netlink socket: ") + nl_geterror(result));
    }
    enlarge(nl_socket_get_fd(socket));
  }
  const int groups[] = {RTNLGRP_LINK,         RTNLGRP_NEIGH,      RTNLGRP_IPV4_IFADDR,
                        RTNLGRP_IPV6_IFADDR,  RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE,
                        RTNLGRP_IPV4_RULE,    RTNLGRP_IPV6_RULE,  RTNLGRP_IPV4_NETCONF,
                        RTNLGRP_IPV6_NETCONF, RTNLGRP_NEXTHOP};
  for (const int group : groups) {
    if (const int result = nl_socket_add_membership(listener.get(), group); result < 0) {
      return base::fail(base::Code::Io, "cannot listen to the netlink group " +
                                            std::to_string(group) + ": " + nl_geterror(result));
    }
  }
  nl_socket_set_nonblocking(listener.get());
  return std::unique_ptr<NetlinkSource>(new NetlinkSource(std::move(listener), std::move(asker)));
}

int NetlinkSource::fd() const {
  return nl_socket_get_fd(listener_.get());
}

namespace {

// Calls visit for each message in `bytes`; false from it ends the walk.
template <class Visit>
bool walk(const unsigned char* bytes, std::size_t size, Visit visit) {
  const auto* message = reinterpret_cast<const nlmsghdr*>(bytes);
  auto left = static_cast<unsigned>(size);
  for (; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
    if (!visit(*message)) {
      return false;
    }
  }
  return true;
}

}  // namespace

base::Result<RouteSource::News> NetlinkSource::read(Sink& sink) {
  for (int i = 0; i < kReadsAtOnce; ++i) {
    const ssize_t size = ::recv(fd(), buffer_.data(), buffer_.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (errno == EAGAIN) {
        return News::Drained;
      }
      if (errno == ENOBUFS) {
        return News::Lost;
      }
      return std::unexpected(io("read from netlink", errno));
    }
    if (static_cast<std::size_t>(size) > buffer_.size()) {
      return News::Lost;
    }
    walk(buffer_.data(), static_cast<std::size_t>(size), [&](const nlmsghdr& message) {
      parse_message(message, sink);
      return true;
    });
  }
  return News::More;
}

base::Result<void> NetlinkSource::dump_one(int type, unsigned char family, std::size_t header,
                                           Sink& sink) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    struct {
      nlmsghdr header;
      union {
        rtgenmsg any;
        ifinfomsg link;
        rtmsg route;
        ndmsg neighbour;
        nhmsg nexthop;
        netconfmsg netconf;
        ifaddrmsg address;
        fib_rule_hdr rule;
      } body;
    } request = {};
    // exactly the type's header: what follows would be read as attributes
    request.header.nlmsg_len = static_cast<std::uint32_t>(NLMSG_LENGTH(header));
    request.header.nlmsg_type = static_cast<std::uint16_t>(type);
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = nl_socket_use_seq(asker_.get());
    request.body.any.rtgen_family = family;
    const int fd = nl_socket_get_fd(asker_.get());
    if (::send(fd, &request, request.header.nlmsg_len, 0) < 0) {
      return std::unexpected(io("ask netlink", errno));
    }
    bool torn = false;
    int refusal = 0;
    bool done = false;
    while (!done) {
      const ssize_t size = ::recv(fd, buffer_.data(), buffer_.size(), 0);
      if (size < 0) {
        if (errno == EINTR) {
          continue;
        }
        return std::unexpected(io("read a netlink dump", errno));
      }
      walk(buffer_.data(), static_cast<std::size_t>(size), [&](const nlmsghdr& message) {
        if (message.nlmsg_seq != request.header.nlmsg_seq) {
          return true;
        }
        torn = torn || (message.nlmsg_flags & NLM_F_DUMP_INTR) != 0;
        if (message.nlmsg_type == NLMSG_DONE || message.nlmsg_type == NLMSG_ERROR) {
          int error = 0;
          if (message.nlmsg_len >= NLMSG_HDRLEN + sizeof error) {
            std::memcpy(&error, NLMSG_DATA(&message), sizeof error);
          }
          refusal = error;
          done = true;
          return false;
        }
        parse_message(message, sink);
        return true;
      });
    }
    if (refusal < 0 && refusal != -EOPNOTSUPP) {
      return std::unexpected(io("dump what netlink has", -refusal));
    }
    if (!torn) {
      return {};
    }
  }
  return base::fail(base::Code::Io, "a netlink dump was torn by changes each time");
}

base::Result<void> NetlinkSource::dump(Sink& sink) {
  const std::tuple<int, unsigned char, std::size_t> all[] = {
      {RTM_GETLINK, AF_UNSPEC, sizeof(ifinfomsg)},    {RTM_GETNETCONF, AF_INET, sizeof(netconfmsg)},
      {RTM_GETNETCONF, AF_INET6, sizeof(netconfmsg)}, {RTM_GETADDR, AF_INET, sizeof(ifaddrmsg)},
      {RTM_GETADDR, AF_INET6, sizeof(ifaddrmsg)},     {RTM_GETRULE, AF_INET, sizeof(fib_rule_hdr)},
      {RTM_GETRULE, AF_INET6, sizeof(fib_rule_hdr)},  {RTM_GETNEIGH, AF_INET, sizeof(ndmsg)},
      {RTM_GETNEIGH, AF_INET6, sizeof(ndmsg)},        {RTM_GETNEXTHOP, AF_UNSPEC, sizeof(nhmsg)},
      {RTM_GETROUTE, AF_INET, sizeof(rtmsg)},         {RTM_GETROUTE, AF_INET6, sizeof(rtmsg)}};
  for (const auto& [type, family, header] : all) {
    if (auto result = dump_one(type, family, header, sink); !result) {
      return result;
    }
  }
  return {};
}

void NetlinkSource::probe(const Neighbour& neighbour) {
  struct {
    nlmsghdr header;
    ndmsg body;
    nlattr attribute;
    std::uint8_t address[16];
  } request = {};
  const std::size_t bytes = base::bits(neighbour.family) / 8;
  request.header.nlmsg_len =
      static_cast<std::uint32_t>(NLMSG_LENGTH(sizeof(ndmsg)) + NLA_HDRLEN + bytes);
  request.header.nlmsg_type = RTM_NEWNEIGH;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.body.ndm_family = neighbour.family == Family::Inet ? AF_INET : AF_INET6;
  request.body.ndm_ifindex = static_cast<int>(neighbour.ifindex);
  request.body.ndm_state = NUD_NONE;
  request.body.ndm_flags = NTF_USE;
  request.attribute.nla_type = NDA_DST;
  request.attribute.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + bytes);
  std::copy_n(neighbour.address.begin(), bytes, request.address);
  // an answer comes only when it is refused, and then the neighbour is gone: dump_one skips it
  ::send(nl_socket_get_fd(asker_.get()), &request, request.header.nlmsg_len, 0);
}

}  // namespace millrace::fib
