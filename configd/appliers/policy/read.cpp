// SPDX-License-Identifier: GPL-2.0-or-later
#include <charconv>
#include <format>
#include <string_view>

#include "appliers/policy/model.h"

namespace millrace::appliers::policy {
namespace {

using base::IpAddress;
using base::Prefix;
using base::Result;
using tree::View;

std::uint32_t number_of(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<std::uint32_t> number_in(const View& leaf) {
  const auto value = leaf.number();
  return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<std::string> text_in(const View& leaf) {
  const auto value = leaf.value();
  return value ? std::optional(std::string(*value)) : std::nullopt;
}

std::vector<std::string> words_in(const View& list) {
  std::vector<std::string> words;
  for (const auto& [word, view] : list.entries()) {
    words.emplace_back(word);
  }
  return words;
}

std::vector<IpAddress> addresses_in(const View& list) {
  std::vector<IpAddress> addresses;
  for (const auto& [word, view] : list.entries()) {
    addresses.push_back(IpAddress::parse(word).value_or(IpAddress()));
  }
  return addresses;
}

std::optional<Number> read_number(const View& list) {
  for (const auto& [word, entry] : list.entries()) {
    Number number;
    if (word == "igp") {
      number.kind = Number::Kind::Igp;
      return number;
    }
    if (word != "add" && word != "subtract") {
      number.value = number_of(word);
      return number;
    }
    number.kind = word == "add" ? Number::Kind::Add : Number::Kind::Subtract;
    for (const auto& [amount, view] : entry["amount"].entries()) {
      number.value = number_of(amount);
    }
    return number;
  }
  return std::nullopt;
}

CommunityChange::Operation operation_of(std::string_view word) {
  using Operation = CommunityChange::Operation;
  return word == "+" || word == "add"      ? Operation::Add
         : word == "-" || word == "delete" ? Operation::Delete
                                           : Operation::Set;
}

Flow flow_of(const View& actions) {
  if (actions["accept"]) {
    return Flow::Accept;
  }
  if (actions["reject"]) {
    return Flow::Reject;
  }
  const std::string next = actions["next"].text();
  return next == "term" ? Flow::NextTerm : next == "policy" ? Flow::NextPolicy : Flow::None;
}

Actions read_actions(const View& view) {
  Actions actions;
  actions.flow = flow_of(view);
  if (const auto value = view["default-action"].value()) {
    actions.default_accept = *value == "accept";
  }
  actions.expand_last_as = number_in(view["as-path-expand"]["last-as"]["count"]).value_or(0);
  const std::string prepend = view["as-path-prepend"].text();
  for (std::size_t at = 0; at < prepend.size();) {
    const std::size_t end = std::min(prepend.find(' ', at), prepend.size());
    if (end > at) {
      actions.prepend.push_back(number_of(std::string_view(prepend).substr(at, end - at)));
    }
    at = end + 1;
  }
  for (const auto& [word, entry] : view["community"].entries()) {
    for (const auto& [name, community] : entry["name"].entries()) {
      actions.communities.push_back({operation_of(word), std::string(name)});
    }
  }
  actions.local_preference = read_number(view["local-preference"]);
  actions.metric = read_number(view["metric"]);
  if (const auto hop = view["next-hop"].value()) {
    const auto address = IpAddress::parse(*hop);
    actions.next_hop = address          ? NextHop{NextHop::Kind::Address, *address}
                       : *hop == "self" ? NextHop{NextHop::Kind::Self, {}}
                                        : NextHop{NextHop::Kind::Peer, {}};
  }
  actions.origin = text_in(view["origin"]);
  actions.preference = number_in(view["preference"]);
  actions.tag = number_in(view["tag"]);
  actions.external_type = number_in(view["external"]["type"]);
  return actions;
}

std::optional<Actions> own_actions(const View& filter) {
  const Actions actions = read_actions(filter);
  return actions == Actions() ? std::nullopt : std::optional(actions);
}

std::vector<Length> read_lengths(const View& filter) {
  std::vector<Length> lengths;
  for (const auto& [word, length] : {std::pair{"exact", Length::Exact},
                                     {"longer", Length::Longer},
                                     {"orlonger", Length::OrLonger}}) {
    if (filter[word]) {
      lengths.push_back(length);
    }
  }
  return lengths;
}

From read_from(const View& view) {
  From from;
  from.as_paths = words_in(view["as-path"]);
  from.as_path_groups = words_in(view["as-path-group"]);
  from.communities = words_in(view["community"]);
  from.family = text_in(view["family"]);
  from.interfaces = words_in(view["interface"]);
  from.local_preference = number_in(view["local-preference"]);
  from.metric = number_in(view["metric"]);
  from.neighbors = addresses_in(view["neighbor"]);
  from.next_hops = addresses_in(view["next-hop"]);
  from.origin = text_in(view["origin"]);
  from.policies = words_in(view["policy"]);
  from.prefix_lists = words_in(view["prefix-list"]);
  for (const auto& [name, entry] : view["prefix-list-filter"].entries()) {
    from.prefix_list_filters.push_back(
        {std::string(name), read_lengths(entry), own_actions(entry)});
  }
  from.protocols = words_in(view["protocol"]);
  from.rib = text_in(view["rib"]);
  for (const auto& [prefix, entry] : view["route-filter"].entries()) {
    from.route_filters.push_back({Prefix::parse(prefix).value_or(Prefix()),
                                  read_ranges(entry).value_or(std::vector<PrefixRange>()),
                                  own_actions(entry)});
  }
  for (const std::string& word : words_in(view["tag"])) {
    from.tags.push_back(number_of(word));
  }
  return from;
}

Term read_term(std::string_view name, const View& view) {
  Term term;
  term.name = name;
  term.from = read_from(view["from"]);
  term.to.neighbors = addresses_in(view["to"]["neighbor"]);
  term.to.protocols = words_in(view["to"]["protocol"]);
  term.to.rib = text_in(view["to"]["rib"]);
  term.then = read_actions(view["then"]);
  return term;
}

Result<PrefixRange> checked(const Prefix& prefix, std::uint32_t low, std::uint32_t high,
                            std::string_view typed) {
  const unsigned longest = base::bits(prefix.family());
  if (low < prefix.length() || high > longest || low > high) {
    return base::fail(base::Code::BadValue,
                      std::format("'{}' is not between /{} and /{}, the lengths below {}", typed,
                                  prefix.length(), longest, prefix.to_string()));
  }
  return PrefixRange{prefix, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)};
}

}  // namespace

Result<std::vector<PrefixRange>> read_ranges(const View& filter) {
  const auto prefix = Prefix::parse(filter.key());
  if (!prefix) {
    return std::unexpected(prefix.error());
  }
  const std::uint32_t length = prefix->length();
  const std::uint32_t longest = base::bits(prefix->family());
  std::vector<PrefixRange> ranges;
  const auto add = [&](std::uint32_t low, std::uint32_t high) {
    ranges.push_back({*prefix, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)});
  };
  if (filter["exact"]) {
    add(length, length);
  }
  if (filter["longer"] && length < longest) {
    add(length + 1, longest);
  }
  if (filter["orlonger"]) {
    add(length, longest);
  }
  for (const std::string& typed : words_in(filter["upto"])) {
    const auto range =
        checked(*prefix, length, number_of(std::string_view(typed).substr(1)), typed);
    if (!range) {
      return std::unexpected(range.error());
    }
    ranges.push_back(*range);
  }
  for (const std::string& typed : words_in(filter["prefix-length-range"])) {
    const std::size_t dash = typed.find('-');
    const auto range = checked(*prefix, number_of(std::string_view(typed).substr(1)),
                               number_of(std::string_view(typed).substr(dash + 2)), typed);
    if (!range) {
      return std::unexpected(range.error());
    }
    ranges.push_back(*range);
  }
  for (const std::string& typed : words_in(filter["through"])) {
    const auto end = Prefix::parse(typed);
    if (!end || end->family() != prefix->family() || !prefix->contains(end->address()) ||
        end->length() < length) {
      return base::fail(base::Code::BadValue,
                        std::format("'{}' is not a prefix below {}", typed, prefix->to_string()));
    }
    for (std::uint32_t at = length; at <= end->length(); ++at) {
      const auto way = static_cast<std::uint8_t>(at);
      ranges.push_back({Prefix(end->address(), way), way, way});
    }
  }
  return ranges;
}

Policy read_policy(const View& statement) {
  Policy policy;
  policy.name = statement.key();
  for (const auto& [name, term] : statement["term"].entries()) {
    policy.terms.push_back(read_term(name, term));
  }
  if (statement["from"] || statement["to"] || statement["then"]) {
    policy.terms.push_back(read_term("", statement));
  }
  return policy;
}

}  // namespace millrace::appliers::policy
