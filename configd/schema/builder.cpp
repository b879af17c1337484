// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/builder.h"

#include <algorithm>
#include <numeric>

#include "schema/parts.h"
#include "schema/read_command.h"

namespace millrace::schema {

namespace {

constexpr std::string_view kFeatureWords =
    "help, grouping, augment, everywhere, container, list, leaf, leaf-list, uses, order, render, "
    "command";

// Places of display. What may stand everywhere follows the groups and precedes all else; the
// statements of a range precede those of the list that it is like.
constexpr std::uint32_t kEverywhere = 32;
constexpr std::uint32_t kRange = 40;
constexpr std::uint32_t kOthers = 64;

// The target of an augment while siblings are still unsorted; null when it is not there (yet).
Node* find_target(Node& root, std::string_view path) {
  Node* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::string_view name = path.substr(0, path.find(' '));
    path.remove_prefix(std::min(name.size() + 1, path.size()));
    node = unsorted_child(*node, name);
  }
  return node;
}

}  // namespace

Node& Builder::mutable_root(Schema& schema) {
  return schema.parts_->root;
}

base::Result<Schema> Builder::run() {
  parse();
  for (std::size_t i = 0; i < documents_.size(); ++i) {
    for (const syntax::Statement& statement : documents_[i].statements) {
      collect({sources_[i].name, &statement});
    }
  }
  place_nodes();
  place_augments();
  sort(schema_.parts_->root, Support::Works);
  place_everywhere();
  read_renders();
  read_commands();
  check_groupings();
  settle(work_, schema_.parts_->root);
  if (!work_.problems.empty()) {
    return std::unexpected(work_.problems.to_error());
  }
  return std::move(schema_);
}

void Builder::parse() {
  documents_.reserve(sources_.size());
  for (Source& source : sources_) {
    documents_.push_back(syntax::parse_statements(std::move(source.text)));
    for (const syntax::SyntaxError& error : documents_.back().errors) {
      work_.problems.add({source.name, error.at}, error.found, error.expected);
    }
  }
}

void Builder::collect(const Part& feature) {
  const Reading reading(work_.problems, feature.file);
  const syntax::Statement& statement = *feature.statement;
  std::string name;
  if (statement.words[0].text != "feature") {
    reading.unknown(statement, "feature");
    return;
  }
  if (!reading.take_name(statement, name) || !reading.needs_block(statement)) {
    return;
  }
  const auto [first, is_new] = features_.try_emplace(name, reading.place(statement));
  if (!is_new) {
    reading.problem(statement, "feature " + in_quotes(name) + " again",
                    std::format("one of a name; the first is at {}", first->second.origin()));
  }
  std::string help;
  for (const syntax::Statement& part : statement.children) {
    const std::string_view word = part.words[0].text;
    if (word == "help") {
      reading.take_word(part, help);
    } else if (word == "grouping") {
      std::string grouping;
      if (reading.take_name(part, grouping) && reading.needs_block(part) &&
          !work_.groupings.try_emplace(grouping, Grouping{feature.file, &part}).second) {
        reading.problem(part, "grouping " + in_quotes(grouping) + " again", "one of a name");
      }
    } else if (word == "everywhere") {
      everywhere_.push_back({feature.file, &part});
    } else if (word == "augment") {
      augments_.push_back({feature.file, &part});
    } else if (NodeReader::is_child_word(word)) {
      nodes_.push_back({feature.file, &part});
    } else if (word == "render") {
      renders_.push_back({feature.file, &part});
    } else if (word == "command") {
      commands_.push_back({feature.file, &part});
    } else {
      reading.unknown(part, kFeatureWords);
    }
  }
  if (help.empty()) {
    reading.problem(statement, "a feature without help", "help \"…\"");
  }
}

void Builder::place_nodes() {
  for (const Part& part : nodes_) {
    NodeReader(work_, part.file).read_child(*part.statement, schema_.parts_->root);
  }
}

void Builder::place_augments() {
  std::vector<Part> waiting = augments_;
  for (bool progress = true; progress;) {
    progress = false;
    std::vector<Part> still;
    for (const Part& part : waiting) {
      std::string path;
      if (!Reading(work_.problems, part.file).take_path(*part.statement, path)) {
        continue;
      }
      Node* target = find_target(schema_.parts_->root, path);
      if (target == nullptr) {
        still.push_back(part);
      } else {
        place_augment(part, *target);
        progress = true;
      }
    }
    waiting = std::move(still);
  }
  for (const Part& part : waiting) {
    std::string path;
    const Reading reading(work_.problems, part.file);
    reading.take_path(*part.statement, path);
    reading.problem(*part.statement, "augment " + in_quotes(path),
                    "the path of a declared statement");
  }
}

void Builder::place_augment(const Part& part, Node& target) {
  const Reading reading(work_.problems, part.file);
  if (!reading.needs_block(*part.statement)) {
    return;
  }
  if ((target.kind != Kind::Container && target.kind != Kind::List) ||
      target.support == Support::Refused) {
    reading.problem(*part.statement, "augment of " + in_quotes(target.path()),
                    "a container or list that is not refused");
    return;
  }
  for (const syntax::Statement& child : part.statement->children) {
    if (NodeReader::is_child_word(child.words[0].text)) {
      NodeReader(work_, part.file).read_child(child, target);
    } else {
      reading.unknown(child, "container, list, leaf, leaf-list, uses, order");
    }
  }
}

