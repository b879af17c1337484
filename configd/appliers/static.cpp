// SPDX-License-Identifier: GPL-2.0-or-later
//
// Static routes, through FRR's mgmtd; zebra alone writes routes into the kernel. FRR has no marks:
// every static route of the default VRF in its configuration is ours.
//
// mgmtd takes routes while the daemons that carry them out are dead, and would make them true when
// those return: so before anything is sent, zebra and staticd must have answered as well.
//
// FRR is not to be believed, so nothing here remembers what was sent. The routes of a commit are a
// batch with one function: read what FRR has of these prefixes, send the difference to what it
// should have as one transaction, read again, and fail if they differ still. Apply aims it at the
// tree after, undo at the tree before, reconcile at everything. Each route is a step, for `show |
// plan`, but the batch moves as a whole with the first of them: 2,000 routes are one transaction.
//
// Within a transaction a route changes without a gap, although the old line is removed before the
// new one comes (measured on 10.3 with `ip monitor route`: one replace, no delete): staticd hands
// the result to zebra. The removals must be first: FRR knows a next hop by its address and takes
// `blackhole` and `reject` for one next hop, so removing the old after adding the new would remove
// the new.
#include <algorithm>
#include <format>
#include <memory>
#include <utility>

#include "appliers/static_lines.h"
#include "appliers/static_readback.h"
#include "commit/applier.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using base::Family;
using base::Result;
using commit::Phase;
using commit::World;
using system::FrrDaemon;
using system::System;
using tree::View;

constexpr std::string_view kFrrUnit = "frr.service";

const Lines& lines_for(const StaticRoutes& routes, const base::Prefix& prefix) {
  static const Lines kNone;
  const auto found = routes.find(prefix);
  return found == routes.end() ? kNone : found->second;
}

std::string without_noise(std::string_view text) {
  std::string clean;
  for (const char letter : text) {
    const bool gap = letter == '\n' || letter == ' ';
    if (!gap || !clean.ends_with(' ')) {
      clean.push_back(gap ? ' ' : letter);
    }
  }
  clean.erase(0, clean.find_first_not_of("% "));
  clean.erase(clean.find_last_not_of(' ') + 1);
  return clean;
}

// What FRR tells apart routes of one prefix by, besides the distance: the words of the next hop.
std::string_view next_hop_in(std::string_view line) {
  for (int words = 0; words < 3; ++words) {  // "ip route PREFIX"
    line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
  }
  return line.substr(0, line.find(' '));
}

// Whether all that is new at a prefix can stand beside what goes. FRR has discarded and forwarded
// routes of one prefix never together, and takes a next hop with another tag for the same one.
bool fits_beside(const std::vector<std::string>& additions,
                 const std::vector<std::string>& removals) {
  const auto discards = [](std::string_view line) {
    const std::string_view hop = next_hop_in(line);
    return hop == "blackhole" || hop == "reject" || hop == "Null0";
  };
  return std::ranges::none_of(additions, [&](const std::string& added) {
    return discards(added) || std::ranges::any_of(removals, [&](const std::string& removed) {
             return discards(removed) || next_hop_in(added) == next_hop_in(removed);
           });
  });
}

// The commands from one state to another, in two transactions. What replaces comes before what it
// replaces goes: within one, staticd takes the old next hop from zebra before it gives the new one,
// and zebra, when it is busy, takes the route from the kernel in between.
struct Commands {
  std::vector<std::string> first;
  std::vector<std::string> then;

  bool empty() const { return first.empty() && then.empty(); }
  std::size_t size() const { return first.size() + then.size(); }
  const std::string& front() const { return first.empty() ? then.front() : first.front(); }
};

