// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/archive.h"

#include <array>
#include <ctime>
#include <format>
#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "base/process.h"
#include "base/words.h"
#include "ops/layout.h"
#include "server/archive_git.h"
#include "tree/text.h"
#include "tree/view.h"

namespace millrace::server {
namespace {

using base::Code;
using base::Result;

constexpr std::string_view kFile = "file://";
constexpr std::chrono::seconds kRetry{60};
constexpr std::chrono::seconds kPatience{120};

std::string text_of(const commit::Revision& revision, const tree::ConfigTree& tree) {
  return "## Last commit: " + ops::local_time(revision.time) + " by " + revision.user + "\n" +
         tree::to_text(tree, {});
}

// "sftp://alice@host/…" → "alice"
std::string user_in(std::string_view url) {
  const std::size_t start = url.find("://") + 3;
  const std::string_view authority = url.substr(start, url.find('/', start) - start);
  const std::size_t at = authority.rfind('@');
  return at == std::string_view::npos ? std::string() : std::string(authority.substr(0, at));
}

Result<void> upload(const std::string& url, const std::string& password,
                    const std::filesystem::path& file) {
  // The password comes on the standard input: arguments can be read by everybody.
  const std::string credentials =
      password.empty() ? std::string()
                       : "user = " + base::quoted(user_in(url) + ":" + password) + "\n";
  auto result =
      base::run_process({"curl", "--silent", "--show-error", "--fail", "--globoff", "--max-time",
                         "100", "--config", "-", "--upload-file", file.string(), "--url", url},
                        credentials, kPatience);
  if (!result) {
    return std::unexpected(result.error());
  }
  return result->status == 0 ? Result<void>() : base::fail(Code::ApplyFailed, result->errors);
}

}  // namespace

std::string archive_name(const std::string& host, const commit::Revision& revision) {
  const std::time_t seconds = revision.time;
  std::tm time{};
  gmtime_r(&seconds, &time);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d_%H%M%S", &time);
  return std::format("{}_{}_{}.conf", host, stamp.data(), revision.id);
}

void Archive::read_settings() {
  wanted_ = {};
  const tree::ConfigTree running = expander_.effective(services_.engine.running());
  const tree::View settings = tree::View(running)["system"]["archival"]["configuration"];
  for (const auto& [url, site] : settings["archive-sites"].entries()) {
    wanted_.sites.push_back({std::string(url), site["password"].text()});
  }
  wanted_.on_commit = settings["transfer-on-commit"].exists();
  if (const auto minutes = settings["transfer-interval"].number()) {
    wanted_.interval = std::chrono::minutes(*minutes);
  }
}

std::function<void()> Archive::due(std::chrono::seconds now) {
  const auto newest = services_.engine.revisions().front().id;
  if (newest_ != newest) {
    read_settings();
    if (!newest_) {
      for (const auto& site : wanted_.sites) {  // what the daemon found was sent by the one before
        states_[site.url].sent = newest;
      }
    }
    newest_ = newest;
  }
  const bool time = wanted_.on_commit || (wanted_.interval && now - last_ >= *wanted_.interval);
  if (!time) {
    return {};
  }
  last_ = now;
  std::vector<Site> sites = wanted_.sites;
  std::erase_if(sites, [&](const Site& site) {
    const State& state = states_[site.url];
    return state.sent == newest || now < state.retry;
  });
  return sites.empty() ? std::function<void()>() : [this, sites, now] { send_all(sites, now); };
}

void Archive::send_all(const std::vector<Site>& sites, std::chrono::seconds now) {
  const auto revision = services_.engine.revisions().front();
  for (const Site& site : sites) {
    State& state = states_[site.url];
    const auto sent = send(site, revision);
    const std::string problem = sent ? std::string() : base::one_line(sent.error().to_string());
    if (problem != state.problem) {
      base::log(sent ? base::Level::Notice : base::Level::Warning,
                "archive " + site.url + ": " + (sent ? "works again" : problem));
    }
    state.problem = problem;
    state.retry = sent ? std::chrono::seconds(0) : now + kRetry;
    state.sent = sent ? revision.id : state.sent;
  }
}

Result<void> Archive::send(const Site& site, const commit::Revision& revision) const {
  const std::string host = short_host_name();
  if (site.url.starts_with("git+")) {
    const std::string url = site.url.substr(4);
    return push_revisions(services_.engine, host, url,
                          folder_ / std::format("git-{:016x}", std::hash<std::string>()(url)));
  }
  auto tree = services_.engine.revision_by_id(revision.id);
  if (!tree) {
    return std::unexpected(tree.error());
  }
  const std::string name = archive_name(host, revision);
  const std::string text = text_of(revision, *tree);
  if (site.url.starts_with('/') || site.url.starts_with(kFile)) {
    const std::string folder = site.url.substr(site.url.starts_with('/') ? 0 : kFile.size());
    return base::write_file(std::filesystem::path(folder) / name, text, 0600);
  }
  // One name for all: what a kill leaves behind is written over by the next one.
  const std::filesystem::path outgoing = folder_ / "outgoing.conf";
  if (auto written = base::write_file(outgoing, text, 0600); !written) {
    return written;
  }
  const auto done =
      upload(site.url + (site.url.ends_with('/') ? "" : "/") + name, site.password, outgoing);
  std::error_code ignored;
  std::filesystem::remove(outgoing, ignored);
  return done;
}

}  // namespace millrace::server
