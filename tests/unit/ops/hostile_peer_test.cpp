// SPDX-License-Identifier: GPL-2.0-or-later
//
// What bgpd prints is in part what neighbours sent: names, paths, communities of any length.
// Whatever they are, and whatever type FRR gives them, no command fails, and no line of a layout
// begins with what a neighbour said.
#include <algorithm>
#include <random>
#include <sstream>

#include <gmock/gmock.h>

#include "unit/ops/captured_frr.h"

namespace millrace::ops {
namespace {

using Json = nlohmann::ordered_json;

class HostilePeer : public CapturedRouter {
 protected:
  std::mt19937 random{7};

  std::size_t below(std::size_t end) { return random() % end; }

  Json nasty() {
    switch (below(8)) {
      case 0:
        return std::string(5000, '9');
      case 1:
        return "65001\n1.2.3.4/32         *[Static/5] 00:00:00";
      case 2:
        return "\x1b[2J\r\t\x7f";
      case 3:
        return std::string("\xff\xfe\x80") + "name";
      case 4:
        return -9223372036854775807LL;
      case 5:
        return Json::array({1, "x", Json::object()});
      case 6:
        return nullptr;
      default:
        return Json::object({{"string", 5}, {"list", "x"}});
    }
  }

  // Puts something else in the place of some members, at any depth.
  void spoil(Json& value) {
    for (auto& [key, member] : value.items()) {
      if (member.is_structured() && below(40) != 0) {
        spoil(member);
      } else if (below(6) == 0) {
        member = nasty();
      }
    }
  }
};

bool begins_as_layouts_do(const std::string& line) {
  static const std::regex kBeginning(
      "|[ *].*|[0-9a-f].*|(\\+ =|A V|inet|Threading|Groups|Group |Table|Peer|Cleared|Routing table|"
      "Internet|Destination|Router ID|Autonomous|default).*");
  return std::regex_match(line, kBeginning);
}

TEST_F(HostilePeer, Breaks_no_layout) {
  const int rounds = std::getenv("MILLRACE_RELEASE") ? 300 : 4;
  const auto original = frr.all();
  for (int round = 0; round < rounds; ++round) {
    frr.all() = original;
    for (auto& [command, answer] : frr.all().items()) {
      if (command.starts_with("bgpd ")) {
        spoil(answer);
      }
    }
    const std::map<std::string, std::string, std::less<>> peer = {{"neighbor", "10.0.0.2"}};
    std::vector<Reply> replies;
    replies.push_back(show(route, {{"all", ""}}));
    replies.push_back(show(route, {{"all", ""}, {"terse", ""}}));
    replies.push_back(show(route, {{"all", ""}, {"extensive", ""}}));
    replies.push_back(show(route, {{"community", "*"}}));
    replies.push_back(show(route_summary));
    replies.push_back(show(bgp_summary));
    replies.push_back(show(bgp_neighbor));
    replies.push_back(show(bgp_group));
    replies.push_back(show(advertised_routes, peer));
    replies.push_back(show(received_routes, peer));
    for (const Reply& reply : replies) {
      if (reply.text.starts_with("ERROR ")) {
        EXPECT_THAT(reply.text, ::testing::HasSubstr("no BGP neighbor"));
        continue;
      }
      std::istringstream lines(reply.text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(begins_as_layouts_do(line)) << "round " << round << ": " << line.substr(0, 200);
        EXPECT_FALSE(line.starts_with("1.2.3.4/32"));  // nobody has such a route
        EXPECT_EQ(std::ranges::count_if(line, [](char c) { return c >= 0 && c < ' '; }), 0)
            << line.substr(0, 200);
      }
      EXPECT_NO_THROW(static_cast<void>(reply.data.dump()));
    }
  }
}

}  // namespace
}  // namespace millrace::ops
