// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text of a render (docs/reference/templates.md): mustache over a subtree, values escaped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "tree/view.h"

namespace millrace::appliers {

struct RenderedText {
  std::string text;
  std::vector<std::string> refused;  // values that this file cannot hold; the text has "?" for them
};

// Whether `text` is mustache that can render: nothing unescaped, no partials, no other delimiters.
// The message says what is wrong.
std::optional<std::string> why_not_renderable(std::string_view text);

// Requires: `render.text` is renderable.
RenderedText render_text(const schema::Render& render, const tree::View& subtree);

// The subtree at "system ntp", existing or not.
tree::View subtree_at(const tree::ConfigTree& tree, std::string_view schema_path);

}  // namespace millrace::appliers
