// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/system.h"

#include <format>
#include <utility>

#include "system/accounts_shadow.h"
#include "system/files_disk.h"
#include "system/frr_vty.h"
#include "system/netlink.h"
#include "system/units_kinds.h"

namespace millrace::system {
namespace {

constexpr std::string_view kUnitTable =
    "etc/millrace/units";  // for "direct", below the files' root

}  // namespace

RealSystem::RealSystem(std::unique_ptr<Kernel> the_kernel, std::unique_ptr<Frr> the_frr,
                       std::unique_ptr<Files> the_files, std::unique_ptr<Units> the_units,
                       std::unique_ptr<Accounts> the_accounts)
    : kernel(std::move(the_kernel)),
      frr(std::move(the_frr)),
      files(std::move(the_files)),
      units(std::move(the_units)),
      accounts(std::move(the_accounts)) {}

RealSystem::~RealSystem() = default;

base::Result<std::unique_ptr<RealSystem>> open_system(const SystemOptions& options) {
  const std::filesystem::path root(options.files_root);
  std::unique_ptr<Units> units;
  if (options.units == "systemd") {
    units = make_systemd_units();
  } else if (options.units == "direct") {
    units = make_direct_units(root / kUnitTable);
  } else {
    return base::fail(base::Code::BadValue,
                      std::format("no way to run units is called '{}': expected systemd or direct",
                                  options.units));
  }
  auto kernel = open_kernel();
  if (!kernel) {
    return std::unexpected(kernel.error());
  }
  return std::make_unique<RealSystem>(
      std::move(*kernel), make_frr({.sockets = std::filesystem::path(options.frr_sockets)}),
      make_files(root), std::move(units), make_accounts(root));
}

}  // namespace millrace::system
