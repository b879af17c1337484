// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/configuration.h"

#include <charconv>
#include <sstream>

#include "abi/control.h"

namespace millrace::daemon {
namespace {

std::uint32_t* size_named(loader::Sizes& sizes, std::string_view name) {
  std::uint32_t* const fields[] = {&sizes.roots,       &sizes.nodes,  &sizes.entries,
                                   &sizes.adjacencies, &sizes.groups, &sizes.neighbours};
  for (std::size_t i = 0; i < std::size(fields); ++i) {
    if (abi::kTableSizes[i] == name) {
      return fields[i];
    }
  }
  return nullptr;
}

}  // namespace

loader::Mode Configuration::mode_of(const std::string& interface) const {
  const auto found = modes.find(interface);
  return found == modes.end() ? loader::Mode::Automatic : found->second;
}

base::Result<Configuration> parse_configuration(std::string_view text) {
  Configuration configuration;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string keyword;
    std::string name;
    std::string value;
    words >> keyword >> name >> value;
    const auto complain = [&](const std::string& what) {
      return base::fail(base::Code::BadValue, "line " + std::to_string(number) + ": " + what);
    };
    if (keyword.empty()) {
      continue;
    }
    if (keyword == "enable" && name.empty()) {
      configuration.enabled = true;
    } else if (keyword == "interface") {
      const auto mode = loader::parse_mode(value);
      if (!mode) {
        return complain(mode.error().message);
      }
      configuration.modes[name] = *mode;
    } else if (keyword == "table-size") {
      std::uint32_t* size = size_named(configuration.sizes, name);
      std::uint32_t parsed = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
      if (size == nullptr || error != std::errc() || end != value.data() + value.size() ||
          parsed == 0) {
        return complain("found 'table-size " + name + " " + value +
                        "', expected a table and its size");
      }
      *size = name == "routing-instances" ? parsed * 2 : parsed;  // a root for each family
    } else {
      return complain("found '" + keyword + "', expected enable, interface or table-size");
    }
  }
  return configuration;
}

}  // namespace millrace::daemon
