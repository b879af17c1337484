// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/salvage.h"

#include <algorithm>
#include <ctime>
#include <format>

#include "base/file.h"
#include "commit/record.h"
#include "commit/segment.h"
#include "commit/snapshot.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

RevisionId newest(const LogContents& contents) {
  return contents.entries.empty() ? 0 : contents.entries.rbegin()->first;
}

bool belongs_to_log(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("log-") || name.starts_with("snapshot-");
}

std::vector<std::filesystem::path> files_of_log(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (belongs_to_log(entry.path())) {
      files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace

std::vector<LogContents> readable_chains(const std::filesystem::path& folder, LogContents whole) {
  std::vector<LogContents> chains;
  for (const RevisionId base : log_files(folder).value_or(std::vector<RevisionId>())) {
    std::error_code ignored;
    if (base > 0 && std::filesystem::exists(snapshot_path(folder, base), ignored)) {
      if (auto chain = read_log(folder, base); chain && !chain->entries.empty()) {
        chains.push_back(std::move(*chain));
      }
    }
  }
  if (!whole.entries.empty()) {
    chains.insert(chains.begin(), std::move(whole));
  }
  // Of two that lead equally far the longer one comes first.
  std::ranges::stable_sort(chains, std::greater<>(), newest);
  return chains;
}

Result<std::filesystem::path> keep_aside(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path aside = folder / std::format("damaged-{}", std::time(nullptr));
  for (int suffix = 1; std::filesystem::exists(aside, error); ++suffix) {
    aside = folder / std::format("damaged-{}-{}", std::time(nullptr), suffix);
  }
  std::filesystem::create_directories(aside, error);
  for (const auto& file : files_of_log(folder)) {
    std::error_code unreadable;  // a file that the disk does not give back cannot be kept
    std::filesystem::copy_file(file, aside / file.filename(), unreadable);
  }
  if (error) {
    return base::fail(Code::Io,
                      std::format("cannot create {}: {}", aside.string(), error.message()));
  }
  return aside;
}

void remove_others(const std::filesystem::path& folder, const LogContents& chain) {
  for (const auto& file : files_of_log(folder)) {
    const bool kept = std::ranges::any_of(chain.segments, [&](RevisionId base) {
      return file == Segment::path(folder, base) || file == snapshot_path(folder, base);
    });
    if (!kept) {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
  }
}

RevisionId highest_known_id(const std::filesystem::path& folder) {
  RevisionId highest = 0;
  for (const auto& file : files_of_log(folder)) {
    highest = std::max(highest, highest_id(base::read_file(file).value_or("")));
  }
  for (const RevisionId base : log_files(folder).value_or(std::vector<RevisionId>())) {
    highest = std::max(highest, base);
  }
  return highest;
}

}  // namespace millrace::commit
