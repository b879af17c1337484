// SPDX-License-Identifier: GPL-2.0-or-later
//
// JSON and XML become the statements that nested text would have, so that there is one loader.
// Internal to tree/.
#pragma once

#include "tree/text.h"

namespace millrace::tree {

struct StatementsOfElements {
  syntax::Document document;
  // What statements cannot say, in the words of commands below the level that is loaded: renames
  // come before what is loaded; inserts and activations after it.
  struct Command {
    syntax::Position at;
    std::vector<std::string> words;
  };
  std::vector<Command> before;
  std::vector<Command> after;
};

// Errors of well-formedness, and elements without the key that they need, are in the document.
StatementsOfElements statements_of(std::string text, LoadForm form, const schema::Node& level);

}  // namespace millrace::tree
