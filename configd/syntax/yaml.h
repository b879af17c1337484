// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace millrace::syntax {

// `value` in the block style of YAML 1.2, two blanks a level. Strings that a reader of any version
// could take for something else are quoted.
std::string write_yaml(const nlohmann::ordered_json& value);

}  // namespace millrace::syntax
