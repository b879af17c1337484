// SPDX-License-Identifier: GPL-2.0-or-later
//
// The links that the system was last brought to, in a file that a boot removes: a restart that
// finds others has missed hardware that came or went and must look at everything. Absence and
// errors of reading count as other links, which is safe; errors of writing are dropped for that.
#pragma once

#include <filesystem>
#include <string>

#include "commit/world.h"

namespace millrace::commit {

class KnownLinks {
 public:
  explicit KnownLinks(std::filesystem::path file) : file_(std::move(file)) {}

  bool are(const Facts& facts) const;
  // Writes only when they are others than the last time.
  void set(const Facts& facts);

 private:
  std::filesystem::path file_;
  std::string written_;
};

}  // namespace millrace::commit
