// SPDX-License-Identifier: GPL-2.0-or-later
//
// Configurations that somebody keeps by name beside the 50 revisions: one rescue configuration and
// any number of checkpoints. They never age. Each is a checked file in the state folder:
// "rescue.conf" and "checkpoint-NAME.conf".
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tree/config_tree.h"

namespace millrace::commit {

// The name under which the rescue configuration is saved. No checkpoint can have it.
inline constexpr std::string_view kRescue = "rescue";

// Labels of revisions and names of checkpoints: a letter, then letters, digits, '-', '_' and '.',
// 64 in all, and none of the words that stand beside them. Errors: BadValue.
base::Result<void> check_name(std::string_view name);

struct Saved {
  std::string name;
  std::int64_t time = 0;  // seconds since the epoch
  std::string user;
};

class SavedConfigurations {
 public:
  SavedConfigurations(std::filesystem::path folder, const schema::Schema& schema)
      : folder_(std::move(folder)), schema_(schema) {}

  // Replaces one of the same name; durable when it returns. Errors: BadValue for the name, Io.
  base::Result<void> save(std::string_view name, const tree::ConfigTree& tree,
                          const std::string& user);
  // Errors: UnknownPath when there is none, Syntax when it is damaged or has statements that this
  // version does not know, Io.
  base::Result<tree::ConfigTree> load(std::string_view name) const;
  // Errors: UnknownPath when there is none, Io.
  base::Result<void> remove(std::string_view name);
  // By name; without those that cannot be read. The rescue configuration is among them.
  std::vector<Saved> list() const;

 private:
  std::filesystem::path path(std::string_view name) const;

  const std::filesystem::path folder_;
  const schema::Schema& schema_;
  mutable std::mutex mutex_;  // one writer of a file at a time
};

}  // namespace millrace::commit
