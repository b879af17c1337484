// SPDX-License-Identifier: GPL-2.0-or-later
//
// How statements look as nested text; internal to tree/. to_text and compare_text print with it.
//
//   container        name { … }              joined: its children one by one, after its name
//   entry            NAME KEY { … }          nameless: KEY { … }; without contents: NAME KEY;
//   groups           name { KEY { … } KEY { … } }, though they are a list
//   one-liner        NAME KEY leaf 1 leaf 2; a block after all when a part has marks or a comment
//   leaf             name value;
//   leaf-list        name value;  name [ a b ];  a block of values when one has marks or a comment
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/writer.h"
#include "tree/text.h"

namespace millrace::tree {

class Layout {
 public:
  using Words = std::vector<std::string_view>;

  Layout(syntax::TextWriter& writer, WriteOptions options) : writer_(writer), options_(options) {}

  // The statements of a container or entry.
  void contents(const Node& node, const Words& joined = {});
  // One statement: all entries of a list, all of a joined container. `joined` are the words of
  // joined containers around it.
  void statement(const Node& node, const Words& joined = {});
  void entry(const Node& entry, const Words& joined = {});
  // The entries of the list of groups, without their keyword.
  void groups(const Node& list);
  // A leaf or leaf-list without its comment. `words` end with its name.
  void value(const Node& node, const Words& words);

 private:
  // An entry, after the words before its key.
  void body(const Node& entry, Words words);
  void object(const Node& node, const Words& words);
  void leaf(const Node& node, Words words);
  void leaf_list(const Node& node, const Words& words);
  // The remark about the node, and with `within` those about what a line of it holds; or "".
  std::string note(const Node& node, bool within = false) const;
  void describe(const schema::Node& schema);
  void inherited(const Node& node);

  syntax::TextWriter& writer_;
  WriteOptions options_;
  std::size_t depth_ = 0;  // blocks that are open
};

syntax::Tags tags_of(const Node& node);
constexpr std::string_view kSecretText = "/* SECRET-DATA */";

}  // namespace millrace::tree
