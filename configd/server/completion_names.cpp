// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names by prefix in a list of any size. Lists are sorted in natural order, where the names with
// one prefix are not neighbours (eth1, eth2, eth10) but few runs of neighbours: cut the digits off
// the end of the prefix, and the names are those with exactly these digits there, and then, for
// each count of further digits, one range of numbers. Each run is found in logarithmic time.
#include <charconv>
#include <limits>

#include "schema/type.h"
#include "server/completion.h"
#include "tree/node.h"

namespace millrace::server {
namespace {

constexpr std::size_t kMostDigits = 18;  // of the numbers that names hold

struct Collector {
  const tree::Children& children;
  std::string_view prefix;
  char marker;
  std::size_t most;
  std::vector<Offer> offers = {};

  bool full() const { return offers.size() >= most; }

  void add(const tree::Node& node) {
    const tree::Node* description = node.child("description");
    offers.push_back({OfferKind::Name, std::string(node.name()),
                      description ? std::string(description->value()) : std::string(), marker});
  }

  // Everything from `first` on, up to the first name that is not below `end`.
  void add_run(const std::string& first, const std::string& end) {
    const tree::Node* node = children.find(first);
    for (node = node ? node : children.after(first); node && !full();
         node = children.after(node->name())) {
      if (!end.empty() && !schema::natural_less(node->name(), end)) {
        return;
      }
      if (node->name().starts_with(prefix)) {
        add(*node);
      } else if (end.empty()) {
        return;
      }
    }
  }

  void add_sorted() {
    const auto digits_at = prefix.find_last_not_of("0123456789") + 1;  // npos + 1 is the start
    const std::string head(prefix.substr(0, digits_at));
    const auto digits = prefix.substr(digits_at);
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || digits.size() > kMostDigits || code != std::errc()) {
      add_run(std::string(prefix), {});
      return;
    }
    std::uint64_t scale = 1;
    for (std::size_t more = 0; digits.size() + more <= kMostDigits && !full(); ++more) {
      add_run(head + std::to_string(number * scale), head + std::to_string((number + 1) * scale));
      if (number == 0) {
        return;  // a number does not go on after a leading zero
      }
      scale *= 10;
    }
  }
};

}  // namespace

std::vector<Offer> names_of(const tree::Node& list, std::string_view prefix, char marker,
                            std::size_t most) {
  const tree::Children& children = list.children();
  Collector collector{children, prefix, marker, most};
  if (children.order() == tree::Order::Natural && !prefix.empty()) {
    collector.add_sorted();
    return std::move(collector.offers);
  }
  children.for_each([&](const tree::NodePtr& node) {
    if (node->name().starts_with(prefix)) {
      collector.add(*node);
    }
    return !collector.full();
  });
  return std::move(collector.offers);
}

}  // namespace millrace::server
