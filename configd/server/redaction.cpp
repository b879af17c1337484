// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/redaction.h"

#include <utility>

#include "schema/walk.h"
#include "syntax/command_line.h"

namespace millrace::server {
namespace {

constexpr std::string_view kUnseen = "something that you may not see";

// Whether the statement at these words may be seen; nothing when they name none.
std::optional<bool> sees(const Peer& peer, const schema::Schema& schema, const std::string& words) {
  const auto parsed = syntax::parse_line(words);
  std::vector<std::string_view> texts;
  for (const auto& word : parsed.line.words) {
    texts.push_back(word.text);
  }
  const auto walks = schema::walk(schema.root(), texts, schema::Abbreviations::No);
  if (!walks || !parsed.errors.empty()) {
    return std::nullopt;
  }
  for (const auto& walk : *walks) {
    const tree::Path path{walk.steps};
    if (!path.empty() && !may(peer, {.kind = Access::Kind::View, .path = &path})) {
      return false;
    }
  }
  return true;
}

bool sees_owned_by(const ClassRights& rights, const schema::Node& node, std::string_view owner,
                   bool& owns) {
  if (node.owner == owner && node.support != schema::Support::Refused) {
    owns = true;
    if (!rights.views_all_of(node)) {
      return false;
    }
  }
  for (const auto& child : node.children) {
    if (!sees_owned_by(rights, *child, owner, owns)) {
      return false;
    }
  }
  return true;
}

}  // namespace

base::Diagnostics redacted(const Peer& peer, const schema::Schema& schema,
                           base::Diagnostics findings) {
  if (sees_everything(peer)) {
    return findings;
  }
  base::Diagnostics out;
  for (const auto& item : findings.items()) {
    auto seen = sees(peer, schema, item.level + " " + item.statement);
    seen = seen ? seen : sees(peer, schema, item.level);
    if (seen.value_or(false)) {
      out.add(item);
    } else {
      out.add(
          {item.severity, item.code, {}, {}, "there is a finding about " + std::string(kUnseen)});
    }
  }
  return out;
}

std::vector<commit::StepLine> redacted(const Peer& peer, const schema::Schema& schema,
                                       std::vector<commit::StepLine> steps) {
  if (sees_everything(peer)) {
    return steps;
  }
  for (auto& step : steps) {
    bool owns = false;
    if (!peer.rights || !sees_owned_by(*peer.rights, schema.root(), step.applier, owns) || !owns) {
      step.description = "change " + std::string(kUnseen);
    }
  }
  return steps;
}

}  // namespace millrace::server