// From `actual` to `wanted`, for the prefixes of `wanted`. An empty route there is one to remove.
Commands difference(const StaticRoutes& actual, const StaticRoutes& wanted) {
  Commands commands;
  std::vector<std::string> late;  // additions that wait for removals
  for (const auto& [prefix, lines] : wanted) {
    const Lines& present = lines_for(actual, prefix);
    std::vector<std::string> removals;
    std::vector<std::string> additions;
    std::ranges::set_difference(present, lines, std::back_inserter(removals));
    std::ranges::set_difference(lines, present, std::back_inserter(additions));
    const bool replaces = !removals.empty() && !additions.empty();
    auto& goes_to = replaces && fits_beside(additions, removals) ? commands.first : late;
    std::ranges::move(additions, std::back_inserter(goes_to));
    for (const std::string& line : removals) {
      commands.then.push_back("no " + line);
    }
  }
  std::ranges::move(late, std::back_inserter(commands.then));
  return commands;
}

Result<void> configure(System& system, const std::vector<std::string>& commands) {
  if (commands.empty()) {
    return {};
  }
  const auto replies = system.frr.configure(FrrDaemon::Mgmtd, commands);
  if (!replies) {
    return std::unexpected(replies.error());
  }
  if (!replies->empty() && replies->back().refused()) {
    return base::fail(Code::ApplyFailed, std::format("FRR refused '{}': {}", replies->back().line,
                                                     without_noise(replies->back().text)));
  }
  return {};
}

Result<void> converge(System& system, const StaticRoutes& wanted) {
  const auto actual = read_static_routes(system, wanted);
  if (!actual) {
    return std::unexpected(actual.error());
  }
  const auto commands = difference(*actual, wanted);
  if (commands.empty()) {
    return {};
  }
  auto done = configure(system, commands.first);
  if (done) {
    done = configure(system, commands.then);
  }
  if (!done) {
    return done;
  }
  const auto result = read_static_routes(system, wanted);
  if (!result) {
    return std::unexpected(result.error());
  }
  if (const auto left = difference(*result, wanted); !left.empty()) {
    return base::fail(Code::ApplyFailed,
                      std::format("FRR took {} lines but does not have them: '{}' is missing",
                                  commands.size(), left.front()));
  }
  return {};
}

// The routes of one plan, shared by its steps.
class Batch {
 public:
  StaticRoutes before;
  StaticRoutes after;

  Result<void> prepare(System& system) {
    if (asked_) {
      return {};
    }
    for (const FrrDaemon daemon : {FrrDaemon::Zebra, FrrDaemon::Staticd, FrrDaemon::Mgmtd}) {
      if (auto alive = system.frr.answers(daemon); !alive) {
        return alive;
      }
    }
    asked_ = true;
    return {};
  }

  Result<void> apply(System& system) { return move(system, after, Place::After); }

  // FRR must not keep what has been taken back. One that refuses is started anew, from its file,
  // which still has the state before (frr_conf.cpp writes it last), and is looked at again.
  Result<void> undo(System& system) {
    auto done = move(system, before, Place::Before);
    if (done || done.error().code != Code::ApplyFailed) {
      return done;
    }
    if (const auto restarted = system.units.restart(kFrrUnit); !restarted) {
      return done;
    }
    return move(system, before, Place::Before);
  }

 private:
  enum class Place : std::uint8_t { Unknown, Before, After };

  Result<void> move(System& system, const StaticRoutes& wanted, Place target) {
    if (place_ == target) {
      return {};
    }
    place_ = Place::Unknown;
    auto done = converge(system, wanted);
    if (done) {
      place_ = target;
    }
    return done;
  }

  bool asked_ = false;
  Place place_ = Place::Unknown;
};

class RouteStep final : public commit::Step {
 public:
  RouteStep(std::string description, std::shared_ptr<Batch> batch)
      : description_(std::move(description)), batch_(std::move(batch)) {}

  std::string description() const override { return description_; }
  Result<void> prepare(System& system) override { return batch_->prepare(system); }
  Result<void> apply(System& system) override { return batch_->apply(system); }
  Result<void> undo(System& system) override { return batch_->undo(system); }

 private:
  std::string description_;
  std::shared_ptr<Batch> batch_;
};

