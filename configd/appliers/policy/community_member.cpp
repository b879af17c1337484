// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <format>
#include <optional>

#include "appliers/policy/community.h"
#include "base/address.h"
#include "base/pattern.h"

namespace millrace::appliers::policy {
namespace {

using base::Code;
using base::Result;

struct WellKnown {
  std::uint32_t number;
  std::string_view frr;
  std::string_view junos;  // empty: by number only
};
// The names are FRR's (bgpd/bgp_community.c), which prints them in place of the numbers.
constexpr std::array kWellKnown = {
    WellKnown{0xFFFF0000, "graceful-shutdown", "graceful-shutdown"},
    WellKnown{0xFFFF0001, "accept-own", "accept-own"},
    WellKnown{0xFFFF0002, "route-filter-translated-v4", ""},
    WellKnown{0xFFFF0003, "route-filter-v4", ""},
    WellKnown{0xFFFF0004, "route-filter-translated-v6", ""},
    WellKnown{0xFFFF0005, "route-filter-v6", ""},
    WellKnown{0xFFFF0006, "llgr-stale", "llgr-stale"},
    WellKnown{0xFFFF0007, "no-llgr", "no-llgr"},
    WellKnown{0xFFFF0008, "accept-own-nexthop", ""},
    WellKnown{0xFFFF029A, "blackhole", "blackhole"},
    WellKnown{0xFFFFFF01, "no-export", "no-export"},
    WellKnown{0xFFFFFF02, "no-advertise", "no-advertise"},
    WellKnown{0xFFFFFF03, "local-AS", "no-export-subconfed"},
    WellKnown{0xFFFFFF04, "no-peer", "no-peer"},
};

std::unexpected<base::Error> bad(std::string_view text, std::string_view why) {
  return base::fail(Code::BadValue, std::format("community member '{}': {}", text, why));
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  return !text.empty() && code == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t colon = std::min(text.find(':', at), text.size());
    parts.push_back(text.substr(at, colon - at));
    if (colon == text.size()) {
      return parts;
    }
    at = colon + 1;
  }
}

std::string whole(std::string_view text) {
  std::string expression = "( |^)";
  for (const char letter : text) {
    expression += letter == '.' ? "\\." : std::string(1, letter);
  }
  return expression + "( |$)";
}

// `*` for a whole part stands for any number.
std::string with_stars(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    const bool alone = result.empty() || result.back() == ':' || result.back() == '^' ||
                       result.back() == '(' || result.back() == '|';
    result += letter == '*' && alone ? ".*" : std::string(1, letter);
  }
  return result;
}

// The user's expression over the text of one community as one over the text of all.
Result<std::string> over_all(std::string_view member, std::string_view text, std::string_view any) {
  if (auto compiled = base::Pattern::compile(std::string(text)); !compiled) {
    return bad(member, compiled.error());
  }
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '[') {
      const std::size_t end = text.find(']', at + 2);
      std::string set(text.substr(at, end - at));
      if (set.starts_with("[^")) {
        set += ' ';
      }
      result += set + ']';
      at = end;
    } else if (letter == '^') {
      result += "( |^)";
    } else if (letter == '$') {
      result += "( |$)";
    } else if (letter == '.') {
      result += any;
    } else if ((letter >= '0' && letter <= '9') ||
               std::string_view(":()*+?{},|").contains(letter)) {
      result += letter;
    } else {
      return bad(member, std::format("'{}' is in no community", letter));
    }
  }
  return result;
}

