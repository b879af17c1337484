// SPDX-License-Identifier: GPL-2.0-or-later
//
// `clear bgp neighbor`: ends sessions, or with soft lets policies see the routes again. The words
// for bgpd are ours and an address that its type has checked; nothing of the line that was typed is
// in them.
#include <format>

#include "ops/bgp_peers.h"
#include "ops/builtins.h"
#include "ops/frr_json.h"

namespace millrace::ops {

using base::Result;

Result<Reply> clear_bgp_neighbor(const Match& match, Context& context) {
  const auto* const address = match.argument("address");
  const bool all = match.has("all");
  if (!bgp_is_running(context)) {
    return bgp_not_running();
  }
  if (address && all) {
    return base::fail(base::Code::BadValue, "all and an address exclude each other");
  }
  if (match.has("soft") && match.has("soft-inbound")) {
    return base::fail(base::Code::BadValue, "soft and soft-inbound exclude each other");
  }
  const auto known =
      ask_json(context.system.frr, system::FrrDaemon::Bgpd, "show bgp neighbors json");
  if (!known) {
    return std::unexpected(known.error());
  }
  if (address && !known->contains(*address)) {
    return base::fail(base::Code::UnknownPath, std::format("no BGP neighbor {}", *address));
  }
  std::size_t count = 0;
  for (const auto& [neighbor, state] : known->items()) {
    count += base::IpAddress::parse(neighbor) && (!address || *address == neighbor) ? 1 : 0;
  }
  if (count == 0) {
    return Reply{"", {{"cleared", 0}}};
  }
  const std::string_view how = match.has("soft")           ? " soft"
                               : match.has("soft-inbound") ? " soft in"
                                                           : "";
  const auto done = context.system.frr.show(
      system::FrrDaemon::Bgpd,
      std::format("clear bgp {}{}", address ? *address : std::string("*"), how));
  if (!done) {
    return std::unexpected(done.error());
  }
  return Reply{std::format("Cleared {} connections\n", count), {{"cleared", count}}};
}

}  // namespace millrace::ops
