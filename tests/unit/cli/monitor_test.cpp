// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "cli/counters.h"

namespace millrace::cli {
namespace {

using ::testing::HasSubstr;
using Key = InterfaceMonitor::Key;

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines) {
    out += line + "\n";
  }
  return out;
}

std::vector<Counters> counters(std::uint64_t packets) {
  return {{"eth0", true, {packets, packets * 100, 0, 0}, {7, 700, 0, 0}},
          {"eth1", false, {1, 60, 2, 3}, {}}};
}

TEST(Monitor, All_interfaces_with_packets_and_their_rate) {
  InterfaceMonitor monitor("r1", "");
  monitor.sample(counters(1000), 10);
  monitor.sample(counters(1050), 12);
  const std::string text = joined(monitor.lines(24, 80, "12:00:00"));
  EXPECT_THAT(text, HasSubstr("Seconds: 2"));
  EXPECT_THAT(text, HasSubstr("Interface   Link   Input packets        (pps)  Output packets"));
  EXPECT_THAT(text, HasSubstr("eth0          Up            1050         (25)"));
  EXPECT_THAT(text, HasSubstr("eth1        Down"));
  EXPECT_THAT(text, HasSubstr("Quit=q or ESC"));
  EXPECT_EQ(monitor.handle('b'), Key::Changed);
  EXPECT_THAT(joined(monitor.lines(24, 80, "")), HasSubstr("(20000)")) << "bits a second";
  EXPECT_EQ(monitor.handle('d'), Key::Changed);
  EXPECT_THAT(joined(monitor.lines(24, 80, "")), HasSubstr("(5000)")) << "bytes since the start";
  EXPECT_EQ(monitor.handle('q'), Key::Quit);
  EXPECT_EQ(monitor.handle(27), Key::Quit);
  EXPECT_EQ(monitor.handle('z'), Key::Unknown);
}

TEST(Monitor, One_interface_with_its_deltas_and_errors) {
  InterfaceMonitor monitor("r1", "eth0");
  monitor.sample(counters(1000), 1);
  monitor.sample(counters(1010), 2);
  std::string text = joined(monitor.lines(24, 80, ""));
  EXPECT_THAT(text, HasSubstr("Interface: eth0, Link is Up"));
  EXPECT_THAT(text, HasSubstr("Current delta"));
  EXPECT_THAT(text, HasSubstr("[10]"));
  monitor.handle('c');
  EXPECT_THAT(joined(monitor.lines(24, 80, "")), HasSubstr("[0]"));
  monitor.handle('n');
  EXPECT_THAT(joined(monitor.lines(24, 80, "")), HasSubstr("Interface: eth1, Link is Down"));
  monitor.handle('n');
  EXPECT_EQ(monitor.interface(), "eth0") << "after the last comes the first";
}

TEST(Monitor, Frozen_counters_stay_until_they_thaw) {
  InterfaceMonitor monitor("r1", "eth0");
  monitor.sample(counters(1000), 1);
  monitor.handle('f');
  monitor.sample(counters(2000), 2);
  EXPECT_THAT(joined(monitor.lines(24, 80, "")), HasSubstr(" 1000 "));
  monitor.handle('t');
  monitor.sample(counters(2000), 3);
  EXPECT_THAT(joined(monitor.lines(24, 80, "")), HasSubstr(" 2000 "));
}

TEST(Monitor, No_line_leaves_the_screen_of_any_size) {
  for (const std::size_t columns : {10U, 40U, 80U, 132U}) {
    for (const std::size_t rows : {1U, 5U, 10U, 43U}) {
      for (const char* only : {"", "eth0", "eth9"}) {
        InterfaceMonitor monitor("a-long-host-name", only);
        monitor.sample(counters(18'446'744'073'709'551'000U), 0);
        const auto lines = monitor.lines(rows, columns, "12:00:00");
        EXPECT_LE(lines.size(), rows);
        for (const auto& line : lines) {
          EXPECT_LE(line.size(), columns);
        }
      }
    }
  }
}

TEST(Monitor, Counters_are_those_of_the_kernel_in_natural_order) {
  namespace fs = std::filesystem;
  std::string name = "/var/tmp/cli-counters-XXXXXX";
  const fs::path folder = mkdtemp(name.data());
  for (const auto* link : {"eth10", "eth2", "lo"}) {
    fs::create_directories(folder / link / "statistics");
    std::ofstream(folder / link / "carrier") << 1;
    std::ofstream(folder / link / "statistics/rx_packets") << 42;
  }
  std::ofstream(folder / "bonding_masters") << "bond0";
  const auto read = read_counters(folder);
  fs::remove_all(folder);
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].name, "eth2");
  EXPECT_EQ(read[1].name, "eth10");
  EXPECT_EQ(read[2].name, "lo0");
  EXPECT_EQ(read[0].in.packets, 42U);
  EXPECT_TRUE(read[0].up);
}

}  // namespace
}  // namespace millrace::cli
