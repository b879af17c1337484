// SPDX-License-Identifier: GPL-2.0-or-later
//
// Editing without the guard of `protect`; internal to tree/. Editor adds the guard, the revision log
// and load do not need it: what a log records was allowed when it happened.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree::edit {

// base / walk, where a leaf-list with exactly one value is that value.
Path target(const Path& base, const schema::Walk& walk);

// Whether `walk` can be set: entries have keys, leaves have values.
base::Result<void> settable(const Path& base, const schema::Walk& walk);
// Whether all that `walk` sets is there already. Requires: settable.
bool holds(const Node& node, const schema::Walk& walk);
// Sets below `node`. Requires: settable, `node` is owned.
void set(Node& node, const schema::Walk& walk);

// A function of the tree that changes what is at `path`, made when absent. `change` takes Node&.
ConfigTree changed(ConfigTree tree, const Path& path, const std::function<void(Node&)>& change);

enum class Keep : std::uint8_t { Nothing, Protected };
// Removes `path`, or for a leaf-list the `values` when there are any, but for protected parts below
// if they are to be kept. Requires: present, not the root.
ConfigTree removed(ConfigTree tree, const Path& path, const std::vector<std::string>& values,
                   Keep keep);

// Removes everything below `path`, which itself stays if it can be empty.
ConfigTree cleared(ConfigTree tree, const Path& path, Keep keep);

// Marks of an object. A list as a whole and a joined container have no text of their own to hold a
// mark, so it goes to what they contain.
enum class Mark : std::uint8_t { Inactive, Protected };
bool holds_own_marks(const Node& node);
ConfigTree marked(ConfigTree tree, const Path& path, Mark mark, bool on);

}  // namespace millrace::tree::edit
