// SPDX-License-Identifier: GPL-2.0-or-later
//
// The vectors through the packet path as user space compiles it: no root, no kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "bpf/decide.h"
#include "bpf/rewrite.h"
#include "packet/vectors.h"
#include "packet/world.h"

namespace millrace::packet {
namespace {

constexpr std::size_t kHeadroom = 64;

struct Result {
  __u32 reason;
  Frame out;
};

Result run(const Frame& in) {
  Frame buffer(kHeadroom + in.size());
  std::ranges::copy(in, buffer.begin() + kHeadroom);
  dp_frame frame = {};
  frame.data = buffer.data() + kHeadroom;
  frame.end = buffer.data() + buffer.size();
  frame.length = static_cast<__u32>(in.size());
  dp_verdict verdict = {};
  dp_decide(&frame, kPortOne, &verdict);
  EXPECT_TRUE(std::equal(in.begin(), in.end(), frame.data)) << "the decision changed the frame";
  if (verdict.reason != DP_FORWARDED) {
    return {verdict.reason, {}};
  }
  __u8* data = frame.data - dp_growth(&verdict);
  EXPECT_TRUE(dp_rewrite(data, frame.end, verdict.hop, verdict.type));
  return {verdict.reason, Frame(data, frame.end)};
}

class UserPath : public testing::TestWithParam<Vector> {};

TEST_P(UserPath, Does_what_the_vector_says) {
  const UserWorld world;
  const Vector& vector = GetParam();
  const Result result = run(vector.in);
  EXPECT_EQ(result.reason, static_cast<__u32>(vector.reason));
  EXPECT_EQ(result.out, vector.out);
}

INSTANTIATE_TEST_SUITE_P(Vectors, UserPath, testing::ValuesIn(vectors()), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(UserPath, Vectors_cover_every_reason_that_a_frame_can_have) {
  std::set<int> missing;
  for (int reason = 0; reason < DP_REASON_COUNT; ++reason) {
    missing.insert(reason);
  }
  for (const Vector& vector : vectors()) {
    missing.erase(vector.reason);
  }
  // those of the state of ports and tables rather than of a frame; state_test.cpp has them
  for (const int reason :
       {DP_FORWARDED_QUEUED, DP_PORT_OFF, DP_PASS_ALL, DP_FAMILY_OFF, DP_SLOW_ROUTE,
        DP_EGRESS_KERNEL, DP_EGRESS_QUEUED, DP_EGRESS_FAILED, DP_NO_HEADROOM, DP_TABLE}) {
    missing.erase(reason);
  }
  EXPECT_EQ(missing, std::set<int>());
}

TEST(UserPath, A_flow_stays_on_one_next_hop_and_flows_spread) {
  const UserWorld world;
  std::map<__u32, int> hops;
  for (unsigned port = 0; port < 64; ++port) {
    Frame frame = vectors().front().in;
    frame[14 + 16 + 1] = 2;  // 10.2.0.5, and the checksum with it
    frame[14 + 11] = static_cast<std::uint8_t>(frame[14 + 11] - 1);
    frame[34] = 4;
    frame[35] = static_cast<std::uint8_t>(port);
    const Frame first = run(frame).out;
    ASSERT_FALSE(first.empty()) << "reason " << run(frame).reason;
    EXPECT_EQ(run(frame).out, first);
    ++hops[first[5]];
  }
  EXPECT_EQ(hops.size(), 2U);
  EXPECT_GT(hops.begin()->second, 10);
  EXPECT_LT(hops.begin()->second, 54);
}

TEST(UserPath, A_route_of_a_full_or_damaged_table_goes_to_the_kernel) {
  UserWorld world;
  fib::Memory memory = world.memory();
  for (dp_words& words : memory.roots) {
    std::ranges::fill(words.word, 0x00ffffffu);  // a node that is not there
  }
  EXPECT_EQ(run(vectors().front().in).reason, static_cast<__u32>(DP_TABLE));
}

TEST(UserPath, Switches_of_the_router_port_and_family_send_everything_to_the_kernel) {
  UserWorld world;
  fib::Memory memory = world.memory();
  const Frame& in = vectors().front().in;
  memory.units[1].flags &= ~static_cast<__u32>(DP_UNIT_INET);
  EXPECT_EQ(run(in).reason, static_cast<__u32>(DP_FAMILY_OFF));
  memory.settings[0].pass_all = 1;
  EXPECT_EQ(run(in).reason, static_cast<__u32>(DP_PASS_ALL));
  memory.ports[1].flags = 0;
  EXPECT_EQ(run(in).reason, static_cast<__u32>(DP_PORT_OFF));
}

TEST(UserPath, A_loose_reverse_path_asks_only_for_a_route) {
  UserWorld world;
  fib::Memory memory = world.memory();
  memory.units[1].flags |= DP_UNIT_RPF_LOOSE;
  EXPECT_EQ(run(vectors().front().in).reason, static_cast<__u32>(DP_FORWARDED));
  Frame unrouted = vectors().front().in;
  unrouted[14 + 12] = 203;  // 198 → 203, and the checksum with it
  unrouted[14 + 10] = static_cast<std::uint8_t>(unrouted[14 + 10] - 5);
  EXPECT_EQ(run(unrouted).reason, static_cast<__u32>(DP_RPF));
}

}  // namespace
}  // namespace millrace::packet
