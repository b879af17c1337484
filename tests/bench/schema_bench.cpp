// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walking statements by the shipped templates: what loading 100,000 lines costs in schema/.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include "schema/schema.h"
#include "schema/walk.h"

namespace millrace::schema {
namespace {

const Schema& shipped() {
  static const Schema schema = [] {
    auto result = load(MILLRACE_SOURCE_DIR "/templates");
    if (!result) {
      std::abort();
    }
    return std::move(*result);
  }();
  return schema;
}

void walk_set_lines(benchmark::State& state) {
  const Node& root = shipped().root();
  constexpr std::array<std::string_view, 8> address = {
      "interfaces", "eth3", "unit", "100", "family", "inet", "address", "192.0.2.1/24"};
  constexpr std::array<std::string_view, 6> route = {"routing-options", "static",   "route",
                                                     "10.20.30.0/24",   "next-hop", "192.0.2.254"};
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); i += 2) {
      benchmark::DoNotOptimize(walk(root, address, Abbreviations::No));
      benchmark::DoNotOptimize(walk(root, route, Abbreviations::No));
    }
  }
}
BENCHMARK(walk_set_lines)->Name("schema/walk")->Arg(100'000)->Unit(benchmark::kMillisecond);

void build_templates(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(load(MILLRACE_SOURCE_DIR "/templates"));
  }
}
BENCHMARK(build_templates)->Name("schema/load_templates")->Unit(benchmark::kMillisecond);

void complete(benchmark::State& state) {
  const Node& root = shipped().root();
  constexpr std::array<std::string_view, 4> words = {"interfaces", "eth3", "unit", "100"};
  for (auto _ : state) {
    benchmark::DoNotOptimize(choices(root, words, ""));
  }
}
BENCHMARK(complete)->Name("schema/choices")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace millrace::schema
