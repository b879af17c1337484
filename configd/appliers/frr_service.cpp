// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/frr_service.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "appliers/action_step.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Result;
using commit::Phase;
using system::FileContent;
using system::System;

constexpr unsigned kMode = 0640;
constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr int kPolls = 500;

FileContent file_of(const FrrConfig& config) {
  std::string text =
      "! Made from the configuration; changes here are lost.\n"
      "frr version 10.3\n"
      "frr defaults traditional\n"
      "log syslog informational\n"
      "!\n";
  return {text + to_text(config), kMode};
}

std::string one_line(std::string_view text) {
  std::string clean;
  for (const char letter : text) {
    const bool gap = letter == '\n' || letter == ' ';
    if (!gap || !clean.ends_with(' ')) {
      clean.push_back(gap ? ' ' : letter);
    }
  }
  clean.erase(0, clean.find_first_not_of("% "));
  clean.erase(clean.find_last_not_of(' ') + 1);
  return clean;
}

// A line as errors may show it.
std::string without_secret(std::string_view line) {
  for (const std::string_view secret : {" password ", " authentication-key ", " md5 "}) {
    if (const std::size_t at = line.find(secret); at != std::string_view::npos) {
      return std::string(line.substr(0, at + secret.size() - 1));
    }
  }
  return std::string(line);
}

bool changes_router_id(std::string_view command) {
  return command.starts_with("ospf router-id ") || command == "no ospf router-id";
}

using Keys = std::set<FrrKey>;

FrrConfig only(const FrrConfig& config, const Keys& keys) {
  FrrConfig part;
  for (const FrrKey& key : keys) {
    if (const auto found = config.find(key); found != config.end()) {
      part.insert(*found);
    }
  }
  return part;
}

// What the steps of one plan share.
class Batch {
 public:
  Batch(const FrrService& service, FrrConfig before_all, FrrConfig after_all)
      : service_(service), before_(std::move(before_all)), after_(std::move(after_all)) {
    for (const FrrConfig* const side : {&before_, &after_}) {
      const FrrConfig& other = side == &before_ ? after_ : before_;
      for (const auto& [key, object] : *side) {
        const auto found = other.find(key);
        if (found == other.end() || found->second != object) {
          touched_.insert(key);
        }
      }
    }
  }

  const FrrService& service() const { return service_; }
  const FrrConfig& before() const { return before_; }
  const FrrConfig& after() const { return after_; }
  const Keys& touched() const { return touched_; }

  Result<void> prepare(System& system) {
    if (asked_ || before_.empty()) {
      return {};
    }
    const auto active = system.units.active(service_.unit);
    if (!active) {
      return std::unexpected(active.error());
    }
    if (*active) {
      if (auto alive = system.frr.answers(service_.daemon); !alive) {
        return alive;
      }
    }
    asked_ = true;
    return {};
  }

  Result<void> apply(System& system, Phase phase) { return move(system, after_, phase, false); }

  Result<void> undo(System& system, Phase phase) {
    // What was built is to be retired, and what was retired built.
    const Phase back = phase == Phase::Build    ? Phase::Retire
                       : phase == Phase::Retire ? Phase::Build
                                                : phase;
    auto done = move(system, before_, back, true);
    if (done || done.error().code != Code::ApplyFailed || before_.empty()) {
      return done;
    }
    read_.reset();
    if (const auto restarted = system.units.restart(service_.unit); !restarted) {
      return done;
    }
    return wait(system).and_then([&] { return move(system, before_, back, true); });
  }

  // Running, with the file of that configuration to return with.
  Result<void> run(System& system, const FrrConfig& config) {
    read_.reset();
    if (auto written = system.files.write(service_.file, file_of(config)); !written) {
      return written;
    }
    return system.units.start(service_.unit).and_then([&] { return wait(system); });
  }

  Result<void> stop(System& system) {
    read_.reset();
    moved_.reset();
    return system.units.stop(service_.unit).and_then([&] {
      return system.files.remove(service_.file);
    });
  }

 private:
  Result<void> wait(System& system) const {
    for (int poll = 0;; ++poll) {
      auto alive = system.frr.answers(service_.daemon);
      if (alive || poll == kPolls) {
        return alive;
      }
      std::this_thread::sleep_for(kPoll);
    }
  }

