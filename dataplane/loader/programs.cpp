// SPDX-License-Identifier: GPL-2.0-or-later
#include "loader/programs.h"

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace millrace::loader {

class Programs::MapHashes final : public fib::Hashes {
 public:
  MapHashes(int neighbours, int vlans) : neighbours_(neighbours), vlans_(vlans) {}
  bool set_neighbour(const dp_neighbour& key, std::uint32_t adjacency) override {
    return bpf_map_update_elem(neighbours_, &key, &adjacency, BPF_ANY) == 0;
  }
  void erase_neighbour(const dp_neighbour& key) override { bpf_map_delete_elem(neighbours_, &key); }
  bool set_vlan(std::uint64_t key, std::uint32_t unit) override {
    return bpf_map_update_elem(vlans_, &key, &unit, BPF_ANY) == 0;
  }
  void erase_vlan(std::uint64_t key) override { bpf_map_delete_elem(vlans_, &key); }

 private:
  int neighbours_;
  int vlans_;
};

Programs::~Programs() {
  bpf_link__destroy(watch_link_);
  for (const Mapping& mapping : mappings_) {
    ::munmap(mapping.at, mapping.size);
  }
}

int Programs::map_fd(const char* name) const {
  return bpf_object__find_map_fd_by_name(forward_.get(), name);
}

template <class Record>
base::Result<std::span<Record>> Programs::map(const char* name) {
  const bpf_map* map = bpf_object__find_map_by_name(forward_.get(), name);
  const std::size_t count = bpf_map__max_entries(map);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t size = (count * sizeof(Record) + page - 1) / page * page;
  void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
  if (at == MAP_FAILED) {
    return std::unexpected(refused(errno, std::string("map the table ") + name));
  }
  mappings_.push_back({at, size});
  return std::span(static_cast<Record*>(at), count);
}

base::Result<void> Programs::map_tables() {
  base::Result<void> result;
  const auto take = [&]<class Record>(std::span<Record>& table, const char* name) {
    if (result) {
      auto mapped = map<Record>(name);
      if (mapped) {
        table = *mapped;
      } else {
        result = std::unexpected(std::move(mapped.error()));
      }
    }
  };
  take(memory_.roots, "dp_roots");
  take(memory_.nodes, "dp_nodes");
  take(memory_.entries, "dp_entries");
  take(memory_.adjacencies, "dp_adjacencies");
  take(memory_.groups, "dp_groups");
  take(memory_.ports, "dp_ports");
  take(memory_.units, "dp_units");
  take(memory_.port_of, "dp_port_of");
  take(memory_.own_sources, "dp_own_sources");
  take(memory_.settings, "dp_settings");
  return result;
}

// Without it (no BTF, or a kernel without the tracepoint) all else works, and only the probing of
// loader/ports.h finds a driver that loses frames.
void Programs::start_watching() {
  auto object = open_object(watch_object(), "watch");
  if (!object) {
    watch_problem_ = object.error().message;
    return;
  }
  watch_ = std::move(*object);
  for (const char* name : {"dp_ports", "dp_port_of"}) {
    bpf_map__reuse_fd(bpf_object__find_map_by_name(watch_.get(), name), map_fd(name));
  }
  bpf_map* other = nullptr;
  bpf_object__for_each_map(other, watch_.get()) {
    bpf_map__set_autocreate(other, std::string_view(bpf_map__name(other)) == "dp_ports" ||
                                       std::string_view(bpf_map__name(other)) == "dp_port_of");
  }
  if (auto loaded = load_object(watch_.get(), "watch"); !loaded) {
    watch_problem_ = loaded.error().message;
    return;
  }
  watch_link_ = bpf_program__attach(bpf_object__find_program_by_name(watch_.get(), "dp_watch"));
  if (watch_link_ == nullptr) {
    watch_problem_ = refused(errno, "attach to the tracepoint xdp_devmap_xmit").message;
  }
}

base::Result<std::unique_ptr<Programs>> Programs::load(const Sizes& sizes) {
  std::unique_ptr<Programs> programs(new Programs);
  auto object = open_object(forward_object(), "forward");
  if (!object) {
    return std::unexpected(std::move(object.error()));
  }
  programs->forward_ = std::move(*object);
  const std::pair<const char*, std::uint32_t> limits[] = {
      {"dp_roots", sizes.roots * (DP_ROOT_WORDS / DP_PACK)},
      {"dp_nodes", sizes.nodes},
      {"dp_entries", sizes.entries / DP_PACK},
      {"dp_adjacencies", sizes.adjacencies},
      {"dp_groups", sizes.groups},
      {"dp_neighbours", sizes.neighbours},
  };
  for (const auto& [name, limit] : limits) {
    bpf_map__set_max_entries(bpf_object__find_map_by_name(programs->forward_.get(), name), limit);
  }
  if (auto loaded = load_object(programs->forward_.get(), "forward"); !loaded) {
    return std::unexpected(std::move(loaded.error()));
  }
  if (auto mapped = programs->map_tables(); !mapped) {
    return std::unexpected(std::move(mapped.error()));
  }
  const auto fd = [&](const char* name) {
    return bpf_program__fd(bpf_object__find_program_by_name(programs->forward_.get(), name));
  };
  programs->xdp_ = fd("dp_xdp");
  programs->tcx_ = fd("dp_tcx");
  programs->transmit_ = programs->map_fd("dp_transmit");
  programs->counters_ = programs->map_fd("dp_counters");
  programs->sent_ = programs->map_fd("dp_sent");
  programs->hashes_ =
      std::make_unique<MapHashes>(programs->map_fd("dp_neighbours"), programs->map_fd("dp_vlans"));
  programs->start_watching();
  return programs;
}

base::Result<void> Programs::set_transmit(std::uint32_t port, std::uint32_t ifindex) {
  const bpf_devmap_val value = {ifindex, {}};
  const int result = ifindex == 0 ? bpf_map_delete_elem(transmit_, &port)
                                  : bpf_map_update_elem(transmit_, &port, &value, BPF_ANY);
  if (result != 0 && !(ifindex == 0 && result == -ENOENT)) {
    return std::unexpected(
        refused(result, "make device " + std::to_string(ifindex) + " a target of redirects"));
  }
  return {};
}

Count Programs::sum(int map, std::uint32_t index) const {
  std::vector<dp_counter> each(static_cast<std::size_t>(libbpf_num_possible_cpus()));
  Count total;
  if (bpf_map_lookup_elem(map, &index, each.data()) == 0) {
    for (const dp_counter& one : each) {
      total.packets += one.packets;
      total.bytes += one.bytes;
    }
  }
  return total;
}

void Programs::clear(int map, std::uint32_t index) {
  const std::vector<dp_counter> zero(static_cast<std::size_t>(libbpf_num_possible_cpus()));
  bpf_map_update_elem(map, &index, zero.data(), BPF_ANY);
}

PortCounts Programs::counts(std::uint32_t port) const {
  PortCounts counts;
  for (std::uint32_t reason = 0; reason < DP_REASON_COUNT; ++reason) {
    counts[reason] = sum(counters_, port * DP_REASON_COUNT + reason);
  }
  return counts;
}

Count Programs::sent(std::uint32_t unit) const {
  return sum(sent_, unit);
}

void Programs::clear_counts(std::uint32_t port) {
  for (std::uint32_t reason = 0; reason < DP_REASON_COUNT; ++reason) {
    clear(counters_, port * DP_REASON_COUNT + reason);
  }
}

void Programs::clear_sent(std::uint32_t unit) {
  clear(sent_, unit);
}

}  // namespace millrace::loader
