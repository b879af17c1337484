// SPDX-License-Identifier: GPL-2.0-or-later
//
// A tree as elements, which JSON, XML and YAML are spelled from. The shape is that of Junos: the
// key of an entry is its first child, called `name` unless the schema has a statement of that name
// there; a list is called by its name even where text and set lines leave it out.
#pragma once

#include "syntax/element.h"
#include "tree/text.h"

namespace millrace::tree {

// What is at `path`, within what is around it, below one element `configuration`.
syntax::Element to_element(const ConfigTree& tree, const Path& path, WriteOptions options = {});

// The name of the element that holds the key of an entry, and that element.
std::string_view key_name(const schema::Node& list);
syntax::Element key_element(const schema::Node& list, std::string_view key);

// The parts that `compare_element` shares with to_element.
syntax::Element element_of(const Node& node, WriteOptions options);  // an entry or a statement
std::vector<syntax::Attribute> attributes_of(const Node& node);

}  // namespace millrace::tree
