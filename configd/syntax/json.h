// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "syntax/element.h"

namespace millrace::syntax {

// The object whose members the elements are.
nlohmann::ordered_json to_json(const std::vector<Element>& elements);
// The same as text, four blanks a level.
std::string write_json(const std::vector<Element>& elements);

// The members of one object. Requires: UTF-8, else it is an error with its place.
ElementDocument parse_json(std::string_view source);

}  // namespace millrace::syntax
