// SPDX-License-Identifier: GPL-2.0-or-later
//
// Paths of the configuration: what the schema allows next, and what is there.
#include <algorithm>
#include <utility>

#include "server/completion_parts.h"
#include "server/path_pattern.h"

namespace millrace::server {
namespace {

using schema::Kind;

std::string sentence(const schema::WalkError& error) {
  std::string out = error.message;
  if (out.starts_with("syntax error") && !out.ends_with('.')) {
    out += '.';
  }
  return error.hint.empty() ? out : out + "\n  " + error.hint;
}

// The node in `tree` that holds the entries of `list`, which stands at the end of `path` without a
// key, or among the children of its end when it is nameless.
const tree::Node* entries(const tree::ConfigTree& tree, tree::Path path, const schema::Node& list) {
  if (!path.empty() && path.steps.back().node == &list && !path.steps.back().keyed) {
    path.steps.pop_back();
  }
  const tree::Node* level = path.empty() ? &tree.root() : tree.find(path);
  return level ? level->child(list.name) : nullptr;
}

// The list that a reference names, when no other list is above it.
const tree::Node* referred(const tree::ConfigTree& tree, const schema::Node& target) {
  if (target.kind == Kind::Leaf) {
    return nullptr;
  }
  std::vector<const schema::Node*> above;
  for (const schema::Node* node = target.parent; node && node->parent; node = node->parent) {
    if (node->kind == Kind::List) {
      return nullptr;
    }
    above.push_back(node);
  }
  const tree::Node* level = &tree.root();
  for (auto node = above.rbegin(); node != above.rend() && level; ++node) {
    level = level->child((*node)->name);
  }
  return level ? level->child(target.name) : nullptr;
}

void offer_names(Asking& asking, const tree::Node* list, char marker) {
  if (!list) {
    return;
  }
  auto names = names_of(*list, asking.prefix, marker, kMostNames + 1);
  if (names.size() > kMostNames) {
    names.pop_back();
    asking.out.more = true;
  }
  std::ranges::move(names, std::back_inserter(asking.out.offers));
}

bool is_level(const schema::PathStep& step) {
  return step.node->kind == Kind::Container || (step.node->kind == Kind::List && step.keyed);
}

// What ends in a value has nothing below it to show, delete or edit.
bool is_over(const schema::Walk& walk) {
  return !walk.steps.empty() && walk.steps.back().node->kind == Kind::Leaf;
}

bool could_run(std::span<const schema::Walk> walks, PathUse use, std::size_t words) {
  switch (use) {
    case PathUse::Set:
      return !schema::lacking(walks, words);
    case PathUse::Existing:
    case PathUse::Shown:
      return walks.size() == 1;
    case PathUse::Level:
      return walks.size() == 1 && !walks[0].steps.empty() && is_level(walks[0].steps.back());
  }
  return false;
}

// What may not be seen is not offered, nor to `set` what may not be changed.
bool is_permitted(const Asking& asking, const tree::Path& path, const schema::Choice& choice,
                  PathUse use) {
  if (!choice.node) {
    return true;
  }
  const bool is_here = !path.empty() && path.steps.back().node == choice.node;
  const tree::Path target = is_here ? path : path / schema::PathStep{choice.node, {}, false};
  const auto kind = use == PathUse::Set ? Access::Kind::Edit : Access::Kind::View;
  return may(asking.shell.peer(), {.kind = kind, .path = &target});
}

void offer(Asking& asking, const schema::Choice& choice, const tree::ConfigTree& tree,
           const tree::Path& path, PathUse use) {
  const schema::Node* node = choice.node;
  const bool holds_value =
      node && (node->kind == Kind::Leaf || node->kind == Kind::LeafList) && choice.placeholder;
  if (use == PathUse::Level && choice.marker != '>' && !(choice.placeholder && !holds_value)) {
    return;
  }
  const bool names_entry = choice.placeholder && node && node->kind == Kind::List;
  if (choice.placeholder) {
    asking.placeholder(choice.text, choice.help, choice.marker);
  } else {
    asking.keyword(choice.text, choice.help, choice.marker);
  }
  if (names_entry) {
    offer_names(asking, entries(tree, path, *node), '>');
  } else if (holds_value && (use == PathUse::Existing || use == PathUse::Shown)) {
    offer_names(asking, tree.find(path), ' ');
  } else if (holds_value && node->reference && node->reference->target) {
    offer_names(asking, referred(tree, *node->reference->target), ' ');
  }
}

}  // namespace

void complete_path(Asking& asking, const tree::ConfigTree& all, PathUse use) {
  const tree::ConfigTree tree = asking.shell.visible(all);
  const schema::Node& from = asking.level.schema(tree.schema());
  auto words = asking.rest();
  const bool several = use == PathUse::Shown && has_patterns(asking.level, tree.schema(), words);
  const schema::Keys keys = several ? schema::Keys::Patterns : asking.level.keys();
  const auto walks = schema::walk(from, words, schema::Abbreviations::Yes, keys);
  if (!walks) {
    asking.wrong(asking.next + walks.error().word, sentence(walks.error()),
                 walks.error().message.ends_with("is ambiguous."));
    return;
  }
  if (could_run(*walks, use, words.size())) {
    asking.complete();
  }
  if (use != PathUse::Set && is_over(walks->front())) {
    return;
  }
  const tree::Path path = asking.level / walks->back().steps;
  for (const auto& choice : schema::choices(from, words, asking.prefix, keys)) {
    if (is_permitted(asking, path, choice, use)) {
      offer(asking, choice, tree, path, use);
    }
  }
  if (asking.prefix.empty() || asking.has_words()) {
    return;
  }
  if (use == PathUse::Shown && asking.prefix.starts_with('<')) {
    return;  // a pattern that is being typed
  }
  words.push_back(asking.prefix);
  if (const auto whole = schema::walk(from, words, schema::Abbreviations::Yes, keys); !whole) {
    asking.wrong(asking.words.size(), sentence(whole.error()));
  }
}

}  // namespace millrace::server
