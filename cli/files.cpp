// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <format>
#include <system_error>

#include "base/file.h"
#include "base/time_text.h"
#include "base/user_name.h"
#include "cli/program.h"
#include "cli/transfer.h"

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;
using Result = std::expected<std::string, std::string>;
using Use = Places::Use;

std::string why(const std::error_code& problem) {
  return problem.message();
}

std::string rights(mode_t mode) {
  std::string out(1, S_ISDIR(mode) ? 'd' : S_ISLNK(mode) ? 'l' : '-');
  constexpr std::string_view kLetters = "rwxrwxrwx";
  for (unsigned bit = 0; bit < 9; ++bit) {
    out += (mode & (0400U >> bit)) != 0 ? kLetters[bit] : '-';
  }
  return out;
}

std::string line_of(const fs::path& path, const std::string& name, bool detail) {
  struct stat status{};
  if (lstat(path.c_str(), &status) != 0) {
    return name + "\n";
  }
  const std::string shown = S_ISDIR(status.st_mode) ? name + "/" : name;
  if (!detail) {
    return shown + "\n";
  }
  return std::format("{} {:>2} {:<10} {:>12} {} {}\n", rights(status.st_mode), status.st_nlink,
                     base::user_name(status.st_uid).value_or(std::to_string(status.st_uid)),
                     status.st_size, base::local_time(status.st_mtim.tv_sec, "%Y-%m-%d %H:%M"),
                     shown);
}

Result list(const std::string& name, bool detail, const Places& places) {
  const auto path = places.open(name, Use::Read);
  if (!path) {
    return std::unexpected(path.error());
  }
  std::error_code problem;
  if (!fs::exists(*path, problem)) {
    return std::unexpected("'" + name + "': no such file or directory");
  }
  if (!fs::is_directory(*path, problem)) {
    return line_of(*path, name, detail);
  }
  std::vector<std::string> names;
  for (fs::directory_iterator at(*path, problem), end; !problem && at != end;
       at.increment(problem)) {
    names.push_back(at->path().filename().string());
  }
  if (problem) {
    return std::unexpected("cannot list '" + name + "': " + why(problem));
  }
  std::ranges::sort(names);
  std::string out = name + ":\n";
  for (const auto& each : names) {
    out += line_of(fs::path(*path) / each, each, detail);
  }
  return detail ? out + std::format("total files: {}\n", names.size()) : out;
}

Result show(const std::string& name, const Places& places) {
  auto text = read_source(name, places);
  if (text && !text->empty() && !text->ends_with('\n')) {
    *text += '\n';
  }
  return text;
}

Result copy(const std::string& from, const std::string& to, const Places& places) {
  const auto text = read_source(from, places);
  if (!text) {
    return std::unexpected(text.error());
  }
  std::error_code problem;
  const bool into = !is_url(to) && fs::is_directory(to, problem);
  const auto written = write_target(into ? (fs::path(to) / fs::path(from).filename()).string() : to,
                                    *text, false, places);
  return written ? Result("") : std::unexpected(written.error());
}

Result remove(const std::string& name, const Places& places) {
  const auto path = places.open(name, Use::Write);
  if (!path) {
    return std::unexpected(path.error());
  }
  struct stat status{};
  if (lstat(name.c_str(), &status) != 0) {
    return std::unexpected("'" + name + "': " + std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    return std::unexpected("'" + name + "' is a directory, expected a file");
  }
  // The name as typed: of a link the link goes, not what it leads to.
  std::error_code problem;
  return fs::remove(name, problem)
             ? Result("")
             : std::unexpected("cannot delete '" + name + "': " + why(problem));
}

Result rename(const std::string& from, const std::string& to, const Places& places) {
  const auto old_path = places.open(from, Use::Write);
  const auto new_path = places.open(to, Use::Write);
  if (!old_path || !new_path) {
    return std::unexpected(old_path ? new_path.error() : old_path.error());
  }
  std::error_code problem;
  const bool into = fs::is_directory(*new_path, problem);
  fs::rename(*old_path,
             into ? fs::path(*new_path) / fs::path(from).filename() : fs::path(*new_path), problem);
  return problem ? Result(std::unexpected("cannot rename '" + from + "': " + why(problem)))
                 : Result("");
}

// Tools of the system, for what they do well. `fine` is the highest status that is no failure.
Result tool(std::vector<std::string> argv, int fine) {
  const auto ran = run_program(argv, true);
  if (!ran) {
    return std::unexpected(ran.error());
  }
  return ran->status > fine ? Result(std::unexpected(argv[0] + " ended with status " +
                                                     std::to_string(ran->status)))
                            : Result(ran->output);
}

Result compare(const std::string& from, const std::string& to, const Places& places) {
  const auto first = places.open(from, Use::Read);
  const auto second = places.open(to, Use::Read);
  if (!first || !second) {
    return std::unexpected(first ? second.error() : first.error());
  }
  return tool({"diff", "-u", "--", *first, *second}, 1);
}

Result checksum(const std::string& name, const Places& places) {
  const auto path = places.open(name, Use::Read);
  auto said =
      path ? tool({"sha256sum", "-z", "--", *path}, 0) : Result(std::unexpected(path.error()));
  if (!said) {
    return said;
  }
  return "SHA256 (" + name + ") = " + said->substr(0, said->find(' ')) + "\n";
}

}  // namespace

std::expected<std::string, std::string> file_command(std::vector<std::string> words,
                                                     const Places& places) {
  std::erase(words, "--");
  const std::string action = words.empty() ? "" : words[0];
  if (action == "list") {
    const bool detail = words.size() > 1 && words[1] == "detail";
    const std::size_t at = detail ? 2 : 1;
    return list(words.size() > at ? words[at] : ".", detail, places);
  }
  if (words.size() == 2) {
    if (action == "show") {
      return show(words[1], places);
    }
    if (action == "delete") {
      return remove(words[1], places);
    }
    if (action == "checksum") {
      return checksum(words[1], places);
    }
  }
  if (words.size() == 3) {
    if (action == "copy") {
      return copy(words[1], words[2], places);
    }
    if (action == "rename") {
      return rename(words[1], words[2], places);
    }
    if (action == "compare") {
      return compare(words[1], words[2], places);
    }
  }
  return std::unexpected("this client does not know 'file " + action + "'");
}

std::vector<Choice> file_names(const std::string& prefix, const Places& places, std::size_t most) {
  const auto slash = prefix.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
  const std::string start = prefix.substr(folder.size());
  std::vector<Choice> out;
  const auto path = places.open(folder.empty() ? "." : folder, Use::Read);
  std::error_code problem;
  for (fs::directory_iterator at(path.value_or(""), problem), end;
       path && !problem && at != end && out.size() < most; at.increment(problem)) {
    const std::string name = at->path().filename().string();
    const bool hidden = name.starts_with('.') && !start.starts_with('.');
    if (!name.starts_with(start) || hidden) {
      continue;
    }
    std::error_code unknown;
    const bool is_folder = at->is_directory(unknown);
    const auto size = is_folder ? 0 : at->file_size(unknown);
    out.push_back({ChoiceKind::Name, folder + name + (is_folder ? "/" : ""),
                   is_folder ? "Directory"
                   : unknown ? ""
                             : "Size: " + std::to_string(size)});
  }
  std::ranges::sort(out, {}, &Choice::text);
  return out;
}

}  // namespace millrace::cli
