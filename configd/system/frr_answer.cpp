// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/frr_answer.h"

#include <utility>

namespace millrace::system {
namespace {

class InOnePiece final : public FrrAnswer {
 public:
  explicit InOnePiece(std::string text) : text_(std::move(text)) {}
  base::Result<std::string> next() override { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

}  // namespace

base::Result<std::unique_ptr<FrrAnswer>> ask(Frr& frr, FrrDaemon daemon, std::string_view command) {
  if (auto* const stream = dynamic_cast<FrrStream*>(&frr)) {
    return stream->ask(daemon, command);
  }
  auto text = frr.show(daemon, command);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  return std::make_unique<InOnePiece>(std::move(*text));
}

}  // namespace millrace::system
