// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases/golden_case.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace millrace::cases {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::vector<GoldenCase> find_cases() {
  std::vector<GoldenCase> cases;
  for (const auto& folder : fs::directory_iterator(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases")) {
    if (fs::exists(folder.path() / "about.md")) {
      cases.push_back({folder.path(), folder.path().filename().string(),
                       read(folder.path() / "before.conf"), read(folder.path() / "edit.set"),
                       read(folder.path() / "facts.json")});
    }
  }
  std::ranges::sort(cases, {}, &GoldenCase::name);
  return cases;
}

Wanted GoldenCase::wanted() const {
  Wanted wanted;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    const std::string path = fs::relative(file.path(), folder).string();
    if (file.is_regular_file() && path.starts_with("want")) {
      wanted[path] = read(file.path());
    }
  }
  return wanted;
}

void GoldenCase::rewrite(const Wanted& wanted) const {
  for (const auto& [path, content] : this->wanted()) {
    fs::remove(folder / path);
  }
  fs::remove_all(folder / "want");
  for (const auto& [path, content] : wanted) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << content;
  }
}

void equip(test::FakeSystem& system, const GoldenCase& golden) {
  if (golden.facts.empty()) {
    test::plug_default_links(system);
    return;
  }
  const auto json = nlohmann::json::parse(golden.facts);
  for (const auto& [key, value] : json.items()) {
    if (key == "links") {
      for (const auto& [name, link] : value.items()) {
        system.kernel.plug(name, link.value("mtu", 1500U), link.value("min_mtu", 68U),
                           link.value("max_mtu", 9216U));
      }
    } else if (key == "addresses") {  // of somebody else
      for (const auto& [name, addresses] : value.items()) {
        for (const auto& address : addresses) {
          system.kernel.add_foreign_address(name, address.get<std::string>());
        }
      }
    } else if (key == "frr-refuses") {  // every line with this text
      system.frr.refuse(value.get<std::string>());
    } else if (key == "validate-refuses") {  // by program
      for (const auto& [program, text] : value.items()) {
        system.files.refuse(program, text.get<std::string>());
      }
    } else {
      throw std::runtime_error("facts.json: found '" + key +
                               "', expected links, addresses, frr-refuses or validate-refuses");
    }
  }
}

}  // namespace millrace::cases
