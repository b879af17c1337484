// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/rules.h"

#include <algorithm>
#include <format>
#include <tuple>
#include <unordered_map>

#include "check/must.h"
#include "syntax/writer.h"

namespace millrace::check {
namespace {

using base::Severity;
using schema::Kind;

// "mtu 1400", "unit 0": the last step as it stands in the text, without what is secret.
std::string statement_of(const tree::ConfigTree& tree, const tree::Path& path) {
  if (path.empty()) {
    return {};
  }
  const schema::PathStep& last = path.steps.back();
  std::string text = last.node->nameless ? std::string() : last.node->name;
  const auto add = [&](std::string_view word) {
    text += text.empty() ? "" : " ";
    syntax::append_quoted(text, word);
  };
  if (last.node->secret) {
    return text;
  }
  if (last.keyed) {
    add(last.key);
  } else if (const tree::Node* node = tree.find(path); node && !node->value().empty()) {
    add(node->value());
  }
  return text;
}

}  // namespace

void Rules::subtree(Place& place) {
  node(place);
  if (place.node().schema()->kind == Kind::LeafList) {
    return;
  }
  place.node().children().for_each([&](const tree::NodePtr& child) {
    const schema::Node& schema = *child->schema();
    for (const std::string& name : schema.unique) {
      unique(place, *schema.child(name));
    }
    each_child(place, schema, [&](const Place&) { subtree(place); });
    return true;
  });
}

void Rules::node(const Place& place) {
  const schema::Node& schema = *place.node().schema();
  if (schema.support == schema::Support::Warns) {
    add(place.path, Severity::Warning, "statement has no effect: " + schema.support_reason);
  }
  reference(place);
  for (const schema::Must& rule : schema.musts) {
    must(place, rule);
  }
  for (const auto& child : schema.children) {
    if (child->mandatory) {
      mandatory(place, *child);
    }
  }
}

void Rules::must(const Place& place, const schema::Must& must) {
  if (!holds(must.expression, place)) {
    add(place.path, Severity::Error, must.message);
  }
}

void Rules::mandatory(const Place& place, const schema::Node& leaf) {
  if (!place.node().child(leaf.name)) {
    // Under its parent: there is no statement to quote.
    findings_.push_back({place.path,
                         {Severity::Error,
                          base::Code::Constraint,
                          place.path.to_string(),
                          {},
                          std::format("Missing mandatory statement: '{}'", leaf.name),
                          {}}});
  }
}

void Rules::reference(const Place& place) {
  const tree::Node& node = place.node();
  if (!node.schema()->reference) {
    return;
  }
  if (node.schema()->kind == Kind::LeafList && !node.is_entry()) {
    node.children().for_each([&](const tree::NodePtr& value) {
      missing_target(place, value->name());
      return true;
    });
  } else {
    missing_target(place, node.is_entry() ? node.name() : node.value());
  }
}

void Rules::missing_target(const Place& place, std::string_view value) {
  const schema::Node& target = *place.node().schema()->reference->target;
  bool defined = false;
  Place root = root_place(tree_);
  // The list itself may stand in entries of others; in each it is one look-up.
  each_instance(root, *target.parent, [&](const Place& around) {
    const tree::Node* list = around.node().child(target.name);
    defined = defined || (list && list->child(value));
  });
  if (!defined) {
    tree::Path at = place.path;
    if (place.node().schema()->kind == Kind::LeafList) {
      at.steps.back() = {place.node().schema(), std::string(value), true};
    }
    add(std::move(at), Severity::Error, std::format("{} '{}' is not defined", target.name, value));
  }
}

void Rules::unique(const Place& parent, const schema::Node& leaf, const Values* among) {
  const schema::Node& list = *leaf.parent;
  const tree::Node* entries = parent.node().child(list.name);
  if (!entries) {
    return;
  }
  std::unordered_map<std::string_view, std::string_view> owners;
  entries->children().for_each([&](const tree::NodePtr& entry) {
    const tree::Node* value = entry->child(leaf.name);
    if (!value || (among && !among->contains(value->value()))) {
      return true;
    }
    const auto [owner, is_first] = owners.emplace(value->value(), entry->name());
    if (!is_first) {
      add(parent.path / schema::PathStep{&list, std::string(entry->name()), true} /
              schema::PathStep{&leaf, {}, false},
          Severity::Error,
          std::format("'{}' is used by {} {} already", value->value(), list.name, owner->second));
    }
    return true;
  });
}

void Rules::add(tree::Path at, Severity severity, std::string message) {
  std::string level = at.empty() ? std::string() : at.parent().to_string();
  std::string statement = statement_of(tree_, at);
  findings_.push_back({std::move(at),
                       {severity,
                        base::Code::Constraint,
                        std::move(level),
                        std::move(statement),
                        std::move(message),
                        {}}});
}

base::Diagnostics Rules::take() && {
  const auto same_text = [](const Finding& a, const Finding& b) {
    return a.path == b.path && a.diagnostic.message == b.diagnostic.message;
  };
  std::ranges::stable_sort(findings_, [](const Finding& a, const Finding& b) {
    if (a.path == b.path) {
      return a.diagnostic.message < b.diagnostic.message;
    }
    return comes_before(a.path, b.path);
  });
  const auto repeated = std::ranges::unique(findings_, same_text);
  findings_.erase(repeated.begin(), repeated.end());
  base::Diagnostics diagnostics;
  for (Finding& finding : findings_) {
    diagnostics.add(std::move(finding.diagnostic));
  }
  return diagnostics;
}

}  // namespace millrace::check
