// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::server {

// The command line of configd; docs/reference/contracts.md.
struct Options {
  enum class Action : unsigned char { Serve, Check, Version, Help, SupportReport, ExportYang };
  Action action = Action::Serve;
  std::filesystem::path templates = "/usr/share/millrace/templates";
  std::filesystem::path state = "/var/lib/millrace";
  std::filesystem::path run = "/run/millrace";
  std::filesystem::path socket;  // RUN/configd.socket unless given
  std::string frr_sockets = "/run/frr";
  std::string files_root = "/";
  std::string units = "systemd";
  std::filesystem::path check_file;
  std::filesystem::path yang_folder;
};

inline constexpr const char* kUsage =
    "usage: configd [--templates DIR] [--state DIR] [--run DIR] [--socket PATH]\n"
    "               [--frr-sockets DIR] [--files-root DIR] [--units systemd|direct]\n"
    "               [--check FILE] [--support-report] [--export-yang DIR] [--version]\n";

// The error says what is wrong with the command line.
std::expected<Options, std::string> read_options(const std::vector<std::string>& arguments);

}  // namespace millrace::server
