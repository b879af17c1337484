// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/bgp_speaker.h"

#include <poll.h>
#include <sys/socket.h>

#include <format>
#include <span>
#include <stdexcept>

namespace millrace::support {
namespace {

using Bytes = std::vector<std::uint8_t>;

enum Type : std::uint8_t { Open = 1, Update = 2, Notification = 3, Keepalive = 4 };
constexpr std::size_t kHeader = 19;

void put(Bytes& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

std::uint64_t get(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : bytes) {
    value = value << 8U | byte;
  }
  return value;
}

void put_prefix(Bytes& out, const base::Prefix& prefix) {
  out.push_back(prefix.length());
  const auto bytes = prefix.address().bytes();
  out.insert(out.end(), bytes.begin(), bytes.begin() + (prefix.length() + 7) / 8);
}

base::Prefix take_prefix(std::span<const std::uint8_t>& from) {
  const std::uint8_t length = from.front();
  std::array<std::uint8_t, 4> bytes{};
  const std::size_t count = (length + 7U) / 8;
  std::copy_n(from.begin() + 1, count, bytes.begin());
  from = from.subspan(1 + count);
  return {base::IpAddress(base::Family::Inet, bytes), length};
}

void put_attribute(Bytes& out, std::uint8_t flags, std::uint8_t type, const Bytes& value) {
  out.push_back(flags | 0x10);  // extended length
  out.push_back(type);
  put(out, value.size(), 2);
  out.insert(out.end(), value.begin(), value.end());
}

constexpr std::uint8_t kWellKnown = 0x40;
constexpr std::uint8_t kOptional = 0x80;
constexpr std::uint8_t kTransitive = 0xC0;

std::vector<std::uint64_t> numbers_of(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t colon = std::min(text.find(':', at), text.size());
    numbers.push_back(std::stoull(text.substr(at, colon - at)));
    at = colon + 1;
  }
  return numbers;
}

Bytes attributes_of(const Route& route) {
  Bytes out;
  const int origin = route.origin == "igp" ? 0 : route.origin == "egp" ? 1 : 2;
  put_attribute(out, kWellKnown, 1, {static_cast<std::uint8_t>(origin)});
  Bytes path;
  if (!route.path.empty()) {
    path = {2, static_cast<std::uint8_t>(route.path.size())};
    for (const std::uint32_t system : route.path) {
      put(path, system, 4);
    }
  }
  put_attribute(out, kWellKnown, 2, path);
  const auto hop = *base::IpAddress::parse(route.next_hop);
  put_attribute(out, kWellKnown, 3, Bytes(hop.bytes().begin(), hop.bytes().end()));
  Bytes value;
  put(value, route.med, 4);
  put_attribute(out, kOptional, 4, value);
  value.clear();
  put(value, route.local_preference, 4);
  put_attribute(out, kWellKnown, 5, value);
  value.clear();
  for (const std::uint32_t community : route.communities) {
    put(value, community, 4);
  }
  if (!value.empty()) {
    put_attribute(out, kTransitive, 8, value);
  }
  value.clear();
  for (const std::string& community : route.extended) {
    const auto numbers = numbers_of(community.substr(7));
    put(value, community.starts_with("target:") ? 0x0002 : 0x0003, 2);
    put(value, numbers[0], 2);
    put(value, numbers[1], 4);
  }
  if (!value.empty()) {
    put_attribute(out, kTransitive, 16, value);
  }
  value.clear();
  for (const std::string& community : route.large) {
    for (const std::uint64_t number : numbers_of(community)) {
      put(value, number, 4);
    }
  }
  if (!value.empty()) {
    put_attribute(out, kTransitive, 32, value);
  }
  return out;
}

void take_attribute(std::uint8_t type, std::span<const std::uint8_t> value, Route& route) {
  switch (type) {
    case 1:
      route.origin = value[0] == 0 ? "igp" : value[0] == 1 ? "egp" : "incomplete";
      return;
    case 2:
      while (value.size() >= 2) {
        const std::size_t count = value[1];
        value = value.subspan(2);
        for (std::size_t i = 0; i < count; ++i) {
          route.path.push_back(static_cast<std::uint32_t>(get(value.first(4))));
          value = value.subspan(4);
        }
      }
      return;
    case 3:
      route.next_hop = base::IpAddress(base::Family::Inet, value).to_string();
      return;
    case 4:
      route.med = static_cast<std::uint32_t>(get(value));
      return;
    case 5:
      route.local_preference = static_cast<std::uint32_t>(get(value));
      return;
    case 8:
      for (; value.size() >= 4; value = value.subspan(4)) {
        route.communities.insert(static_cast<std::uint32_t>(get(value.first(4))));
      }
      return;
    case 16:
      for (; value.size() >= 8; value = value.subspan(8)) {
        route.extended.insert(std::format("{}:{}:{}", value[1] == 2 ? "target" : "origin",
                                          get(value.subspan(2, 2)), get(value.subspan(4, 4))));
      }
      return;
    case 32:
      for (; value.size() >= 12; value = value.subspan(12)) {
        route.large.insert(std::format("{}:{}:{}", get(value.first(4)), get(value.subspan(4, 4)),
                                       get(value.subspan(8, 4))));
      }
      return;
    default:
      return;  // of route reflection, which is not a matter of policies
  }
}

}  // namespace

