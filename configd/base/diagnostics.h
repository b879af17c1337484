// SPDX-License-Identifier: GPL-2.0-or-later
//
// Many findings at once: checks never stop at the first. Printed in Junos form:
//
//   [edit interfaces eth0 unit 0 family inet]
//     'address'
//       message
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace millrace::base {

enum class Severity : std::uint8_t { Warning, Error };

struct Diagnostic {
  Severity severity = Severity::Error;
  Code code = Code::Constraint;
  std::string level;      // the path of the parent: "interfaces eth0"; empty at the root
  std::string statement;  // the offending statement below it; may be empty
  std::string message;
  std::string hint = {};

  // The block above without a trailing newline; a warning puts "warning: " before its message.
  std::string to_string() const;
};

class Diagnostics {
 public:
  void add(Diagnostic diagnostic);
  void error(Code code, std::string level, std::string statement, std::string message,
             std::string hint = {});
  void warning(std::string level, std::string statement, std::string message,
               std::string hint = {});
  void append(Diagnostics other);

  bool has_errors() const { return errors_ > 0; }
  bool empty() const { return items_.empty(); }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& items() const { return items_; }

  // All blocks, one after the other, each line ended by a newline.
  std::string to_string() const;

 private:
  std::vector<Diagnostic> items_;
  std::size_t errors_ = 0;
};

}  // namespace millrace::base
