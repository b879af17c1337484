// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases/sequence.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <format>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/words.h"
#include "tree/text.h"
#include "unit/commit/full_disk.h"

namespace millrace::cases {
namespace {

using commit::Observer;

std::size_t number(const std::vector<std::string>& words, std::size_t at) {
  std::size_t value = Watcher::kNever;
  if (at < words.size()) {
    std::from_chars(words[at].data(), words[at].data() + words[at].size(), value);
  }
  return value;
}

// The lines that are on one side only.
std::string difference(const std::string& found, const std::string& wanted) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      result.push_back(line);
    }
    std::ranges::sort(result);
    return result;
  };
  const auto here = lines(found);
  const auto there = lines(wanted);
  std::string text;
  const auto add = [&](const auto& from, const auto& without, const char* mark) {
    std::vector<std::string> only;
    std::ranges::set_difference(from, without, std::back_inserter(only));
    for (const std::string& line : only) {
      text += std::format("  {} {}\n", mark, line);
    }
  };
  add(there, here, "-");
  add(here, there, "+");
  return text.empty() ? "  the order only\n" : text;
}

std::uintmax_t largest_file(const std::filesystem::path& folder) {
  std::uintmax_t size = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().filename().string().starts_with("log-")) {
      size = std::max(size, file.file_size());
    }
  }
  return size;
}

}  // namespace

Hardware Hardware::usual() {
  Hardware hardware;
  for (const char* const name : {"eth0", "eth1", "eth2", "eth3"}) {
    hardware.links[name] = {1500, 68, 9216};
  }
  return hardware;
}

std::string Hardware::facts() const {
  nlohmann::json json = {{"links", nlohmann::json::object()}};
  for (const auto& [name, link] : links) {
    json["links"][name] = {
        {"mtu", link.default_mtu}, {"min_mtu", link.min_mtu}, {"max_mtu", link.max_mtu}};
  }
  for (const auto& [name, list] : addresses) {
    json["addresses"][name] = list;
  }
  return json.dump();
}

Sequence::Sequence()
    : hardware_(Hardware::usual()), router_(machine_), editor_(router_.engine().running()) {}

std::string Sequence::play(std::span<const std::string> lines) {
  std::string last = "at the end";
  try {
    Sequence sequence;
    for (const std::string& line : lines) {
      last = line;
      if (auto wrong = sequence.run(line); !wrong.empty()) {
        return std::format("{}\n{}", line, wrong);
      }
    }
    last = "at the end";
    auto wrong = sequence.finish();
    return wrong.empty() ? wrong : std::format("{}\n{}", last, wrong);
  } catch (const std::exception& error) {
    return std::format("{}\n{}", last, error.what());
  }
}

std::string Sequence::run(const std::string& line) {
  auto wrong = dispatch(line);
  router_.system().hook = nullptr;
  return wrong;
}

std::string Sequence::dispatch(const std::string& line) {
  const Words words = base::split_words(line);
  const std::string& verb = words.at(0);
  if (verb == "commit") {
    return commit(words);
  }
  if (verb == "load") {
    return load(words, line);
  }
  if (verb == "rollback") {
    if (auto tree = engine().revision(number(words, 1))) {
      editor_.reset(*tree);
    }
    return {};
  }
  if (verb == "restart" || verb == "reboot") {
    return start(verb == "reboot", number(words, 1));
  }
  if (verb == "plug" && !hardware_.links.contains(words.at(1))) {
    const commit::Facts::Link limits{1500, 68, 9216};
    hardware_.links[words[1]] = limits;
    router_.plug(words[1], limits);
    dirty_ = true;
    return {};
  }
  if (verb == "unplug" && hardware_.links.contains(words.at(1))) {
    hardware_.links.erase(words[1]);
    hardware_.addresses.erase(words[1]);
    router_.unplug(words[1]);
    dirty_ = true;
    return {};
  }
  if (verb == "foreign") {
    foreign(words.at(1), words.at(2));
    return {};
  }
  if (verb == "frr") {
    return frr(words);
  }
  if (verb == "follow") {
    return follow();
  }
  if (verb != "plug" && verb != "unplug") {
    tree::load(editor_, {}, line + "\n", tree::LoadAction::Set);
  }
  return {};
}

// ===== the candidate =====

std::string Sequence::load(const Words& words, const std::string& line) {
  static const std::map<std::string, tree::LoadAction> kActions = {
      {"merge", tree::LoadAction::Merge},
      {"override", tree::LoadAction::Override},
      {"replace", tree::LoadAction::Replace},
      {"update", tree::LoadAction::Update}};
  const std::size_t head = line.find(words.at(1)) + words[1].size();
  tree::load(editor_, {}, line.substr(std::min(head + 1, line.size())), kActions.at(words[1]));
  return {};
}

