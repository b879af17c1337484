// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/yang.h"

#include "ops/builtins.h"

namespace millrace::ops {

base::Result<Reply> system_schema(const Match& /*match*/, Context& context) {
  std::string text = schema::to_yang(context.engine.running().schema());
  nlohmann::json data = {{schema::kYangModule, text}};
  return Reply{std::move(text), std::move(data)};
}

}  // namespace millrace::ops
