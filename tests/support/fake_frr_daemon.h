// SPDX-License-Identifier: GPL-2.0-or-later
//
// A bgpd or an ospfd as its vty shows it: lines typed in configuration mode, and the canonical text
// of `show running-config`. It knows blocks, settings that replace each other, what goes with a
// neighbour, and the refusals that our order of lines must not run into. That the forms of lines
// are those of FRR is proved by bgp_frr_test.cpp and ospf_frr_test.cpp against the real daemons.
// Not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "appliers/frr_form.h"
#include "appliers/frr_object.h"

namespace millrace::test {

class FakeFrrDaemon {
 public:
  explicit FakeFrrDaemon(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  // Starts it with a file, line by line; lines that it refuses are skipped, as FRR does.
  void start(std::string_view file);
  void stop();
  bool running() const { return running_; }

  // A command of configuration mode. Returns what is printed: empty when it was taken.
  std::string run(const std::string& line);
  // Back to the top of configuration mode, where every session begins.
  void end() { heads_.clear(); }

  std::string running_config() const;
  std::vector<std::string> dump() const;  // sorted; "bgpd: BLOCK: TEXT"

 private:
  struct Line : appliers::FrrLine {
    appliers::FrrForm form;
  };

  std::string block() const;
  std::string add(const std::string& line);
  std::string remove(const std::string& what);
  bool remove_whole(const std::string& what);
  void put(std::string block, const std::string& text);
  bool has(std::string_view block, std::string_view text) const;

  std::string name_;  // "bgpd"
  bool running_ = false;
  std::vector<std::string> heads_;
  std::vector<Line> lines_;
};

}  // namespace millrace::test
