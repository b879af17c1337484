// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/applier.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>

namespace millrace::commit {

base::Result<void> sort_appliers(Registry& registry) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < registry.size(); ++i) {
    if (!index.emplace(registry[i]->name(), i).second) {
      return base::fail(base::Code::Internal,
                        std::format("two appliers are named '{}'", registry[i]->name()));
    }
  }
  std::map<std::string_view, std::set<std::string_view>> waits_for;
  for (const auto& applier : registry) {
    auto& names = waits_for[applier->name()];
    for (const std::string_view name : applier->after()) {
      if (!index.contains(name)) {
        return base::fail(base::Code::Internal,
                          std::format("applier '{}' comes after '{}', which does not exist",
                                      applier->name(), name));
      }
      names.insert(name);
    }
  }
  Registry sorted;
  while (!waits_for.empty()) {
    const auto next =
        std::ranges::find_if(waits_for, [](const auto& entry) { return entry.second.empty(); });
    if (next == waits_for.end()) {
      return base::fail(base::Code::Internal,
                        std::format("applier '{}' comes after itself", waits_for.begin()->first));
    }
    const std::string_view name = next->first;
    sorted.push_back(std::move(registry[index.at(name)]));
    waits_for.erase(next);
    for (auto& [other, names] : waits_for) {
      names.erase(name);
    }
  }
  registry = std::move(sorted);
  return {};
}

}  // namespace millrace::commit
