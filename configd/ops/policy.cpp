// SPDX-License-Identifier: GPL-2.0-or-later
//
// Routing policies as they are in force: names, or the terms of one.
//
//   Policy OUT:
//       Term statics:
//           from proto static
//             route filter:
//               10.0.0.0/8 orlonger
//           then metric 5, accept
#include <algorithm>
#include <format>

#include "base/words.h"
#include "ops/builtins.h"
#include "tree/effective.h"
#include "tree/view.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;
using tree::View;

// A statement below `from`, `to` or `then` as it is written: "as-path-expand last-as count 2".
void write(const tree::Node& node, const std::string& before, std::vector<std::string>& out) {
  const std::string words = (before.empty() ? "" : before + " ") + std::string(node.name());
  if (node.schema()->kind == schema::Kind::Leaf && !node.is_entry()) {
    out.push_back(node.value().empty() ? words : words + " " + std::string(node.value()));
    return;
  }
  if (node.children().size() == 0) {
    out.push_back(words);
    return;
  }
  // The name of a list without one is no word.
  const bool silent = !node.is_entry() && node.schema()->nameless;
  node.children().for_each([&](const tree::NodePtr& child) {
    write(*child, silent ? before : words, out);
    return true;
  });
}

std::vector<std::string> statements(const View& view, std::initializer_list<std::string_view> but) {
  std::vector<std::string> out;
  if (view) {
    view.node()->children().for_each([&](const tree::NodePtr& child) {
      if (std::ranges::find(but, child->name()) == but.end()) {
        write(*child, {}, out);
      }
      return true;
    });
  }
  return out;
}

// Entries with what stands in them on one line each.
std::vector<std::string> filters(const View& list) {
  std::vector<std::string> lines;
  for (const auto& [key, entry] : list.entries()) {
    std::vector<std::string> words;
    entry.node()->children().for_each([&](const tree::NodePtr& child) {
      write(*child, {}, words);
      return true;
    });
    lines.push_back(std::format("{} {}", key, base::joined(words)));
  }
  return lines;
}

struct Term {
  std::string name;
  std::vector<std::string> from;
  std::vector<std::string> route_filters;
  std::vector<std::string> list_filters;
  std::vector<std::string> to;
  std::vector<std::string> then;
};

Term gather(std::string_view name, const View& term) {
  const View from = term["from"];
  Term gathered{std::string(name),
                statements(from, {"protocol", "route-filter", "prefix-list-filter"}),
                filters(from["route-filter"]),
                filters(from["prefix-list-filter"]),
                statements(term["to"], {}),
                statements(term["then"], {})};
  std::vector<std::string> protocols;
  for (const auto& [protocol, view] : from["protocol"].entries()) {
    protocols.emplace_back(protocol);
  }
  if (!protocols.empty()) {
    gathered.from.insert(gathered.from.begin(), "proto " + base::joined(protocols));
  }
  return gathered;
}

std::vector<Term> gather(const View& statement) {
  std::vector<Term> terms;
  for (const auto& [name, term] : statement["term"].entries()) {
    terms.push_back(gather(name, term));
  }
  Term unnamed = gather("", statement);
  if (statement["from"] || statement["to"] || statement["then"]) {
    terms.push_back(std::move(unnamed));
  }
  return terms;
}

void append(std::string& out, const std::string& indent, std::string_view title,
            const std::vector<std::string>& lines) {
  if (!lines.empty()) {
    out += std::format("{}  {}:\n", indent, title);
    for (const std::string& line : lines) {
      out += std::format("{}    {}\n", indent, line);
    }
  }
}

void append(std::string& out, const Term& term) {
  const std::string indent(term.name.empty() ? 4 : 8, ' ');
  if (!term.name.empty()) {
    out += std::format("    Term {}:\n", term.name);
  }
  if (!term.from.empty() || !term.route_filters.empty() || !term.list_filters.empty()) {
    out += std::format("{}from{}{}\n", indent, term.from.empty() ? "" : " ",
                       base::joined(term.from, ", "));
    append(out, indent, "route filter", term.route_filters);
    append(out, indent, "prefix-list filter", term.list_filters);
  }
  if (!term.to.empty()) {
    out += std::format("{}to {}\n", indent, base::joined(term.to, ", "));
  }
  if (!term.then.empty()) {
    out += std::format("{}then {}\n", indent, base::joined(term.then, ", "));
  }
}

json to_json(const Term& term) {
  return {{"term", term.name},
          {"from", term.from},
          {"route-filter", term.route_filters},
          {"prefix-list-filter", term.list_filters},
          {"to", term.to},
          {"then", term.then}};
}

}  // namespace

Result<Reply> policy(const Match& match, Context& context) {
  const tree::ConfigTree tree = tree::Expander().effective(context.engine.running());
  const View policies = View(tree)["policy-options"]["policy-statement"];
  const std::string* const name = match.argument("name");
  if (name == nullptr) {
    std::string text;
    json names = json::array();
    for (const auto& [key, statement] : policies.entries()) {
      text += std::format("{}\n", key);
      names.push_back(key);
    }
    return Reply{text.empty() ? "" : "Configured policies:\n" + text, {{"policies", names}}};
  }
  const View statement = policies.entry(*name);
  if (!statement) {
    return base::fail(base::Code::UnknownPath, std::format("policy '{}' is not defined", *name));
  }
  std::string text = std::format("Policy {}:\n", *name);
  json terms = json::array();
  for (const Term& term : gather(statement)) {
    append(text, term);
    terms.push_back(to_json(term));
  }
  return Reply{std::move(text), {{"policy", *name}, {"terms", std::move(terms)}}};
}

}  // namespace millrace::ops
