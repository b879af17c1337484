// SPDX-License-Identifier: GPL-2.0-or-later
//
// Completion with 100,000 static routes in the candidate: 1 ms in the daemon is the budget of
// docs/architecture.md.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "server/completion.h"
#include "server/shell.h"
#include "support/fake_engine.h"
#include "support/shipped.h"
#include "tree/text.h"

namespace millrace::server {
namespace {

using support::shipped;

struct Loaded {
  test::FakeEngine engine{shipped()};
  Services services{shipped(), engine,
                    [] -> base::Result<std::unique_ptr<system::RealSystem>> {
                      return base::fail(base::Code::Io, "no system");
                    },
                    "bench"};
  Shell shell{services, {0, 1, "bench", true}, services.sessions.next_number()};

  Loaded() {
    std::string text;
    for (int at = 0; at < 100'000; ++at) {
      text += "set routing-options static route 10." + std::to_string(at / 65536) + "." +
              std::to_string(at / 256 % 256) + "." + std::to_string(at % 256) + "/32 discard\n";
    }
    const auto outcome = services.candidate.edit([&](tree::Editor& editor) -> base::Result<void> {
      const auto report = tree::load(editor, {}, std::move(text), tree::LoadAction::Set);
      return report.errors.empty() ? base::Result<void>()
                                   : base::fail(base::Code::Internal, "the lines do not load");
    });
    if (!outcome) {
      std::abort();
    }
    static_cast<void>(shell.execute("configure"));
  }
};

void complete_line(benchmark::State& state, const char* line) {
  static Loaded loaded;
  for (auto _ : state) {
    benchmark::DoNotOptimize(complete(loaded.shell, line));
  }
}

BENCHMARK_CAPTURE(complete_line, command, "se")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(complete_line, statement, "set system ")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(complete_line, all_names, "set routing-options static route ")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(complete_line, names_by_prefix, "show routing-options static route 10.1.1")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(complete_line, one_name, "show routing-options static route 10.1.17.200/")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace millrace::server
