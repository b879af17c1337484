// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reading and writing text at the size of the budget: a configuration of 100,000 lines.
#include <benchmark/benchmark.h>

#include <format>
#include <string>

#include "support/statements.h"

namespace millrace::syntax {
namespace {

// Interfaces with units, a quoted description, a list and a comment: ten lines each.
std::string configuration(int lines) {
  std::string text = "interfaces {\n";
  for (int i = 0; i < lines / 10; ++i) {
    text += std::format(
        "    /* customer {0} */\n"
        "    eth{0} {{\n"
        "        description \"port {0} of the \\\"edge\\\"\";\n"
        "        unit 0 {{\n"
        "            family inet {{\n"
        "                address 10.{1}.{2}.1/24;\n"
        "                filter [ in-{0} out-{0} ];\n"
        "            }}\n"
        "        }}\n"
        "    }}\n",
        i, i / 256 % 256, i % 256);
  }
  return text + "}\n";
}

void parse(benchmark::State& state) {
  const std::string text = configuration(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(parse_statements(text));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(parse)
    ->Name("syntax/parse_statements")
    ->Arg(1000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

void write(benchmark::State& state) {
  const Document document = parse_statements(configuration(static_cast<int>(state.range(0))));
  for (auto _ : state) {
    benchmark::DoNotOptimize(support::print(document.statements));
  }
}
BENCHMARK(write)->Name("syntax/write")->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace millrace::syntax
