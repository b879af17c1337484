// SPDX-License-Identifier: GPL-2.0-or-later
//
// Trees, differences and structured replies as `| display` wants them written.
#pragma once

#include <string>

#include "server/display.h"
#include "server/reply.h"
#include "syntax/element.h"
#include "tree/delta.h"
#include "tree/text.h"

namespace millrace::server {

struct Rendering {
  Display display;
  bool hide_secrets = false;
  bool remarks = false;                            // in text
  const tree::Notes* notes = nullptr;              // in text; outlives the call
  std::string header = {};                         // the `##` line of text
  std::vector<syntax::Attribute> history = {};     // of the element `configuration`
  std::string banner = {};                         // of the reply in XML: "[edit]"
  const tree::ConfigTree* changed_from = nullptr;  // for `display changed`
};

// Errors: BadValue, when these displays do not go together.
base::Result<void> check(const Display& display);

// What is at `path` of `tree`. `data` of the reply is set for JSON. Requires: check(display).
Reply render(const tree::ConfigTree& tree, const tree::Path& path, const Rendering& how);
Reply render(const tree::Delta& delta, const tree::Path& path, const Rendering& how);
// The structured reply of an operational command. Requires: not text, not set. Errors: BadValue
// when it has a shape that XML has not.
base::Result<std::string> render(const nlohmann::json& data, Format format);

}  // namespace millrace::server
