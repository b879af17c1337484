// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the parts of one compilation share. Findings carry the path of the term at work, each once.
#pragma once

#include <set>
#include <string>

#include "appliers/policy/compiler.h"
#include "appliers/policy/definitions.h"
#include "appliers/policy/lists.h"
#include "base/diagnostics.h"

namespace millrace::appliers::policy {

struct Scope {
  Scope(const Use& where, Definitions& defined) : use(where), definitions(defined) {}

  const Use& use;
  Definitions& definitions;
  Lists lists;
  base::Diagnostics findings;
  std::string policy;  // at work
  std::string term;

  void refuse(std::string_view statement, std::string message, std::string hint = {}) {
    std::string level = "policy-options policy-statement " + policy;
    if (!term.empty()) {
      level += " term " + term;
    }
    if (said_.insert(level + std::string(statement) + message).second) {
      findings.error(base::Code::Constraint, std::move(level), std::string(statement),
                     std::move(message), std::move(hint));
    }
  }

  bool imports() const { return use.direction == Direction::Import; }
  bool inet() const { return use.family == base::Family::Inet; }

 private:
  std::set<std::string> said_;
};

}  // namespace millrace::appliers::policy
