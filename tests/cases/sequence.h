// SPDX-License-Identifier: GPL-2.0-or-later
//
// A router's life as lines of text, so that it can be printed, cut shorter and played again:
//
//   set …, delete …, rename …       an edit of the candidate; what does not apply is skipped
//   load ACTION TEXT                 merge, override, replace or update with nested text
//   rollback N
//   commit                           and whatever interrupts it:
//   commit fails N                   the N-th moment (commit/engine.h: Observer) fails
//   commit undo-fails N M            and the M-th undo after it as well
//   commit refused N                 the N-th change of the machine is refused
//   commit refused-on N              and so is every later one, undo included
//   commit dies N                    kill -9 at the N-th moment
//   commit dies-in N                 kill -9 before the N-th change of the machine
//   commit loses-power N             the same two for the whole machine
//   commit loses-power-in N
//   commit disk-full N               the log takes N bytes more, then no more
//   restart [N], reboot [N]          with N: dies before the N-th change of the recovery, then
//   again plug LINK, unplug LINK           hardware comes and goes foreign LINK ADDRESS somebody
//   else adds an address frr refuses TEXT | accepts | stops | starts
//
// After each line the machine is what the promises say, which is decided without knowing any
// statement:
//   what runs        is the candidate after a commit that succeeded, what ran before otherwise; and
//                    after a boot that could not apply it, an older revision
//   the machine      is the one that a fresh machine with the same hardware becomes by one commit
//   of
//                    what runs; where hardware came or went since the last commit, a failed commit
//                    leaves it exactly as it was
//   check            foresees every refusal, but for injected faults
//   nothing to do    after a commit there is none
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case_router.h"
#include "cases/watcher.h"
#include "tree/editor.h"

namespace millrace::cases {

// What the machine consists of besides what configd makes.
struct Hardware {
  std::map<std::string, commit::Facts::Link> links;
  std::map<std::string, std::vector<std::string>> addresses;  // of somebody else, by link

  static Hardware usual();    // eth0 to eth3
  std::string facts() const;  // facts.json of a golden case
};

class Sequence {
 public:
  Sequence();

  // Runs one line; what is wrong now, or nothing.
  std::string run(const std::string& line);
  // Takes all faults away and commits: the machine is a fresh one with what runs, also after a
  // boot.
  std::string finish();

  const tree::ConfigTree& candidate() const { return editor_.tree(); }
  const Hardware& hardware() const { return hardware_; }
  commit::Engine& engine() { return router_.engine(); }

  // All of it: the first line that goes wrong and how, or nothing.
  static std::string play(std::span<const std::string> lines);

 private:
  using Words = std::vector<std::string>;
  struct Before {
    std::string dump;
    tree::ConfigTree running;
    commit::RevisionId revision;
    bool degraded;
  };
  // How a commit is interrupted, and what came of it.
  struct Fault {
    Watcher watcher;
    std::size_t change = Watcher::kNever;  // of the machine, that is refused or not survived
    bool lasting = false;                  // later changes as well
    bool dies = false;
    bool power = false;
    std::optional<std::size_t> disk;
    bool happened = false;
  };

  std::string dispatch(const std::string& line);
  std::string load(const Words& words, const std::string& line);
  std::string commit(const Words& words);
  std::string commit_with(Fault& fault);
  std::string start(bool power, std::size_t change);
  std::string frr(const Words& words);
  std::string follow();
  void foreign(const std::string& link, const std::string& address);
  void hook(Fault& fault);

  std::string expect_running(const tree::ConfigTree& wanted, const char* when);
  bool went_back(commit::RevisionId before);
  std::string expect_machine();  // Requires: settled
  std::string expect_nothing_to_do();
  // The machine of one commit of `tree` on new hardware of the same kind.
  std::string fresh_dump(const tree::ConfigTree& tree);
  bool impaired() const { return frr_refuses_ || frr_stopped_; }

  Hardware hardware_;
  GoldenCase machine_;
  CaseRouter router_;
  tree::Editor editor_;
  bool dirty_ = false;  // hardware changed since the machine was last brought to what runs
  bool frr_refuses_ = false;
  bool frr_stopped_ = false;

  struct Fresh {
    tree::ConfigTree tree;
    std::string facts;
    std::string dump;
  };
  std::optional<Fresh> fresh_;  // the last that was asked for
};

}  // namespace millrace::cases
