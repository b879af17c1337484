// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show | compare` read backwards. A hunk is a header and the signed lines up to the next one:
//
//   - …       the object stands there, exactly so; it goes
//   + …       the object is not there; it comes, behind the entry on the line before it or, without
//             one, in front of all (in lists whose order matters)
//   ! TAG: …  the object is there without that tag, and gets it
//   ! …       the entry moves, behind the entry on the line before it
//   + /* … */ and - /* … */ before a line with a blank: the comment of what stands there
//
// Indentation means nothing. What goes is taken out at the very end, so that no container is empty
// in between, which would lose its marks. A hunk that does not fit leaves no part of itself.
#include "tree/load_patch.h"

#include <algorithm>
#include <format>
#include <map>
#include <optional>

#include "syntax/command_line.h"
#include "tree/edit.h"
#include "tree/layout.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using base::Code;
using base::fail;
using schema::Kind;
template <class T = void>
using Result = base::Result<T>;

struct Line {
  char sign = ' ';
  std::string_view text;  // without indentation
};

struct Hunk {
  std::string_view header;
  std::uint32_t number = 1;
  std::vector<Line> lines;
};

std::string_view trim(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// The statement on the line, or the object and its "{ ... }".
std::string without_block(std::string_view text) {
  if (text.ends_with("{ ... }")) {
    text.remove_suffix(7);
    return std::string(trim(text)) + ";";
  }
  return std::string(text);
}

// Splits off the comment after the last statement, which belongs to the line that follows.
std::optional<std::string> take_last_comment(std::string& text) {
  std::string_view body = trim(text);
  while (body.ends_with('\n')) {
    body.remove_suffix(1);
  }
  if (!body.ends_with("*/")) {
    return std::nullopt;
  }
  std::size_t start = body.rfind("/*");
  while (start != std::string_view::npos && start > 0 && body[start - 1] != '\n') {
    start = body.rfind("/*", start - 1);
  }
  if (start == std::string_view::npos) {
    return std::nullopt;
  }
  std::string comment(body.substr(start + 2, body.size() - start - 4));
  comment = std::string(trim(comment));
  text.resize(start);
  return comment;
}

// A comment as it comes out of a patch: its lines without their indentation.
std::string bare_lines(std::string_view comment) {
  std::string out;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    out += std::string(trim(comment.substr(0, end))) + '\n';
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return out;
}

class Patcher {
 public:
  Patcher(Editor& editor, Path base) : editor_(editor), base_(std::move(base)) {}

  Result<> apply(const Hunk& hunk) {
    const auto level = object_of(hunk.header, base_, true);
    if (!level) {
      return std::unexpected(level.error());
    }
    level_ = *level;
    const ConfigTree before = editor_.tree();
    doomed_here_.clear();
    spared_here_.clear();
    const auto done = lines(hunk);
    if (!done) {
      editor_.reset(before);
      for (Path& path : spared_here_) {
        doomed_.try_emplace(path.to_string(), std::move(path));
      }
      for (const std::string& words : doomed_here_) {
        doomed_.erase(words);
      }
    }
    return done;
  }

  void finish() {
    for (const auto& [words, path] : doomed_) {
      if (editor_.tree().find(path)) {
        editor_.reset(edit::changed(editor_.tree(), {}, [&](Node& root) {
          edit::remove(root, path.steps, {}, edit::Keep::Nothing);
        }));
      }
    }
  }

 private:
  Result<> lines(const Hunk& hunk) {
    old_comment_.reset();
    new_comment_.reset();
    for (std::size_t i = 0; i < hunk.lines.size();) {
      const Line& line = hunk.lines[i];
      const Line* before = i > 0 ? &hunk.lines[i - 1] : nullptr;
      Result<> done;
      if (line.sign == '+' || line.sign == '-') {
        std::string text;
        for (; i < hunk.lines.size() && hunk.lines[i].sign == line.sign; ++i) {
          text += std::string(hunk.lines[i].text) + '\n';
        }
        done = line.sign == '+' ? add(std::move(text), before) : take(std::move(text));
      } else {
        done = line.sign == '!' ? state(line.text, before) : context(line.text);
        ++i;
      }
      if (!done) {
        return done;
      }
    }
    if (old_comment_ || new_comment_) {
      return fail(Code::Conflict, "a comment stands before nothing");
    }
    return {};
  }

  // The object that the words name, joined containers before it included. `level`: as a whole.
  Result<Path> object_of(std::string_view text, const Path& from, bool level = false) const {
    const syntax::Document read = syntax::parse_statements(std::string(text) + (level ? ";" : ""));
    if (level && trim(text).empty()) {
      return from;
    }
    if (!read.errors.empty() || read.statements.size() != 1) {
      return fail(Code::Syntax, std::format("cannot read '{}'", trim(text)));
    }
    return object_of(read.statements.front(), from, level);
  }

  Result<Path> object_of(const syntax::Statement& statement, const Path& from, bool level) const {
    std::vector<std::string_view> words;
    for (const syntax::Word& word : statement.words) {
      words.push_back(word.text);
    }
    const auto walks = schema::walk(from.schema(editor_.tree().schema()), words,
                                    schema::Abbreviations::No, from.keys());
    if (!walks) {
      return fail(walks.error().code, walks.error().message, {}, walks.error().hint);
    }
    const auto& steps = walks->front().steps;
    std::size_t count = 0;
    while (count < steps.size() && (level || steps[count].node->joined)) {
      ++count;
    }
    count = std::min(count + 1, steps.size());
    return from / std::span(steps).first(count);
  }

  static std::string text_of(const Node& node) {
    std::string text;
    syntax::TextWriter writer(text);
    Layout layout(writer, {});
    const Kind kind = node.schema()->kind;
    if (node.is_entry()) {
      layout.entry(node);
    } else if (kind == Kind::Leaf || kind == Kind::LeafList) {
      layout.value(node, Layout::Words{node.name()});
    } else {
      layout.statement(node);
    }
    return text;
  }

  struct Fragment {
    ConfigTree tree;
    std::vector<Path> objects;
  };

  // Lines of the hunk as a tree of their own.
  Result<Fragment> read(std::string text) const {
    Editor alone{ConfigTree(editor_.tree().schema())};
    const LoadReport report = load(alone, level_, text, LoadAction::Merge);
    if (!report.errors.empty()) {
      return fail(Code::Syntax, report.errors.front().message, {}, report.errors.front().hint);
    }
    Fragment fragment{alone.tree(), {}};
    for (const auto& statement : syntax::parse_statements(std::move(text)).statements) {
      auto path = object_of(statement, level_, false);
      if (!path) {
        return std::unexpected(path.error());
      }
      fragment.objects.push_back(std::move(*path));
    }
    return fragment;
  }

  Result<> refuse(const Path& path, std::string_view why) const {
    return fail(Code::Conflict, std::format("'{}' {}", path.to_string(), why), path.to_string());
  }

  Result<> take(std::string text) {
    old_comment_ = take_last_comment(text);
    auto fragment = read(std::move(text));
    if (!fragment) {
      return std::unexpected(fragment.error());
    }
    for (Path& path : fragment->objects) {
      const Node* there = editor_.tree().find(path);
      const Node* expected = fragment->tree.find(path);
      if (!there || !expected) {
        return refuse(path, "is not there");
      }
      if (text_of(*there) != text_of(*expected)) {
        return refuse(path, "is not what the patch takes away");
      }
      if (edit::guarded(editor_.tree().root(), path.steps)) {
        return refuse(path, "is protected");
      }
      doomed_here_.push_back(path.to_string());
      doomed_.insert_or_assign(doomed_here_.back(), std::move(path));
    }
    return {};
  }

  Result<> add(std::string text, const Line* before) {
    new_comment_ = take_last_comment(text);
    auto fragment = read(std::move(text));
    if (!fragment) {
      return std::unexpected(fragment.error());
    }
    std::optional<Path> anchor;
    if (before && before->sign == ' ') {
      if (auto path = object_of(without_block(before->text), level_)) {
        anchor = std::move(*path);
      }
    }
    for (const Path& path : fragment->objects) {
      const Node* there = editor_.tree().find(path);
      const auto replaced = doomed_.find(path.to_string());
      if (there && replaced == doomed_.end()) {
        return refuse(path, "is there already");
      }
      if (edit::guarded(editor_.tree().root(), path.steps)) {
        return refuse(path, "is protected");
      }
      graft(path, fragment->tree, there ? there->comment() : std::string());
      if (replaced != doomed_.end()) {
        spared_here_.push_back(path);
        doomed_.erase(replaced);
      }
      if (auto placed = place(path, anchor); !placed) {
        return placed;
      }
      anchor = path;
    }
    return {};
  }

  // The node of the fragment becomes that of the tree. A leaf that takes the place of another one
  // keeps its comment, which lines of its own change.
  void graft(const Path& path, const ConfigTree& from, const std::string& comment) {
    Path around = path;
    schema::PathStep& last = around.steps.back();
    std::string name = last.node->name;
    if (last.keyed) {
      name = last.key;
      last.keyed = false;
      last.key.clear();
    } else {
      around.steps.pop_back();
    }
    NodePtr node = from.find(around)->children().find_shared(name);
    if (!comment.empty() && node->comment().empty()) {
      node = std::make_shared<Node>(*node);
      NodeBuilder::set_comment(NodeBuilder::own(node), comment);
    }
    editor_.reset(edit::changed(editor_.tree(), around.steps,
                                [&](Node& parent) { NodeBuilder::children(parent).put(node); }));
  }

  static bool same_list(const Path& one, const Path& other) {
    return one.steps.size() == other.steps.size() && other.steps.back().keyed &&
           one.steps.back().node == other.steps.back().node && one.parent() == other.parent();
  }

  // Behind `anchor`, or in front of all others.
  Result<> place(const Path& path, const std::optional<Path>& anchor) {
    const schema::PathStep& step = path.steps.back();
    if (!step.keyed || !step.node->ordered) {
      return {};
    }
    if (anchor && same_list(path, *anchor)) {
      if (!editor_.tree().find(*anchor)) {
        return refuse(*anchor, "is not there");
      }
      return editor_.insert(path, Editor::Side::After, anchor->steps.back().key);
    }
    Path list = path;
    list.steps.back().keyed = false;
    list.steps.back().key.clear();
    std::string first;
    editor_.tree().find(list)->children().for_each([&](const NodePtr& entry) {
      first = entry->name();
      return false;
    });
    return first == step.key ? Result<>() : editor_.insert(path, Editor::Side::Before, first);
  }

  Result<> state(std::string_view text, const Line* before) {
    static constexpr std::string_view kTags[] = {
        "inactive: ", "active: ", "protect: ", "unprotect: "};
    const auto tag =
        std::ranges::find_if(kTags, [&](std::string_view each) { return text.starts_with(each); });
    const bool is_move = tag == std::end(kTags);
    const auto path = object_of(without_block(is_move ? text : text.substr(tag->size())), level_);
    if (!path) {
      return std::unexpected(path.error());
    }
    const Node* node = editor_.tree().find(*path);
    if (!node) {
      return refuse(*path, "is not there");
    }
    if (is_move) {
      std::optional<Path> anchor;
      if (before && before->sign == ' ') {
        if (auto named = object_of(without_block(before->text), level_)) {
          anchor = std::move(*named);
        }
      }
      return place(*path, anchor);
    }
    const bool on = *tag == kTags[0] || *tag == kTags[2];
    const bool is_activity = tag - kTags < 2;
    if ((is_activity ? node->inactive() : node->is_protected()) == on) {
      return refuse(*path, "is so already");
    }
    return is_activity ? editor_.set_inactive(*path, on) : editor_.set_protected(*path, on);
  }

  // A line around others: nothing of its own, but what comments before it belong to.
  Result<> context(std::string_view text) {
    if (!old_comment_ && !new_comment_) {
      return {};
    }
    const auto path = object_of(without_block(text), level_);
    if (!path) {
      return std::unexpected(path.error());
    }
    const Node* node = editor_.tree().find(*path);
    if (!node) {
      return refuse(*path, "is not there");
    }
    if (bare_lines(node->comment()) != bare_lines(old_comment_.value_or(""))) {
      return refuse(*path, "has another comment");
    }
    const std::string comment = new_comment_.value_or("");
    old_comment_.reset();
    new_comment_.reset();
    return editor_.annotate(*path, comment);
  }

  Editor& editor_;
  Path base_;
  Path level_;
  std::map<std::string, Path> doomed_;  // what goes at the end, by its words
  // What this hunk added to those, and what it took out.
  std::vector<std::string> doomed_here_;
  std::vector<Path> spared_here_;
  std::optional<std::string> old_comment_;
  std::optional<std::string> new_comment_;
};

std::vector<Hunk> hunks_of(std::string_view text, LoadReport& report) {
  std::vector<Hunk> hunks;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view bare = trim(line);
    if (bare.starts_with("[edit") && bare.ends_with(']') &&
        std::string_view("+-!").find(line[0]) == std::string_view::npos) {
      hunks.push_back({trim(bare.substr(5, bare.size() - 6)), number, {}});
    } else if (bare.empty()) {
      continue;
    } else if (hunks.empty()) {
      report.errors.push_back(
          {{number, 1}, "", std::string(bare), "syntax error, expecting '[edit ...]'", ""});
      return hunks;
    } else {
      // Behind a blank it is a name that looks like a sign, unless another blank follows.
      const bool is_signed = std::string_view("+-!").find(bare[0]) != std::string_view::npos &&
                             (line[0] == bare[0] || bare.substr(1, 1) == " ");
      hunks.back().lines.push_back(
          {is_signed ? bare[0] : ' ', trim(bare.substr(is_signed ? 1 : 0))});
    }
  }
  return hunks;
}

}  // namespace

LoadReport load_patch(Editor& editor, const Path& base, std::string_view text) {
  LoadReport report;
  Patcher patcher(editor, base);
  for (const Hunk& hunk : hunks_of(text, report)) {
    if (auto done = patcher.apply(hunk); done) {
      ++report.statements;
    } else {
      const std::string level(hunk.header);
      report.errors.push_back({{hunk.number, 1},
                               level,
                               level.empty() ? "[edit]" : "[edit " + level + "]",
                               "hunk does not apply: " + done.error().message,
                               done.error().hint});
    }
  }
  patcher.finish();
  return report;
}

}  // namespace millrace::tree
