// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random policies and routes from a small world, so that they meet: a dozen prefixes that contain
// each other, six autonomous systems, a handful of communities. Everything that a policy can say
// comes up. The policies are p0, p1, …; only higher ones are asked as subroutines.
#pragma once

#include <format>
#include <string>
#include <vector>

#include "support/policy_route.h"
#include "support/random.h"

namespace millrace::support {

class RandomPolicy {
 public:
  RandomPolicy(Random& random, bool import) : random_(random), import_(import) {}

  // Set lines of policy-options.
  std::string definitions() {
    std::string text;
    const auto add = [&](const std::string& line) { text += "set policy-options " + line + "\n"; };
    for (int list = 0; list < 3; ++list) {
      for (int n = 0; n < 3; ++n) {
        add(std::format("prefix-list l{} {}", list, prefix()));
      }
      add(std::format("as-path a{} \"{}\"", list, expression()));
      add(std::format("as-path-group g{} as-path x \"{}\"", list, expression()));
      add(std::format("as-path-group g{} as-path y \"{}\"", list, expression()));
    }
    for (int n = 0; n < kCommunities; ++n) {
      // v: values, which can be added; m: also expressions; i: inverted.
      for (std::uint64_t member = 0; member <= random_.below(2); ++member) {
        add(std::format("community v{} members \"{}\"", n, value()));
        add(std::format("community m{} members \"{}\"", n, member_expression()));
        add(std::format("community i{} members \"{}\"", n, member_expression()));
      }
      add(std::format("community i{} invert-match", n));
    }
    for (int policy = 0; policy < kPolicies; ++policy) {
      for (std::uint64_t term = 0; term <= random_.below(4); ++term) {
        add_term(std::format("policy-statement p{} term t{}", policy, term), policy, add);
      }
      if (random_.one_in(3)) {
        add_term(std::format("policy-statement p{}", policy), policy, add);
      }
    }
    return text;
  }

  std::vector<std::string> chain() {
    std::vector<std::string> elements;
    for (std::uint64_t n = 0; n <= random_.below(3); ++n) {
      const auto name = [&] { return std::format("p{}", random_.below(3)); };
      elements.push_back(random_.one_in(3)
                             ? std::format("( {}{} {} {}{} )", random_.one_in(3) ? "!" : "", name(),
                                           random_.one_in(2) ? "&&" : "||",
                                           random_.one_in(3) ? "!" : "", name())
                             : name());
    }
    return elements;
  }

  Route route() {
    Route route;
    const base::Prefix inside = *base::Prefix::parse(prefix());
    const auto length = static_cast<std::uint8_t>(
        random_.between(inside.length(), std::min(32, inside.length() + 3)));
    route.prefix = base::Prefix(inside.address(), length);
    if (!import_) {
      route.protocol = random_.pick<std::string>({"bgp", "bgp", "static", "direct"});
    }
    route.neighbor = neighbor();
    if (route.protocol == "bgp") {
      for (std::uint64_t n = random_.below(4); n > 0; --n) {
        route.path.push_back(system());
      }
      for (std::uint64_t n = random_.below(4); n > 0; --n) {
        add_value(value(), route);
      }
      route.med = static_cast<std::uint32_t>(random_.below(4) * 10);
      route.origin = origin();
    }
    route.local_preference = static_cast<std::uint32_t>(100 + random_.below(3) * 50);
    route.tag = static_cast<std::uint32_t>(random_.below(3));
    route.next_hop = next_hop();
    return route;
  }

  static constexpr int kPolicies = 5;
  std::string neighbor() { return random_.pick<std::string>({"192.0.2.1", "192.0.2.2"}); }

 private:
  static constexpr int kCommunities = 3;

