// SPDX-License-Identifier: GPL-2.0-or-later
//
// The forwarding programs and their tables in the kernel. Everything lives as long as this object:
// the dispatchers on the ports hold no reference to it (loader/ports.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fib/memory.h"
#include "loader/objects.h"

namespace millrace::loader {

// Sizes of the tables, which are fixed while the programs live.
struct Sizes {
  std::uint32_t roots = 8;              // tables of routes, a quarter of a megabyte each
  std::uint32_t nodes = 1 << 18;        // 64 bytes each
  std::uint32_t entries = 1 << 22;      // 4 bytes each
  std::uint32_t adjacencies = 1 << 16;  // 64 bytes each
  std::uint32_t groups = 1 << 12;       // 256 bytes each
  std::uint32_t neighbours = 1 << 16;
  bool operator==(const Sizes&) const = default;
};

// Packets and octets, of all processors together.
struct Count {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
};
using PortCounts = std::array<Count, DP_REASON_COUNT>;

class Programs {
 public:
  // Requires: CAP_BPF, CAP_NET_ADMIN and CAP_PERFMON. Errors: ApplyFailed.
  static base::Result<std::unique_ptr<Programs>> load(const Sizes& sizes);
  ~Programs();

  fib::Memory memory() const { return memory_; }
  fib::Hashes& hashes() { return *hashes_; }
  int xdp() const { return xdp_; }  // file descriptors of the programs
  int tcx() const { return tcx_; }
  // Why lost frames go unnoticed, or empty.
  const std::string& watch_problem() const { return watch_problem_; }

  // Frames redirected to `port` go to this device; 0: nowhere. Errors: ApplyFailed.
  base::Result<void> set_transmit(std::uint32_t port, std::uint32_t ifindex);
  PortCounts counts(std::uint32_t port) const;
  Count sent(std::uint32_t unit) const;
  void clear_counts(std::uint32_t port);
  void clear_sent(std::uint32_t unit);

  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

 private:
  class MapHashes;
  struct Mapping {
    void* at;
    std::size_t size;
  };
  Programs() = default;
  base::Result<void> map_tables();
  template <class Record>
  base::Result<std::span<Record>> map(const char* name);
  int map_fd(const char* name) const;
  void start_watching();
  Count sum(int map, std::uint32_t index) const;
  void clear(int map, std::uint32_t index);

  Object forward_;
  Object watch_;
  std::vector<Mapping> mappings_;
  fib::Memory memory_ = {};
  std::unique_ptr<fib::Hashes> hashes_;
  int xdp_ = -1;
  int tcx_ = -1;
  int transmit_ = -1;
  int counters_ = -1;
  int sent_ = -1;
  bpf_link* watch_link_ = nullptr;
  std::string watch_problem_;
};

}  // namespace millrace::loader
