// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/frr_form.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/words.h"

namespace millrace::appliers {
namespace {

using Words = std::vector<std::string>;

// In a pattern `*` is a word that tells settings apart, `+` one that is a value, and a last `…` any
// number of values. A removal is the line without its values, unless FRR wants them (`whole`).
struct Pattern {
  std::string_view text;
  FrrTurn turn = FrrTurn::Normal;
  bool whole = false;
};

constexpr std::array kPatterns = {
    Pattern{"bgp router-id +", FrrTurn::Resetting},
    Pattern{"bgp cluster-id +", FrrTurn::Resetting},
    Pattern{"bgp suppress-fib-pending", FrrTurn::Resetting},
    Pattern{"bgp confederation identifier +", FrrTurn::Resetting},
    Pattern{"bgp graceful-restart stalepath-time +"},
    Pattern{"bgp graceful-restart restart-time +"},
    Pattern{"timers bgp + +"},
    Pattern{"distance bgp + + +"},
    Pattern{"maximum-paths ibgp …"},
    Pattern{"maximum-paths +"},
    Pattern{"redistribute * …", FrrTurn::Source},
    Pattern{"neighbor * remote-as +", FrrTurn::Resetting},
    Pattern{"neighbor * local-as …", FrrTurn::Resetting},
    Pattern{"neighbor * description …"},
    Pattern{"neighbor * password +", FrrTurn::Resetting},
    Pattern{"neighbor * tcp-mss +", FrrTurn::Renewing},
    Pattern{"neighbor * ebgp-multihop …", FrrTurn::Resetting},
    Pattern{"neighbor * ttl-security hops +", FrrTurn::Resetting, true},
    Pattern{"neighbor * update-source +", FrrTurn::Resetting},
    Pattern{"neighbor * passive", FrrTurn::Resetting},
    Pattern{"neighbor * shutdown …", FrrTurn::Resetting},
    Pattern{"neighbor * route-reflector-client", FrrTurn::Resetting},
    Pattern{"neighbor * activate", FrrTurn::Resetting},
    Pattern{"neighbor * addpath-rx-paths-limit +", FrrTurn::Resetting},
    Pattern{"neighbor * disable-addpath-rx", FrrTurn::Resetting},
    Pattern{"neighbor * graceful-restart", FrrTurn::Resetting},
    Pattern{"neighbor * graceful-restart-helper", FrrTurn::Resetting},
    Pattern{"neighbor * graceful-restart-disable", FrrTurn::Resetting},
    Pattern{"neighbor * sender-as-path-loop-detection", FrrTurn::Renewing},
    Pattern{"neighbor * advertisement-interval +"},
    Pattern{"neighbor * timers connect +"},
    Pattern{"neighbor * timers + +", FrrTurn::Renewing},
    Pattern{"neighbor * bfd …"},
    Pattern{"neighbor * maximum-prefix …"},
    Pattern{"neighbor * allowas-in …"},
    Pattern{"neighbor * addpath-tx-best-selected +", FrrTurn::Resetting},
    Pattern{"ospf router-id +", FrrTurn::Resetting},
    Pattern{"log-adjacency-changes …"},
    Pattern{"auto-cost reference-bandwidth +"},
    Pattern{"distance ospf …"},
    Pattern{"area * default-cost +"},
    Pattern{"area * stub …"},
    Pattern{"area * nssa …"},
    Pattern{"area * range * cost +", FrrTurn::Normal, true},
    Pattern{"ip ospf area *", FrrTurn::Resetting},  // FRR wants the old one removed first
    Pattern{"ip ospf cost +"},
    Pattern{"ip ospf hello-interval +", FrrTurn::Resetting},
    Pattern{"ip ospf dead-interval +", FrrTurn::Resetting},
    Pattern{"ip ospf retransmit-interval +"},
    Pattern{"ip ospf transmit-delay +"},
    Pattern{"ip ospf priority +"},
    Pattern{"ip ospf network +", FrrTurn::Resetting},
    Pattern{"ip ospf authentication-key +", FrrTurn::Resetting},
    Pattern{"ip ospf authentication …", FrrTurn::Resetting, true},
    Pattern{"ip ospf message-digest-key * …", FrrTurn::Resetting},
    Pattern{"ip ospf passive", FrrTurn::Resetting},
    Pattern{"neighbor * route-map + in", FrrTurn::Normal, true},
    Pattern{"neighbor * route-map + out", FrrTurn::Normal, true},
};

// Patterns in words, by their first one: most lines begin with that of few of them.
const std::multimap<std::string, std::pair<Words, Pattern>, std::less<>>& patterns() {
  static const auto kSplit = [] {
    std::multimap<std::string, std::pair<Words, Pattern>, std::less<>> split;
    for (const Pattern& pattern : kPatterns) {
      Words words = base::split_words(pattern.text);
      std::string first = words.front();
      split.emplace(std::move(first), std::pair(std::move(words), pattern));
    }
    return split;
  }();
  return kSplit;
}

bool matches(const Words& wanted, const Words& words) {
  const bool open = wanted.back() == "…";
  const std::size_t fixed = wanted.size() - (open ? 1 : 0);
  if (words.size() < fixed || (!open && words.size() > fixed)) {
    return false;
  }
  for (std::size_t at = 0; at < fixed; ++at) {
    if (wanted[at] != "+" && wanted[at] != "*" && wanted[at] != words[at]) {
      return false;
    }
  }
  return true;
}

// Requires: they match.
FrrForm read(const Words& wanted, const Pattern& pattern, const Words& words) {
  Words slot;
  Words removal;
  bool values = false;
  for (std::size_t at = 0; at < wanted.size() && wanted[at] != "…"; ++at) {
    if (wanted[at] == "+") {
      values = true;
      continue;
    }
    slot.push_back(words[at]);
    if (!values) {
      removal.push_back(words[at]);
    }
  }
  return {base::joined(slot), "no " + base::joined(pattern.whole ? words : removal), pattern.turn};
}

}  // namespace

FrrForm form_of(std::string_view text) {
  if (text.starts_with("no ")) {
    FrrForm form = form_of(text.substr(3));
    form.removal = text.substr(3);
    return form;
  }
  const Words words = base::split_words(text);
  const auto [first, last] = patterns().equal_range(words.empty() ? std::string() : words.front());
  for (auto entry = first; entry != last; ++entry) {
    const auto& [wanted, pattern] = entry->second;
    if (matches(wanted, words)) {
      return read(wanted, pattern, words);
    }
  }
  return {std::string(text), "no " + std::string(text)};
}

}  // namespace millrace::appliers
