// SPDX-License-Identifier: GPL-2.0-or-later
//
// Facts and the one thing about them that must be remembered: the mtu a link had before we set one.
// It is what `delete mtu` goes back to, and the kernel does not keep it. It is noted when a link is
// first seen and forgotten with the link or at the next boot, when the kernel has it again.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "commit/engine.h"

namespace millrace::commit {

class LinkDefaults {
 public:
  // Remembers in `file`, which lives on a file system that a boot empties.
  explicit LinkDefaults(std::filesystem::path file);

  // The default mtu of `link`, noted now if it is new. A link that carries our mark but is not
  // known (somebody emptied the folder) gets the Ethernet default: its mtu may be one we set.
  std::uint32_t mtu(const system::Link& link);
  // Forgets links that are not among `links` and writes the file if anything changed. A file that
  // cannot be written costs the memory over a restart and nothing else, so errors are dropped.
  void keep(const std::vector<system::Link>& links);

 private:
  struct Known {
    std::uint32_t index = 0;  // a new device under an old name is another link
    std::uint32_t mtu = 0;
  };
  std::filesystem::path file_;
  std::map<std::string, Known, std::less<>> known_;
  bool changed_ = false;
};

base::Result<Facts> read_facts(system::System& system, LinkDefaults& defaults);

}  // namespace millrace::commit
