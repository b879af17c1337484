// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a commit of one leaf costs beside a configuration of many lines: our own engine, with the
// real templates and appliers. The machine is the fake one, so the kernel's and FRR's own time is
// not in these numbers; the log is real and lies in the folder for temporary files, so the disk's
// time is there if that is on a disk.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>

#include "appliers/registry.h"
#include "check/check.h"
#include "commit/engine.h"
#include "support/fake_system.h"
#include "support/shipped.h"
#include "tree/compare.h"
#include "tree/text.h"

namespace millrace::commit {
namespace {

using base::Result;
using support::must;
using support::shipped;

tree::ConfigTree edited(const tree::ConfigTree& tree, std::string text) {
  return support::loaded(tree, std::move(text), tree::LoadAction::Set);
}

// The fake files, without what is written after a commit: the disk's queue does that beside it.
class SoonFiles final : public system::Files {
 public:
  explicit SoonFiles(system::Files& files) : files_(files) {}
  Result<std::optional<system::FileContent>> read(std::string_view path) override {
    return files_.read(path);
  }
  Result<void> write(std::string_view path, const system::FileContent& content) override {
    return files_.write(path, content);
  }
  Result<void> write_soon(std::string_view, std::function<system::FileContent()>) override {
    return {};
  }
  Result<void> remove(std::string_view path) override { return files_.remove(path); }
  Result<void> validate(const system::FileContent& content,
                        const std::vector<std::string>& argv) override {
    return files_.validate(content, argv);
  }

 private:
  system::Files& files_;
};

class Router {
 public:
  explicit Router(std::int64_t count) {
    std::string pattern = (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    test::plug_default_links(system_);
    start();
    commit(edited(engine_->running(), support::set_lines(count)));
  }
  ~Router() {
    engine_.reset();
    std::filesystem::remove_all(folder_);
  }

  void start() {
    engine_.reset();
    engine_ = must(Engine::open(shipped(), appliers::make_registry(shipped()),
                                {system_.kernel, system_.frr, files_, system_.units},
                                {folder_ / "state", folder_ / "run"}));
    must(engine_->start());
  }
  void commit(tree::ConfigTree candidate) {
    const CommitReport report = engine_->commit({std::move(candidate), "bench", "other", ""});
    if (!report.committed) {
      std::fputs(report.diagnostics.to_string().c_str(), stderr);
      std::abort();
    }
  }
  Engine& engine() { return *engine_; }

 private:
  std::filesystem::path folder_;
  test::FakeSystem system_;
  SoonFiles files_{system_.files};
  std::unique_ptr<Engine> engine_;
};

// Two edits in turn, each a commit; only the commit is timed.
void one_leaf(benchmark::State& state, const char* first, const char* second) {
  Router router(state.range(0));
  bool odd = false;
  for (auto _ : state) {
    state.PauseTiming();
    auto candidate = edited(router.engine().running(), (odd = !odd) ? first : second);
    state.ResumeTiming();
    router.commit(std::move(candidate));
  }
}
void host_name(benchmark::State& state) {
  one_leaf(state, "set system host-name a", "set system host-name b");
}
BENCHMARK(host_name)
    ->Name("commit/one_leaf")
    ->Arg(1'000)
    ->Arg(100'000)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

void address(benchmark::State& state) {
  one_leaf(state, "set interfaces eth0 unit 0 family inet address 192.0.2.77/24",
           "delete interfaces eth0 unit 0 family inet address 192.0.2.77/24");
}
BENCHMARK(address)
    ->Name("commit/one_address")
    ->Arg(1'000)
    ->Arg(100'000)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

// With FRR in it: the verification reads back what FRR holds.
void route(benchmark::State& state) {
  one_leaf(state, "set routing-options static route 10.0.0.0/30 preference 9",
           "set routing-options static route 10.0.0.0/30 preference 8");
}
BENCHMARK(route)
    ->Name("commit/one_route")
    ->Arg(1'000)
    ->Arg(100'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// The parts of a commit of one leaf that could depend on the size.
void parts(benchmark::State& state) {
  Router router(state.range(0));
  const auto running = router.engine().running();
  const auto candidate = edited(running, "set system host-name other");
  const check::Checker checker(shipped());
  const check::Index index = checker.index_of(running);
  for (auto _ : state) {
    const tree::Delta delta(running, candidate);
    benchmark::DoNotOptimize(checker.check(delta, index));
    benchmark::DoNotOptimize(tree::encode(delta));
    benchmark::DoNotOptimize(tree::compare_text(delta, {}));
  }
}
BENCHMARK(parts)
    ->Name("commit/delta_check_encode_compare")
    ->Arg(1'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMicrosecond);

// What configd does before it can answer, beside reading the log.
void replay(benchmark::State& state) {
  const tree::ConfigTree empty(shipped());
  const auto tree = edited(empty, support::set_lines(state.range(0)));
  const std::string delta = tree::encode(tree::Delta(empty, tree));
  for (auto _ : state) {
    benchmark::DoNotOptimize(must(tree::apply(delta, empty)));
  }
}
BENCHMARK(replay)->Name("commit/replay")->Arg(100'000)->Unit(benchmark::kMillisecond);

void check_all(benchmark::State& state) {
  const auto tree = edited(tree::ConfigTree(shipped()), support::set_lines(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(check::check_all(tree));
  }
}
BENCHMARK(check_all)->Name("commit/check_all")->Arg(100'000)->Unit(benchmark::kMillisecond);

// configd starting again beside a machine that is as it left it.
void restart(benchmark::State& state) {
  Router router(state.range(0));
  for (auto _ : state) {
    router.start();
  }
}
BENCHMARK(restart)
    ->Name("commit/restart")
    ->Arg(1'000)
    ->Arg(100'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace millrace::commit
