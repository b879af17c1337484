// SPDX-License-Identifier: GPL-2.0-or-later
//
// How lines of FRR's configuration that can change are changed: which line takes the place of
// which, how one is taken back, and what it costs. Known per form of line, in one table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::appliers {

// When a line is sent; it is taken back in the reverse order. What brings routes in comes when all
// that filters them stands, what ends sessions when all else has succeeded. Renewing: it counts
// for the next session, or for routes that change, and FRR does not begin one by itself.
enum class FrrTurn : std::uint8_t { Normal, Source, Resetting, Renewing };

struct FrrForm {
  // Two lines of one block with the same slot are two values of one setting: the second takes the
  // place of the first with no gap between them.
  std::string slot;
  std::string removal;  // the command that brings the default back
  FrrTurn turn = FrrTurn::Normal;
};

FrrForm form_of(std::string_view text);

}  // namespace millrace::appliers
