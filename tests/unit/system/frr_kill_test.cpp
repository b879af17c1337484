// SPDX-License-Identifier: GPL-2.0-or-later
//
// kill -9 of the writer at any moment of a batch, against the real FRR: mgmtd has all of it or
// nothing, and the next writer is let in.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <format>

#include "support/network_namespace.h"
#include "support/random.h"
#include "system/frr_vty.h"

namespace millrace::system {
namespace {

constexpr int kRoutes = 300;
constexpr int kRounds = 8;

std::vector<std::string> batch(const char* before) {
  std::vector<std::string> lines;
  for (int n = 0; n < kRoutes; ++n) {
    lines.push_back(std::format("{}ip route 10.{}.{}.0/24 192.0.2.9 5", before, n / 200, n % 200));
  }
  return lines;
}

class FrrKill : public test::FrrDaemons {
 protected:
  static int count() {
    const auto text = make_frr({})->show(FrrDaemon::Mgmtd, "show running-config");
    EXPECT_TRUE(text);
    int found = 0;
    for (std::size_t at = 0; text && (at = text->find("\nip route 10.", at)) != std::string::npos;
         ++at) {
      ++found;
    }
    return found;
  }
  static void configure(const std::vector<std::string>& lines) {
    const auto replies = make_frr({})->configure(FrrDaemon::Mgmtd, lines);
    ASSERT_TRUE(replies) << replies.error().to_string();
    ASSERT_FALSE(replies->back().refused()) << replies->back().line << ": " << replies->back().text;
  }
};

TEST_F(FrrKill, Of_the_writer_leaves_all_of_a_batch_or_nothing) {
  support::Random random;
  const auto began = std::chrono::steady_clock::now();
  ASSERT_NO_FATAL_FAILURE(configure(batch("")));
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - began);
  ASSERT_EQ(count(), kRoutes);
  ASSERT_NO_FATAL_FAILURE(configure(batch("no ")));
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    const auto after =
        std::chrono::microseconds(random.below(static_cast<std::uint64_t>(whole.count()) + 1));
    const pid_t writer = ::fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
      static_cast<void>(make_frr({})->configure(FrrDaemon::Mgmtd, batch("")));
      ::_exit(0);
    }
    std::this_thread::sleep_for(after);
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    // The next writer is let in, and carries nothing of what the dead one had begun.
    ASSERT_NO_FATAL_FAILURE(configure({"ip route 203.0.113.0/24 192.0.2.9 5"})) << after;
    ASSERT_NO_FATAL_FAILURE(configure({"no ip route 203.0.113.0/24 192.0.2.9 5"}));
    const int found = count();
    EXPECT_TRUE(found == 0 || found == kRoutes) << found << " routes, killed after " << after;
    if (found == kRoutes) {
      ASSERT_NO_FATAL_FAILURE(configure(batch("no ")));
    }
  }
}

}  // namespace
}  // namespace millrace::system