// "192.0.2.9 tag 7 5" of each line: what follows the prefix, which is the third word.
std::string describe(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::size_t prefix = line.find(' ', line.find(' ') + 1) + 1;
    text += (text.empty() ? "" : ", ") + line.substr(line.find(' ', prefix) + 1);
  }
  return text;
}

commit::Plan plan_batch(std::shared_ptr<Batch> batch) {
  commit::Plan plan;
  for (const auto& [prefix, lines] : batch->after) {
    const Lines& old = lines_for(batch->before, prefix);
    if (old == lines) {
      continue;
    }
    std::string text = lines.empty()
                           ? std::format("delete route {}", prefix.to_string())
                           : std::format("{} route {}: {}", old.empty() ? "add" : "change",
                                         prefix.to_string(), describe(lines));
    plan.add(Phase::Switch, std::make_unique<RouteStep>(std::move(text), batch));
  }
  return plan;
}

// --- what changed ---

bool removes_units(const tree::Delta& delta) {
  const schema::Node* const list = delta.after().schema().find("interfaces interface");
  const schema::Node* const units = delta.after().schema().find("interfaces interface unit");
  return std::ranges::any_of(delta.changes(), [&](const tree::Change& change) {
    const schema::Node* const node = &change.path.schema(delta.after().schema());
    return !change.after && (node == list || node == units || node == list->parent);
  });
}

// --- check ---

// Why FRR or the kernel could never use the prefix. They take it without a word.
std::string_view why_no_destination(const base::Prefix& prefix) {
  const auto bytes = prefix.address().bytes();
  if (prefix.address().is_multicast()) {
    return "multicast destinations have no unicast routes";
  }
  if (prefix.family() == Family::Inet) {
    const bool reserved =
        bytes[0] == 127 || bytes[0] >= 240 || (bytes[0] == 0 && prefix.length() > 0);
    return reserved ? "reserved addresses are never forwarded" : std::string_view();
  }
  return prefix.length() > 0 && prefix.address().is_link_local()
             ? "link-local addresses are never forwarded"
             : std::string_view();
}

std::string_view why_no_next_hop(const base::IpAddress& address) {
  if (address.is_unspecified()) {
    return "the unspecified address cannot be a next hop";
  }
  if (address.is_multicast()) {
    return "a multicast address cannot be a next hop";
  }
  if (address.family() == Family::Inet && address.bytes()[0] == 127) {
    return "a loopback address cannot be a next hop";
  }
  return {};
}

class RouteCheck {
 public:
  RouteCheck(const tree::ConfigTree& tree, const Connected& connected, Family family,
             std::string_view key, Diagnostics& out)
      : tree_(tree),
        connected_(connected),
        family_(family),
        route_(static_routes(tree, family).entry(key)),
        level_(
            std::format("routing-options {}static", family == Family::Inet ? "" : "rib inet6.0 ")),
        statement_(std::format("route {}", key)),
        out_(out) {}

  void run() {
    if (!route_) {
      return;
    }
    const auto prefix = base::Prefix::parse(statement_.substr(std::string_view("route ").size()));
    if (const auto why = why_no_destination(*prefix); !why.empty()) {
      out_.error(Code::BadValue, level_, statement_, std::string(why));
    }
    for (const auto& [text, entry] : route_["next-hop"].entries()) {
      if (base::IpAddress::parse(text)) {
        next_hop("next-hop", text, false);
      } else {
        interface("next-hop", text);
      }
    }
    for (const auto& [text, hop] : route_["qualified-next-hop"].entries()) {
      const auto through = hop["interface"].value();
      next_hop("qualified-next-hop", text, through.has_value());
      if (through) {
        interface(std::format("qualified-next-hop {} interface", text), *through);
      }
      // FRR keeps a next hop once, with one distance; the second would move the first.
      if (!through && route_["next-hop"].entry(text)) {
        error(std::format("qualified-next-hop {}", text),
              std::format("{} is a next-hop of this route as well", text));
      }
    }
  }

