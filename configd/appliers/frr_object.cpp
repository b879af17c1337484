// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/frr_object.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "appliers/frr_form.h"

namespace millrace::appliers {
namespace {

constexpr std::string_view kRouter = "router bgp ";
constexpr std::string_view kOspf = "router ospf";
constexpr std::string_view kInterface = "interface ";

struct Prefix {
  std::string_view head;
  FrrKind kind;
};
constexpr std::array kHeads = {
    Prefix{"ip prefix-list ", FrrKind::PrefixList},
    Prefix{"ipv6 prefix-list ", FrrKind::PrefixList6},
    Prefix{"bgp as-path access-list ", FrrKind::AsPathList},
    Prefix{"bgp community-list standard ", FrrKind::CommunityList},
    Prefix{"bgp community-list expanded ", FrrKind::CommunityList},
    Prefix{"bgp extcommunity-list standard ", FrrKind::ExtcommunityList},
    Prefix{"bgp extcommunity-list expanded ", FrrKind::ExtcommunityList},
    Prefix{"bgp large-community-list standard ", FrrKind::LargeCommunityList},
    Prefix{"bgp large-community-list expanded ", FrrKind::LargeCommunityList},
    Prefix{"route-map ", FrrKind::RouteMap},
};

std::string word_at(std::string_view text, std::size_t at) {
  return std::string(text.substr(at, text.find(' ', at) - at));
}

// Of a line in no block.
std::optional<FrrKey> key_of(std::string_view text) {
  for (const Prefix& prefix : kHeads) {
    if (text.starts_with(prefix.head)) {
      return FrrKey{prefix.kind, word_at(text, prefix.head.size())};
    }
  }
  if (text.starts_with(kRouter)) {
    return FrrKey{FrrKind::BgpRouter, ""};
  }
  if (text == kOspf) {
    return FrrKey{FrrKind::OspfRouter, ""};
  }
  if (text.starts_with(kInterface)) {
    return FrrKey{FrrKind::OspfInterface, std::string(text.substr(kInterface.size()))};
  }
  return text == "rpki" ? std::optional(FrrKey{FrrKind::Rpki, ""}) : std::nullopt;
}

// Of a line in `router bgp`.
FrrKey key_in_router(std::string_view text) {
  const std::string_view positive = text.starts_with("no ") ? text.substr(3) : text;
  constexpr std::string_view kNeighbor = "neighbor ";
  if (positive.starts_with(kNeighbor)) {
    return {FrrKind::BgpNeighbor, word_at(positive, kNeighbor.size())};
  }
  if (positive.starts_with("bgp listen range ")) {
    return {FrrKind::BgpNeighbor, std::string(positive.substr(positive.rfind(' ') + 1))};
  }
  return {FrrKind::BgpRouter, ""};
}

bool is_frame(std::string_view text) {
  return text.empty() || text.starts_with("!") || text.starts_with("exit") || text == "end" ||
         text.starts_with("address-family ");
}

std::vector<std::string_view> heads_of(std::string_view block) {
  std::vector<std::string_view> heads;
  while (!block.empty()) {
    const std::size_t end = std::min(block.find('\n'), block.size());
    heads.push_back(block.substr(0, end));
    block.remove_prefix(std::min(end + 1, block.size()));
  }
  return heads;
}

bool opens_block(std::string_view text) {
  return text.starts_with(kRouter) || text == kOspf || text.starts_with("route-map ") ||
         text == "rpki";
}

// Lines with the heads and exits around them.
class Script {
 public:
  void add(std::string_view block, std::string_view text) {
    go(block);
    if (opens_block(text)) {
      open(text);
    } else {
      say(text);
    }
  }

  std::vector<std::string> commands() {
    go("");
    return std::move(lines_);
  }

  std::string text() {
    go("");
    std::string text;
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      text += std::string(depths_[at], ' ') + lines_[at] + "\n";
    }
    return text;
  }

 private:
  void say(std::string_view text) {
    lines_.emplace_back(text);
    depths_.push_back(heads_.size());
  }

  void open(std::string_view head) {
    say(head);
    heads_.emplace_back(head);
  }

  void close() {
    const bool inner = heads_.size() > 1;
    if (!inner) {
      heads_.pop_back();
    }
    say(inner ? "exit-address-family" : "exit");
    if (inner) {
      heads_.pop_back();
    }
  }

  void go(std::string_view block) {
    const auto there = heads_of(block);
    const auto common =
        static_cast<std::size_t>(std::ranges::mismatch(heads_, there).in1 - heads_.begin());
    while (heads_.size() > common) {
      close();
    }
    while (heads_.size() < there.size()) {
      open(there[heads_.size()]);
    }
  }

