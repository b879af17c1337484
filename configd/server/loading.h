// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text from a file, a terminal or a program on its way into a tree.
#pragma once

#include <expected>
#include <string>

#include "server/reply.h"
#include "tree/text.h"

namespace millrace::server {

struct LoadAction {
  std::string_view name;
  std::string_view help;
  tree::LoadAction action;
};
std::span<const LoadAction> load_actions();

// What the user sees of a load: complaints first, `load complete` as output.
Reply load_reply(const tree::LoadReport& report, std::string_view name);

// The configuration that a file holds, in whichever form it is. The Reply says what is wrong.
std::expected<tree::ConfigTree, Reply> tree_of_text(const schema::Schema& schema,
                                                    std::string_view name, std::string text);

}  // namespace millrace::server
