// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases/random_edits.h"

#include <algorithm>
#include <format>
#include <functional>
#include <iterator>

#include "syntax/writer.h"
#include "tree/editor.h"
#include "tree/text.h"

namespace millrace::cases {
namespace {

using schema::BaseType;
using schema::Kind;
using Lines = std::vector<std::string>;

void add_word(std::string& words, std::string_view word) {
  words += ' ';
  syntax::append_quoted(words, word);
}

bool possible(const schema::Node& node) {
  return node.support != schema::Support::Refused;
}

// Every line ends in `text`; a nested text becomes one line, which reads the same.
std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

const Lines kInterfaces = {"eth0", "eth0", "eth1", "eth1", "eth2", "eth4", "lo0", "ae0"};
const Lines kLogical = {"eth0.0", "eth1.0", "eth1.7", "eth0.100", "eth4.0", "lo0.0"};
const Lines kStrings = {"a", "b", "c", "two words", "x;y", "d\"q", "{", "*", "größe", "10.0.0.1"};
const Lines kInet = {"10.0.0.1",     "10.0.0.2",        "10.0.1.1",   "192.0.2.1", "192.0.2.254",
                     "198.51.100.1", "172.16.0.1",      "127.0.0.1",  "0.0.0.0",   "224.0.0.5",
                     "10.0.0.255",   "255.255.255.255", "169.254.1.1"};
const Lines kInet6 = {"2001:db8::1", "2001:db8::2", "2001:db8:1::1", "fe80::1",
                      "fe80::2",     "::1",         "ff02::5",       "fd00::1"};
const Lines kInetPrefixes = {"0.0.0.0/0",   "10.0.0.0/8",   "10.0.0.0/24",    "10.1.0.0/16",
                             "10.0.0.1/32", "192.0.2.0/24", "192.0.2.128/25", "198.51.100.0/24"};
const Lines kInet6Prefixes = {"::/0", "2001:db8::/32", "2001:db8:1::/48", "2001:db8::1/128",
                              "fd00::/8"};
const Lines kInetAddresses = {"10.0.0.1/24",   "10.0.0.2/24",  "10.0.0.3/24",    "10.0.0.1/25",
                              "10.0.1.1/30",   "192.0.2.1/24", "192.0.2.129/25", "10.255.0.1/32",
                              "172.16.0.0/31", "10.0.0.0/24"};
const Lines kInet6Addresses = {"2001:db8::1/64",   "2001:db8::2/64", "2001:db8::1/128",
                               "2001:db8:1::1/64", "fe80::1/64",     "fd00::1/48",
                               "2001:db8::ff/127"};
const Lines kHosts = {"r1", "r2", "ntp", "a.example", "b.example", "UPPER"};
const Lines kNumbers = {"0", "1", "2", "5", "7", "100", "1294", "1298", "1400", "1500", "4094"};

}  // namespace

// ===== values =====

std::string RandomEdits::guess_integer(const schema::Type& type) {
  if (!type.ranges.empty() && random_.one_in(4)) {
    const schema::Range& range = random_.pick(type.ranges);
    return std::to_string(random_.one_in(2) ? range.low : range.high);
  }
  return random_.pick(kNumbers);
}

std::string RandomEdits::guess(const schema::Type& type) {
  switch (type.base) {
    case BaseType::Empty:
      return {};
    case BaseType::String:
      return random_.pick(kStrings);
    case BaseType::Integer:
      return guess_integer(type);
    case BaseType::Boolean:
      return random_.one_in(2) ? "true" : "false";
    case BaseType::Enumeration:
      return type.values.empty() ? "" : random_.pick(type.values).name;
    case BaseType::IpAddress:
      return random_.pick(random_.one_in(3) ? kInet6 : kInet);
    case BaseType::Ipv4Address:
      return random_.pick(kInet);
    case BaseType::Ipv6Address:
      return random_.pick(kInet6);
    case BaseType::IpPrefix:
      return random_.pick(random_.one_in(3) ? kInet6Prefixes : kInetPrefixes);
    case BaseType::Ipv4Prefix:
      return random_.pick(kInetPrefixes);
    case BaseType::Ipv6Prefix:
      return random_.pick(kInet6Prefixes);
    case BaseType::InterfaceAddress:
      return random_.pick(random_.one_in(3) ? kInet6Addresses : kInetAddresses);
    case BaseType::Ipv4InterfaceAddress:
      return random_.pick(kInetAddresses);
    case BaseType::Ipv6InterfaceAddress:
      return random_.pick(kInet6Addresses);
    case BaseType::InterfaceName:
      return random_.pick(kInterfaces);
    case BaseType::LogicalInterface:
      return random_.pick(kLogical);
    case BaseType::MacAddress:
      return random_.one_in(2) ? "02:00:00:00:00:01" : "02:00:00:00:00:02";
    case BaseType::HostName:
    case BaseType::DomainName:
      return random_.pick(kHosts);
    case BaseType::Host:
      return random_.one_in(2) ? random_.pick(kHosts) : random_.pick(kInet);
    case BaseType::AsNumber:
      return random_.one_in(2) ? "64512" : "64513";
    case BaseType::Union:
      return type.members.empty() ? "" : guess(random_.pick(type.members));
  }
  return {};
}

std::string RandomEdits::value(const schema::Type& type, unsigned tries) {
  while (tries-- > 0) {
    if (const auto canonical = type.canonical(guess(type)); canonical && !canonical->empty()) {
      return *canonical;
    }
  }
  return {};
}

// The key of an object that the value may refer to.
std::string RandomEdits::reference(const schema::Node& node) {
  Lines keys;
  for (const Place& place : places(*tree_)) {
    if (place.node->is_entry() && place.node->schema() == node.reference->target) {
      keys.emplace_back(place.node->name());
    }
  }
  return keys.empty() ? "" : random_.pick(keys);
}

std::string RandomEdits::key(const schema::Node& list, const tree::Node* at) {
  if (at != nullptr && !at->children().empty() && !random_.one_in(3)) {
    Lines keys;
    at->children().for_each([&](const tree::NodePtr& entry) {
      keys.emplace_back(entry->name());
      return true;
    });
    return random_.pick(keys);
  }
  return value(list.type);
}

// ===== set =====

// More where there is more to say, but not in proportion.
unsigned RandomEdits::weight(const schema::Node& node) {
  if (const auto known = weights_.find(&node); known != weights_.end()) {
    return known->second;
  }
  unsigned sum = 0;
  for (const auto& child : node.children) {
    sum += possible(*child) ? weight(*child) : 0;
  }
  return weights_[&node] = std::min(1 + sum, 16U);
}

void RandomEdits::grow_child(const schema::Node& node, const tree::Node* at,
                             const std::string& words, Lines& out) {
  unsigned sum = 0;
  for (const auto& child : node.children) {
    sum += possible(*child) ? weight(*child) : 0;
  }
  if (sum == 0) {
    out.push_back("set" + words);
    return;
  }
  std::uint64_t chosen = random_.below(sum);
  for (const auto& child : node.children) {
    const unsigned share = possible(*child) ? weight(*child) : 0;
    if (chosen < share) {
      grow(*child, at == nullptr ? nullptr : at->child(child->name), words, out);
      return;
    }
    chosen -= share;
  }
}

void RandomEdits::grow(const schema::Node& node, const tree::Node* at, const std::string& words,
                       Lines& out) {
  std::string here = words;
  if (!node.nameless) {
    add_word(here, node.name);
  }
  if (node.kind == Kind::Container) {
    if (node.presence && random_.one_in(5)) {
      out.push_back("set" + here);
    }
    grow_child(node, at, here, out);
    return;
  }
  if (node.kind == Kind::List) {
    const std::string name = key(node, at);
    if (name.empty()) {
      return;
    }
    const tree::Node* const entry = at == nullptr ? nullptr : at->child(name);
    add_word(here, name);
    if (random_.one_in(8)) {
      out.push_back("set" + here);
      return;
    }
    for (std::uint64_t more = random_.between(1, entry == nullptr ? 4 : 2); more > 0; --more) {
      grow_child(node, entry, here, out);
    }
    return;
  }
  if (node.type.base != BaseType::Empty) {
    const std::string text =
        node.reference && !random_.one_in(6) ? reference(node) : value(node.type);
    if (text.empty()) {
      return;
    }
    add_word(here, text);
  }
  out.push_back("set" + here);
}

Lines RandomEdits::set_lines(const tree::ConfigTree& candidate) {
  Lines lines;
  for (int tries = 0; lines.empty() && tries < 10; ++tries) {
    grow_child(schema_.root(), &candidate.root(), "", lines);
  }
  if (random_.one_in(5)) {
    share(lines);
  }
  return lines;
}

// Moves what is set into a group or a range, from where others inherit it.
void RandomEdits::share(Lines& lines) {
  const std::string name = random_.pick(Lines{"a", "b", "c"});
  constexpr std::string_view kSet = "set ";
  constexpr std::string_view kInterface = "set interfaces eth";
  const bool in_range = random_.one_in(3);
  for (std::string& line : lines) {
    if (line.starts_with("set groups") || line.contains("interface-range")) {
      continue;
    }
    if (line.starts_with(kInterface) && (in_range || random_.one_in(2))) {
      const std::size_t after = std::min(line.find(' ', kInterface.size()), line.size());
      line.replace(0, after,
                   in_range ? "set interfaces interface-range " + name : "set interfaces <eth*>");
    }
    if (!in_range) {
      line.insert(kSet.size(), "groups " + name + ' ');
    }
  }
  if (in_range) {
    lines.push_back("set interfaces interface-range " + name + " member " +
                    random_.pick(Lines{"eth0", "eth*", "\"eth[1-2]\""}));
  } else {
    lines.push_back("set " +
                    random_.pick(Lines{"", "interfaces ", "interfaces eth0 ", "system ",
                                       "routing-options static "}) +
                    (random_.one_in(6) ? "apply-groups-except " : "apply-groups ") + name);
  }
}

Lines RandomEdits::more(const tree::ConfigTree& candidate, const std::string& words) {
  tree_ = &candidate;
  Lines lines;
  for (const Place& place : places(candidate)) {
    if (place.words == " " + words && !place.node->schema()->children.empty()) {
      grow_child(*place.node->schema(), place.node, place.words, lines);
    }
  }
  return lines;
}

// ===== everything else =====

std::vector<RandomEdits::Place> RandomEdits::places(const tree::ConfigTree& tree) {
  std::vector<Place> all;
  const std::function<void(const tree::Node&, const std::string&)> visit =
      [&](const tree::Node& node, const std::string& words) {
        node.children().for_each([&](const tree::NodePtr& child) {
          std::string here = words;
          if (child->is_entry() || !child->schema()->nameless) {
            add_word(here, child->name());
            all.push_back({here, child.get(), words});
          }
          visit(*child, here);
          return true;
        });
      };
  visit(tree.root(), "");
  return all;
}

std::string RandomEdits::load_line(const tree::ConfigTree& candidate) {
  const auto action = random_.below(4);
  tree::Editor editor(action == 0 || random_.one_in(3) ? tree::ConfigTree(schema_) : candidate);
  for (std::uint64_t more = random_.between(1, 4); more > 0; --more) {
    for (const std::string& line : set_lines(editor.tree())) {
      tree::load(editor, {}, line + "\n", tree::LoadAction::Set);
    }
  }
  if (const auto all = places(editor.tree()); !all.empty() && action > 0 && random_.one_in(2)) {
    tree::load(editor, {}, "delete" + random_.pick(all).words + "\n", tree::LoadAction::Set);
  }
  const std::string text = on_one_line(tree::to_text(editor.tree(), {}));
  switch (action) {
    case 0:
      return "load merge " + text;
    case 1:
      return "load override " + text;
    case 2:
      return "load update " + text;
    default:
      return "load replace replace: " + text;
  }
}

Lines RandomEdits::edit(const tree::ConfigTree& candidate) {
  tree_ = &candidate;
  const auto kind = random_.below(100);
  if (kind < 58) {
    return set_lines(candidate);
  }
  if (kind < 62) {
    return {std::format("rollback {}", random_.below(6))};
  }
  if (kind < 68) {
    return {load_line(candidate)};
  }
  const auto all = places(candidate);
  if (all.empty()) {
    return set_lines(candidate);
  }
  const Place& place = random_.pick(all);
  if (kind < 82) {
    return {"delete" + place.words};
  }
  if (kind < 87) {
    return {"deactivate" + place.words};
  }
  if (kind < 90) {
    return {"activate" + place.words};
  }
  if (kind < 91) {
    return {"protect" + place.words};
  }
  if (kind < 93) {
    return {"unprotect" + place.words};
  }
  if (kind < 94) {
    return {"annotate" + place.words + (random_.one_in(3) ? " \"\"" : " \"why; { not\"")};
  }
  // Entries can be renamed, copied and, in an ordered list, moved.
  std::vector<Place> entries;
  std::ranges::copy_if(all, std::back_inserter(entries), [](const Place& each) {
    return each.node->is_entry() && each.node->schema()->kind == Kind::List;
  });
  if (entries.empty()) {
    return {"delete" + place.words};
  }
  const Place& entry = random_.pick(entries);
  const schema::Node& list = *entry.node->schema();
  std::string line = (list.ordered && random_.one_in(2) ? "insert"
                      : kind < 97                       ? "rename"
                                                        : "copy") +
                     entry.words;
  line += line.starts_with("insert") ? (random_.one_in(2) ? " before" : " after") : " to";
  const std::string other = value(list.type);
  if (other.empty()) {
    return {"delete" + entry.words};
  }
  add_word(line, other);
  return {line};
}

}  // namespace millrace::cases