  std::vector<std::string> heads_;  // that we are in
  std::vector<std::string> lines_;
  std::vector<std::size_t> depths_;  // of the lines
};

// "no route-map R", "no bgp community-list standard C": the first line up to the name.
std::string deletion_of(const FrrKey& key, const FrrObject& object) {
  const std::string& first = object.lines.front().text;
  return "no " + first.substr(0, first.find(' ' + key.name) + 1 + key.name.size());
}

const FrrObject* find(const FrrConfig& config, const FrrKey& key) {
  const auto found = config.find(key);
  return found == config.end() ? nullptr : &found->second;
}

void build(const FrrConfig& actual, const FrrConfig& wanted, Script& script) {
  for (const auto& [key, object] : wanted) {
    const FrrObject* const present = find(actual, key);
    if (!is_policy(key.kind) || (present && *present == object)) {
      continue;
    }
    if (present) {
      // Somebody else has changed what carries our name.
      script.add("", deletion_of(key, *present));
    }
    for (const FrrLine& line : object.lines) {
      script.add(line.block, line.text);
    }
  }
}

void retire(const FrrConfig& actual, const FrrConfig& wanted, Script& script) {
  for (auto entry = actual.rbegin(); entry != actual.rend(); ++entry) {
    if (is_policy(entry->first.kind) && !wanted.contains(entry->first)) {
      script.add("", deletion_of(entry->first, entry->second));
    }
  }
}

// --- switching ---

struct Edit {
  FrrLine line;  // what is sent, in which block
  FrrTurn turn = FrrTurn::Normal;
};

struct Edits {
  std::vector<Edit> removals;
  std::vector<Edit> additions;
};

Edits edits_of(const FrrObject& actual, const FrrObject& wanted) {
  Edits edits;
  std::map<std::pair<std::string_view, std::string>, bool> slots;
  for (const FrrLine& line : wanted.lines) {
    const FrrForm form = form_of(line.text);
    slots.emplace(std::pair(std::string_view(line.block), form.slot), true);
    if (std::ranges::find(actual.lines, line) == actual.lines.end()) {
      edits.additions.push_back({line, form.turn});
    }
  }
  for (const FrrLine& line : actual.lines) {
    const FrrForm form = form_of(line.text);
    if (!slots.contains(std::pair(std::string_view(line.block), form.slot))) {
      edits.removals.push_back({{line.block, form.removal}, form.turn});
    }
  }
  std::ranges::reverse(edits.removals);  // what was set later may stand on what was set before
  return edits;
}

// The router that the lines belong to, "router bgp 65001"; empty without an object.
std::string router_of(const FrrObject* object) {
  if (!object || object->lines.empty()) {
    return {};
  }
  const FrrLine& line = object->lines.front();
  return line.block.substr(0, line.block.find('\n')) +
         (line.block.empty() ? line.text : std::string());
}

class Switch {
 public:
  Switch(const FrrConfig& actual, const FrrConfig& wanted, Script& script)
      : actual_(actual), wanted_(wanted), script_(script) {
    const FrrKey key{FrrKind::BgpRouter, ""};
    const std::string old_router = router_of(find(actual, key));
    anew_ = old_router != router_of(find(wanted, key));
    if (anew_ && !old_router.empty()) {
      script_.add("", "no " + old_router);
    }
  }

  void run() {
    collect();
    for (const FrrTurn turn : {FrrTurn::Source, FrrTurn::Normal}) {
      send(removals_, turn);
    }
    remove_neighbors();
    send(additions_, FrrTurn::Normal);
    add_neighbors();
    send(additions_, FrrTurn::Source);
    for (const FrrTurn turn : {FrrTurn::Resetting, FrrTurn::Renewing}) {
      send(removals_, turn);
      send(additions_, turn);
    }
    renew_sessions();
  }

 private:
  const FrrObject* present(const FrrKey& key) const {
    const bool of_router = key.kind == FrrKind::BgpRouter || key.kind == FrrKind::BgpNeighbor;
    return anew_ && of_router ? nullptr : find(actual_, key);
  }

  void collect() {
    static const FrrObject kNothing;
    for (const auto& [key, object] : wanted_) {
      const FrrObject* const before = present(key);
      if (is_policy(key.kind) || (key.kind == FrrKind::BgpNeighbor && !before)) {
        continue;
      }
      Edits edits = edits_of(before ? *before : kNothing, object);
      std::ranges::move(edits.removals, std::back_inserter(removals_));
      std::ranges::move(edits.additions, std::back_inserter(additions_));
    }
    for (const auto& [key, object] : actual_) {
      if (wanted_.contains(key)) {
        continue;
      }
      if (key.kind == FrrKind::Rpki) {
        removals_.push_back({{"", "no rpki"}});
      } else if (key.kind == FrrKind::OspfRouter) {
        removals_.push_back({{"", "no router ospf"}});
      } else if (key.kind == FrrKind::OspfInterface) {
        std::ranges::move(edits_of(object, kNothing).removals, std::back_inserter(removals_));
      }
    }
  }

  void send(const std::vector<Edit>& edits, FrrTurn turn) {
    for (const Edit& edit : edits) {
      if (edit.turn == turn) {
        script_.add(edit.line.block, edit.line.text);
      }
    }
  }