// ===== the machine =====

void Sequence::foreign(const std::string& link, const std::string& address) {
  const auto wanted = base::InterfaceAddress::parse(address);
  const auto present = router_.system().kernel.addresses();
  const bool there = std::ranges::any_of(*present, [&](const system::LinkAddress& other) {
    return other.link == link && other.address.address == wanted->address;
  });
  if (!there && hardware_.links.contains(link)) {
    hardware_.addresses[link].push_back(address);
    router_.system().kernel.add_foreign_address(link, address);
  }
}

std::string Sequence::frr(const Words& words) {
  auto& frr = router_.system().frr;
  const std::string& verb = words.at(1);
  if (verb == "refuses") {
    frr.refuse(words.at(2));
    frr_refuses_ = true;
  } else if (verb == "accepts") {
    frr.accept_all();
    frr_refuses_ = false;
  } else {
    frr_stopped_ = verb == "stops";
    frr.set_running(system::FrrDaemon::Mgmtd, !frr_stopped_);
  }
  return {};
}

std::string Sequence::start(bool power, std::size_t change) {
  Fault fault;
  fault.change = change;
  fault.dies = true;
  const bool rebooted = power;
  const auto go = [&] { power ? router_.reboot() : router_.restart(); };
  const tree::ConfigTree running = engine().running();
  const commit::RevisionId revision = engine().revisions().front().id;
  try {
    hook(fault);
    go();
  } catch (const Crash&) {
    router_.system().hook = nullptr;
    power = false;  // the boot goes on where it was
    go();
  }
  router_.system().hook = nullptr;
  // FRR is the same program before and after; what it refuses or not outlives both.
  if (rebooted) {
    hardware_.addresses.clear();
  }
  dirty_ = dirty_ && !rebooted;
  if (auto wrong = expect_running(running, "a start");
      !wrong.empty() && !(rebooted && went_back(revision))) {
    return wrong;
  }
  return expect_machine();
}

// What the monitor of links does when one comes or goes.
std::string Sequence::follow() {
  const tree::ConfigTree running = engine().running();
  const commit::RevisionId revision = engine().revisions().front().id;
  engine().follow_machine();
  if (engine().revisions().front().id != revision) {
    return "following the machine has made a revision\n";
  }
  if (auto wrong = expect_running(running, "following the machine"); !wrong.empty()) {
    return wrong;
  }
  // What runs may not fit what was plugged in; then the next commit that does settles it.
  dirty_ = dirty_ && engine().check_candidate(running).has_errors();
  return expect_machine();
}

// ===== commit =====

void Sequence::hook(Fault& fault) {
  if (fault.change == Watcher::kNever) {
    return;
  }
  router_.system().hook =
      [&fault, seen = std::size_t{0}](const std::string&) mutable -> base::Result<void> {
    const std::size_t now = seen++;
    if (now < fault.change || (now > fault.change && !fault.lasting)) {
      return {};
    }
    fault.happened = true;
    if (fault.dies) {
      throw Crash();
    }
    return base::fail(base::Code::ApplyFailed, "injected refusal");
  };
}

std::string Sequence::commit(const Words& words) {
  const std::string kind = words.size() > 1 ? words[1] : "";
  const std::size_t n = number(words, 2);
  Fault fault;
  fault.power = kind.starts_with("loses-power");
  if (kind == "fails") {
    fault.watcher = Watcher(n);
  } else if (kind == "undo-fails") {
    fault.watcher = Watcher(n, false, number(words, 3));
  } else if (kind == "dies" || kind == "loses-power") {
    fault.watcher = Watcher(n, true);
  } else if (kind == "refused" || kind == "refused-on") {
    fault.change = n;
    fault.lasting = kind == "refused-on";
  } else if (kind == "dies-in" || kind == "loses-power-in") {
    fault.change = n;
    fault.dies = true;
  } else if (kind == "disk-full") {
    fault.disk = n;
  }
  return commit_with(fault);
}

