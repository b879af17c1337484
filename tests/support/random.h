// SPDX-License-Identifier: GPL-2.0-or-later
//
// Randomness for tests that state a property over many inputs. The seed is fresh each run and
// printed with every failure inside the object's scope; MILLRACE_SEED=N repeats that run.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <format>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::support {

class Random {
 public:
  Random() : Random(chosen_seed()) {}
  explicit Random(std::uint64_t seed)
      : engine_(seed),
        trace_(__FILE__, __LINE__, std::format("repeat with MILLRACE_SEED={}", seed)) {}
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  // Uniform in [0, bound). Requires: bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_);
  }
  // Uniform in [low, high].
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(engine_);
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  char pick(std::string_view from) { return from[below(from.size())]; }

  // A string of `length` characters of `alphabet`.
  std::string text(std::size_t length, std::string_view alphabet) {
    std::string result;
    while (result.size() < length) {
      result += pick(alphabet);
    }
    return result;
  }

 private:
  static std::uint64_t chosen_seed() {
    const char* chosen = std::getenv("MILLRACE_SEED");
    return chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : std::random_device{}();
  }

  std::mt19937_64 engine_;
  ::testing::ScopedTrace trace_;
};

}  // namespace millrace::support
