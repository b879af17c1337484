// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames into the router of world.h and what must become of them. Both the frames that go in and
// those that must come out are made by libtins, which knows nothing of our code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/reasons.h"

namespace millrace::packet {

using Frame = std::vector<std::uint8_t>;

struct Vector {
  std::string name;
  Frame in;
  dp_reason reason;
  Frame out = {};      // when it is forwarded
  bool plain = false;  // untagged, by simple routes: the kernel is compared too
};

// At least one for each reason that a single frame can have, of both families.
const std::vector<Vector>& vectors();

}  // namespace millrace::packet
