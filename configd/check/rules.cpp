// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/rules.h"

#include <algorithm>
#include <format>

#include "check/lines.h"
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

// "port '22' and protocol 'tcp' are", "port is" when it is secret.
std::string values_text(const schema::Unique& unique, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const schema::Node& leaf = *unique.leaves[i];
    text += i == 0 ? "" : i + 1 == values.size() ? " and " : ", ";
    text += leaf.secret ? leaf.name : std::format("{} '{}'", leaf.name, values[i]);
  }
  return text + (values.size() == 1 ? " is" : " are");
}

}  // namespace

void Rules::subtree(Place& place) {
  const schema::Node& schema = *place.node().schema();
  if (!book_.of(schema).below) {
    return;
  }
  node(place);
  if (schema.kind == Kind::LeafList) {
    return;
  }
  place.node().children().for_each([&](const tree::NodePtr& child) {
    if (book_.of(*child->schema()).below) {
      each_child(place, *child->schema(), [&](const Place&) { subtree(place); });
    }
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
    contains(place, *child);
  }
}

void Rules::must(const Place& place, const schema::Must& must) {
  if (!holds(must.expression, place, book_, index_)) {
    add(place.path, Severity::Error, must.message);
  }
}

void Rules::contains(const Place& place, const schema::Node& child) {
  if (!child.mandatory && child.min_elements == 0 && child.max_elements == 0) {
    return;
  }
  const tree::Node* statement = place.node().child(child.name);
  if (!statement && (child.mandatory || child.min_elements > 0)) {
    add_missing(place, child.name);
    return;
  }
  const std::size_t count = statement ? statement->children().size() : 0;
  const auto wrong_number = [&](std::string_view bound, std::uint32_t limit) {
    add(place.path / schema::PathStep{&child, {}, false}, Severity::Error,
        std::format("found {} of '{}', expected at {} {}", count, child.name, bound, limit));
  };
  if (count < child.min_elements) {
    wrong_number("least", child.min_elements);
  } else if (child.max_elements != 0 && count > child.max_elements) {
    wrong_number("most", child.max_elements);
  }
}

void Rules::add_missing(const Place& place, std::string name) {
  // Under its parent: there is no statement to quote.
  std::string message = std::format("Missing mandatory statement: '{}'", name);
  findings_.push_back({place.path,
                       Finding::Kind::Missing,
                       std::move(name),
                       {Severity::Error,
                        base::Code::Constraint,
                        place.path.to_string(),
                        {},
                        std::move(message),
                        {}}});
}

void Rules::reference(const Place& place) {
  const tree::Node& node = place.node();
  const schema::Node& schema = *node.schema();
  if (!schema.reference && schema.type.base != schema::BaseType::Union) {
    return;
  }
  if (schema.kind == Kind::LeafList && !node.is_entry()) {
    node.children().for_each([&](const tree::NodePtr& value) {
      missing_target(place, value->name());
      return true;
    });
  } else {
    missing_target(place, node.is_entry() ? node.name() : node.value());
  }
}

void Rules::missing_target(const Place& place, std::string_view value) {
  const schema::Node& schema = *place.node().schema();
  const auto targets = targets_of(schema, value);
  if (targets.empty() || std::ranges::any_of(targets, [&](const schema::Node* target) {
        return is_defined(*target, value);
      })) {
    return;
  }
  std::string kinds;
  for (const schema::Node* target : targets) {
    kinds += (kinds.empty() ? "" : " or ") + target->name;
  }
  tree::Path at = place.path;
  if (schema.kind == Kind::LeafList) {
    at.steps.back() = {&schema, std::string(value), true};
  }
  add(std::move(at), Severity::Error, std::format("{} '{}' is not defined", kinds, value),
      Finding::Kind::Undefined, std::string(value));
}

bool Rules::is_defined(const schema::Node& target, std::string_view value) {
  if (index_) {
    return index_->holds_any((Line(Line::Kind::Target, book_.of(target).id) << value).text());
  }
  const auto [known, is_new] = defined_.try_emplace(&target);
  auto& values = known->second;
  if (is_new) {
    Place root = root_place(tree_);
    each_instance(root, target, [&](const Place& place) {
      const tree::Node& node = place.node();
      if (target.kind == Kind::LeafList) {
        node.children().for_each([&](const tree::NodePtr& entry) {
          values.emplace(entry->name());
          return true;
        });
      } else {
        values.emplace(node.is_entry() ? node.name() : node.value());
      }
    });
  }
  return values.contains(value);
}

void Rules::repeated(const UniqueRule& rule, std::vector<tree::Path> owners) {
  const auto first = std::ranges::min_element(
      owners, [&](const auto& a, const auto& b) { return comes_before(tree_, a, b); });
  for (const tree::Path& owner : owners) {
    if (owner != *first) {
      repeats(rule, *first, owner);
    }
  }
}

void Rules::repeats(const UniqueRule& rule, const tree::Path& first, const tree::Path& owner) {
  if (rule.within) {
    const schema::PathStep& last = owner.steps.back();
    const std::string level = first.parent().to_string();
    const std::string value =
        unique_value(*rule.within, last.keyed ? last.key : tree_.find(owner)->value()).value_or("");
    std::string message = rule.within->message;
    if (message.empty()) {
      message = last.node->secret ? "the value is used already"
                                  : std::format("{} is used already", value);
    }
    add(owner, Severity::Error, std::format("{}: {}", message, level));
    return;
  }
  const auto values = unique_values(*rule.unique, *tree_.find(owner));
  const schema::Node& leaf = *rule.unique->leaves.front();
  const std::string name = std::format("{} {}", rule.node->name, first.steps.back().key);
  const tree::Path at = owner / schema::PathStep{&leaf, {}, false};
  if (values->size() == 1 && leaf.parent == rule.node && tree_.find(at)) {
    const std::string what = leaf.secret ? "the value" : std::format("'{}'", values->front());
    add(at, Severity::Error, std::format("{} is used by {} already", what, name));
  } else {
    add(owner, Severity::Error,
        std::format("{} used by {} already", values_text(*rule.unique, *values), name));
  }
}

void Rules::add(tree::Path at, Severity severity, std::string message, Finding::Kind kind,
                std::string name) {
  std::string level = at.empty() ? std::string() : at.parent().to_string();
  std::string statement = statement_of(tree_, at);
  findings_.push_back({std::move(at),
                       kind,
                       std::move(name),
                       {severity,
                        base::Code::Constraint,
                        std::move(level),
                        std::move(statement),
                        std::move(message),
                        {}}});
}

Findings Rules::take() && {
  const auto same_text = [](const Finding& a, const Finding& b) {
    return a.path == b.path && a.diagnostic.message == b.diagnostic.message;
  };
  std::ranges::stable_sort(findings_, [&](const Finding& a, const Finding& b) {
    if (a.path == b.path) {
      return a.diagnostic.message < b.diagnostic.message;
    }
    return comes_before(tree_, a.path, b.path);
  });
  const auto repeated = std::ranges::unique(findings_, same_text);
  findings_.erase(repeated.begin(), repeated.end());
  Findings result;
  result.items_ = std::move(findings_);
  return result;
}

bool Findings::has_errors() const {
  return std::ranges::any_of(items_, [](const Finding& finding) {
    return finding.diagnostic.severity == Severity::Error;
  });
}

base::Diagnostics Findings::diagnostics() const {
  base::Diagnostics diagnostics;
  for (const Finding& finding : items_) {
    diagnostics.add(finding.diagnostic);
  }
  return diagnostics;
}

}  // namespace millrace::check
