// SPDX-License-Identifier: GPL-2.0-or-later
//
// What it costs to compile policies: many terms, long lists, and many neighbours with one policy.
#include <benchmark/benchmark.h>

#include "appliers/policy/compiler.h"
#include "support/shipped.h"

namespace {

using millrace::appliers::policy::Compiler;
using millrace::appliers::policy::Use;

std::string terms(std::int64_t count) {
  std::string text;
  for (std::int64_t n = 0; n < count; ++n) {
    const std::string term = std::format("set policy-options policy-statement P term t{} ", n);
    text += std::format(
        "{0}from route-filter 10.{1}.{2}.0/24 orlonger\n{0}from as-path A\n"
        "{0}then local-preference {3}\n{0}then accept\n",
        term, n >> 8 & 255, n & 255, n);
  }
  return text + "set policy-options as-path A \"64500 .*\"\n";
}

std::string prefixes(std::int64_t count) {
  std::string text = "set policy-options policy-statement P from prefix-list L\n";
  for (std::int64_t n = 0; n < count; ++n) {
    text += std::format("set policy-options prefix-list L {}.{}.{}.0/24\n", 11 + (n >> 16),
                        n >> 8 & 255, n & 255);
  }
  return text;
}

void compile(benchmark::State& state, const std::string& lines, int uses) {
  const auto tree =
      millrace::support::loaded(millrace::tree::ConfigTree(millrace::support::shipped()), lines,
                                millrace::tree::LoadAction::Set);
  for (auto _ : state) {
    Compiler compiler(tree);
    for (int n = 0; n < uses; ++n) {
      Use use;
      use.chain = {"P"};
      millrace::base::Diagnostics findings;
      benchmark::DoNotOptimize(compiler.compile(use, findings));
    }
  }
}

void CompileTerms(benchmark::State& state) {
  compile(state, terms(state.range(0)), 1);
}
BENCHMARK(CompileTerms)->Arg(2000)->Unit(benchmark::kMillisecond);

void CompilePrefixList(benchmark::State& state) {
  compile(state, prefixes(state.range(0)), 1);
}
BENCHMARK(CompilePrefixList)->Arg(100000)->Unit(benchmark::kMillisecond);

void CompileForNeighbors(benchmark::State& state) {
  compile(state, terms(100), static_cast<int>(state.range(0)));
}
BENCHMARK(CompileForNeighbors)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
