// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/log_watch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "ops/log_file.h"

namespace millrace::server {
namespace {

using base::Result;

constexpr std::size_t kMostAtOnce = 32'768;  // bytes of one log that a session gets each second
constexpr std::size_t kLongestLine = 8'192;

class FileTail : public LogTail {
 public:
  FileTail(std::filesystem::path folder, std::string name, base::Fd file)
      : folder_(std::move(folder)), name_(std::move(name)), file_(std::move(file)) {
    lseek(file_.get(), 0, SEEK_END);
  }

  std::string read(std::size_t most) override {
    start_again_if_short();
    take(most);
    if (kept_.empty() && was_replaced()) {
      take(most);
    }
    // The start of a line whose rest is still to come, unless it never ends.
    auto end = kept_.rfind('\n') + 1;
    if (end == 0 && kept_.size() > kLongestLine) {
      end = kept_.size();
    }
    std::string out = kept_.substr(0, end);
    kept_.erase(0, end);
    return ops::plain_text(out);
  }

 private:
  void take(std::size_t most) {
    std::string bytes(most, '\0');
    const ssize_t count = ::read(file_.get(), bytes.data(), bytes.size());
    kept_.append(bytes, 0, count > 0 ? static_cast<std::size_t>(count) : 0);
  }

  // `clear log` and programs that write from the start.
  void start_again_if_short() {
    struct stat status{};
    if (fstat(file_.get(), &status) == 0 && status.st_size < lseek(file_.get(), 0, SEEK_CUR)) {
      lseek(file_.get(), 0, SEEK_SET);
    }
  }

  // Rotated: the name means another file now, of which everything is new.
  bool was_replaced() {
    auto now = ops::open_log(folder_, name_);
    struct stat before{};
    struct stat after{};
    if (!now || fstat(file_.get(), &before) != 0 || fstat(now->get(), &after) != 0 ||
        (before.st_ino == after.st_ino && before.st_dev == after.st_dev)) {
      return false;
    }
    file_ = std::move(*now);
    return true;
  }

  std::filesystem::path folder_;
  std::string name_;
  base::Fd file_;
  std::string kept_;
};

}  // namespace

Result<std::unique_ptr<LogTail>> follow_file(const std::filesystem::path& folder,
                                             std::string_view name) {
  auto file = ops::open_log(folder, name);
  if (!file) {
    return std::unexpected(std::move(file.error()));
  }
  return std::make_unique<FileTail>(folder, std::string(name), std::move(*file));
}

LogWatch::LogWatch(std::filesystem::path folder) : folder_(std::move(folder)) {}

Result<void> LogWatch::start(std::uint64_t session, const Peer& peer, const std::string& log) {
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find(log);
  if (found != logs_.end()) {
    found->second.sessions.emplace(session, peer);
    return {};
  }
  auto tail = log == ops::kJournalName ? follow_journal() : follow_file(folder_, log);
  if (!tail) {
    return std::unexpected(std::move(tail.error()));
  }
  logs_.emplace(log, Watched{std::move(*tail), {{session, peer}}});
  return {};
}

bool LogWatch::stop(std::uint64_t session, const std::string& log) {
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find(log);
  if (found == logs_.end() || found->second.sessions.erase(session) == 0) {
    return false;
  }
  if (found->second.sessions.empty()) {
    logs_.erase(found);
  }
  return true;
}

void LogWatch::stop_all(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  std::erase_if(logs_, [&](auto& item) {
    item.second.sessions.erase(session);
    return item.second.sessions.empty();
  });
}

std::vector<std::string> LogWatch::of(std::uint64_t session) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [log, watched] : logs_) {
    if (watched.sessions.contains(session)) {
      out.push_back(log);
    }
  }
  return out;
}

std::vector<LogWatch::News> LogWatch::poll() {
  const std::lock_guard lock(mutex_);
  std::vector<News> news;
  for (auto& [log, watched] : logs_) {
    std::string text = watched.tail->read(kMostAtOnce);
    if (text.empty()) {
      continue;
    }
    text = "*** " + log + " ***\n" + text;
    text.erase(text.find_last_not_of('\n') + 1);
    for (const auto& [session, peer] : watched.sessions) {
      news.push_back({session, peer, text});
    }
  }
  return news;
}

}  // namespace millrace::server