BgpSpeaker::BgpSpeaker(base::Fd socket, std::uint32_t as, std::uint32_t id)
    : socket_(std::move(socket)), as_(as), id_(id) {}

void BgpSpeaker::send(std::uint8_t type, const Bytes& body) {
  Bytes message(16, 0xFF);
  put(message, kHeader + body.size(), 2);
  message.push_back(type);
  message.insert(message.end(), body.begin(), body.end());
  for (std::size_t done = 0; done < message.size();) {
    const auto sent = ::send(socket_.get(), message.data() + done, message.size() - done, 0);
    if (sent <= 0) {
      throw std::runtime_error("the router has closed the session");
    }
    done += static_cast<std::size_t>(sent);
  }
}

bool BgpSpeaker::receive(std::chrono::milliseconds wait) {
  const auto need = [&] {
    return buffer_.size() < kHeader
               ? kHeader
               : static_cast<std::size_t>(get(std::span(buffer_).subspan(16, 2)));
  };
  while (buffer_.size() < need()) {
    pollfd ready{socket_.get(), POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(wait.count())) <= 0) {
      return false;
    }
    std::array<std::uint8_t, 65536> chunk;
    const auto got = ::recv(socket_.get(), chunk.data(), chunk.size(), 0);
    if (got <= 0) {
      throw std::runtime_error("the router has closed the session");
    }
    buffer_.insert(buffer_.end(), chunk.begin(), chunk.begin() + got);
  }
  const std::size_t size = need();
  const Bytes body(buffer_.begin() + kHeader, buffer_.begin() + static_cast<long>(size));
  const std::uint8_t type = buffer_[18];
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<long>(size));
  if (type == Open) {
    opened_ = true;
    send(Keepalive, {});
  } else if (type == Keepalive) {
    up_ = opened_;
  } else if (type == Update) {
    take_update(body);
  } else if (type == Notification) {
    throw std::runtime_error(std::format("notification {}/{}", body[0], body[1]));
  }
  return true;
}

bool BgpSpeaker::establish(std::chrono::milliseconds wait) {
  Bytes open{4};
  put(open, as_, 2);
  put(open, 0, 2);  // no hold time: nobody needs keepalives
  put(open, id_, 4);
  const Bytes capabilities{2, 12, 1, 4, 0, 1, 0, 1, 65, 4};
  open.push_back(14);
  open.insert(open.end(), capabilities.begin(), capabilities.end());
  put(open, as_, 4);
  send(Open, open);
  const auto end = std::chrono::steady_clock::now() + wait;
  while (!up_ && std::chrono::steady_clock::now() < end) {
    receive(std::chrono::milliseconds(50));
  }
  return up_;
}

void BgpSpeaker::announce(const Route& route) {
  Bytes update;
  put(update, 0, 2);
  const Bytes attributes = attributes_of(route);
  put(update, attributes.size(), 2);
  update.insert(update.end(), attributes.begin(), attributes.end());
  put_prefix(update, route.prefix);
  send(Update, update);
}

void BgpSpeaker::withdraw(const base::Prefix& prefix) {
  Bytes gone;
  put_prefix(gone, prefix);
  Bytes update;
  put(update, gone.size(), 2);
  update.insert(update.end(), gone.begin(), gone.end());
  put(update, 0, 2);
  send(Update, update);
}

void BgpSpeaker::listen(std::chrono::milliseconds quiet) {
  while (receive(quiet)) {
  }
}

void BgpSpeaker::take_update(const Bytes& body) {
  std::span<const std::uint8_t> rest(body);
  auto withdrawn = rest.subspan(2, get(rest.first(2)));
  rest = rest.subspan(2 + withdrawn.size());
  auto attributes = rest.subspan(2, get(rest.first(2)));
  rest = rest.subspan(2 + attributes.size());
  while (!withdrawn.empty()) {
    received_.erase(take_prefix(withdrawn));
  }
  Route route;
  while (!attributes.empty()) {
    const bool is_long = (attributes[0] & 0x10U) != 0;
    const std::size_t head = is_long ? 4 : 3;
    const std::size_t size = get(attributes.subspan(2, is_long ? 2 : 1));
    take_attribute(attributes[1], attributes.subspan(head, size), route);
    attributes = attributes.subspan(head + size);
  }
  while (!rest.empty()) {
    route.prefix = take_prefix(rest);
    received_[route.prefix] = route;
  }
}

}  // namespace millrace::support