Result<Member> standard(std::string_view text) {
  Member member;
  const auto parts = parts_of(text);
  const auto high = whole_number(parts.front());
  const auto low = whole_number(parts.back());
  if (parts.size() == 2 && high && low) {
    if (*high > 65535 || *low > 65535) {
      return bad(text, "both numbers are at most 65535; large:A:B:C holds larger ones");
    }
    member.order = (std::uint64_t{*high} << 16U) + *low;
    member.value = std::format("{}:{}", *high, *low);
    for (const WellKnown& known : kWellKnown) {
      if (known.number == member.order) {
        member.value = known.frr;
      }
    }
    member.expression = whole(member.value);
    return member;
  }
  const std::string pattern = with_stars(text);
  auto expression = over_all(text, pattern, "[0-9:]");
  if (!expression) {
    return std::unexpected(expression.error());
  }
  member.expression = *expression;
  const auto compiled = base::Pattern::compile(pattern);
  for (const WellKnown& known : kWellKnown) {
    if (compiled->matches(std::format("{}:{}", known.number >> 16U, known.number & 0xFFFFU))) {
      member.names.push_back(whole(known.frr));
    }
  }
  return member;
}

Result<Member> large(std::string_view text) {
  Member member;
  member.kind = FrrKind::LargeCommunityList;
  const std::string_view rest = text.substr(text.find(':') + 1);
  const auto parts = parts_of(rest);
  if (parts.size() == 3 && std::ranges::all_of(parts, [](std::string_view part) {
        return whole_number(part).has_value();
      })) {
    member.value = std::format("{}:{}:{}", *whole_number(parts[0]), *whole_number(parts[1]),
                               *whole_number(parts[2]));
    member.expression = whole(member.value);
    return member;
  }
  auto expression = over_all(text, with_stars(rest), "[0-9:]");
  if (!expression) {
    return std::unexpected(expression.error());
  }
  member.expression = *expression;
  return member;
}

Result<Member> extended(std::string_view text) {
  const bool target = text.starts_with("target:");
  const std::string_view rest = text.substr(text.find(':') + 1);
  Member member;
  member.kind = FrrKind::ExtcommunityList;
  const auto parts = parts_of(rest);
  if (parts.size() == 2) {
    std::string_view administrator = parts[0];
    const bool long_form = administrator.ends_with('L');
    administrator.remove_suffix(long_form ? 1 : 0);
    const auto number = whole_number(administrator);
    const auto value = whole_number(parts[1]);
    const auto address = base::IpAddress::parse(administrator);
    if (value && number) {
      if (long_form && *number <= 65535) {
        return bad(text, "FRR has no four-byte form of a small AS number");
      }
      if (*number > 65535 && *value > 65535) {
        return bad(text, "the second number is at most 65535 with an AS number above 65535");
      }
    }
    if (value && (number || (address && address->family() == base::Family::Inet))) {
      if (!number && *value > 65535) {
        return bad(text, "the second number is at most 65535 with an address");
      }
      const std::string plain =
          std::format("{}:{}", number ? std::to_string(*number) : address->to_string(), *value);
      member.value = std::format("{} {}", target ? "rt" : "soo", plain);
      member.expression = whole(std::format("{}:{}", target ? "RT" : "SoO", plain));
      return member;
    }
  }
  auto expression = over_all(text, with_stars(rest), "[0-9.:]");
  if (!expression) {
    return std::unexpected(expression.error());
  }
  member.expression =
      std::format("( |^){}:{}", target ? "RT" : "SoO",
                  expression->starts_with("( |^)") ? expression->substr(5) : *expression);
  return member;
}

}  // namespace

Result<Member> read_member(std::string_view text) {
  for (const WellKnown& known : kWellKnown) {
    if (!known.junos.empty() && text == known.junos) {
      return standard(std::format("{}:{}", known.number >> 16U, known.number & 0xFFFFU));
    }
  }
  if (text.starts_with("large:")) {
    return large(text);
  }
  if (text.starts_with("target:") || text.starts_with("origin:")) {
    return extended(text);
  }
  const auto word = text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (word != std::string_view::npos) {
    return bad(text, "expected A:B, large:A:B:C, target:A:B, origin:A:B or a well-known name");
  }
  return standard(text);
}

}  // namespace millrace::appliers::policy
