// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/zeroize.h"

#include <string_view>
#include <system_error>

#include "base/file.h"

namespace millrace::server {
namespace {

namespace fs = std::filesystem;
using base::Code;
using base::Result;

constexpr std::string_view kMark = "zeroize";

// Everything in `folder` that `goes`; links are removed and not followed. An error is kept, not an
// end.
template <class Goes>
void empty(const fs::path& folder, Goes goes, std::string& problems) {
  std::error_code problem;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    found.push_back(at->path());
  }
  for (const auto& path : found) {
    if (goes(path)) {
      fs::remove_all(path, problem);
      if (problem) {
        problems += (problems.empty() ? "" : "; ") + path.string() + ": " + problem.message();
      }
    }
  }
}

bool everything(const fs::path& /*path*/) {
  return true;
}

Result<void> outcome(const std::string& problems) {
  return problems.empty() ? Result<void>() : base::fail(Code::Io, problems);
}

}  // namespace

Result<void> mark_for_zeroize(const fs::path& state) {
  return base::write_file(state / kMark, "all of this is to be erased at the next start\n");
}

bool is_marked_for_zeroize(const fs::path& state) {
  std::error_code problem;
  return fs::exists(state / kMark, problem);
}

Result<void> erase_revisions(const fs::path& state) {
  std::string problems;
  empty(state, [](const fs::path& path) { return path.filename() != kMark; }, problems);
  return outcome(problems);
}

Result<void> erase_traces(
    const fs::path& root, const fs::path& state,
    const std::function<Result<std::string>(const std::vector<std::string>&)>& machine) {
  std::string problems;
  std::error_code problem;
  for (fs::directory_iterator at(root / "home", problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    // Whoever the system itself has, admin above all, keeps an empty home.
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      empty(at->path(), everything, problems);
    }
  }
  for (const char* folder : {"root", "tmp", "var/tmp"}) {
    empty(root / folder, everything, problems);
  }
  empty(
      root / "etc/ssh",
      [](const fs::path& path) { return path.filename().string().starts_with("ssh_host_"); },
      problems);
  // Programs have their logs open: files are emptied and stay; the journal does it itself.
  for (fs::recursive_directory_iterator at(root / "var/log", problem), end; !problem && at != end;
       at.increment(problem)) {
    if (at.depth() == 0 && at->path().filename() == "journal") {
      at.disable_recursion_pending();
    }
    std::error_code ignored;
    if (at->is_regular_file(ignored) && !at->is_symlink(ignored)) {
      fs::resize_file(at->path(), 0, ignored);
    }
  }
  if (machine) {
    static_cast<void>(machine({"journalctl", "--rotate"}));
    if (const auto done = machine({"journalctl", "--vacuum-time=1s"}); !done) {
      problems += (problems.empty() ? "" : "; ") + done.error().message;
    }
  }
  if (problems.empty()) {
    fs::remove(state / kMark, problem);
  }
  return outcome(problems);
}

}  // namespace millrace::server
