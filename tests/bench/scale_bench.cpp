// SPDX-License-Identifier: GPL-2.0-or-later
//
// What grows with the configuration and what must not: 10,000, 100,000 and 1,000,000 lines of set
// form by the shipped templates. limits names those that docs/architecture.md bounds. The machine
// is the fake one, so the kernel's and FRR's own time is not in these numbers.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "appliers/registry.h"
#include "check/check.h"
#include "commit/engine.h"
#include "support/fake_system.h"
#include "support/shipped.h"

namespace millrace {
namespace {

using support::loaded;
using support::must;
using support::shipped;

double used_bytes() {
  return static_cast<double>(::mallinfo2().uordblks + ::mallinfo2().hblkhd);
}

tree::ConfigTree big(std::int64_t lines) {
  return loaded(tree::ConfigTree(shipped()), support::set_lines(lines), tree::LoadAction::Set);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
}

void load_text(benchmark::State& state) {
  const std::string text = tree::to_text(big(state.range(0)), {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(loaded(tree::ConfigTree(shipped()), text, tree::LoadAction::Merge));
  }
  state.counters["lines"] = static_cast<double>(std::ranges::count(text, '\n'));
}
BENCHMARK(load_text)->Name("scale/load_text")->Apply(sizes);

void load_set(benchmark::State& state) {
  const std::string text = support::set_lines(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(loaded(tree::ConfigTree(shipped()), text, tree::LoadAction::Set));
  }
}
BENCHMARK(load_set)->Name("scale/load_set")->Apply(sizes);

void check_all(benchmark::State& state) {
  const tree::ConfigTree tree = big(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(check::check_all(tree));
  }
}
BENCHMARK(check_all)->Name("scale/check_all")->Apply(sizes);

// The tree alone; the text that it came from is gone.
void memory(benchmark::State& state) {
  for (auto _ : state) {
    const double before = used_bytes();
    tree::ConfigTree tree = big(state.range(0));
    state.counters["bytes_per_line"] =
        (used_bytes() - before) / static_cast<double>(state.range(0));
    benchmark::DoNotOptimize(tree);
  }
}
BENCHMARK(memory)->Name("scale/memory")->Apply(sizes)->Iterations(1);

class Router {
 public:
  explicit Router(std::int64_t lines) {
    std::string pattern = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    test::plug_default_links(system_);
    start();
    commit(support::set_lines(lines));
  }
  ~Router() {
    engine_.reset();
    std::filesystem::remove_all(folder_);
  }
  void start() {
    engine_.reset();
    engine_ = must(commit::Engine::open(shipped(), appliers::make_registry(shipped()),
                                        system_.view(), {folder_ / "state", folder_ / "run"}));
    must(engine_->start());
  }
  void stop() { engine_.reset(); }
  void commit(const std::string& lines) { commit(edited(lines)); }
  void commit(tree::ConfigTree candidate) {
    const auto report = engine_->commit({std::move(candidate), "bench", "other", ""});
    if (!report.committed) {
      std::fputs(report.diagnostics.to_string().substr(0, 400).c_str(), stderr);
      std::abort();
    }
  }
  void check(const tree::ConfigTree& candidate) {
    if (engine_->check_candidate(candidate).has_errors()) {
      std::abort();
    }
  }
  tree::ConfigTree edited(const std::string& lines) {
    return loaded(engine_->running(), lines, tree::LoadAction::Set);
  }
  void remove_snapshots() {
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "state")) {
      if (file.path().filename().string().starts_with("snapshot")) {
        std::filesystem::remove(file.path());
      }
    }
  }

 private:
  std::filesystem::path folder_;
  test::FakeSystem system_;
  std::unique_ptr<commit::Engine> engine_;
};

void one_leaf(benchmark::State& state) {
  Router router(state.range(0));
  bool odd = false;
  for (auto _ : state) {
    state.PauseTiming();
    auto candidate =
        router.edited((odd = !odd) ? "set system host-name a\n" : "set system host-name b\n");
    state.ResumeTiming();
    router.commit(std::move(candidate));
  }
}
BENCHMARK(one_leaf)->Name("scale/one_leaf")->Apply(sizes)->UseRealTime()->Iterations(200);

// An edit of a group that one interface inherits from, beside everything that does not.
void group_edit(benchmark::State& state) {
  Router router(state.range(0));
  router.commit("set groups g interfaces <*> description a\nset interfaces apply-groups g\n");
  bool odd = false;
  for (auto _ : state) {
    state.PauseTiming();
    auto candidate = router.edited((odd = !odd) ? "set groups g interfaces <*> description b\n"
                                                : "set groups g interfaces <*> description a\n");
    state.ResumeTiming();
    router.commit(std::move(candidate));
  }
}
BENCHMARK(group_edit)->Name("scale/group_edit")->Apply(sizes)->UseRealTime()->Iterations(100);

// The check after an edit of a group that every route inherits from: this one costs what it
// expands.
void group_of_all(benchmark::State& state) {
  Router router(state.range(0));
  router.commit(
      "set groups g routing-options static route <*> tag 1\n"
      "set routing-options apply-groups g\n");
  std::uint32_t tag = 1;
  for (auto _ : state) {
    state.PauseTiming();
    const auto candidate =
        router.edited(std::format("set groups g routing-options static route <*> tag {}\n", ++tag));
    state.ResumeTiming();
    router.check(candidate);
  }
}
BENCHMARK(group_of_all)->Name("scale/group_of_all")->Apply(sizes)->UseRealTime()->Iterations(3);

// configd starting beside a machine that is as it left it: from the log alone, and from a snapshot.
void start_from_log(benchmark::State& state) {
  Router router(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    router.stop();
    router.remove_snapshots();
    state.ResumeTiming();
    router.start();
  }
}
BENCHMARK(start_from_log)->Name("scale/start_log")->Apply(sizes)->UseRealTime()->Iterations(2);

void start_from_snapshot(benchmark::State& state) {
  Router router(state.range(0));
  // A new file of the log begins, and its snapshot is written.
  for (int n = 0; n < 17; ++n) {
    router.commit(std::format("set system host-name a{}\n", n));
  }
  for (auto _ : state) {
    state.PauseTiming();
    router.stop();  // waits for the snapshot
    state.ResumeTiming();
    router.start();
  }
}
BENCHMARK(start_from_snapshot)
    ->Name("scale/start_snapshot")
    ->Apply(sizes)
    ->UseRealTime()
    ->Iterations(2);

// An empty router, which is what `configd ready` is measured by.
void start_small(benchmark::State& state) {
  Router router(20);
  for (auto _ : state) {
    router.start();
  }
}
BENCHMARK(start_small)->Name("scale/start_small")->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace millrace
