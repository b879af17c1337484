// SPDX-License-Identifier: GPL-2.0-or-later
//
// `monitor interface`: what the screen shows, without a screen. Samples and keys go in, lines come
// out; monitor_screen.h draws them with ncurses.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::cli {

struct Counters {
  std::string name;  // as the configuration has it
  bool up = false;
  // Packets, bytes, errors and drops of both directions, as the kernel counts them.
  struct Direction {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t errors = 0;
    std::uint64_t drops = 0;
  };
  Direction in;
  Direction out;
};

// Of all interfaces, in natural order. `folder` is the kernel's /sys/class/net.
std::vector<Counters> read_counters(const std::filesystem::path& folder = "/sys/class/net");

class InterfaceMonitor {
 public:
  // `only`: the interface to show; all of them without it.
  InterfaceMonitor(std::string host, std::string only);

  // Seconds since some moment; the first sample is what deltas are counted from.
  void sample(std::vector<Counters> counters, double seconds);
  enum class Key : std::uint8_t { Quit, Changed, Unknown };
  Key handle(int key);
  // No line is longer than `columns`, and there are at most `rows`; `clock` is the time of day.
  std::vector<std::string> lines(std::size_t rows, std::size_t columns,
                                 const std::string& clock) const;
  const std::string& interface() const { return only_; }

 private:
  enum class Unit : std::uint8_t { Packets, Bytes };
  std::string header(std::size_t columns, const std::string& clock) const;
  std::vector<std::string> all_lines(std::size_t rows) const;
  std::vector<std::string> one_lines() const;
  const Counters* find(const std::vector<Counters>& list, const std::string& name) const;
  std::uint64_t rate(std::uint64_t now, std::uint64_t before) const;
  void next();

  std::string host_;
  std::string only_;
  Unit unit_ = Unit::Packets;
  bool delta_ = false;
  bool frozen_ = false;
  std::size_t first_ = 0;  // row of the list at the top
  double started_ = -1;
  double now_ = 0;
  double interval_ = 1;
  std::vector<Counters> base_;
  std::vector<Counters> before_;
  std::vector<Counters> latest_;
};

}  // namespace millrace::cli
