// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/layout.h"

#include <algorithm>
#include <format>

#include "tree/details.h"
#include "tree/inheritance.h"

namespace millrace::tree {
namespace {

using schema::Kind;

bool is_plain(const Node& node) {
  return !node.inactive() && !node.is_protected() && node.comment().empty();
}

// Appends what is inside `node` as words of one line. After a value the walk goes on at the
// siblings, so leaves come first and something deeper may only be the last.
bool flatten(const Node& node, bool hide_secrets, Layout::Words& words) {
  const Node* last = nullptr;
  bool flat = true;
  node.children().for_each([&](const NodePtr& child) {
    const schema::Node& schema = *child->schema();
    flat = flat && is_plain(*child);
    if (schema.kind == Kind::Leaf) {
      words.push_back(child->name());
      if (schema.type.base != schema::BaseType::Empty) {
        words.push_back(schema.secret && hide_secrets ? kSecretText : child->value());
      }
    } else if (schema.kind == Kind::LeafList) {
      words.push_back(child->name());
      bool first = true;
      child->children().for_each([&](const NodePtr& value) {
        // A further value that is called like a sibling would be taken for it.
        flat = flat && is_plain(*value) && (first || !node.schema()->child(value->name()));
        first = false;
        words.push_back(schema.secret && hide_secrets ? kSecretText : value->name());
        return true;
      });
    } else {
      flat = flat && !last;
      last = child.get();
    }
    return flat;
  });
  if (!flat || !last) {
    return flat;
  }
  if (!last->schema()->nameless) {
    words.push_back(last->name());
  }
  if (last->schema()->kind != Kind::List) {
    return flatten(*last, hide_secrets, words);
  }
  bool one = last->children().size() == 1;
  last->children().for_each([&](const NodePtr& entry) {
    words.push_back(entry->name());
    one = one && is_plain(*entry) && flatten(*entry, hide_secrets, words);
    return false;
  });
  return one;
}

}  // namespace

syntax::Tags tags_of(const Node& node) {
  syntax::Tags tags;
  tags.inactive = node.inactive();
  tags.protect = node.is_protected();
  return tags;
}

void Layout::contents(const Node& node, const Words& joined) {
  node.children().for_each([&](const NodePtr& child) {
    statement(*child, joined);
    return true;
  });
}

void Layout::groups(const Node& list) {
  list.children().for_each([&](const NodePtr& group) {
    body(*group, {});
    return true;
  });
}

void Layout::statement(const Node& node, const Words& joined) {
  if (node.schema()->role == schema::Role::Groups) {
    const Words words{node.name()};
    if (options_.max_depth != 0 && depth_ >= options_.max_depth) {
      writer_.collapsed({}, words);
      return;
    }
    writer_.open({}, words);
    ++depth_;
    groups(node);
    --depth_;
    writer_.close();
    return;
  }
  if (node.schema()->kind == Kind::List) {
    node.children().for_each([&](const NodePtr& child) {
      entry(*child, joined);
      return true;
    });
    return;
  }
  Words words = joined;
  words.push_back(node.name());
  if (node.schema()->kind == Kind::Container && node.schema()->joined) {
    contents(node, words);
    return;
  }
  inherited(node);
  describe(*node.schema());
  if (!node.comment().empty()) {
    writer_.comment(node.comment());
  }
  if (node.schema()->kind == Kind::Container) {
    object(node, words);
  } else {
    value(node, words);
  }
}

void Layout::value(const Node& node, const Words& words) {
  node.schema()->kind == Kind::Leaf ? leaf(node, words) : leaf_list(node, words);
}

void Layout::entry(const Node& entry, const Words& joined) {
  Words words = joined;
  if (!entry.schema()->nameless) {
    words.push_back(entry.schema()->name);
  }
  body(entry, std::move(words));
}

void Layout::body(const Node& entry, Words words) {
  inherited(entry);
  describe(*entry.schema());
  if (!entry.comment().empty()) {
    writer_.comment(entry.comment());
  }
  words.push_back(entry.name());
  object(entry, words);
}

// A container or an entry, after its comment.
void Layout::object(const Node& node, const Words& words) {
  if (node.children().empty()) {
    writer_.leaf(tags_of(node), words, note(node));
    return;
  }
  if (options_.max_depth != 0 && depth_ >= options_.max_depth) {
    writer_.collapsed(tags_of(node), words);
    return;
  }
  if (node.schema()->one_liner && !options_.detail) {
    Words line = words;
    if (flatten(node, options_.hide_secrets, line)) {
      writer_.leaf(tags_of(node), line, note(node, true));
      return;
    }
  }
  writer_.open(tags_of(node), words);
  if (const std::string text = note(node); !text.empty()) {
    writer_.remark(text);
  }
  ++depth_;
  contents(node);
  --depth_;
  writer_.close();
}

void Layout::leaf(const Node& node, Words words) {
  const schema::Node& schema = *node.schema();
  if (schema.type.base != schema::BaseType::Empty) {
    words.push_back(schema.secret && options_.hide_secrets ? kSecretText : node.value());
  }
  const std::string text = note(node);
  writer_.leaf(tags_of(node), words,
               !text.empty()                       ? std::string_view(text)
               : schema.secret && options_.remarks ? "SECRET-DATA"
                                                   : "");
}

void Layout::leaf_list(const Node& node, const Words& words) {
  const bool hidden = node.schema()->secret && options_.hide_secrets;
  Words values;
  bool plain = true;
  node.children().for_each([&](const NodePtr& value) {
    plain = plain && is_plain(*value);
    values.push_back(hidden ? kSecretText : value->name());
    return true;
  });
  if (!plain) {
    writer_.open(tags_of(node), words);
    node.children().for_each([&](const NodePtr& value) {
      if (!value->comment().empty()) {
        writer_.comment(value->comment());
      }
      writer_.leaf(tags_of(*value), Words{hidden ? kSecretText : value->name()}, note(*value));
      return true;
    });
    writer_.close();
  } else if (values.size() == 1) {
    Words line = words;
    line.push_back(values.front());
    writer_.leaf(tags_of(node), line, note(node, true));
  } else {
    writer_.list(tags_of(node), words, values, note(node, true));
  }
}

// What stands on the line of `node` and is not its configuration's own.
void Layout::inherited(const Node& node) {
  if (!options_.inheritance) {
    return;
  }
  const bool terse = options_.inheritance_remarks == InheritanceRemarks::Terse;
  std::vector<std::string> remarks;
  const auto note = [&](const auto& self, const Node& at, bool below) -> void {
    const bool is_names = !at.is_entry() && at.schema()->kind == Kind::LeafList;
    std::string origin = is_names ? std::string() : options_.inheritance->origin(at);
    if (!origin.empty()) {
      const bool hidden = at.schema()->secret && options_.hide_secrets;
      const std::string_view quoted =
          hidden ? std::string_view(at.schema()->name) : Inheritance::quoted(at);
      std::string remark =
          terse ? origin.substr(origin.find("from")) : std::format("'{}' {}", quoted, origin);
      if (std::ranges::find(remarks, remark) == remarks.end()) {
        remarks.push_back(std::move(remark));
      }
    }
    if (is_names || below) {
      at.children().for_each([&](const NodePtr& child) {
        self(self, *child, below);
        return true;
      });
    }
  };
  if (const auto* entries = options_.inheritance->expansion(node)) {
    remarks.push_back(std::format("{} was expanded to:", node.name()));
    for (const std::string& each : *entries) {
      remarks.push_back(std::format("    {};", each));
    }
  }
  Words line;
  note(note, node, node.schema()->one_liner && flatten(node, false, line));
  const bool framed = !remarks.empty() && options_.inheritance_remarks == InheritanceRemarks::Full;
  if (framed) {
    writer_.remark("");
  }
  for (const std::string& remark : remarks) {
    writer_.remark(remark);
  }
  if (framed) {
    writer_.remark("");
  }
}

void Layout::describe(const schema::Node& schema) {
  if (options_.detail) {
    for (const std::string& line : details_of(schema)) {
      writer_.remark(line);
    }
  }
}

std::string Layout::note(const Node& node, bool within) const {
  if (!options_.notes) {
    return {};
  }
  const auto found = options_.notes->find(&node);
  std::string text = found == options_.notes->end() ? std::string() : found->second;
  if (within) {
    node.children().for_each([&](const NodePtr& child) {
      const std::string more = note(*child, true);
      text += (text.empty() || more.empty() ? "" : ", ") + more;
      return true;
    });
  }
  return text;
}

}  // namespace millrace::tree
