// SPDX-License-Identifier: GPL-2.0-or-later
//
// The clone has one branch, HOST, and no more history than that. It is only ever pushed, never
// merged: when the repository has commits that the clone does not know (the router was
// reinstalled, somebody else pushed), a new clone begins on top of them. The same helps when the
// clone is damaged, or locked by a git that was killed. The last commit's message says which
// revision it was.
#include "server/archive_git.h"

#include <charconv>
#include <chrono>
#include <format>
#include <ranges>
#include <vector>

#include "base/file.h"
#include "base/process.h"
#include "tree/text.h"

namespace millrace::server {
namespace {

using base::Code;
using base::Result;

constexpr std::chrono::seconds kPatience{120};
constexpr std::string_view kTrailer = "Revision: ";

class Repository {
 public:
  Repository(std::filesystem::path folder, std::string host)
      : folder_(std::move(folder)), host_(std::move(host)) {}

  // The standard output of `git ARGUMENTS…` in the clone.
  Result<std::string> git(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv = {"git",
                                     "-C",
                                     folder_.string(),
                                     "-c",
                                     "user.name=millrace",
                                     "-c",
                                     "user.email=millrace@" + host_,
                                     "-c",
                                     "core.sshCommand=ssh -o BatchMode=yes",
                                     "-c",
                                     "gc.auto=0"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    auto result = base::run_process(argv, {}, kPatience);
    if (!result) {
      return std::unexpected(result.error());
    }
    if (result->status != 0) {
      return base::fail(Code::ApplyFailed, "git " + arguments.front() + ": " + result->errors);
    }
    return std::move(result->output);
  }

  Result<void> open(const std::string& url) const {
    std::error_code error;
    if (std::filesystem::exists(folder_ / ".git", error)) {
      return {};
    }
    std::filesystem::create_directories(folder_, error);
    auto made = git({"init", "--quiet", "--initial-branch=" + host_});
    if (!made) {
      return std::unexpected(made.error());
    }
    // Optional: a repository without this branch has nothing to begin on.
    if (git({"fetch", "--quiet", url, "refs/heads/" + host_})) {
      static_cast<void>(git({"reset", "--quiet", "--hard", "FETCH_HEAD"}));
    }
    return {};
  }

  // So that what goes wrong with it is the clone's fault.
  bool answers(const std::string& url) const { return git({"ls-remote", url}).has_value(); }

  // Of the last commit; 0 when there is none.
  commit::RevisionId last() const {
    const std::string message = git({"log", "-1", "--format=%B"}).value_or("");
    const std::size_t at = message.rfind(kTrailer);
    commit::RevisionId id = 0;
    if (at != std::string::npos) {
      std::from_chars(message.data() + at + kTrailer.size(), message.data() + message.size(), id);
    }
    return id;
  }

  Result<void> add(const commit::Revision& revision, const tree::ConfigTree& tree) const {
    const std::string file = host_ + ".conf";
    if (auto written = base::write_file(folder_ / file, tree::to_text(tree, {}), 0600); !written) {
      return written;
    }
    const std::string subject =
        revision.comment.empty() ? "revision " + std::to_string(revision.id) : revision.comment;
    const std::string message =
        std::format("{}\n\n{}{}\nVia: {}\n{}", subject, kTrailer, revision.id, revision.via,
                    revision.label.empty() ? "" : "Label: " + revision.label + "\n");
    auto done = git({"add", "--", file});
    if (done) {
      done = git({"commit", "--quiet", "--allow-empty", "--message=" + message,
                  std::format("--author={} <{}@{}>", revision.user, revision.user, host_),
                  std::format("--date=@{} +0000", revision.time)});
    }
    return done ? Result<void>() : std::unexpected(done.error());
  }

 private:
  const std::filesystem::path folder_;
  const std::string host_;
};

Result<void> push_from(const Repository& repository, const commit::Engine& engine,
                       const std::string& host, const std::string& url) {
  if (auto opened = repository.open(url); !opened) {
    return opened;
  }
  const auto last = repository.last();
  const auto revisions = engine.revisions();
  // Ids grow; a router that was reinstalled starts again at the bottom and sends all it has.
  const bool anew = last > revisions.front().id;
  for (const auto& revision : revisions | std::views::reverse) {
    if (revision.id <= last && !anew) {
      continue;
    }
    auto tree = engine.revision_by_id(revision.id);
    if (!tree) {
      return std::unexpected(tree.error());
    }
    if (auto added = repository.add(revision, *tree); !added) {
      return added;
    }
  }
  auto pushed = repository.git({"push", "--quiet", url, "HEAD:refs/heads/" + host});
  return pushed ? Result<void>() : std::unexpected(pushed.error());
}

}  // namespace

Result<void> push_revisions(const commit::Engine& engine, const std::string& host,
                            const std::string& url, const std::filesystem::path& folder) {
  const Repository repository(folder, host);
  auto pushed = push_from(repository, engine, host, url);
  if (pushed || !repository.answers(url)) {
    return pushed;
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return push_from(repository, engine, host, url);
}

}  // namespace millrace::server
