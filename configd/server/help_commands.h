// SPDX-License-Identifier: GPL-2.0-or-later
//
// `help …` in both modes. All of it is written from the templates: there is no second text that
// could disagree with what the router takes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/shell.h"

namespace millrace::server {

Outcome help_command(Call& call);

// The words behind `help`, for reading and completing.
struct HelpForm {
  std::string_view name;
  std::string_view help;
};
std::span<const HelpForm> help_forms();

// "[edit interfaces <name> unit <number>]": where statements below `node` are typed.
std::string hierarchy_of(const schema::Node& node);
// The statement that words name, with or without keys, abbreviated or not, below `from`; null when
// there is none.
const schema::Node* find_statement(const schema::Node& from,
                                   std::span<const std::string_view> words);
// A leaf or leaf-list with more than its name.
bool takes_value(const schema::Node& node);
// help_pages.cpp: what `help topic` and `help reference` print.
std::string topic(const schema::Node& node);
std::string topic(const schema::Command& command);
std::string reference(const schema::Node& node);
std::string reference(const schema::Command& command);

}  // namespace millrace::server
