// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/json.h"
#include "syntax/xml.h"
#include "syntax/yaml.h"
#include "tree/elements.h"

namespace millrace::tree {

std::string to_json(const ConfigTree& tree, const Path& path, WriteOptions options) {
  return syntax::write_json({to_element(tree, path, options)});
}

std::string to_xml(const ConfigTree& tree, const Path& path, WriteOptions options) {
  return syntax::write_xml({to_element(tree, path, options)});
}

std::string to_yaml(const ConfigTree& tree, const Path& path, WriteOptions options) {
  return syntax::write_yaml(syntax::to_json({to_element(tree, path, options)}));
}

}  // namespace millrace::tree
