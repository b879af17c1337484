// SPDX-License-Identifier: GPL-2.0-or-later
//
// The folder of a golden case: what it starts from, what is typed, and what is wanted. README.md
// tells people how to write one.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/fake_system.h"

namespace millrace::cases {

// Everything that a case wants: the name of a file in its folder ("want.plan",
// "want/etc/chrony/chrony.conf") and its content. What is empty has no file.
using Wanted = std::map<std::string, std::string>;

struct GoldenCase {
  std::filesystem::path folder;
  std::string name;
  std::string before;  // before.conf
  std::string edit;    // edit.set
  std::string facts;   // facts.json; empty: the default machine

  Wanted wanted() const;
  // Rewrites the wanted files as `wanted`, and removes those that are not in it.
  void rewrite(const Wanted& wanted) const;
  bool must_fail() const { return std::filesystem::exists(folder / "want.errors"); }
};

// All cases, in order of name.
std::vector<GoldenCase> find_cases();

// Makes `system` the machine of the case. Throws std::runtime_error on a facts.json it cannot use.
void equip(test::FakeSystem& system, const GoldenCase& golden);

}  // namespace millrace::cases
