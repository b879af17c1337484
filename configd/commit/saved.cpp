// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/saved.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <format>

#include "commit/checked_file.h"
#include "tree/keep_unknown.h"
#include "tree/text.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

constexpr std::size_t kMaxName = 64;
constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::string_view kSuffix = ".conf";
// What may stand where a label may: a label of that name could not be told from them.
constexpr std::array<std::string_view, 5> kReserved = {"checkpoint", "compare", "label", kRescue,
                                                       "revision"};

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}
bool is_name_byte(char byte) {
  return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' ||
         byte == '.';
}

std::string missing(std::string_view name) {
  return name == kRescue ? std::string("there is no rescue configuration")
                         : std::format("there is no checkpoint '{}'", name);
}

}  // namespace

Result<void> check_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxName || !is_letter(name.front()) ||
      !std::ranges::all_of(name, is_name_byte)) {
    return base::fail(Code::BadValue,
                      std::format("invalid name '{}': expected a letter, then letters, digits, "
                                  "'-', '_' and '.', {} in all",
                                  name, kMaxName));
  }
  if (std::ranges::contains(kReserved, name)) {
    return base::fail(Code::BadValue, std::format("invalid name '{}': it is a word of the commands "
                                                  "that take names",
                                                  name));
  }
  return {};
}

std::filesystem::path SavedConfigurations::path(std::string_view name) const {
  return folder_ / (name == kRescue ? std::format("{}{}", kRescue, kSuffix)
                                    : std::format("{}{}{}", kPrefix, name, kSuffix));
}

Result<void> SavedConfigurations::save(std::string_view name, const tree::ConfigTree& tree,
                                       const std::string& user) {
  if (auto valid = name == kRescue ? Result<void>() : check_name(name); !valid) {
    return valid;
  }
  const std::scoped_lock lock(mutex_);
  return write_checked(path(name), {{{"name", name}, {"user", user}, {"time", std::time(nullptr)}},
                                    tree::to_text(tree, {})});
}

Result<tree::ConfigTree> SavedConfigurations::load(std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  // A name from outside must not become a path.
  if (name != kRescue && !check_name(name)) {
    return base::fail(Code::UnknownPath, missing(name));
  }
  auto file = read_checked(path(name));
  if (!file) {
    return file.error().code == Code::UnknownPath ? base::fail(Code::UnknownPath, missing(name))
                                                  : std::unexpected(file.error());
  }
  tree::Editor editor{tree::ConfigTree(schema_)};
  // Another version may have saved it; what this one does not know is kept, and said in a commit.
  const auto lost = tree::load_keeping(editor, std::move(file->text));
  if (!lost.empty()) {
    return base::fail(Code::Syntax, std::format("statement \"{}\" of the saved configuration: {}",
                                                lost.front().statement, lost.front().reason));
  }
  tree::restore_known(editor);
  return editor.tree();
}

Result<void> SavedConfigurations::remove(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  std::error_code error;
  if ((name != kRescue && !check_name(name)) ||
      (!std::filesystem::exists(path(name), error) && !error)) {
    return base::fail(Code::UnknownPath, missing(name));
  }
  if (error) {
    return base::fail(Code::Io,
                      std::format("cannot read {}: {}", folder_.string(), error.message()));
  }
  return remove_durably(path(name));
}

std::vector<Saved> SavedConfigurations::list() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Saved> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    const std::string file = entry.path().filename().string();
    if (file != path(kRescue).filename() &&
        !(file.starts_with(kPrefix) && file.ends_with(kSuffix))) {
      continue;
    }
    if (const auto read = read_checked(entry.path())) {
      out.push_back({read->about.value("name", ""), read->about.value("time", std::int64_t{0}),
                     read->about.value("user", "")});
    }
  }
  std::ranges::sort(out, {}, &Saved::name);
  return out;
}

}  // namespace millrace::commit
