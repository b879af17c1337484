// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel as a RouteSource: one netlink socket that listens, one that asks. Messages are read
// attribute by attribute; libnl's object caches could not follow a million routes.
#pragma once

#include <memory>

#include "fib/source.h"

struct nl_sock;

namespace millrace::fib {

class NetlinkSource final : public RouteSource {
 public:
  // Of the network namespace of the calling thread. Errors: Io.
  static base::Result<std::unique_ptr<NetlinkSource>> open();

  int fd() const override;
  base::Result<News> read(Sink& sink) override;
  base::Result<void> dump(Sink& sink) override;
  void probe(const Neighbour& neighbour) override;

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };
  using Socket = std::unique_ptr<nl_sock, Close>;
  NetlinkSource(Socket listener, Socket asker);
  base::Result<void> dump_one(int type, unsigned char family, std::size_t header, Sink& sink);

  Socket listener_;
  Socket asker_;
  std::vector<unsigned char> buffer_;
};

}  // namespace millrace::fib