  Result<FrrConfig> read(System& system) const {
    const auto text = system.frr.show(service_.daemon, "show running-config");
    if (!text) {
      return std::unexpected(text.error());
    }
    return only(parse_frr_config(*text), touched_);
  }

  Result<void> move(System& system, const FrrConfig& all, Phase phase, bool back);
  Result<void> converge(System& system, const FrrConfig& wanted, Phase phase);

  FrrService service_;
  FrrConfig before_;
  FrrConfig after_;
  Keys touched_;
  bool asked_ = false;
  std::optional<FrrConfig> read_;                // what the daemon has, of `touched_`
  std::optional<std::pair<Phase, bool>> moved_;  // the last phase that is done, and its direction
};

Result<void> Batch::move(System& system, const FrrConfig& all, Phase phase, bool back) {
  const std::pair here(phase, back);
  if (moved_ == here) {
    return {};
  }
  if (all.empty()) {
    return {};  // the daemon will be stopped, or never has run
  }
  moved_.reset();
  const auto active = system.units.active(service_.unit);
  if (!active) {
    return std::unexpected(active.error());
  }
  if (!*active) {
    if (auto started = run(system, all); !started) {
      return started;
    }
  }
  auto done = converge(system, only(all, touched_), phase);
  if (done) {
    moved_ = here;
  } else {
    read_.reset();
  }
  return done;
}

Result<void> Batch::converge(System& system, const FrrConfig& wanted, Phase phase) {
  if (!read_) {
    auto actual = read(system);
    if (!actual) {
      return std::unexpected(actual.error());
    }
    read_ = std::move(*actual);
  }
  const auto commands = frr_commands(*read_, wanted, phase);
  if (commands.empty()) {
    return {};
  }
  const auto replies = system.frr.configure(service_.daemon, commands);
  if (!replies) {
    return std::unexpected(replies.error());
  }
  if (!replies->empty() && replies->back().refused()) {
    return base::fail(Code::ApplyFailed,
                      std::format("{} refused '{}': {}", system::to_string(service_.daemon),
                                  without_secret(replies->back().line),
                                  one_line(without_secret(replies->back().text))));
  }
  if (std::ranges::any_of(commands, changes_router_id)) {
    // ospfd goes on with the old one while it has neighbours
    if (const auto cleared = system.frr.show(service_.daemon, "clear ip ospf process"); !cleared) {
      return std::unexpected(cleared.error());
    }
  }
  auto result = read(system);
  if (!result) {
    return std::unexpected(result.error());
  }
  const auto left = frr_commands(*result, wanted, phase);
  if (!left.empty()) {
    const auto line = std::ranges::find_if(left, [](const std::string& text) {
      return !text.starts_with("router ") && !text.starts_with("address-family ") &&
             !text.starts_with("interface ");
    });
    return base::fail(
        Code::ApplyFailed,
        std::format("{} took {} lines, but '{}' has no effect", system::to_string(service_.daemon),
                    commands.size(), without_secret(line == left.end() ? left.front() : *line)));
  }
  read_ = std::move(*result);
  return {};
}

class ObjectStep final : public commit::Step {
 public:
  ObjectStep(std::string description, bool disruptive, Phase phase, std::shared_ptr<Batch> batch)
      : description_(std::move(description)),
        disruptive_(disruptive),
        phase_(phase),
        batch_(std::move(batch)) {}

  std::string description() const override { return description_; }
  bool disruptive() const override { return disruptive_; }
  Result<void> prepare(System& system) override { return batch_->prepare(system); }
  Result<void> apply(System& system) override { return batch_->apply(system, phase_); }
  Result<void> undo(System& system) override { return batch_->undo(system, phase_); }

 private:
  std::string description_;
  bool disruptive_;
  Phase phase_;
  std::shared_ptr<Batch> batch_;
};

std::string name_of(const FrrKey& key) {
  switch (key.kind) {
    case FrrKind::PrefixList:
      return "prefix-list " + key.name;
    case FrrKind::PrefixList6:
      return "IPv6 prefix-list " + key.name;
    case FrrKind::AsPathList:
      return "as-path list " + key.name;
    case FrrKind::CommunityList:
      return "community-list " + key.name;
    case FrrKind::ExtcommunityList:
      return "extcommunity-list " + key.name;
    case FrrKind::LargeCommunityList:
      return "large-community-list " + key.name;
    case FrrKind::RouteMap:
      return "route-map " + key.name;
    case FrrKind::Rpki:
      return "route validation";
    case FrrKind::BgpRouter:
      return "BGP router";
    case FrrKind::BgpNeighbor:
      return "BGP neighbor " + key.name;
    case FrrKind::OspfRouter:
      return "OSPF router";
    case FrrKind::OspfInterface:
      return "OSPF interface " + key.name;
  }
  std::unreachable();
}

