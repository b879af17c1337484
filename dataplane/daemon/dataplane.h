// SPDX-License-Identifier: GPL-2.0-or-later
//
// Everything that runs while the dataplane is enabled: source, mirror, tables, ports.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>

#include "daemon/configuration.h"
#include "fib/netlink_source.h"

namespace millrace::daemon {

class Dataplane {
 public:
  // Loads, mirrors what there is, and attaches. Errors: ApplyFailed, Io; nothing is attached then.
  static base::Result<std::unique_ptr<Dataplane>> start(const Configuration& configuration,
                                                        const std::string& pins);

  int fd() const { return source_->fd(); }
  // News of the kernel. Errors: Io, after which only a restart helps.
  base::Result<void> on_news();
  // Once a second.
  base::Result<void> on_tick();
  // Requires: the sizes of tables are the same.
  void reconfigure(const Configuration& configuration);
  const loader::Sizes& sizes() const { return configuration_.sizes; }
  // The answer to a request of abi/control.h.
  nlohmann::json answer(const nlohmann::json& request);

 private:
  Dataplane(const Configuration& configuration, std::unique_ptr<loader::Programs> programs,
            loader::Dispatcher dispatcher, const std::string& pins,
            std::unique_ptr<fib::NetlinkSource> source);
  base::Result<void> resync();
  void settle(bool look_at_ports);
  nlohmann::json show() const;
  nlohmann::json routes(const nlohmann::json& request) const;
  nlohmann::json adjacencies() const;

  Configuration configuration_;
  std::unique_ptr<loader::Programs> programs_;
  fib::Mirror mirror_;
  loader::Ports ports_;
  std::unique_ptr<fib::NetlinkSource> source_;
  std::chrono::steady_clock::time_point last_resync_ = {};
  std::chrono::steady_clock::duration resync_took_ = {};
  std::uint64_t link_changes_ = 0;  // that ports have followed
  unsigned ticks_ = 0;
  unsigned resyncs_ = 0;
};

}  // namespace millrace::daemon
