// SPDX-License-Identifier: GPL-2.0-or-later
//
// A configuration of 100,000 lines by the shipped templates: what it costs to read, to print and to
// change in one place. Budgets: docs/architecture.md.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "check/check.h"
#include "schema/walk.h"
#include "support/shipped.h"
#include "tree/effective.h"
#include "tree/text.h"

namespace millrace::tree {
namespace {

using support::shipped;

std::string number(int value) {
  return std::to_string(value);
}

// 100,000 lines: 10,000 units of six lines each, and static routes of three.
const std::string& big_text() {
  static const std::string text = [] {
    std::string out = "interfaces {\n    eth0 {\n        vlan-tagging;\n";
    for (int i = 1; i <= 10'000; ++i) {
      out += "        unit " + number(i) + " {\n            vlan-id " + number(i % 4094 + 1) +
             ";\n            family inet {\n                address 10." + number(i / 250 % 250) +
             '.' + number(i % 250) + ".1/24;\n            }\n        }\n";
    }
    out += "    }\n}\nrouting-options {\n    static {\n";
    for (int i = 0; i < 13'330; ++i) {
      out += "        route 172." + number(16 + i / 65536) + '.' + number(i / 256 % 256) + '.' +
             number(i % 256) + "/32 {\n            next-hop 10.0.1.2;\n        }\n";
    }
    return out + "    }\n}\n";
  }();
  return text;
}

ConfigTree loaded(const std::string& text, LoadAction action) {
  return support::loaded(ConfigTree(shipped()), text, action);
}

const ConfigTree& big_tree() {
  static const ConfigTree tree = loaded(big_text(), LoadAction::Merge);
  return tree;
}

void set_vlan(Editor& editor, std::string_view vlan) {
  const std::string_view words[] = {"interfaces", "eth0", "unit", "5000", "vlan-id", vlan};
  const auto walk = schema::walk(shipped().root(), words, schema::Abbreviations::No);
  if (!walk || !editor.set({}, walk->front())) {
    std::abort();
  }
}

void load_100000_lines(benchmark::State& state) {
  std::size_t lines = static_cast<std::size_t>(std::ranges::count(big_text(), '\n'));
  for (auto _ : state) {
    benchmark::DoNotOptimize(loaded(big_text(), LoadAction::Merge));
  }
  state.counters["lines"] = static_cast<double>(lines);
}
BENCHMARK(load_100000_lines)->Unit(benchmark::kMillisecond);

void load_100000_lines_again_as_update(benchmark::State& state) {
  Editor editor{big_tree()};
  for (auto _ : state) {
    load(editor, {}, big_text(), LoadAction::Update);
  }
}
BENCHMARK(load_100000_lines_again_as_update)->Unit(benchmark::kMillisecond);

void load_set_lines(benchmark::State& state) {
  const std::string lines = to_set(big_tree(), {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(loaded(lines, LoadAction::Set));
  }
  state.counters["lines"] = static_cast<double>(std::ranges::count(lines, '\n'));
}
BENCHMARK(load_set_lines)->Unit(benchmark::kMillisecond);

void print_100000_lines(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(to_text(big_tree(), {}));
  }
}
BENCHMARK(print_100000_lines)->Unit(benchmark::kMillisecond);

void edit_one_leaf(benchmark::State& state) {
  int round = 0;
  for (auto _ : state) {
    Editor editor{big_tree()};
    set_vlan(editor, ++round % 2 ? "14" : "13");
    benchmark::DoNotOptimize(editor);
  }
}
BENCHMARK(edit_one_leaf)->Unit(benchmark::kMicrosecond);

void delta_of_one_leaf(benchmark::State& state) {
  Editor editor{big_tree()};
  set_vlan(editor, "14");
  for (auto _ : state) {
    benchmark::DoNotOptimize(Delta(big_tree(), editor.tree()));
  }
}
BENCHMARK(delta_of_one_leaf)->Unit(benchmark::kMicrosecond);

void encode_and_apply_one_leaf(benchmark::State& state) {
  Editor editor{big_tree()};
  set_vlan(editor, "14");
  const Delta delta(big_tree(), editor.tree());
  for (auto _ : state) {
    benchmark::DoNotOptimize(apply(encode(delta), big_tree()));
  }
}
BENCHMARK(encode_and_apply_one_leaf)->Unit(benchmark::kMicrosecond);

void check_of_one_leaf(benchmark::State& state) {
  Editor editor{big_tree()};
  set_vlan(editor, "14");
  const Delta delta(big_tree(), editor.tree());
  const check::Checker checker(shipped());
  const check::Index index = checker.index_of(big_tree());
  for (auto _ : state) {
    benchmark::DoNotOptimize(checker.check(delta, index));
  }
}
BENCHMARK(check_of_one_leaf)->Unit(benchmark::kMicrosecond);

void check_of_everything(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(check::check_all(big_tree()));
  }
}
BENCHMARK(check_of_everything)->Unit(benchmark::kMillisecond);

void effective_after_one_edit(benchmark::State& state) {
  Editor editor{big_tree()};
  Expander expander;
  const schema::PathStep unit{shipped().find("interfaces interface unit"), "77", true};
  const schema::PathStep interface{shipped().find("interfaces interface"), "eth0", true};
  const Path path{{{shipped().find("interfaces"), {}, false}, interface, unit}};
  if (!editor.set_inactive(path, true)) {
    std::abort();
  }
  benchmark::DoNotOptimize(expander.effective(editor.tree()));
  int round = 0;
  for (auto _ : state) {
    set_vlan(editor, ++round % 2 ? "14" : "13");
    benchmark::DoNotOptimize(expander.effective(editor.tree()));
  }
}
BENCHMARK(effective_after_one_edit)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace millrace::tree
