// SPDX-License-Identifier: GPL-2.0-or-later
//
// The schema as a standard YANG 1.1 module (RFC 7950), for those who speak to a router in models. A
// configuration that the rules accept is an instance that the module accepts.
//
// Where the two differ the module says what our rules mean, with YANG's means:
//   * a container that is there only while something is in it, and that asks for something, is a
//     presence container: YANG's others are always there, and would always ask;
//   * a leaf's default is in its description only, when a must asks whether the leaf is written:
//     in YANG a leaf with a default always exists;
//   * unique-in is a must that counts;
//   * groups and ranges are not in it, nor what asks for a text: it is about what they amount to.
#pragma once

#include <string>

#include "schema/schema.h"

namespace millrace::schema {

inline constexpr std::string_view kYangModule = "millrace";
inline constexpr std::string_view kYangNamespace = "urn:millrace:configuration";

// The text of the module. Refused statements are not in it.
std::string to_yang(const Schema& schema);

// How the module calls a statement, and the key of a list.
std::string yang_name(const Node& node);
std::string yang_key(const Node& list);

}  // namespace millrace::schema
