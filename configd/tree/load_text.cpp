// SPDX-License-Identifier: GPL-2.0-or-later
//
// Nested text into nodes. Every statement is first read as a whole (walk, values, protection) and
// only then put in, so a bad one leaves nothing of itself; a block whose head is bad is left out
// with all that is in it and reported once. The nodes of a level stay open while its block is read,
// so a line costs its own level and not the way from the root.
#include "tree/load_text.h"

#include <algorithm>
#include <format>

#include "tree/edit.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using schema::Kind;
using syntax::Statement;

// `server A prefer;` is the entry written on one line, so its tags and comment are the entry's; of
// everything else they belong to what stands last.
std::vector<schema::PathStep> tagged_object(const schema::Walk& walk, bool is_value) {
  const auto flat = std::ranges::find_if(walk.steps, [](const schema::PathStep& step) {
    return step.node->one_liner && !step.node->joined;
  });
  if (flat != walk.steps.end() && !is_value) {
    return {walk.steps.begin(), flat + 1};
  }
  std::vector<schema::PathStep> steps = walk.steps;
  if (is_value && walk.values.size() == 1) {
    steps.back().key = walk.values.front();
    steps.back().keyed = true;
  }
  return steps;
}

bool is_tagged(const Statement& statement) {
  return !statement.comment.empty() || statement.tags != syntax::Tags{};
}

}  // namespace

void TextLoader::run(Node& node, const Path& path) {
  path_ = path;
  for (const Statement& each : document_.statements) {
    statement(node, *node.schema(), each, {});
  }
  for (const syntax::SyntaxError& bad : document_.errors) {
    report_.errors.push_back(
        {bad.at, "", bad.context,
         std::format("syntax error, found {}, expected {}", bad.found, bad.expected), ""});
  }
  std::ranges::stable_sort(report_.errors, {}, &LoadError::at);
}

void TextLoader::statement(Node& level, const schema::Node& from, const Statement& statement,
                           const Words& prefix) {
  Words head = prefix;
  for (const syntax::Word& word : statement.words) {
    head.push_back(word.text);
  }
  auto walks = schema::walk(from, head, schema::Abbreviations::No, path_.keys());
  if (!walks) {
    schema::WalkError& bad = walks.error();
    const std::size_t index = bad.word < prefix.size() ? 0 : bad.word - prefix.size();
    error(statement.words[std::min(index, statement.words.size() - 1)].at, std::move(bad.message),
          std::move(bad.hint));
    return;
  }
  schema::Walk& last = walks->back();
  if (statement.bracketed &&
      (last.steps.empty() || last.steps.back().node->kind != Kind::LeafList)) {
    error(statement.at, "syntax error, '[' after a statement that takes no list");
    return;
  }
  for (const syntax::Word& value : statement.values) {
    auto canonical = last.steps.back().node->type.canonical(value.text);
    if (!canonical) {
      error(value.at, canonical.error().message, canonical.error().hint);
      return;
    }
    last.values.push_back(std::move(*canonical));
  }
  if (statement.tags.remove) {
    if (walks->size() == 1) {
      remove(level, statement, walks->front());
    } else {
      error(statement.at, "syntax error, 'delete:' before more than one statement");
    }
  } else if (statement.block) {
    if (walks->size() == 1 && last.values.empty() && last.steps.back().node->kind != Kind::Leaf) {
      block(level, from, statement, last, head);
    } else {
      error(statement.at, "syntax error, '{' after a statement that has no block");
    }
  } else if (const auto lacks = schema::lacking(*walks, head.size())) {
    error(statement.words.back().at, lacks->message, lacks->hint);
  } else {
    simple(level, statement, *walks,
           !prefix.empty() && last.steps.back().node->kind == Kind::LeafList);
  }
}

void TextLoader::remove(Node& level, const Statement& statement, const schema::Walk& walk) {
  if (!tagged_) {
    error(statement.at, "'delete:' is for load replace");
    return;
  }
  const Path target = edit::target({}, walk);
  if (!edit::find(level, target.steps)) {
    warn(statement, "statement not found");
  } else if (edit::guarded(level, target.steps)) {
    warn(statement, "statement is protected");
  } else {
    edit::remove(level, target.steps, walk.values, edit::Keep::Protected);
    ++report_.statements;
  }
}

bool TextLoader::refused(const Node& level, const Statement& statement,
                         const std::vector<schema::Walk>& walks) {
  const bool guarded =
      !statement.tags.unprotect && std::ranges::any_of(walks, [&](const schema::Walk& walk) {
        return edit::guarded(level, walk.steps) && !edit::holds(level, walk);
      });
  if (guarded) {
    warn(statement, "statement is protected");
  }
  return guarded;
}