 private:
  void error(std::string statement, std::string message, std::string hint = {}) {
    out_.error(Code::Constraint, level_ + " " + statement_, std::move(statement),
               std::move(message), std::move(hint));
  }

  void next_hop(std::string_view kind, std::string_view text, bool has_interface) {
    const auto address = base::IpAddress::parse(text);
    const std::string statement = std::format("{} {}", kind, text);
    if (const auto why = why_no_next_hop(*address); !why.empty()) {
      error(statement, std::string(why));
    } else if (address->family() == Family::Inet6 && address->is_link_local() && !has_interface) {
      error(statement, "a link-local next hop needs an interface",
            std::format("set qualified-next-hop {} interface NAME", text));
    } else if (!has_interface && !connected_.device_to(*address) &&
               !static_attributes(tree_, family_, route_).resolve) {
      out_.warning(level_ + " " + statement_, statement,
                   std::format("{} is on no network of an interface: it is not used", text),
                   "set resolve here to reach it through another route");
    }
  }

  void interface(std::string_view kind, std::string_view logical) {
    const std::size_t dot = logical.find('.');
    const View unit = View(tree_)["interfaces"].entry(logical.substr(0, dot))["unit"].entry(
        logical.substr(dot + 1));
    if (!unit) {
      error(std::format("{} {}", kind, logical),
            std::format("interface {} is not configured", logical));
    }
  }

  const tree::ConfigTree& tree_;
  const Connected& connected_;
  Family family_;
  View route_;
  std::string level_;
  std::string statement_;
  Diagnostics& out_;
};

class Static final : public commit::Applier {
 public:
  std::string_view name() const override { return "static"; }
  std::vector<std::string> owns() const override {
    return {"routing-options static", "routing-options rib"};
  }
  std::vector<std::string> reads() const override { return {"interfaces interface"}; }
  std::vector<std::string_view> after() const override { return {"interfaces"}; }

  void check(const World& /*before*/, const World& after, const tree::Delta& delta,
             Diagnostics& out) const override {
    const bool everything = removes_units(delta);
    const Connected connected(after.tree);
    for (const Family family : {Family::Inet, Family::Inet6}) {
      if (everything) {
        for (const auto& [key, route] : static_routes(after.tree, family).entries()) {
          RouteCheck(after.tree, connected, family, key, out).run();
        }
        continue;
      }
      for (const std::string& key : touched_static_routes(delta, family)) {
        RouteCheck(after.tree, connected, family, key, out).run();
      }
    }
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& delta) const override {
    auto batch = std::make_shared<Batch>();
    const Connected networks_before(before.tree);
    const Connected networks_after(after.tree);
    for (const Family family : {Family::Inet, Family::Inet6}) {
      const View old_routes = static_routes(before.tree, family);
      const View new_routes = static_routes(after.tree, family);
      for (const std::string& key : touched_static_routes(delta, family)) {
        const base::Prefix prefix = *base::Prefix::parse(key);
        batch->before[prefix] =
            lines_of_route(before.tree, networks_before, prefix, old_routes.entry(key));
        batch->after[prefix] =
            lines_of_route(after.tree, networks_after, prefix, new_routes.entry(key));
      }
    }
    return plan_batch(std::move(batch));
  }

  Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    auto actual = read_static_routes(system);
    if (!actual) {
      return std::unexpected(actual.error());
    }
    auto batch = std::make_shared<Batch>();
    batch->after = all_static_routes(wanted.tree);
    for (const auto& [prefix, lines] : *actual) {
      batch->after.try_emplace(prefix);
    }
    std::erase_if(batch->after, [&](const auto& entry) {
      return lines_for(*actual, entry.first) == entry.second;
    });
    for (const auto& [prefix, lines] : batch->after) {
      batch->before[prefix] = lines_for(*actual, prefix);
    }
    return plan_batch(std::move(batch));
  }
};

}  // namespace

std::unique_ptr<commit::Applier> make_static() {
  return std::make_unique<Static>();
}

}  // namespace millrace::appliers
