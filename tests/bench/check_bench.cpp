// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a small change costs to check beside 10,000 to 1,000,000 entries that refer to each other
// and are unique: it must not depend on their number. Rules of every kind, none of the shipped
// ones.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "check/check.h"
#include "tree/text.h"

namespace millrace::check {
namespace {

const schema::Schema& rules() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"bench.tmpl", R"tmpl(
feature bench {
  help b;
  list policy { help p; key name; type string; leaf note { help n; type string; } }
  container peers {
    help p;
    leaf limit { help l; type integer; must "count(../peer) <= ." { error-message "too many"; } }
    list peer {
      help p; key name; type string; unique port;
      leaf port { help p; type integer; }
      leaf import { help i; type string; ref "/policy";
        must "not /policy[.]/note = 'broken'" { error-message "broken"; } }
      leaf description { help d; type string; }
    }
  }
}
)tmpl"}});
    if (!built) {
      std::fputs(built.error().message.c_str(), stderr);
      std::abort();
    }
    return std::move(*built);
  }();
  return schema;
}

tree::ConfigTree edited(const tree::ConfigTree& tree, const std::string& lines) {
  tree::Editor editor{tree};
  if (!tree::load(editor, {}, lines, tree::LoadAction::Set).errors.empty()) {
    std::abort();
  }
  return editor.tree();
}

struct Running {
  tree::ConfigTree tree;
  Index index;
};

const Checker& checker() {
  static const Checker made(rules());
  return made;
}

// A thousand policies, each needed by one in a thousand peers.
const Running& running(std::int64_t entries) {
  static std::map<std::int64_t, Running> made;
  const auto found = made.find(entries);
  if (found != made.end()) {
    return found->second;
  }
  std::string lines = "set peers limit 2000000\n";
  for (int i = 0; i < 1000; ++i) {
    lines += "set policy p" + std::to_string(i) + "\n";
  }
  for (std::int64_t i = 0; i < entries; ++i) {
    const std::string number = std::to_string(i);
    lines += "set peers peer n" + number + " port " + number + " import p" +
             std::to_string(i * 999 / entries) + "\n";
  }
  tree::ConfigTree tree = edited(tree::ConfigTree(rules()), lines);
  Index index = checker().index_of(tree);
  return made.emplace(entries, Running{std::move(tree), std::move(index)}).first->second;
}

void check_edit(benchmark::State& state, const char* line) {
  const Running& before = running(state.range(0));
  const tree::ConfigTree after = edited(before.tree, line);
  const tree::Delta delta(before.tree, after);
  for (auto _ : state) {
    benchmark::DoNotOptimize(checker().check(delta, before.index));
  }
  state.counters["lines-of-index"] = static_cast<double>(before.index.size());
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(check_edit, one_leaf, "set peers peer n500 description x\n")
    ->Name("check/one_leaf")
    ->Apply(sizes);
BENCHMARK_CAPTURE(check_edit, add_entry, "set peers peer new port 3000000 import p7\n")
    ->Name("check/add_entry")
    ->Apply(sizes);
BENCHMARK_CAPTURE(check_edit, taken_port, "set peers peer new port 500 import p7\n")
    ->Name("check/add_entry_with_a_taken_value")
    ->Apply(sizes);
BENCHMARK_CAPTURE(check_edit, unused, "delete policy p999\n")
    ->Name("check/delete_entry_without_referrers")
    ->Apply(sizes);
// The number of referrers grows with the entries: a thousandth of them.
BENCHMARK_CAPTURE(check_edit, used, "delete policy p7\n")
    ->Name("check/delete_entry_with_referrers")
    ->Apply(sizes);

void index_of_everything(benchmark::State& state) {
  const Running& all = running(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(checker().index_of(all.tree));
  }
}
BENCHMARK(index_of_everything)
    ->Name("check/index_of_everything")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace millrace::check