void TextLoader::simple(Node& level, const Statement& statement,
                        const std::vector<schema::Walk>& walks, bool is_value) {
  const schema::PathStep& last = walks.back().steps.back();
  if (last.node->kind == Kind::Container && !last.node->presence) {
    warn(statement, "statement has no contents; ignored");
    return;
  }
  if (std::ranges::any_of(walks, edit::sets_hidden_text)) {
    error(statement.at, std::string(edit::kHiddenMessage));
    return;
  }
  if (refused(level, statement, walks)) {
    return;
  }
  const std::vector<schema::PathStep> object = tagged_object(walks.front(), is_value);
  if (statement.tags.replace && tagged_ && edit::find(level, object)) {
    edit::remove(level, object, {}, edit::Keep::Protected);
  }
  for (const schema::Walk& walk : walks) {
    edit::set(level, walk);
  }
  if (is_tagged(statement)) {
    NodeBuilder::change_at(level, object, [&](Node& node) { tag(node, statement); });
  }
  ++report_.statements;
}

void TextLoader::block(Node& level, const schema::Node& from, const Statement& statement,
                       const schema::Walk& walk, const Words& head) {
  const schema::PathStep& last = walk.steps.back();
  const bool is_level = last.keyed || last.node->kind == Kind::Container;
  if (statement.children.empty()) {
    if (last.keyed || last.node->presence) {
      simple(level, statement, {walk}, false);
    } else {
      warn(statement, "statement has no contents; ignored");
    }
    return;
  }
  const bool guarded = !statement.tags.unprotect && edit::guarded(level, walk.steps);
  if (guarded) {
    warn(statement, "statement is protected");
    return;
  }
  if (statement.tags.replace && tagged_ && edit::find(level, walk.steps)) {
    edit::remove(level, walk.steps, {}, edit::Keep::Protected);
  }
  if (!is_level) {
    for (const Statement& child : statement.children) {
      this->statement(level, from, child, head);
    }
    if (is_tagged(statement) && edit::find(level, walk.steps)) {
      NodeBuilder::change_at(level, walk.steps, [&](Node& node) { tag(node, statement); });
    }
    return;
  }
  const std::size_t depth = path_.steps.size();
  path_.steps.insert(path_.steps.end(), walk.steps.begin(), walk.steps.end());
  const std::size_t loaded = report_.statements;
  const bool existed = edit::find(level, walk.steps) != nullptr;
  NodeBuilder::change_at(level, walk.steps, [&](Node& node) {
    for (const Statement& child : statement.children) {
      this->statement(node, *last.node, child, {});
    }
    if (is_tagged(statement)) {
      tag(node, statement);
    }
  });
  // An entry or presence container none of whose statements was good was not asked for as such.
  if (!existed && report_.statements == loaded) {
    edit::remove(level, walk.steps, {}, edit::Keep::Nothing);
  }
  path_.steps.resize(depth);
}

void TextLoader::tag(Node& node, const Statement& statement) {
  if (!statement.comment.empty() && edit::holds_own_marks(node)) {
    NodeBuilder::set_comment(node, statement.comment);
  }
  if (statement.tags.inactive) {
    edit::mark(node, edit::Mark::Inactive, true);
  }
  if (statement.tags.protect || statement.tags.unprotect) {
    edit::mark(node, edit::Mark::Protected, statement.tags.protect);
  }
}

void TextLoader::error(syntax::Position at, std::string message, std::string hint) {
  report_.errors.push_back(
      {at, path_.to_string(), line_at(at.line), std::move(message), std::move(hint)});
}

void TextLoader::warn(const Statement& statement, std::string_view message) {
  report_.warnings.push_back(
      std::format("line {}: '{}': {}", statement.at.line, statement.words.front().text, message));
}

// The parser keeps no lines, so they are counted, from the line of the last error on.
std::string TextLoader::line_at(std::uint32_t line) {
  if (line < seen_line_) {
    seen_line_ = 1;
    seen_offset_ = 0;
  }
  const std::string_view source = *document_.source;
  for (; seen_line_ < line; ++seen_line_) {
    seen_offset_ = std::min(source.find('\n', seen_offset_), source.size() - 1) + 1;
  }
  std::string_view rest = source.substr(seen_offset_);
  rest = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return std::string(rest);
}

}  // namespace millrace::tree