  std::string prefix() {
    return random_.pick<std::string>({"10.0.0.0/8", "10.0.0.0/12", "10.0.0.0/16", "10.1.0.0/16",
                                      "10.1.2.0/24", "10.1.2.0/26", "10.1.2.64/26", "10.64.0.0/10",
                                      "172.16.0.0/12", "172.16.1.0/24", "0.0.0.0/0",
                                      "10.1.2.3/32"});
  }
  std::uint32_t system() { return static_cast<std::uint32_t>(random_.between(65001, 65006)); }
  std::string origin() { return random_.pick<std::string>({"igp", "egp", "incomplete"}); }
  std::string next_hop() { return std::format("192.0.2.{}", random_.between(10, 12)); }

  std::string expression() {
    std::string text;
    for (std::uint64_t n = 0; n <= random_.below(3); ++n) {
      std::string atom = random_.one_in(3)   ? "."
                         : random_.one_in(4) ? std::format("{}-{}", 65001, system())
                         : random_.one_in(4) ? std::format("({}|{})", system(), system())
                         : random_.one_in(4) ? std::format("[{} {}-65006]", system(), system())
                                             : std::to_string(system());
      atom += random_.pick<std::string>({"", "", "", "*", "+", "?", "{1,2}", "{2}", "{0,}"});
      text += (text.empty() ? "" : " ") + atom;
    }
    return random_.one_in(6) ? text + " .*" : random_.one_in(8) ? "()" : text;
  }

  std::string value() {
    switch (random_.below(7)) {
      case 0:
        return random_.pick<std::string>({"no-export", "no-advertise"});
      case 1:
        return std::format("large:65000:{}:{}", random_.below(2), random_.below(3));
      case 2:
        return std::format("{}:6500{}:{}", random_.one_in(2) ? "target" : "origin",
                           random_.below(2), random_.below(3));
      default:
        return std::format("6500{}:{}", random_.below(2), random_.below(4) * 7);
    }
  }
  std::string member_expression() {
    return random_.one_in(2)
               ? value()
               : random_.pick<std::string>({"65000:*", "*:7", "^6500[01]:.$", "65000:1.*", ".*:.*",
                                            "65001:(7|14)", "large:65000:*:1", "large:65000:0:.*",
                                            "target:65000:*", "origin:65001:[^0]", "*:*"});
  }
  static void add_value(const std::string& text, Route& route) {
    if (text.starts_with("large:")) {
      route.large.insert(text.substr(6));
    } else if (text.starts_with("target:") || text.starts_with("origin:")) {
      route.extended.insert(text);
    } else if (text == "no-export" || text == "no-advertise") {
      route.communities.insert(text == "no-export" ? 0xFFFFFF01U : 0xFFFFFF02U);
    } else {
      const std::size_t colon = text.find(':');
      route.communities.insert(static_cast<std::uint32_t>(std::stoul(text.substr(0, colon)) << 16U |
                                                          std::stoul(text.substr(colon + 1))));
    }
  }

  std::string match_type(const std::string& of) {
    const auto length = base::Prefix::parse(of)->length();
    const auto upper = std::min(32, length + 6);
    switch (random_.below(6)) {
      case 0:
        return "longer";
      case 1:
        return "orlonger";
      case 2:
        return std::format("upto /{}", random_.between(length, upper));
      case 3: {
        const auto low = random_.between(length, upper);
        return std::format("prefix-length-range /{}-/{}", low, random_.between(low, upper));
      }
      case 4:
        return length <= 24 &&
                       base::Prefix::parse(of)->contains(*base::IpAddress::parse("10.1.2.0"))
                   ? "through 10.1.2.0/24"
                   : "exact";
      default:
        return "exact";
    }
  }

  template <class Add>
  void add_term(const std::string& term, int policy, Add add) {
    if (!random_.one_in(5)) {
      for (std::uint64_t n = 0; n <= random_.below(3); ++n) {
        add_from(term + " from ", policy, add);
      }
    }
    if (random_.one_in(12)) {
      add(term + " to neighbor " + neighbor());
    }
    add_actions(term + " then ", add);
  }

