// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases/convergence.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <format>
#include <fstream>
#include <sstream>

#include "cases/random_edits.h"
#include "cases/sequence.h"
#include "support/random.h"
#include "tree/text.h"

namespace millrace::cases {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kSequences = 120;
constexpr std::size_t kSequencesOfRelease = 10'000;

std::size_t environment(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A broken invariant ends the program where it is; this leaves the seed.
char running_seed[64];
void say_seed(int) {
  static_cast<void>(!::write(2, running_seed, std::strlen(running_seed)));
}

// Makes a sequence while it plays it, since what comes next depends on where it is.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed), edits_(random_, real_schema()) {}

  // What went wrong, or nothing; lines() lead there.
  std::string run();
  const Lines& lines() const { return lines_; }

 private:
  std::string go(const std::string& line) {
    lines_.push_back(line);
    return sequence_.run(line);
  }
  std::string some_edits();
  std::string mend();
  std::string event();
  std::string commit_line();

  support::Random random_;
  RandomEdits edits_;
  Sequence sequence_;
  Lines lines_;
};

std::string Maker::some_edits() {
  for (std::uint64_t more = random_.between(1, 6); more > 0; --more) {
    for (const std::string& line : edits_.edit(sequence_.candidate())) {
      if (auto wrong = go(line); !wrong.empty()) {
        return wrong;
      }
    }
  }
  return {};
}

// Deletes what the rules between statements find fault with, or adds to it, so that most commits
// get further than that; now and then it stays, and is refused.
std::string Maker::mend() {
  for (int round = 0; round < 12 && !random_.one_in(24); ++round) {
    const auto found = sequence_.engine().check_candidate(sequence_.candidate());
    if (!found.has_errors()) {
      return {};
    }
    const auto first =
        std::ranges::find(found.items(), base::Severity::Error, &base::Diagnostic::severity);
    const tree::ConfigTree before = sequence_.candidate();
    if (random_.one_in(2)) {
      for (const std::string& line : edits_.more(before, first->level + " " + first->statement)) {
        if (auto wrong = go(line); !wrong.empty()) {
          return wrong;
        }
      }
      continue;
    }
    for (const std::string& words : {first->level + " " + first->statement, first->level}) {
      if (auto wrong = go("delete " + words); !wrong.empty()) {
        return wrong;
      }
      if (!(sequence_.candidate() == before)) {
        break;
      }
    }
    if (sequence_.candidate() == before) {
      return go("rollback 0");
    }
  }
  return {};
}

std::string Maker::event() {
  static const Lines kLinks = {"eth0", "eth1", "eth2", "eth3", "eth4"};
  // IPv4 only: the kernel itself drops everybody's IPv6 addresses with the link.
  static const Lines kForeign = {"203.0.113.1/24", "203.0.113.2/24"};
  const std::string& link = random_.pick(kLinks);
  const bool there = sequence_.hardware().links.contains(link);
  switch (random_.below(10)) {
    case 0:
    case 1:
      if (auto wrong = go((there ? "unplug " : "plug ") + link);
          !wrong.empty() || random_.one_in(2)) {
        return wrong;
      }
      return go("follow");
    case 2:
    case 3:
      return go(std::format("foreign {} {}", link, random_.pick(kForeign)));
    case 4:
      return go("frr refuses " + std::string(random_.one_in(2) ? "10.0.0.0/8" : "blackhole"));
    case 5:
      return go("frr stops");
    case 6:
      return go("restart");
    case 7:
      return go(std::format("restart {}", random_.below(6)));
    case 8:
      return go("reboot");
    default:
      return go(std::format("reboot {}", random_.below(20)));
  }
}

std::string Maker::commit_line() {
  const auto n = random_.below(random_.one_in(2) ? 12 : 60);
  switch (random_.below(18)) {
    case 0:
      return std::format("commit fails {}", n);
    case 1:
      return std::format("commit undo-fails {} {}", n, random_.below(6));
    case 2:
      return std::format("commit refused {}", n / 2);
    case 3:
      return std::format("commit refused-on {}", n / 2);
    case 4:
      return std::format("commit dies {}", n);
    case 5:
      return std::format("commit dies-in {}", n / 2);
    case 6:
      return std::format("commit loses-power {}", n);
    case 7:
      return std::format("commit loses-power-in {}", n / 2);
    case 8:
      return std::format("commit disk-full {}", random_.below(700));
    default:
      return "commit";
  }
}

std::string Maker::run() {
  try {
    for (std::uint64_t rounds = random_.between(2, 7); rounds > 0; --rounds) {
      if (auto wrong = some_edits(); !wrong.empty()) {
        return wrong;
      }
      while (random_.one_in(3)) {
        if (auto wrong = event(); !wrong.empty()) {
          return wrong;
        }
      }
      if (auto wrong = mend(); !wrong.empty()) {
        return wrong;
      }
      if (auto wrong = go(commit_line()); !wrong.empty()) {
        return wrong;
      }
      if (random_.one_in(4)) {
        go("frr accepts");
        go("frr starts");
      }
    }
    return sequence_.finish();
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Where a line loads, its set lines instead, if it goes wrong with them as well.
Lines without_loads(Lines lines) {
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (!lines[at].starts_with("load ") || lines[at].starts_with("load override /")) {
      continue;
    }
    Sequence until;
    for (std::size_t before = 0; before <= at; ++before) {
      if (!until.run(lines[before]).empty()) {
        return lines;
      }
    }
    Lines flat(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at));
    flat.emplace_back("load override /* nothing */");
    std::istringstream text(tree::to_set(until.candidate(), {}));
    for (std::string line; std::getline(text, line);) {
      flat.push_back(line);
    }
    flat.insert(flat.end(), lines.begin() + static_cast<std::ptrdiff_t>(at) + 1, lines.end());
    if (!Sequence::play(flat).empty()) {
      lines = std::move(flat);
    }
  }
  return lines;
}

// Without the lines that are not needed for it to go wrong: halves first, then ever smaller parts.
Lines shortened(Lines lines) {
  lines = without_loads(std::move(lines));
  for (std::size_t part = lines.size() / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2) {
    for (std::size_t at = 0; at < lines.size();) {
      Lines fewer = lines;
      const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, lines.size() - at)));
      if (Sequence::play(fewer).empty()) {
        at += part;
      } else {
        lines = std::move(fewer);
      }
    }
  }
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

