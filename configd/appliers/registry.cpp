// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/registry.h"

namespace millrace::appliers {

// One line here and one in fixed() is what a new subsystem costs.
std::unique_ptr<commit::Applier> make_bgp();
std::unique_ptr<commit::Applier> make_frr_conf();
std::unique_ptr<commit::Applier> make_interfaces();
std::unique_ptr<commit::Applier> make_login();
std::unique_ptr<commit::Applier> make_ospf();
std::unique_ptr<commit::Applier> make_policy();
std::unique_ptr<commit::Applier> make_static();
std::unique_ptr<commit::Applier> make_system();
std::unique_ptr<commit::Applier> make_render(const schema::Render& render);

namespace {

commit::Registry fixed() {
  commit::Registry registry;
  registry.push_back(make_bgp());
  registry.push_back(make_frr_conf());
  registry.push_back(make_interfaces());
  registry.push_back(make_login());
  registry.push_back(make_ospf());
  registry.push_back(make_policy());
  registry.push_back(make_static());
  registry.push_back(make_system());
  return registry;
}

}  // namespace

commit::Registry make_registry(const schema::Schema& schema) {
  commit::Registry registry = fixed();
  for (const schema::Render& render : schema.renders()) {
    registry.push_back(make_render(render));
  }
  return registry;
}

std::vector<schema::Ownership> ownership() {
  std::vector<schema::Ownership> owners;
  for (const auto& applier : fixed()) {
    owners.push_back({std::string(applier->name()), applier->owns()});
  }
  return owners;
}

}  // namespace millrace::appliers
