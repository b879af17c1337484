// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Editor and load have in common; internal to tree/. Nothing here refuses: who edits looks
// first (settable, guarded, find), then changes, so that an edit is whole or did not happen.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree::edit {

using Steps = std::span<const schema::PathStep>;

// base / walk, where a leaf-list with exactly one value is that value.
Path target(const Path& base, const schema::Walk& walk);
const Node* find(const Node& node, Steps steps);
// Whether anything on the way from below `node` to the end of `steps` is protected. Absent parts
// protect nothing.
bool guarded(const Node& node, Steps steps);
// Whether `walk` can be set: entries have keys, leaves have values.
base::Result<void> settable(const Path& base, const schema::Walk& walk);
// Whether `walk` sets a secret to what stands for those that may not be seen.
bool sets_hidden_text(const schema::Walk& walk);
inline constexpr std::string_view kHiddenMessage =
    "this stands for a value that is not shown; expected the value itself";
// The text of a comment, without the delimiters that it may have been given.
std::string comment_text(std::string_view text);
// Whether all that `walk` sets is there already. Requires: settable.
bool holds(const Node& node, const schema::Walk& walk);

// The functions below require that `node` is owned, and leave its own marks to whoever opened it.

// Sets below `node`. Requires: settable.
void set(Node& node, const schema::Walk& walk);
enum class Keep : std::uint8_t { Nothing, Protected };
// Removes what `steps` end at, or of a leaf-list the `values` when there are any, but for protected
// parts if they are to be kept. Requires: present, `steps` not empty.
void remove(Node& node, Steps steps, std::span<const std::string> values, Keep keep);
// Removes everything below `node`.
void clear(Node& node, Keep keep);
// A list as a whole and a joined container have no text of their own to hold a mark, so it goes to
// what they contain.
enum class Mark : std::uint8_t { Inactive, Protected };
bool holds_own_marks(const Node& node);
void mark(Node& node, Mark mark, bool on);

// A function of the tree that changes what is at `steps`, made when absent.
ConfigTree changed(ConfigTree tree, Steps steps, const std::function<void(Node&)>& change);

// `fresh` with every part of it that equals one of `old` replaced by that: what did not change
// costs nothing from here on, however it was made.
NodePtr shared(const NodePtr& old, const NodePtr& fresh);

}  // namespace millrace::tree::edit
