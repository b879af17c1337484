// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "syntax/element.h"

namespace millrace::syntax {

// Four blanks a level, from level `depth` on.
std::string write_xml(const std::vector<Element>& elements, unsigned depth = 0);

// The elements of a document, without its prolog and comments. Names lose the prefix of their
// namespace but for `junos:`; document types and entities of one's own are refused.
ElementDocument parse_xml(std::string_view source);

}  // namespace millrace::syntax
