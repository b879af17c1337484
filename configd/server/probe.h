// SPDX-License-Identifier: GPL-2.0-or-later
//
// `commit confirmed 5 verify "COMMAND"`: a command that decides about a trial in place of a person.
// It is one of the operational commands, understood by the same table and run the same way, as
// arguments and never through a shell:
//
//   ping HOST …                 succeeds when the host answers
//   show … [| match RE …]       succeeds when it has output, after the pipes `match` and `except`
//
// Other commands change things or never end, and are refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"
#include "ops/commands.h"
#include "server/access.h"
#include "server/services.h"

namespace millrace::server {

class Probe {
 public:
  // Errors: Syntax when `text` is no command that may decide, or has a wrong pipe.
  static base::Result<Probe> parse(const Services& services, std::string_view text);

  // Whether `peer` may run the command.
  bool allowed(const Peer& peer) const;
  // Blocks while it runs, at most some seconds. Errors: why it did not succeed.
  base::Result<void> run(Services& services) const;

 private:
  struct Filter {
    bool keep = true;
    base::Pattern pattern;
  };
  ops::Match match_;
  std::vector<Filter> filters_;
};

}  // namespace millrace::server
