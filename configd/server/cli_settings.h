// SPDX-License-Identifier: GPL-2.0-or-later
//
// `set cli …`: settings of one session. Most of them are the client's, which gets them back in
// Reply::settings; the prompt, the idle timeout and aliases are kept here. One table is all there
// is: reading, refusing and completing use it.
#pragma once

#include <span>
#include <string_view>

#include "server/shell.h"

namespace millrace::server {

struct CliSetting {
  std::string_view name;
  std::string_view help;
  struct Word {
    std::string_view name;  // a keyword, or "<placeholder>"
    std::string_view help;
  };
  std::span<const Word> words;  // what may stand behind it
  bool needs_word = true;
  // Requires: no more words than the setting takes, call.next stands on the first of them.
  Reply (*apply)(Call& call) = nullptr;
  std::string_view refused = {};  // why there is no such setting here
};
std::span<const CliSetting> cli_settings();

Outcome set_cli_command(Call& call);
Outcome show_cli_alias(Call& call);

}  // namespace millrace::server