std::string Sequence::commit_with(Fault& fault) {
  const tree::ConfigTree candidate = editor_.tree();
  const std::string untouched = router_.dump();
  const bool foreseen = engine().check_candidate(candidate).has_errors();
  static_cast<void>(engine().plan(candidate));
  if (router_.dump() != untouched) {
    return "commit check or show | plan has changed the machine\n" +
           difference(router_.dump(), untouched);
  }
  const Before before{untouched, engine().running(), engine().revisions().front().id,
                      !engine().degraded().empty()};
  commit::CommitReport report;
  bool crashed = false;
  hook(fault);
  try {
    std::optional<commit::FullDisk> disk;
    if (fault.disk) {
      disk.emplace(largest_file(router_.state()) + *fault.disk);
    }
    report = router_.commit(candidate, &fault.watcher);
  } catch (const Crash&) {
    crashed = true;
  }
  router_.system().hook = nullptr;
  const bool interrupted = fault.happened || fault.watcher.happened() || fault.disk;
  bool committed = report.committed;
  if (crashed) {
    committed = fault.watcher.happened() && fault.watcher.moment() == Observer::Moment::Committed;
    fault.power ? router_.reboot() : router_.restart();
    if (fault.power) {
      hardware_.addresses.clear();
    }
  } else if (!committed && !foreseen && !interrupted && !impaired()) {
    return "commit refuses what check accepts\n" + report.diagnostics.to_string();
  } else if (committed && foreseen) {
    return "commit accepts what check refuses\n";
  }
  const bool back = fault.power && crashed && went_back(before.revision);
  if (auto wrong = expect_running(committed ? candidate : before.running, "a commit");
      !wrong.empty() && !back) {
    return wrong;
  }
  const commit::RevisionId now = engine().revisions().front().id;
  if (back ? now <= before.revision : committed ? now < before.revision : now != before.revision) {
    return std::format("revision {} became {}\n", before.revision, now);
  }
  dirty_ = dirty_ && !committed && !(crashed && fault.power);
  const bool undone = !fault.watcher.undo_failed() && !fault.lasting;
  if (!engine().degraded().empty() && undone && !impaired() && !before.degraded) {
    return "degraded, with nothing that would explain it\n";
  }
  if (dirty_) {
    const bool same = router_.dump() == before.dump;
    return same || crashed || before.degraded || !undone || impaired()
               ? std::string()
               : "a commit that fails has changed the machine\n" +
                     difference(router_.dump(), before.dump);
  }
  if (auto wrong = expect_machine(); !wrong.empty()) {
    return wrong;
  }
  return committed ? expect_nothing_to_do() : "";
}

// ===== what must hold =====

std::string Sequence::expect_running(const tree::ConfigTree& wanted, const char* when) {
  const tree::ConfigTree running = engine().running();
  return running == wanted
             ? std::string()
             : std::format("{} leaves the wrong configuration\n{}", when,
                           difference(tree::to_set(running, {}), tree::to_set(wanted, {})));
}

// Whether the last boot could not apply what ran and has put an older revision into force.
bool Sequence::went_back(commit::RevisionId before) {
  const auto revisions = engine().revisions();
  if (!impaired() || revisions.front().id <= before ||
      !revisions.front().comment.contains("cannot be applied as a whole")) {
    return false;
  }
  for (std::size_t index = 1; index < revisions.size(); ++index) {
    if (const auto tree = engine().revision(index); tree && *tree == engine().running()) {
      return true;
    }
  }
  return false;
}

std::string Sequence::fresh_dump(const tree::ConfigTree& tree) {
  const std::string facts = hardware_.facts();
  if (!fresh_ || !(fresh_->tree == tree) || fresh_->facts != facts) {
    GoldenCase machine;
    machine.facts = facts;
    CaseRouter fresh(machine);
    const auto report = fresh.commit(tree);
    if (!report.committed) {
      throw std::runtime_error("a fresh machine refuses the configuration that runs\n" +
                               report.diagnostics.to_string());
    }
    fresh_ = Fresh{tree, facts, fresh.dump()};
  }
  return fresh_->dump;
}

std::string Sequence::expect_machine() {
  if (dirty_ || !engine().degraded().empty()) {
    return {};
  }
  const std::string wanted = fresh_dump(engine().running());
  return router_.dump() == wanted
             ? std::string()
             : "the machine is not what a fresh one with this configuration is\n" +
                   difference(router_.dump(), wanted);
}

std::string Sequence::expect_nothing_to_do() {
  if (!engine().degraded().empty()) {
    return {};
  }
  const auto steps = engine().plan(engine().running());
  if (!steps) {
    return "what runs cannot be planned: " + steps.error().to_string() + "\n";
  }
  std::string text;
  for (const auto& step : *steps) {
    text += std::format("  {}: {}\n", step.applier, step.description);
  }
  return text.empty() ? text : "there are steps left after a commit\n" + text;
}

std::string Sequence::finish() {
  router_.system().frr.accept_all();
  router_.system().frr.set_running(system::FrrDaemon::Mgmtd, true);
  frr_refuses_ = frr_stopped_ = false;
  editor_.reset(engine().running());
  Fault none;
  if (auto wrong = commit_with(none); !wrong.empty()) {
    return wrong;
  }
  if (!engine().degraded().empty()) {
    return "a commit without faults leaves a subsystem degraded\n";
  }
  if (const auto left = router_.differences(); !left.empty()) {
    return "reconciling would still change the machine\n" + left;
  }
  return start(true, Watcher::kNever);
}

}  // namespace millrace::cases
