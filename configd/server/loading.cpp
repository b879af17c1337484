// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/loading.h"

#include <array>

namespace millrace::server {
namespace {

constexpr std::array kActions = {
    LoadAction{"merge", "Add to the candidate; what is loaded wins", tree::LoadAction::Merge},
    LoadAction{"override", "Take the place of the candidate", tree::LoadAction::Override},
    LoadAction{"patch", "Make the changes that 'show | compare' printed", tree::LoadAction::Patch},
    LoadAction{"replace", "Like merge, and statements tagged 'replace:' take the place of theirs",
               tree::LoadAction::Replace},
    LoadAction{"set", "Run set, delete and other editing commands", tree::LoadAction::Set},
    LoadAction{"update", "Take the place of the candidate, changing only what differs",
               tree::LoadAction::Update},
};

bool is_commands(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const std::string_view start = first == std::string_view::npos ? text : text.substr(first);
  return start.starts_with("set ") || start.starts_with("delete ");
}

}  // namespace

std::span<const LoadAction> load_actions() {
  return kActions;
}

Reply load_reply(const tree::LoadReport& report, std::string_view name) {
  std::string said = report.to_string(name);
  Reply reply{report.errors.empty(), {}, {}};
  const auto last = said.size() > 1 ? said.rfind('\n', said.size() - 2) : std::string::npos;
  reply.output = last == std::string::npos ? said : said.substr(last + 1);
  reply.errors = last == std::string::npos ? std::string() : said.substr(0, last + 1);
  return reply;
}

std::expected<tree::ConfigTree, Reply> tree_of_text(const schema::Schema& schema,
                                                    std::string_view name, std::string text) {
  tree::Editor editor{tree::ConfigTree(schema)};
  const auto action = is_commands(text) ? tree::LoadAction::Set : tree::LoadAction::Merge;
  const auto form = tree::form_of(text);
  const tree::LoadReport report = tree::load(editor, {}, std::move(text), action, form);
  if (!report.errors.empty()) {
    Reply reply = load_reply(report, name);
    reply.errors += "error: '" + std::string(name) + "' is not a configuration\n";
    reply.output.clear();
    return std::unexpected(std::move(reply));
  }
  return editor.tree();
}

}  // namespace millrace::server
