// SPDX-License-Identifier: GPL-2.0-or-later
//
// The vectors through the programs as the kernel runs them (BPF_PROG_TEST_RUN): the verifier's and
// the JIT's word on what user_test.cpp says, and what only programs do: tiers of the egress,
// counters.
#include <bpf/bpf.h>
#include <gtest/gtest.h>
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include "loader/programs.h"
#include "packet/vectors.h"
#include "packet/world.h"

namespace millrace::packet {
namespace {

using loader::Programs;

// Frames of a test run come in on the device 1, the loopback device: port 1 of the world.
class Kernel : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto loaded = Programs::load({.roots = 2,
                                  .nodes = 256,
                                  .entries = 4096,
                                  .adjacencies = 16,
                                  .groups = 4,
                                  .neighbours = 64});
    if (!loaded) {
      problem = loaded.error().message;
      return;
    }
    programs = std::move(*loaded);
    build_world(programs->memory(), programs->hashes());
    ASSERT_TRUE(programs->set_transmit(kPortOne, 1));
    ASSERT_TRUE(programs->set_transmit(kPortTwo, 1));
  }
  static void TearDownTestSuite() { programs.reset(); }

  void SetUp() override {
    if (!programs) {
      const bool denied = problem.find("not permitted") != std::string::npos;
      ASSERT_TRUE(denied) << problem;
      GTEST_SKIP() << "needs root: " << problem;
    }
    programs->clear_counts(kPortOne);
  }

  struct Outcome {
    std::uint32_t action;
    Frame out;
    dp_reason reason;
  };

  // The only reason that was counted since the counters were cleared.
  static dp_reason counted() {
    const loader::PortCounts counts = programs->counts(kPortOne);
    int only = -1;
    for (int reason = 0; reason < DP_REASON_COUNT; ++reason) {
      const auto& count = counts[static_cast<std::size_t>(reason)];
      if (count.packets != 0) {
        EXPECT_EQ(only, -1) << "counted under two reasons";
        EXPECT_EQ(count.packets, 1U);
        only = reason;
      }
    }
    return static_cast<dp_reason>(only);
  }

  static Outcome run(int program, const Frame& in) {
    Outcome outcome = {};
    outcome.out.resize(in.size() + 256);
    bpf_test_run_opts options = {};
    options.sz = sizeof options;
    options.data_in = in.data();
    options.data_size_in = static_cast<__u32>(in.size());
    options.data_out = outcome.out.data();
    options.data_size_out = static_cast<__u32>(outcome.out.size());
    options.repeat = 1;
    EXPECT_EQ(bpf_prog_test_run_opts(program, &options), 0);
    outcome.action = options.retval;
    outcome.out.resize(options.data_size_out);
    return outcome;
  }

  static std::unique_ptr<Programs> programs;
  static std::string problem;
};

std::unique_ptr<Programs> Kernel::programs;
std::string Kernel::problem;

TEST_F(Kernel, Does_what_the_vectors_say) {
  for (const Vector& vector : vectors()) {
    SCOPED_TRACE(vector.name);
    programs->clear_counts(kPortOne);
    const Outcome outcome = run(programs->xdp(), vector.in);
    EXPECT_EQ(counted(), vector.reason);
    if (vector.reason == DP_FORWARDED) {
      EXPECT_EQ(outcome.action, static_cast<std::uint32_t>(XDP_REDIRECT));
      EXPECT_EQ(outcome.out, vector.out);
    } else {
      EXPECT_EQ(outcome.action, static_cast<std::uint32_t>(
                                    vector.reason == DP_DISCARD_ROUTE ? XDP_DROP : XDP_PASS));
      EXPECT_EQ(outcome.out, vector.in) << "the kernel would get another frame than came in";
    }
  }
}

TEST_F(Kernel, The_tier_of_the_egress_decides_who_sends) {
  const Vector& vector = vectors().front();
  dp_port& egress = programs->memory().ports[kPortTwo];
  const std::pair<std::uint32_t, dp_reason> tiers[] = {{DP_TIER_KERNEL, DP_EGRESS_KERNEL},
                                                       {DP_TIER_TCX, DP_EGRESS_QUEUED},
                                                       {DP_TIER_XDP, DP_FORWARDED}};
  for (const auto& [tier, reason] : tiers) {
    programs->clear_counts(kPortOne);
    egress.egress = tier;
    const Outcome outcome = run(programs->xdp(), vector.in);
    EXPECT_EQ(counted(), reason);
    EXPECT_EQ(outcome.action,
              static_cast<std::uint32_t>(reason == DP_FORWARDED ? XDP_REDIRECT : XDP_PASS));
  }
  programs->clear_counts(kPortOne);
  egress.failed = 6;
  EXPECT_EQ(run(programs->xdp(), vector.in).action, static_cast<std::uint32_t>(XDP_PASS));
  EXPECT_EQ(counted(), DP_EGRESS_FAILED);
  egress.failed = 0;
}

TEST_F(Kernel, Buffers_go_through_the_device_of_the_unit) {
  const Vector& vector = vectors().front();
  dp_port& egress = programs->memory().ports[kPortTwo];
  egress.egress = DP_TIER_KERNEL;
  Outcome outcome = run(programs->tcx(), vector.in);
  EXPECT_EQ(static_cast<int>(outcome.action), -1);
  EXPECT_EQ(outcome.out, vector.in);
  egress.egress = DP_TIER_TCX;
  outcome = run(programs->tcx(), vector.in);
  EXPECT_EQ(outcome.action, static_cast<std::uint32_t>(TC_ACT_REDIRECT));
  EXPECT_EQ(outcome.out, vector.out);
  EXPECT_EQ(programs->counts(kPortOne)[DP_FORWARDED_QUEUED].packets, 1U);
  egress.egress = DP_TIER_XDP;
}

TEST_F(Kernel, What_was_sent_counts_for_the_unit_it_left_by) {
  programs->clear_sent(2);
  const Vector& vector = vectors().front();
  run(programs->xdp(), vector.in);
  EXPECT_EQ(programs->sent(2).packets, 1U);
  EXPECT_EQ(programs->sent(2).bytes, vector.in.size());
}

}  // namespace
}  // namespace millrace::packet
