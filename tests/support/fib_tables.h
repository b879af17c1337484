// SPDX-License-Identifier: GPL-2.0-or-later
//
// The dataplane's tables in this process, for the packet path compiled for user space. One at a
// time a thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bpf/access.h"
#include "fib/memory.h"

namespace millrace::test {

struct FibSizes {
  std::size_t roots = 0;
  std::size_t nodes = 0;
  std::size_t adjacencies = 0;
  std::size_t groups = 0;
};

class FibTables : public fib::Hashes {
 public:
  explicit FibTables(const FibSizes& sizes)
      : roots(sizes.roots * DP_ROOT_WORDS / DP_PACK),
        nodes(sizes.nodes),
        adjacencies(sizes.adjacencies),
        groups(sizes.groups) {
    const auto show = [](auto& table, auto*& at, __u32& size) {
      at = table.data();
      size = static_cast<__u32>(table.size());
    };
    show(roots, view_.roots, view_.roots_size);
    show(nodes, view_.nodes, view_.nodes_size);
    show(entries, view_.entries, view_.entries_size);
    show(adjacencies, view_.adjacencies, view_.adjacencies_size);
    show(groups, view_.groups, view_.groups_size);
    show(ports, view_.ports, view_.ports_size);
    show(units, view_.units, view_.units_size);
    show(port_of, view_.port_of, view_.port_of_size);
    show(own_sources, view_.own_sources, view_.own_sources_size);
    show(settings, view_.settings, view_.settings_size);
    view_.neighbour = [](const dp_neighbour* key) {
      return found(current_->neighbours, text(*key));
    };
    view_.vlan = [](__u64 key) { return found(current_->vlans, std::uint64_t{key}); };
    current_ = this;
    dp_tables_in_use = &view_;
  }
  ~FibTables() {
    dp_tables_in_use = nullptr;
    current_ = nullptr;
  }
  FibTables(const FibTables&) = delete;
  FibTables& operator=(const FibTables&) = delete;

  fib::Memory memory() {
    return {roots, nodes, entries, adjacencies, groups,
            ports, units, port_of, own_sources, settings};
  }

  bool set_neighbour(const dp_neighbour& key, std::uint32_t adjacency) override {
    neighbours[text(key)] = adjacency;
    return true;
  }
  void erase_neighbour(const dp_neighbour& key) override { neighbours.erase(text(key)); }
  bool set_vlan(std::uint64_t key, std::uint32_t unit) override {
    vlans[key] = unit;
    return true;
  }
  void erase_vlan(std::uint64_t key) override { vlans.erase(key); }

  std::vector<dp_words> roots;
  std::vector<dp_node> nodes;
  std::vector<dp_words> entries = table_of<dp_words>(4096);
  std::vector<dp_adjacency> adjacencies;
  std::vector<dp_group> groups;
  std::vector<dp_port> ports = table_of<dp_port>(DP_PORTS);
  std::vector<dp_unit> units = table_of<dp_unit>(DP_UNITS);
  std::vector<dp_words> port_of = table_of<dp_words>(DP_IFINDEXES / DP_PACK);
  std::vector<dp_words> own_sources = table_of<dp_words>(DP_SOURCE_BITS / 32 / DP_PACK);
  std::vector<dp_settings> settings = table_of<dp_settings>(1);
  std::map<std::string, std::uint32_t> neighbours;
  std::map<std::uint64_t, std::uint32_t> vlans;

 private:
  // Not constexpr, as the constructor is: GCC would make the tables while it compiles.
  template <class Record>
  static std::vector<Record> table_of(std::size_t size) {
    return std::vector<Record>(size);
  }
  static std::string text(const dp_neighbour& key) {
    return {reinterpret_cast<const char*>(&key), sizeof key};
  }
  template <class Map>
  static std::uint32_t found(const Map& map, const typename Map::key_type& key) {
    const auto place = map.find(key);
    return place == map.end() ? 0 : place->second;
  }

  static inline thread_local FibTables* current_ = nullptr;
  dp_tables view_ = {};
};

}  // namespace millrace::test
