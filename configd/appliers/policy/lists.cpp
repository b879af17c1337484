// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/lists.h"

#include <format>
#include <utility>

namespace millrace::appliers::policy {
namespace {

std::string rule_text(const Lists::Rule& rule) {
  const auto& [prefix, low, high] = rule.range;
  const unsigned longest = base::bits(prefix.family());
  std::string text = std::format("{} {}", rule.permit ? "permit" : "deny", prefix.to_string());
  if (high == prefix.length()) {
    return text;
  }
  if (low > prefix.length()) {
    text += std::format(" ge {}", low);
  }
  // `ge` alone goes up to the longest length.
  if (high < longest || low == prefix.length()) {
    text += std::format(" le {}", high);
  }
  return text;
}

}  // namespace

namespace {

// FRR drops a rule that a list has already.
std::vector<std::string> each_once(std::vector<std::string> rules) {
  std::set<std::string_view> seen;
  std::vector<std::string> kept;
  kept.reserve(rules.size());
  for (std::string& rule : rules) {
    if (!seen.contains(rule)) {
      kept.push_back(std::move(rule));
      seen.insert(kept.back());
    }
  }
  return kept;
}

}  // namespace

std::string content_hash(std::string_view content) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : content) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  }
  return std::format("{:016x}", hash);
}

std::string Lists::prefix_list(base::Family family, const std::vector<Rule>& rules) {
  const bool inet = family == base::Family::Inet;
  std::vector<std::string> texts;
  texts.reserve(rules.size());
  for (const Rule& rule : rules) {
    texts.push_back(rule_text(rule));
  }
  texts = each_once(std::move(texts));
  std::string content;
  for (const std::string& text : texts) {
    content += text + '\n';
  }
  const std::string name = "p-" + content_hash(content);
  const FrrKind kind = inet ? FrrKind::PrefixList : FrrKind::PrefixList6;
  if (!has(kind, name)) {
    auto object = std::make_shared<FrrObject>();
    object->lines.reserve(texts.size());
    std::size_t number = 0;
    for (const std::string& text : texts) {
      object->lines.push_back({"", std::format("{} prefix-list {} seq {} {}", inet ? "ip" : "ipv6",
                                               name, ++number, text)});
    }
    objects_.emplace(FrrKey{kind, name}, std::move(object));
  }
  return name;
}

std::string Lists::as_path_list(const std::vector<std::string>& expressions) {
  std::string content;
  for (const std::string& expression : expressions) {
    content += expression + '\n';
  }
  const std::string name = "a-" + content_hash(content);
  if (!has(FrrKind::AsPathList, name)) {
    auto object = std::make_shared<FrrObject>();
    std::size_t number = 0;
    for (const std::string& expression : expressions) {
      object->lines.push_back({"", std::format("bgp as-path access-list {} seq {} permit {}", name,
                                               ++number, expression)});
    }
    objects_.emplace(FrrKey{FrrKind::AsPathList, name}, std::move(object));
  }
  return "match as-path " + name;
}

std::string Lists::community_list(FrrKind kind, std::string_view style,
                                  std::vector<std::string> rules) {
  rules = each_once(std::move(rules));
  const bool extended = kind == FrrKind::ExtcommunityList;
  const bool large = kind == FrrKind::LargeCommunityList;
  std::string content(style);
  for (const std::string& rule : rules) {
    content += '\n' + rule;
  }
  const std::string name = std::format("{}-{}",
                                       extended ? 'e'
                                       : large  ? 'l'
                                                : 'c',
                                       content_hash(content));
  if (!has(kind, name)) {
    auto object = std::make_shared<FrrObject>();
    std::size_t number = 0;
    for (const std::string& rule : rules) {
      object->lines.push_back({"", std::format("bgp {}community-list {} {} seq {} {}",
                                               extended ? "ext"
                                               : large  ? "large-"
                                                        : "",
                                               style, name, ++number, rule)});
    }
    objects_.emplace(FrrKey{kind, name}, std::move(object));
  }
  return name;
}

std::string Lists::route_map(Program& program) {
  const std::string name = "r-" + content_hash(program.text());
  if (!has(FrrKind::RouteMap, name)) {
    objects_.emplace(FrrKey{FrrKind::RouteMap, name},
                     std::make_shared<FrrObject>(program.render(name)));
  }
  return name;
}

std::vector<Object> Lists::take() {
  std::vector<Object> objects;
  for (auto& [key, content] : objects_) {
    objects.push_back({key, std::move(content)});
  }
  objects_.clear();
  return objects;
}

}  // namespace millrace::appliers::policy
