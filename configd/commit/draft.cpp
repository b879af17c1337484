// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/draft.h"

#include <string>
#include <utility>

namespace millrace::commit {

void add_error(base::Diagnostics& diagnostics, const base::Error& error) {
  std::string message = error.message;
  for (const base::Error* cause = error.cause.get(); cause != nullptr; cause = cause->cause.get()) {
    message += ": " + cause->message;
  }
  diagnostics.error(error.code, error.path, {}, std::move(message), error.hint);
}

}  // namespace millrace::commit
