// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/remarks.h"

#include <map>

namespace millrace::server {

tree::Notes remarks_of(const commit::Engine& engine, const tree::ConfigTree& candidate) {
  tree::Notes notes;
  std::map<const tree::Node*, std::string> missing;
  const check::Findings findings = engine.find_problems(candidate);
  for (const check::Finding& finding : findings.items()) {
    // Findings are of the effective tree: what it inherited has no place in this one.
    const tree::Node* node = candidate.find(finding.path);
    if (!node || node->schema()->secret) {
      continue;
    }
    if (finding.kind == check::Finding::Kind::Missing) {
      std::string& names = missing[node];
      names += (names.empty() ? "'" : ", '") + finding.name + "'";
    } else if (finding.kind == check::Finding::Kind::Undefined) {
      notes[node] = "'" + finding.name + "' is not defined";
    }
  }
  for (const auto& [node, names] : missing) {
    std::string& note = notes[node];
    note += (note.empty() ? "" : ", ") + ("Warning: missing mandatory statement(s): " + names);
  }
  return notes;
}

}  // namespace millrace::server
