// SPDX-License-Identifier: GPL-2.0-or-later
#include "packet/vectors.h"

#include <tins/tins.h>

#include <functional>

namespace millrace::packet {
namespace {

using Tins::Dot1Q;
using Tins::EthernetII;
using Tins::IP;
using Tins::IPv6;
using Tins::RawPDU;
using Tins::TCP;
using Tins::UDP;

const char* kSender = "02:00:00:00:02:01";
const char* kPortOneMac = "02:00:00:00:00:01";
const char* kPortTwoMac = "02:00:00:00:00:02";

std::string hop(int last) {
  return "02:00:00:00:01:0" + std::to_string(last);
}

// What a test varies, with an ordinary packet as the default.
struct Packet {
  std::string to = "10.1.0.5";
  std::string from = "198.51.100.7";
  int ttl = 64;
  std::size_t payload = 32;
  std::uint16_t sport = 1000;
};

IP inet(const Packet& packet) {
  IP ip(packet.to, packet.from);
  ip.ttl(static_cast<std::uint8_t>(packet.ttl));
  ip.id(7);
  return ip / UDP(53, packet.sport) / RawPDU(std::string(packet.payload, 'x'));
}

IPv6 inet6(const Packet& packet) {
  IPv6 ip(packet.to, packet.from);
  ip.hop_limit(static_cast<std::uint8_t>(packet.ttl));
  return ip / UDP(53, packet.sport) / RawPDU(std::string(packet.payload, 'x'));
}

template <class Network>
Frame plain(const Network& packet, const std::string& to = kPortOneMac,
            const std::string& from = kSender) {
  return (EthernetII(to, from) / packet).serialize();
}
template <class Network>
Frame tagged(const Network& packet, std::uint16_t id, const std::string& to = kPortOneMac,
             const std::string& from = kSender) {
  return (EthernetII(to, from) / Dot1Q(id, false) / packet).serialize();
}
template <class Network>
Frame stacked(const Network& packet, std::uint16_t outer, std::uint16_t inner,
              const std::string& to = kPortOneMac, const std::string& from = kSender) {
  Frame frame =
      (EthernetII(to, from) / Dot1Q(outer, false) / Dot1Q(inner, false) / packet).serialize();
  frame[12] = 0x88;  // libtins knows no 802.1ad
  frame[13] = 0xa8;
  return frame;
}

// `packet` as it leaves: one hop less.
template <class Network>
Network aged(const Packet& packet, Network (*make)(const Packet&)) {
  Packet later = packet;
  --later.ttl;
  return make(later);
}

// The header is changed after libtins has summed it up, and is summed up again unless told not to.
Frame changed(Frame frame, const std::function<void(std::uint8_t*)>& change, bool sum = true) {
  std::uint8_t* ip = frame.data() + 14;
  change(ip);
  if (sum) {
    ip[10] = ip[11] = 0;
    std::uint32_t total = 0;
    for (int i = 0; i < (ip[0] & 15) * 4; i += 2) {
      total += static_cast<std::uint32_t>(ip[i] << 8 | ip[i + 1]);
    }
    total = (total & 0xffff) + (total >> 16);
    total = ~((total & 0xffff) + (total >> 16));
    ip[10] = static_cast<std::uint8_t>(total >> 8);
    ip[11] = static_cast<std::uint8_t>(total);
  }
  return frame;
}

Frame shortened(Frame frame, std::size_t by) {
  frame.resize(frame.size() - by);
  return frame;
}

// The checksum of the transport header as a sender leaves it to its hardware: the pseudo header's
// sum.
Frame unfinished(Frame frame, std::size_t at, std::size_t addresses, std::size_t length) {
  std::uint8_t* ip = frame.data() + 14;
  std::uint32_t total = 17 + static_cast<std::uint32_t>(frame.size() - 14 - length);
  for (std::size_t i = 0; i < (length == 20 ? 8u : 32u); i += 2) {
    total += static_cast<std::uint32_t>(ip[addresses + i] << 8 | ip[addresses + i + 1]);
  }
  total = (total & 0xffff) + (total >> 16);
  total = (total & 0xffff) + (total >> 16);
  ip[at] = static_cast<std::uint8_t>(total >> 8);
  ip[at + 1] = static_cast<std::uint8_t>(total);
  return frame;
}

void forwarded(std::vector<Vector>& out) {
  const auto both = [&](const std::string& name, const Packet& four, const Packet& six,
                        bool plainly, auto leave) {
    out.push_back(
        {name + ", inet", plain(inet(four)), DP_FORWARDED, leave(aged(four, inet)), plainly});
    out.push_back(
        {name + ", inet6", plain(inet6(six)), DP_FORWARDED, leave(aged(six, inet6)), plainly});
  };
  const std::string from6 = "2001:db8:ff::7";
  const auto by = [](int last) {
    return [last](const auto& packet) { return plain(packet, hop(last), kPortTwoMac); };
  };
  both("next hop", {}, {.to = "2001:db8:1::5", .from = from6}, true, by(1));
  both("last hop but one", {.ttl = 2}, {.to = "2001:db8:1::5", .from = from6, .ttl = 2}, true,
       by(1));
  both("highest hop count", {.ttl = 255}, {.to = "2001:db8:1::5", .from = from6, .ttl = 255}, true,
       by(1));
  both("exactly the MTU", {.payload = 1472},
       {.to = "2001:db8:1::5", .from = from6, .payload = 1452}, true, by(1));
  both("no payload", {.payload = 0}, {.to = "2001:db8:1::5", .from = from6, .payload = 0}, true,
       by(1));
  both("connected", {.to = "10.5.0.9"}, {.to = "2001:db8:5::9", .from = from6}, true, by(9));
  both("to a VLAN", {.to = "10.3.0.1"}, {.to = "2001:db8:3::1", .from = from6}, false,
       [](const auto& packet) { return tagged(packet, 300, hop(2), kPortTwoMac); });
  // every value that the checksum can have passes through the update
  for (int id = 0; id < 8; ++id) {
    Packet packet = {.ttl = 1 + (id + 1) * 28, .payload = static_cast<std::size_t>(id)};
    out.push_back({"payload of " + std::to_string(id), plain(inet(packet)), DP_FORWARDED,
                   plain(aged(packet, inet), hop(1), kPortTwoMac), true});
  }
  const Packet ordinary;
  out.push_back({"from a VLAN", tagged(inet(ordinary), 100), DP_FORWARDED,
                 plain(aged(ordinary, inet), hop(1), kPortTwoMac)});
  out.push_back({"from QinQ", stacked(inet(ordinary), 200, 30), DP_FORWARDED,
                 plain(aged(ordinary, inet), hop(1), kPortTwoMac)});
  const Packet deep = {.to = "10.4.0.1"};
  out.push_back({"to QinQ", plain(inet(deep)), DP_FORWARDED,
                 stacked(aged(deep, inet), 400, 40, hop(3), kPortTwoMac)});
  out.push_back({"from QinQ to QinQ", stacked(inet(deep), 200, 30), DP_FORWARDED,
                 stacked(aged(deep, inet), 400, 40, hop(3), kPortTwoMac)});
  out.push_back({"from a VLAN to QinQ", tagged(inet(deep), 100), DP_FORWARDED,
                 stacked(aged(deep, inet), 400, 40, hop(3), kPortTwoMac)});
  out.push_back({"back to a VLAN of the same port", tagged(inet({.to = "10.9.0.1"}), 100),
                 DP_FORWARDED, plain(aged({.to = "10.9.0.1"}, inet), hop(6), kPortOneMac)});
  const auto fragment = [](std::uint8_t* ip) { ip[6] = 0x20; };
  const auto later_fragment = [](std::uint8_t* ip) { ip[7] = 185; };
  for (const auto& [name, change] :
       {std::pair<std::string, std::function<void(std::uint8_t*)>>{"first fragment", fragment},
        {"later fragment", later_fragment}}) {
    out.push_back({name, changed(plain(inet(ordinary)), change), DP_FORWARDED,
                   changed(plain(aged(ordinary, inet), hop(1), kPortTwoMac), change), true});
  }
  out.push_back({"TCP", plain(IP("10.1.0.5", "198.51.100.7") / TCP(80, 1000)), DP_FORWARDED,
                 plain(
                     [] {
                       IP ip("10.1.0.5", "198.51.100.7");
                       ip.ttl(127);
                       return ip / TCP(80, 1000);
                     }(),
                     hop(1), kPortTwoMac),
                 true});
  out.back().in = plain([] {
    IP ip("10.1.0.5", "198.51.100.7");
    ip.ttl(128);
    return ip / TCP(80, 1000);
  }());
}

void left_to_the_kernel(std::vector<Vector>& out) {
  const auto four = [&](const std::string& name, dp_reason reason, const Packet& packet) {
    out.push_back({name + ", inet", plain(inet(packet)), reason});
  };
  const auto six = [&](const std::string& name, dp_reason reason, Packet packet) {
    packet.from = packet.from.find(':') == std::string::npos ? "2001:db8:ff::7" : packet.from;
    out.push_back({name + ", inet6", plain(inet6(packet)), reason});
  };
  four("discard route", DP_DISCARD_ROUTE, {.to = "10.6.0.1"});
  four("reject route", DP_REJECT_ROUTE, {.to = "10.7.0.1"});
  four("no route", DP_NO_ROUTE, {.to = "203.0.113.1"});
  six("no route", DP_NO_ROUTE, {.to = "2001:db9::1"});
  four("the router", DP_LOCAL, {.to = "192.0.2.1"});
  six("the router", DP_LOCAL, {.to = "2001:db8::1"});
  four("expired", DP_TTL_EXPIRED, {.ttl = 1});
  six("expired", DP_TTL_EXPIRED, {.to = "2001:db8:1::5", .ttl = 1});
  four("expired before", DP_TTL_EXPIRED, {.ttl = 0});
  four("too big", DP_TOO_BIG, {.payload = 1473});
  six("too big", DP_TOO_BIG, {.to = "2001:db8:1::5", .payload = 1453});
  four("too big for the route", DP_TOO_BIG, {.to = "10.10.0.1", .payload = 1373});
  four("unresolved next hop", DP_UNRESOLVED, {.to = "10.8.0.1"});
  four("unresolved neighbour", DP_UNRESOLVED, {.to = "10.5.0.10"});
  six("unresolved neighbour", DP_UNRESOLVED, {.to = "2001:db8:5::a"});
  four("out where it came in", DP_HAIRPIN, {.to = "10.9.0.1"});
  six("out where it came in", DP_HAIRPIN, {.to = "2001:db8:9::1"});
  for (const char* to : {"224.0.0.5", "255.255.255.255", "127.0.0.1", "0.0.0.0", "240.0.0.1"}) {
    four(std::string("to ") + to, DP_ODD_DESTINATION, {.to = to});
  }
  for (const char* from : {"0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1"}) {
    four(std::string("from ") + from, DP_ODD_SOURCE, {.from = from});
  }
  for (const char* to : {"ff02::5", "fe80::1", "::1", "::", "::ffff:10.1.0.5"}) {
    six(std::string("to ") + to, DP_ODD_DESTINATION, {.to = to});
  }
  for (const char* from : {"::", "fe80::7", "ff02::1", "::1"}) {
    six(std::string("from ") + from, DP_ODD_SOURCE, {.to = "2001:db8:1::5", .from = from});
  }
  const Frame good = plain(inet({}));
  out.push_back({"IPv4 options",
                 [] {
                   IP ip = inet({});
                   ip.record_route(IP::record_route_type(4));
                   return plain(ip);
                 }(),
                 DP_OPTIONS});
  out.push_back({"hop-by-hop options",
                 changed(
                     plain(inet6({.to = "2001:db8:1::5", .from = "2001:db8:ff::7"})),
                     [](std::uint8_t* ip) { ip[6] = 0; }, false),
                 DP_OPTIONS});
  out.push_back({"routing header",
                 changed(
                     plain(inet6({.to = "2001:db8:1::5", .from = "2001:db8:ff::7"})),
                     [](std::uint8_t* ip) { ip[6] = 43; }, false),
                 DP_OPTIONS});
  out.push_back({"wrong header checksum",
                 changed(good, [](std::uint8_t* ip) { ip[10] ^= 1; }, false), DP_BAD_CHECKSUM});
  out.push_back({"version 5", changed(good, [](std::uint8_t* ip) { ip[0] = 0x55; }), DP_MALFORMED});
  out.push_back({"header of 16 bytes",
                 changed(good, [](std::uint8_t* ip) { ip[0] = 0x44; }, false), DP_MALFORMED});
  out.push_back({"longer than its frame", changed(good, [](std::uint8_t* ip) { ip[3] = 200; }),
                 DP_MALFORMED});
  out.push_back({"shorter than its header", changed(good, [](std::uint8_t* ip) { ip[3] = 19; }),
                 DP_MALFORMED});
  out.push_back({"cut in the header", shortened(good, good.size() - 14 - 19), DP_MALFORMED});
  out.push_back({"IPv6 longer than its frame",
                 shortened(plain(inet6({.to = "2001:db8:1::5", .from = "2001:db8:ff::7"})), 1),
                 DP_MALFORMED});
  out.push_back({"IPv6 of version 4",
                 changed(
                     plain(inet6({.to = "2001:db8:1::5", .from = "2001:db8:ff::7"})),
                     [](std::uint8_t* ip) { ip[0] = 0x40; }, false),
                 DP_MALFORMED});
  out.push_back({"ARP", plain(Tins::ARP("192.0.2.1", "192.0.2.2")), DP_NOT_IP});
  out.push_back({"to all stations", plain(inet({}), "ff:ff:ff:ff:ff:ff"), DP_GROUP_ADDRESS});
  out.push_back({"to another station", plain(inet({}), "02:00:00:00:00:77"), DP_OTHER_STATION});
  out.push_back({"unknown VLAN", tagged(inet({}), 999), DP_UNKNOWN_VLAN});
  out.push_back({"priority tag", tagged(inet({}), 0), DP_UNKNOWN_VLAN});
  out.push_back(
      {"QinQ of which the outer tag is a unit", stacked(inet({}), 100, 1), DP_UNKNOWN_VLAN});
  out.push_back(
      {"wrong way by strict reverse path", tagged(inet({.from = "10.1.0.1"}), 101), DP_RPF});
  out.push_back(
      {"no way by strict reverse path", tagged(inet({.from = "203.0.113.9"}), 101), DP_RPF});
  out.push_back({"unfinished UDP, inet", unfinished(plain(inet({.payload = 32})), 26, 12, 20),
                 DP_UNFINISHED});
  out.push_back(
      {"unfinished UDP, inet6",
       unfinished(plain(inet6({.to = "2001:db8:1::5", .from = "2001:db8:ff::7", .payload = 32})),
                  46, 8, 40),
       DP_UNFINISHED});
}

}  // namespace

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> all = [] {
    std::vector<Vector> made;
    forwarded(made);
    left_to_the_kernel(made);
    return made;
  }();
  return all;
}

}  // namespace millrace::packet
