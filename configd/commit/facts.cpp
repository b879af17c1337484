// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/facts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"

namespace millrace::commit {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kEthernetMtu = 1500;

std::set<std::string, std::less<>> read_features(system::System& system) {
  std::set<std::string, std::less<>> features;
  // A feature is there when its sysctls are.
  if (system.kernel.sysctl("net/ipv6/conf/all/forwarding")) {
    features.insert("ipv6");
  }
  if (system.kernel.sysctl("net/mpls/platform_labels")) {
    features.insert("mpls");
  }
  return features;
}

base::Result<Facts> facts_from(system::System& system,
                               const std::function<std::uint32_t(const system::Link&)>& mtu,
                               const std::function<void(const std::vector<system::Link>&)>& seen) {
  auto links = system.kernel.links();
  if (!links) {
    return base::fail_because(links.error(), "cannot read the links of this machine");
  }
  Facts facts;
  for (const system::Link& link : *links) {
    if (!link.ours) {
      facts.links.emplace(link.name,
                          Facts::Link{mtu(link), link.min_mtu, link.max_mtu, link.index});
    }
  }
  seen(*links);
  facts.features = read_features(system);
  const auto addresses = system.kernel.addresses();
  if (!addresses) {
    return base::fail_because(addresses.error(), "cannot read the addresses of this machine");
  }
  for (const system::LinkAddress& entry : *addresses) {
    if (!entry.ours && !entry.address.address.is_link_local()) {
      facts.foreign_addresses.emplace(entry.link, entry.address);
    }
  }
  return facts;
}

}  // namespace

LinkDefaults::LinkDefaults(std::filesystem::path file) : file_(std::move(file)) {
  const auto text = base::read_file(file_);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) {
    return;
  }
  for (const auto& [name, link] : json.items()) {
    const auto index = link.find("index");
    const auto mtu = link.find("mtu");
    if (index != link.end() && index->is_number_unsigned() && mtu != link.end() &&
        mtu->is_number_unsigned()) {
      known_[name] = {index->get<std::uint32_t>(), mtu->get<std::uint32_t>()};
    }
  }
}

std::uint32_t LinkDefaults::mtu(const system::Link& link) {
  const auto found = known_.find(link.name);
  if (found != known_.end() && found->second.index == link.index) {
    return found->second.mtu;
  }
  const bool touched = link.managed && link.name != "lo";
  const std::uint32_t mtu = touched && link.max_mtu >= kEthernetMtu ? kEthernetMtu : link.mtu;
  known_.insert_or_assign(link.name, Known{link.index, mtu});
  changed_ = true;
  return mtu;
}

void LinkDefaults::keep(const std::vector<system::Link>& links) {
  const auto gone = std::erase_if(known_, [&](const auto& known) {
    return std::ranges::none_of(links,
                                [&](const system::Link& link) { return link.name == known.first; });
  });
  if (gone == 0 && !changed_) {
    return;
  }
  Json json = Json::object();
  for (const auto& [name, known] : known_) {
    json[name] = {{"index", known.index}, {"mtu", known.mtu}};
  }
  changed_ = !base::write_file(file_, json.dump(1) + "\n", 0600).has_value();
}

base::Result<Facts> read_facts(system::System& system, LinkDefaults& defaults) {
  return facts_from(
      system, [&](const system::Link& link) { return defaults.mtu(link); },
      [&](const std::vector<system::Link>& links) { defaults.keep(links); });
}

base::Result<Facts> read_facts(system::System& system) {
  return facts_from(
      system, [](const system::Link& link) { return link.mtu; },
      [](const std::vector<system::Link>&) {});
}

}  // namespace millrace::commit
