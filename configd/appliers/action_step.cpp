// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/action_step.h"

#include <utility>

namespace millrace::appliers {
namespace {

class ActionStep final : public commit::Step {
 public:
  ActionStep(std::string description, bool disruptive, Action apply, Action undo)
      : description_(std::move(description)),
        disruptive_(disruptive),
        apply_(std::move(apply)),
        undo_(std::move(undo)) {}

  std::string description() const override { return description_; }
  bool disruptive() const override { return disruptive_; }
  base::Result<void> apply(system::System& system) override { return apply_(system); }
  base::Result<void> undo(system::System& system) override { return undo_(system); }

 private:
  std::string description_;
  bool disruptive_;
  Action apply_;
  Action undo_;
};

}  // namespace

std::unique_ptr<commit::Step> action_step(std::string description, Action apply, Action undo) {
  return std::make_unique<ActionStep>(std::move(description), false, std::move(apply),
                                      std::move(undo));
}

std::unique_ptr<commit::Step> disruptive_step(std::string description, Action apply, Action undo) {
  return std::make_unique<ActionStep>(std::move(description), true, std::move(apply),
                                      std::move(undo));
}

}  // namespace millrace::appliers
