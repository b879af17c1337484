// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/diagnostics.h"

#include <iterator>
#include <utility>

namespace millrace::base {

std::string Diagnostic::to_string() const {
  std::string text = level.empty() ? "[edit]" : "[edit " + level + "]";
  if (!statement.empty()) {
    text += "\n  '" + statement + "'";
  }
  text += "\n    ";
  if (severity == Severity::Warning) {
    text += "warning: ";
  }
  text += message;
  if (!hint.empty()) {
    text += "\n    " + hint;
  }
  return text;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) {
    ++errors_;
  }
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::error(Code code, std::string level, std::string statement, std::string message,
                        std::string hint) {
  add({Severity::Error, code, std::move(level), std::move(statement), std::move(message),
       std::move(hint)});
}

void Diagnostics::warning(std::string level, std::string statement, std::string message,
                          std::string hint) {
  add({Severity::Warning, Code::Constraint, std::move(level), std::move(statement),
       std::move(message), std::move(hint)});
}

void Diagnostics::append(Diagnostics other) {
  errors_ += other.errors_;
  items_.insert(items_.end(), std::make_move_iterator(other.items_.begin()),
                std::make_move_iterator(other.items_.end()));
}

std::string Diagnostics::to_string() const {
  std::string text;
  for (const Diagnostic& item : items_) {
    text += item.to_string();
    text += '\n';
  }
  return text;
}

}  // namespace millrace::base
