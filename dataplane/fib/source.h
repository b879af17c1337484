// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where routes come from. The real one is the kernel's netlink (netlink_source.h); tests have one
// that says what they want to be heard.
#pragma once

#include "base/error.h"
#include "fib/route.h"

namespace millrace::fib {

enum class Change : std::uint8_t { Set, Removed };

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void on_link(Change change, const Link& link) = 0;
  virtual void on_address(Change change, const Address& address) = 0;
  virtual void on_neighbour(Change change, const Neighbour& neighbour) = 0;
  virtual void on_nexthop(Change change, const Nexthop& nexthop) = 0;
  virtual void on_rule(Change change, const Rule& rule) = 0;
  virtual void on_netconf(const Netconf& netconf) = 0;
  virtual void on_route(Change change, const Route& route) = 0;
};

class RouteSource {
 public:
  virtual ~RouteSource() = default;

  // Readable when there is news.
  virtual int fd() const = 0;
  enum class News : std::uint8_t { Drained, More, Lost };
  // Hands over some of what is waiting. Lost: messages were dropped, and only a dump helps.
  virtual base::Result<News> read(Sink& sink) = 0;
  // Everything there is, links before what stands on them. News that arrive meanwhile stay waiting.
  // Errors: Io; `sink` has then heard a part.
  virtual base::Result<void> dump(Sink& sink) = 0;
  // Asks the kernel to make sure of a neighbour, as if it had a packet for it.
  virtual void probe(const Neighbour& neighbour) = 0;
};

}  // namespace millrace::fib