void Builder::sort(Node& node, Support inherited) {
  if (node.support == Support::Works) {
    node.support = inherited;
    if (inherited != Support::Works) {
      node.support_reason = node.parent->support_reason;
    }
  }
  if (const auto found = work_.orders.find(&node); found != work_.orders.end()) {
    const Workspace::Order& order = found->second;
    const auto rank = [&](const std::unique_ptr<Node>& child) {
      return std::ranges::find(order.names, child->name) - order.names.begin();
    };
    std::ranges::stable_sort(node.children, {}, rank);
    for (const std::string& name : order.names) {
      if (unsorted_child(node, name) == nullptr) {
        work_.problems.add(order.place, in_quotes(name), "the name of a statement of this level");
      }
    }
  }
  node.by_name.resize(node.children.size());
  std::iota(node.by_name.begin(), node.by_name.end(), 0U);
  std::ranges::sort(node.by_name, {},
                    [&](std::uint32_t i) -> std::string_view { return node.children[i]->name; });
  number(node);
  for (const auto& child : node.children) {
    sort(*child, node.support);
  }
}

void Builder::number(Node& node) {
  std::uint32_t next = node.role == Role::Range ? kRange : kOthers;
  const auto groups =
      std::ranges::find(node.children, Role::Groups, [](const auto& child) { return child->role; });
  if (groups != node.children.end()) {
    next = 0;
  }
  for (auto child = node.children.begin(); child != node.children.end(); ++child) {
    (*child)->order = next++;
    if (child == groups) {
      next = kOthers;
    }
    if (node.role == Role::Range) {
      (*child)->role = Role::RangeMember;
    }
  }
}

void Builder::place_everywhere() {
  Node& top = schema_.parts_->everywhere;
  Node& below = schema_.parts_->below_the_top;
  for (const Part& part : everywhere_) {
    const Reading reading(work_.problems, part.file);
    if (!reading.needs_block(*part.statement)) {
      continue;
    }
    for (const syntax::Statement& child : part.statement->children) {
      const std::string_view name = child.words.size() > 1 ? child.words[1].text : "";
      if (child.words[0].text != "leaf-list" ||
          (name != "apply-groups" && name != "apply-groups-except")) {
        reading.problem(child, in_quotes(child.words[0].text),
                        "leaf-list apply-groups, leaf-list apply-groups-except");
        continue;
      }
      Node& level = name == "apply-groups" ? top : below;
      NodeReader(work_, part.file).read_child(child, level);
      if (!level.children.empty()) {
        level.children.back()->role =
            name == "apply-groups" ? Role::ApplyGroups : Role::ExceptGroups;
      }
    }
  }
  if (everywhere_.empty()) {
    return;
  }
  sort(top, Support::Works);
  sort(below, Support::Works);
  for (const auto& child : top.children) {
    child->order = kEverywhere;
  }
  for (const auto& child : below.children) {
    child->order = kEverywhere + 1;
  }
  below.like = &top;
  add_everywhere(schema_.parts_->root);
}

void Builder::add_everywhere(Node& node) {
  const bool has_statements = node.kind == Kind::Container || node.kind == Kind::List;
  if (!has_statements || node.support == Support::Refused) {
    return;
  }
  if (!node.joined && node.role == Role::None) {
    node.like =
        node.parent == nullptr ? &schema_.parts_->everywhere : &schema_.parts_->below_the_top;
  }
  for (const auto& child : node.children) {
    if (child->role != Role::RangeMember) {
      add_everywhere(*child);
    }
  }
}

void Builder::read_renders() {
  std::vector<Render>& renders = schema_.parts_->renders;
  for (const Part& part : renders_) {
    const Reading reading(work_.problems, part.file);
    Render render = read_render(reading, *part.statement);
    if (find_below(schema_.parts_->root, render.path) == nullptr) {
      reading.problem(*part.statement, "render path " + in_quotes(render.path),
                      "the path of a declared statement");
    }
    for (const Render& other : renders) {
      if (other.name == render.name || other.file == render.file) {
        reading.problem(*part.statement, std::format("render '{}' of {}", render.name, render.file),
                        std::format("another name and file than the render at {}", other.origin));
      }
    }
    renders.push_back(std::move(render));
  }
}

void Builder::read_commands() {
  std::vector<Command>& commands = schema_.parts_->commands;
  for (const Part& part : commands_) {
    const Reading reading(work_.problems, part.file);
    Command command = read_command(reading, *part.statement);
    const auto same = std::ranges::find(commands, command.words, &Command::words);
    if (same != commands.end()) {
      reading.problem(*part.statement, "command " + in_quotes(command.words) + " again",
                      std::format("one of a name; the first is at {}", same->origin));
    }
    commands.push_back(std::move(command));
  }
}

void Builder::check_groupings() {
  for (const auto& [name, grouping] : work_.groupings) {
    if (!grouping.used) {
      work_.problems.add({grouping.file, grouping.statement->at}, "grouping " + in_quotes(name),
                         "a use of it");
    }
  }
}

base::Result<Schema> build(std::vector<Source> sources) {
  return Builder(std::move(sources)).run();
}

}  // namespace millrace::schema