  template <class Add>
  void add_from(const std::string& from, int policy, Add add) {
    const auto pick = [&](int count) { return random_.below(static_cast<std::uint64_t>(count)); };
    switch (random_.below(15)) {
      case 0:
        add(std::format("{}as-path a{}", from, pick(3)));
        return;
      case 1:
        add(std::format("{}as-path-group g{}", from, pick(3)));
        return;
      case 2:
      case 3:
        add(std::format("{}community {}{}", from, random_.pick(std::string_view("vmi")), pick(3)));
        return;
      case 4:
        add(std::format("{}local-preference {}", from, 100 + pick(3) * 50));
        return;
      case 5:
        add(std::format("{}metric {}", from, 10 + pick(3) * 10));
        return;
      case 6:
        add(from + "neighbor " + neighbor());
        return;
      case 7:
        add(from + "next-hop " + next_hop());
        return;
      case 8:
        add(from + "origin " + origin());
        return;
      case 9:
        add(std::format("{}prefix-list l{}", from, pick(3)));
        return;
      case 10:
        add_filter(std::format("{}prefix-list-filter l{} ", from, pick(3)),
                   random_.pick<std::string>({"exact", "longer", "orlonger"}), add);
        return;
      case 11:
        add(from + "protocol " + random_.pick<std::string>({"bgp", "static", "direct"}));
        return;
      case 12:
        if (policy + 1 < kPolicies) {
          add(std::format("{}policy p{}", from,
                          policy + 1 + static_cast<int>(pick(kPolicies - 1 - policy))));
          return;
        }
        [[fallthrough]];
      default:
        for (std::uint64_t n = 0; n <= random_.below(4); ++n) {
          const std::string own = prefix();
          add_filter(std::format("{}route-filter {} ", from, own), match_type(own), add);
        }
    }
  }

  template <class Add>
  void add_filter(const std::string& filter, const std::string& type, Add add) {
    add(filter + type);
    if (random_.one_in(5)) {
      add(std::format("{}local-preference {}", filter, 100 + random_.below(3) * 50));
      if (random_.one_in(2)) {
        add(filter + random_.pick<std::string>({"accept", "reject", "next policy"}));
      }
    }
  }

  template <class Add>
  void add_actions(const std::string& then, Add add) {
    for (std::uint64_t n = random_.below(3); n > 0; --n) {
      switch (random_.below(9)) {
        case 0:
          add(std::format("{}as-path-prepend \"{} {}\"", then, system(), system()));
          break;
        case 1:
          add(std::format("{}as-path-expand last-as count {}", then, random_.between(1, 12)));
          break;
        case 2:
          add(std::format("{}community {} v{}", then,
                          random_.pick<std::string>({"add", "delete", "set"}),
                          random_.below(kCommunities)));
          break;
        case 3:
          add(std::format("{}community delete m{}", then, random_.below(kCommunities)));
          break;
        case 4:
          add(std::format("{}local-preference {}{}", then,
                          random_.pick<std::string>({"", "add ", "subtract "}),
                          random_.below(5) * 50));
          break;
        case 5:
          add(std::format("{}metric {}{}", then,
                          random_.pick<std::string>({"", "add ", "subtract "}),
                          random_.below(5) * 10));
          break;
        case 6:
          add(then + "origin " + origin());
          break;
        case 7:
          add(then + "next-hop " +
              (random_.one_in(2) ? next_hop()
               : import_         ? "peer-address"
                                 : "self"));
          break;
        default:
          add(std::format("{}tag {}", then, random_.between(1, 3)));
      }
    }
    if (random_.one_in(4)) {
      add(then + "default-action " + (random_.one_in(2) ? "accept" : "reject"));
    }
    if (!random_.one_in(3)) {
      add(then +
          random_.pick<std::string>({"accept", "accept", "reject", "next term", "next policy"}));
    }
  }

  Random& random_;
  bool import_;
};

}  // namespace millrace::support