  void remove_neighbors() {
    for (const auto& [key, object] : actual_) {
      if (key.kind == FrrKind::BgpNeighbor && !wanted_.contains(key) && present(key)) {
        const std::string group = std::format("neighbor {} peer-group", key.name);
        bool is_group = false;
        for (const FrrLine& line : object.lines) {
          is_group = is_group || line.text == group;
          if (line.text.starts_with("bgp listen ")) {
            script_.add(line.block, "no " + line.text);  // or the group cannot go
          }
        }
        script_.add(router_of(&object),
                    "no " + (is_group ? group : std::format("neighbor {}", key.name)));
      }
    }
  }

  // A neighbour is shut until it has all its lines: no route may pass before the policy is there.
  void add_neighbors() {
    for (const auto& [key, object] : wanted_) {
      if (key.kind != FrrKind::BgpNeighbor || present(key)) {
        continue;
      }
      const std::string shut = std::format("neighbor {} shutdown", key.name);
      const std::string& router = object.lines.front().block;
      bool stays = false;
      for (std::size_t at = 0; at < object.lines.size(); ++at) {
        const FrrLine& line = object.lines[at];
        stays = stays || line.text == shut;
        script_.add(line.block, line.text);
        if (at == 0) {
          script_.add(router, shut);
        }
      }
      if (!stays) {
        script_.add(router, "no " + shut);
      }
    }
  }

  void renew_sessions() {
    std::set<std::pair<std::string, std::string>> neighbors;  // and the routers that they are in
    for (const auto* const edits : {&removals_, &additions_}) {
      for (const Edit& edit : *edits) {
        if (edit.turn == FrrTurn::Renewing) {
          neighbors.emplace(edit.line.block, key_in_router(edit.line.text).name);
        }
      }
    }
    for (const auto& [router, name] : neighbors) {
      const std::string shut = std::format("neighbor {} shutdown", name);
      const auto& lines = wanted_.at({FrrKind::BgpNeighbor, name}).lines;
      if (std::ranges::find(lines, shut, &FrrLine::text) == lines.end()) {
        script_.add(router, shut);
        script_.add(router, "no " + shut);
      }
    }
  }

  const FrrConfig& actual_;
  const FrrConfig& wanted_;
  Script& script_;
  bool anew_ = false;
  std::vector<Edit> removals_;
  std::vector<Edit> additions_;
};

}  // namespace

bool is_policy(FrrKind kind) {
  return kind <= FrrKind::RouteMap;
}

bool FrrObject::operator==(const FrrObject& other) const {
  if (lines.size() != other.lines.size()) {
    return false;
  }
  auto left = lines;
  auto right = other.lines;
  std::ranges::sort(left);
  std::ranges::sort(right);
  return left == right;
}

FrrConfig parse_frr_config(std::string_view running_config) {
  FrrConfig config;
  std::vector<std::string> heads;
  std::optional<FrrKey> top;  // of the block that we are in
  std::istringstream stream{std::string(running_config)};
  for (std::string line; std::getline(stream, line);) {
    const std::size_t depth = std::min(line.find_first_not_of(' '), line.size());
    std::string text = line.substr(depth);
    text.erase(text.find_last_not_of(' ') + 1);  // "distance 150 192.0.2.2/32 "
    if (text.starts_with("!") || text.empty()) {
      continue;
    }
    if (depth == 0) {
      top = is_frame(text) ? std::nullopt : key_of(text);
    }
    heads.resize(std::min(depth, heads.size()));
    std::string block;
    for (const std::string& head : heads) {
      block += (block.empty() ? "" : "\n") + head;
    }
    heads.push_back(text);
    if (!top || is_frame(text)) {
      continue;
    }
    const bool inside = top->kind == FrrKind::BgpRouter && depth > 0;
    if (top->kind == FrrKind::OspfInterface && depth == 0) {
      continue;
    }
    auto& lines = config[inside ? key_in_router(text) : *top].lines;
    // A block may be entered again.
    if (!opens_block(text) || std::ranges::find(lines, text, &FrrLine::text) == lines.end()) {
      lines.push_back({std::move(block), text});
    }
  }
  return config;
}

std::string to_text(const FrrConfig& config) {
  Script script;
  for (const auto& [key, object] : config) {
    for (const FrrLine& line : object.lines) {
      script.add(line.block, line.text);
    }
  }
  return script.text();
}

std::vector<std::string> frr_commands(const FrrConfig& actual, const FrrConfig& wanted,
                                      commit::Phase phase) {
  Script script;
  switch (phase) {
    case commit::Phase::Teardown:
      break;
    case commit::Phase::Build:
      build(actual, wanted, script);
      break;
    case commit::Phase::Switch:
      Switch(actual, wanted, script).run();
      break;
    case commit::Phase::Retire:
      retire(actual, wanted, script);
      break;
  }
  return script.commands();
}

bool resets(const FrrObject& before, const FrrObject& after) {
  const Edits edits = edits_of(before, after);
  const auto ends = [](const Edit& edit) {
    return edit.turn == FrrTurn::Resetting || edit.turn == FrrTurn::Renewing;
  };
  return router_of(&before) != router_of(&after) || std::ranges::any_of(edits.removals, ends) ||
         std::ranges::any_of(edits.additions, ends);
}

}  // namespace millrace::appliers
