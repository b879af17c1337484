// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/checked_file.h"

#include <format>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "commit/record.h"
#include "commit/segment.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;
using Json = nlohmann::json;

constexpr std::string_view kStart = "# millrace ";

std::string head_of(const std::string& about, std::string_view text) {
  return std::format("{}{} crc32c {:08x}\n", kStart, about,
                     crc32c(about + "\n" + std::string(text)));
}

}  // namespace

Result<void> write_checked(const std::filesystem::path& path, const CheckedFile& file) {
  std::string about;
  try {
    about = file.about.dump();
  } catch (const Json::exception&) {
    return base::fail(Code::BadValue, "found text that is not UTF-8, expected UTF-8");
  }
  return base::write_file(path, head_of(about, file.text) + file.text, 0600);
}

Result<CheckedFile> read_checked(const std::filesystem::path& path) {
  auto whole = base::read_file(path);
  if (!whole) {
    return std::unexpected(whole.error());
  }
  const std::size_t line = whole->find('\n');
  const std::size_t crc = whole->rfind(" crc32c ", line);
  if (line != std::string::npos && crc != std::string::npos && whole->starts_with(kStart)) {
    const std::string about = whole->substr(kStart.size(), crc - kStart.size());
    std::string text = whole->substr(line + 1);
    Json json = Json::parse(about, nullptr, false);
    if (json.is_object() && whole->substr(0, line + 1) == head_of(about, text)) {
      return CheckedFile{std::move(json), std::move(text)};
    }
  }
  return base::fail(Code::Syntax, std::format("{} is damaged", path.string()));
}

Result<void> remove_durably(const std::filesystem::path& path) {
  std::error_code error;
  const bool removed = std::filesystem::remove(path, error);
  if (error) {
    return base::fail(Code::Io,
                      std::format("cannot remove {}: {}", path.string(), error.message()));
  }
  return removed ? sync_folder(path.parent_path()) : Result<void>();
}

}  // namespace millrace::commit