Lines read_lines(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Lines lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && !line.starts_with('#')) {
      lines.push_back(line);
    }
  }
  return lines;
}

class KeptSequence : public ::testing::Test {
 public:
  explicit KeptSequence(std::filesystem::path file) : file_(std::move(file)) {}
  void TestBody() override {
    const Lines lines = read_lines(file_);
    ASSERT_FALSE(lines.empty()) << file_ << " has no lines";
    EXPECT_EQ(Sequence::play(lines), "");
  }

 private:
  std::filesystem::path file_;
};

class Sequences : public ::testing::Test {
 public:
  void TestBody() override;
};

void Sequences::TestBody() {
  std::signal(SIGABRT, say_seed);
  const std::size_t count =
      environment("MILLRACE_SEQUENCES",
                  std::getenv("MILLRACE_RELEASE") != nullptr ? kSequencesOfRelease : kSequences);
  const std::uint64_t first = environment("MILLRACE_SEED", std::random_device{}());
  const std::size_t tolerated = environment("MILLRACE_FAILURES", 1);
  std::size_t failures = 0;
  for (std::size_t n = 0; n < count && failures < tolerated; ++n) {
    std::snprintf(running_seed, sizeof running_seed, "\nMILLRACE_SEED=%zu\n",
                  static_cast<std::size_t>(first + n));
    Maker maker(first + n);
    const std::string wrong = maker.run();
    if (!wrong.empty()) {
      ++failures;
      const Lines lines = shortened(maker.lines());
      const std::string then = Sequence::play(lines);
      ADD_FAILURE() << "repeat with MILLRACE_SEED=" << first + n << " MILLRACE_SEQUENCES=1\n"
                    << (then.empty() ? wrong : then) << "--- by these lines\n"
                    << text_of(lines);
    }
  }
  std::signal(SIGABRT, SIG_DFL);
}

}  // namespace

void register_sequences() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(
           std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests/cases/sequences")) {
    files.push_back(file.path());
  }
  if (const char* const file = std::getenv("MILLRACE_SEQUENCE")) {
    files.emplace_back(file);
  }
  for (const auto& file : files) {
    ::testing::RegisterTest("cases/kept-sequences", file.stem().c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [file]() -> KeptSequence* { return new KeptSequence(file); });
  }
  ::testing::RegisterTest("cases", "sequences", nullptr, nullptr, __FILE__, __LINE__,
                          []() -> Sequences* { return new Sequences; });
}

}  // namespace millrace::cases
