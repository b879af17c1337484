// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/places.h"

#include <algorithm>
#include <system_error>

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

fs::path resolved(const fs::path& path) {
  std::error_code problem;
  fs::path out = fs::weakly_canonical(path, problem);
  return problem ? fs::path() : out;
}

bool is_in(const fs::path& path, const fs::path& place) {
  const auto [in_place, in_path] = std::ranges::mismatch(place, path);
  return in_place == place.end();
}

}  // namespace

Places Places::confined(const fs::path& home) {
  Places out;
  out.confined_ = true;
  for (const fs::path& place : {home, fs::path("/tmp"), fs::path("/var/tmp")}) {
    // A user without a home of its own has `/`, which is no place.
    if (const fs::path real = resolved(place); !real.empty() && real != real.root_path()) {
      out.writable_.push_back(real);
    }
  }
  out.readable_ = out.writable_;
  out.readable_.push_back(resolved("/var/log"));
  return out;
}

std::expected<std::string, std::string> Places::open(const std::string& name, Use use) const {
  if (!confined_) {
    return name;
  }
  const fs::path real = resolved(name);
  const auto& places = use == Use::Read ? readable_ : writable_;
  if (!real.empty() &&
      std::ranges::any_of(places, [&](const fs::path& place) { return is_in(real, place); })) {
    return real.string();
  }
  std::string list;
  for (const auto& place : places) {
    list += (list.empty() ? "" : ", ") + place.string();
  }
  return std::unexpected("'" + name + "': permission denied, expected a file in one of " + list);
}

}  // namespace millrace::cli
