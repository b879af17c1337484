// SPDX-License-Identifier: GPL-2.0-or-later
//
// A tree as an instance document of the YANG module, for yanglint to judge.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/process.h"
#include "schema/yang.h"
#include "tree/config_tree.h"

namespace millrace::check::testing {

inline std::string xml_text(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    out += byte == '<'   ? "&lt;"
           : byte == '>' ? "&gt;"
           : byte == '&' ? "&amp;"
                         : std::string(1, byte);
  }
  return out;
}

inline void append_xml(std::string& out, const tree::Node& node, bool top) {
  using schema::Kind;
  const schema::Node& schema = *node.schema();
  if (!node.is_entry() && (schema.kind == Kind::List || schema.kind == Kind::LeafList)) {
    node.children().for_each([&](const tree::NodePtr& entry) {
      append_xml(out, *entry, top);
      return true;
    });
    return;
  }
  const std::string name = schema::yang_name(schema);
  out += "<" + name;
  out += top ? " xmlns=\"" + std::string(schema::kYangNamespace) + "\">" : std::string(">");
  if (schema.kind == Kind::List) {
    const std::string key = schema::yang_key(schema);
    out += "<" + key + ">" + xml_text(node.name()) + "</" + key + ">";
  } else {
    out += xml_text(node.is_entry() ? node.name() : node.value());
  }
  node.children().for_each([&](const tree::NodePtr& child) {
    append_xml(out, *child, false);
    return true;
  });
  out += "</" + name + ">\n";
}

inline std::string instance_of(const tree::ConfigTree& tree) {
  std::string out;
  tree.root().children().for_each([&](const tree::NodePtr& child) {
    append_xml(out, *child, true);
    return true;
  });
  return out;
}

// Puts files into a folder of their own and runs yanglint on them.
class Yanglint {
 public:
  explicit Yanglint(const schema::Schema& schema)
      : folder_(std::filesystem::temp_directory_path() /
                ("millrace-yang-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    write("millrace.yang", schema::to_yang(schema));
  }
  ~Yanglint() { std::filesystem::remove_all(folder_); }

  // "" when yanglint accepts the module and the instances, else what it says.
  std::string judge(const std::vector<std::string>& instances = {}) {
    std::vector<std::string> argv = {"yanglint"};
    if (!instances.empty()) {
      argv.insert(argv.end(), {"-t", "config"});
    }
    argv.push_back(path("millrace.yang"));
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const std::string name = std::to_string(i) + ".xml";
      write(name, instances[i]);
      argv.push_back(path(name));
    }
    const auto result = base::run_process(argv);
    if (!result) {
      return result.error().to_string();
    }
    return result->status == 0 && result->errors.empty()
               ? std::string()
               : "status " + std::to_string(result->status) + "\n" + result->errors;
  }

 private:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::filesystem::path folder_;
};

}  // namespace millrace::check::testing