const FrrObject* find(const FrrConfig& config, const FrrKey& key) {
  const auto found = config.find(key);
  return found == config.end() ? nullptr : &found->second;
}

std::string write_text(const FrrService& service) {
  return std::format("write {}", service.file);
}

void add_objects(commit::Plan& plan, const std::shared_ptr<Batch>& batch) {
  for (const FrrKey& key : batch->touched()) {
    const FrrObject* const before = find(batch->before(), key);
    const FrrObject* const after = find(batch->after(), key);
    const bool policy = is_policy(key.kind);
    const std::string_view verb = !before ? (policy ? "create" : "add")
                                  : after ? "change"
                                          : "delete";
    const Phase phase = !policy ? Phase::Switch : after ? Phase::Build : Phase::Retire;
    const bool disruptive = !policy && before && (!after || resets(*before, *after));
    plan.add(phase, std::make_unique<ObjectStep>(std::format("{} {}", verb, name_of(key)),
                                                 disruptive, phase, batch));
  }
}

}  // namespace

commit::Plan plan_frr(const FrrService& service, FrrConfig before, FrrConfig after) {
  commit::Plan plan;
  auto batch = std::make_shared<Batch>(service, std::move(before), std::move(after));
  if (batch->touched().empty()) {
    return plan;
  }
  const std::string name(system::to_string(service.daemon));
  if (batch->after().empty()) {
    plan.add(Phase::Retire,
             disruptive_step(
                 "stop " + name, [batch](System& system) { return batch->stop(system); },
                 [batch](System& system) {
                   return batch->run(system, batch->before())
                       .and_then([&] { return batch->undo(system, Phase::Retire); })
                       .and_then([&] { return batch->undo(system, Phase::Switch); });
                 }));
    return plan;
  }
  if (batch->before().empty()) {
    plan.add(
        Phase::Build,
        action_step(
            "start " + name, [batch](System& system) { return batch->run(system, batch->after()); },
            [batch](System& system) { return batch->stop(system); }));
  }
  add_objects(plan, batch);
  if (!batch->before().empty()) {
    plan.add(Phase::Switch,
             action_step(
                 write_text(service),
                 [batch](System& system) {
                   return system.files.write_soon(batch->service().file,
                                                  [batch] { return file_of(batch->after()); });
                 },
                 [batch](System& system) {
                   return system.files.write(batch->service().file, file_of(batch->before()));
                 }));
  }
  return plan;
}

Result<commit::Plan> reconcile_frr(const FrrService& service, FrrConfig wanted, System& system) {
  const auto active = system.units.active(service.unit);
  if (!active) {
    return std::unexpected(active.error());
  }
  const auto file = system.files.read(service.file);
  if (!file) {
    return std::unexpected(file.error());
  }
  FrrConfig actual;
  if (*active) {
    const auto text = system.frr.show(service.daemon, "show running-config");
    if (!text) {
      return std::unexpected(text.error());
    }
    actual = parse_frr_config(*text);
  }
  commit::Plan plan;
  if (wanted.empty()) {
    if (*active || *file) {
      auto batch = std::make_shared<Batch>(service, std::move(actual), FrrConfig());
      plan.add(Phase::Retire, disruptive_step(
                                  std::format("stop {}", system::to_string(service.daemon)),
                                  [batch](System& on) { return batch->stop(on); },
                                  [batch](System& on) { return batch->run(on, batch->before()); }));
    }
    return plan;
  }
  const FileContent wanted_file = file_of(wanted);
  const bool same_file = *file && **file == wanted_file;
  const bool same = *active && actual == wanted;
  if (!same) {
    plan = plan_frr(service, std::move(actual), std::move(wanted));
  }
  if (same && !same_file) {
    const FileContent old = file->value_or(wanted_file);
    const std::string_view path = service.file;
    plan.add(Phase::Switch,
             action_step(
                 write_text(service),
                 [path, wanted_file](System& on) { return on.files.write(path, wanted_file); },
                 [path, old](System& on) { return on.files.write(path, old); }));
  }
  return plan;
}

}  // namespace millrace::appliers
