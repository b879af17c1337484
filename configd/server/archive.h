// SPDX-License-Identifier: GPL-2.0-or-later
//
// `system archival configuration`: copies of committed configurations elsewhere. They are made
// after the commit, on a thread of their own, so that a site which does not answer delays nothing
// and fails nothing; it is tried again, and the log says once what is wrong with it.
//
//   /folder, file://…        HOST_YYYYMMDD_HHMMSS_ID.conf in that folder
//   scp, sftp, ftp, http(s)  the same, uploaded by curl
//   git+file, ssh, http(s)   every revision as a commit of HOST.conf, by its user and with its
//   comment,
//                            on the branch HOST
//
// What each site has got is remembered while the daemon runs; git itself remembers longer.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/services.h"
#include "tree/effective.h"

namespace millrace::server {

class Archive {
 public:
  // `folder` is for what is on its way and for clones of repositories; made when it is needed.
  Archive(Services& services, std::filesystem::path folder)
      : services_(services), folder_(std::move(folder)) {}

  // What is to be sent, at `now` since the boot; empty when nothing is. It may take minutes; not to
  // be asked again meanwhile.
  std::function<void()> due(std::chrono::seconds now);

 private:
  struct Site {
    std::string url;
    std::string password;
  };
  struct State {
    commit::RevisionId sent = 0;
    std::chrono::seconds retry{0};
    std::string problem;
  };
  struct Wanted {
    std::vector<Site> sites;
    bool on_commit = false;
    std::optional<std::chrono::minutes> interval;
  };
  void read_settings();
  void send_all(const std::vector<Site>& sites, std::chrono::seconds now);
  base::Result<void> send(const Site& site, const commit::Revision& revision) const;

  Services& services_;
  const std::filesystem::path folder_;
  tree::Expander expander_;
  std::optional<commit::RevisionId> newest_;  // whose settings wanted_ are
  Wanted wanted_;
  std::chrono::seconds last_{0};  // when an interval was last over
  std::map<std::string, State> states_;
};

// The file that revision `id` becomes at a site.
std::string archive_name(const std::string& host, const commit::Revision& revision);

}  // namespace millrace::server
