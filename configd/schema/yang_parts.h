// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: pieces of the YANG module.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "schema/yang.h"

namespace millrace::schema {

// Leaves whose default YANG must not know.
using Undefaulted = std::set<const Node*>;

// `type …;` lines, `indent` before each.
std::string yang_type(const Node& node, const std::string& indent);
// typedefs of the types of the field that YANG has no name for.
std::string_view yang_typedefs();
// A POSIX extended regular expression as one of XML Schema, which YANG's patterns are.
std::string xsd_pattern(std::string_view posix);

// The schema path of a node as an absolute XPath; of a list that of its key.
std::string yang_path(const Node& node);

void add_undefaulted(const Node& node, Undefaulted& leaves);
// The must of `carrier` as an XPath expression.
std::string yang_must(const Must& must, const Node& carrier, const Undefaulted& undefaulted);
std::string yang_unique_in(const Node& node);

}  // namespace millrace::schema
