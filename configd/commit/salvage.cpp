// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/salvage.h"

#include <algorithm>
#include <ctime>
#include <format>

#include "base/file.h"
#include "commit/record.h"
#include "commit/segment.h"
#include "commit/snapshot.h"
#include "schema/type.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

constexpr std::string_view kAside = "damaged-";
constexpr std::size_t kMostCopies = 8;

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

// Each start that meets damage makes one; a disk that keeps failing must not fill up with them.
void drop_old_copies(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> copies;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(kAside)) {
      copies.push_back(entry.path());
    }
  }
  std::ranges::sort(copies, schema::natural_less, [](const auto& path) { return path.string(); });
  for (std::size_t i = 0; i + kMostCopies <= copies.size(); ++i) {
    std::filesystem::remove_all(copies[i], ignored);
  }
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

Result<KeptAside> keep_aside(const std::filesystem::path& folder) {
  drop_old_copies(folder);
  std::error_code error;
  KeptAside kept{folder / std::format("{}{}", kAside, std::time(nullptr)), {}};
  for (int suffix = 1; std::filesystem::exists(kept.folder, error); ++suffix) {
    kept.folder = folder / std::format("{}{}-{}", kAside, std::time(nullptr), suffix);
  }
  std::filesystem::create_directories(kept.folder, error);
  if (error) {
    return base::fail(Code::Io,
                      std::format("cannot create {}: {}", kept.folder.string(), error.message()));
  }
  for (const auto& file : files_of_log(folder)) {
    const auto text = base::read_file(file);
    // Durable, since the files themselves may be written over next.
    const auto written = text ? base::write_file(kept.folder / file.filename(), *text, 0600)
                              : std::unexpected(text.error());
    if (text && !written) {
      return std::unexpected(written.error());
    }
    if (!text) {  // a file that the disk does not give back cannot be kept
      kept.unreadable.push_back(file.filename().string());
    }
  }
  return kept;
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
