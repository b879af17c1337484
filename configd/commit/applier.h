// SPDX-License-Identifier: GPL-2.0-or-later
//
// One subsystem: the part of the configuration it owns and how to make the system follow. check and
// plan are pure; only steps and reconcile touch the system, and only through it.
//
// Order between appliers comes from names: `after` lists those whose objects this one's objects
// stand on (routes after interfaces). Building goes in that order, tearing down and retiring in
// reverse.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "commit/step.h"
#include "commit/world.h"
#include "tree/delta.h"

namespace millrace::commit {

class Applier {
 public:
  virtual ~Applier() = default;

  virtual std::string_view name() const = 0;
  virtual std::vector<std::string> owns() const = 0;  // schema paths, each owned by one applier
  virtual std::vector<std::string> reads() const { return {}; }  // schema paths of others
  virtual std::vector<std::string_view> after() const { return {}; }

  // What the schema's constraints cannot say: facts, limits of the kernel, what FRR would refuse.
  // Called only when the delta touches what the applier owns or reads, or the facts changed.
  virtual void check(const World& /*before*/, const World& /*after*/, const tree::Delta& /*delta*/,
                     base::Diagnostics& /*out*/) const {}
  // Requires: check() found no errors. Cost follows the delta.
  virtual Plan plan(const World& before, const World& after, const tree::Delta& delta) const = 0;
  // The steps from the system as it is (read through `system`) to `wanted`; empty when they agree.
  // Never touches an object that is not marked as ours. Errors: the state cannot be read.
  virtual base::Result<Plan> reconcile(const World& wanted, system::System& system) const = 0;
  // A process before this one ended with work of this applier undone that no log record tells of,
  // because it is done after the commit. The start then reconciles.
  virtual bool unsettled(system::System& /*system*/) const { return false; }
};

// In the order they were given, which has no meaning; see sort_appliers.
using Registry = std::vector<std::unique_ptr<Applier>>;

// Sorts by `after`, stable by name. Errors: Internal on a cycle or an unknown name.
base::Result<void> sort_appliers(Registry& registry);

}  // namespace millrace::commit
