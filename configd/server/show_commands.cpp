// SPDX-License-Identifier: GPL-2.0-or-later
#include <utility>

#include "ops/layout.h"
#include "server/configuration_mode.h"
#include "server/remarks.h"
#include "tree/compare.h"
#include "tree/text.h"

namespace millrace::server {
namespace {

tree::WriteOptions options_for(const Call& call) {
  tree::WriteOptions options;
  options.remarks = true;
  options.hide_secrets =
      !may(call.shell.peer(), {.kind = Access::Kind::View, .permission = "secret"});
  return options;
}

Reply render(const Call& call, const tree::ConfigTree& tree, const tree::Path& path,
             std::string header, const tree::Notes* notes = nullptr) {
  auto options = options_for(call);
  options.notes = notes;
  const Display display = call.pipes.display.value_or(Display{});
  const Format format = display.format;
  if (format == Format::Xml || format == Format::Yaml || display.detail ||
      display.explicit_presence || display.max_depth != 0) {
    return call.shell.refuse(call.line, call.pipes.column, "this display is not supported yet");
  }
  Reply reply = done();
  if (format == Format::Json) {
    options.remarks = false;
    reply.output = tree::to_json(tree, path, options);
    reply.data = nlohmann::json::parse(reply.output, nullptr, false);
    if (!reply.output.ends_with('\n')) {
      reply.output += '\n';
    }
  } else if (format == Format::Text) {
    reply.output = std::move(header) + tree::to_text(tree, path, options);
  } else {
    options.relative = display.relative;
    reply.output = tree::to_set(tree, path, options);
  }
  return reply;
}

Reply compare_trees(const Call& call, tree::ConfigTree before, tree::ConfigTree after,
                    const tree::Path& path) {
  const tree::Delta delta(std::move(before), std::move(after));
  const Format format = call.pipes.format();
  if (format != Format::Text && format != Format::Set) {
    return call.shell.refuse(call.line, call.pipes.column,
                             "'compare' cannot be displayed like this yet");
  }
  return done(format == Format::Text ? tree::compare_text(delta, path)
                                     : tree::compare_set(delta, path));
}

// `after` as it differs from what `compare` names.
Reply compare(const Call& call, tree::ConfigTree after, const tree::Path& path) {
  auto& shell = call.shell;
  const auto& source = call.pipes.compare_with;
  auto before = source.kind == ConfigurationSource::Kind::Running
                    ? base::Result<tree::ConfigTree>(shell.candidate().base())
                    : find_configuration(shell.services().engine, source);
  if (!before) {
    return failed(before.error());
  }
  return compare_trees(call, std::move(*before), std::move(after), path);
}

std::expected<tree::Path, Reply> path_of(const Call& call) {
  if (call.at_end()) {
    return call.level;
  }
  const auto walk = walk_path(call, call.next, call.words.size());
  if (!walk) {
    return std::unexpected(walk.error());
  }
  if (!walk->values.empty()) {
    return std::unexpected(call.shell.refuse_word(call, call.words.size() - 1, "syntax error."));
  }
  tree::Path path = call.level / walk->steps;
  if (!may(call.shell.peer(), {.kind = Access::Kind::View, .path = &path})) {
    return std::unexpected(failed("permission denied: " + path.to_string()));
  }
  return path;
}

std::string last_commit(const commit::Engine& engine) {
  const auto revisions = engine.revisions();
  if (revisions.empty()) {
    return {};
  }
  return "## Last commit: " + ops::local_time(revisions.front().time) + " by " +
         revisions.front().user + "\n";
}

}  // namespace

Outcome show_command(Call& call) {
  auto path = path_of(call);
  if (!path) {
    return std::move(path.error());
  }
  auto& services = call.shell.services();
  if (call.pipes.plan) {
    if (!call.at_end() || call.pipes.compare ||
        call.pipes.display.value_or(Display{.format = Format::Json}) !=
            Display{.format = Format::Json}) {
      return call.shell.refuse(call.line, call.pipes.column,
                               "'plan' is for the whole candidate and stands alone");
    }
    return show_plan(call);
  }
  if (call.pipes.compare) {
    return compare(call, call.shell.candidate().snapshot(), *path);
  }
  std::string header;
  if (path->empty()) {
    const auto changed = call.shell.candidate().last_changed();
    header = changed != 0 ? "## Last changed: " + ops::local_time(changed) + "\n"
                          : last_commit(services.engine);
  }
  const tree::ConfigTree candidate = call.shell.candidate().snapshot();
  const tree::Notes notes =
      call.pipes.format() == Format::Text ? remarks_of(services.engine, candidate) : tree::Notes();
  return render(call, candidate, *path, std::move(header), &notes);
}

Outcome save_command(Call& call) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next, "missing argument, expecting <file>.");
  }
  const std::string file(call.word());
  ++call.next;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  if (!call.pipes.client.empty() || call.pipes.compare || call.pipes.plan) {
    return failed("'save' writes configuration; for other output use 'show | … | save FILE'");
  }
  Reply reply = render(call, call.shell.candidate().snapshot(), call.level, {});
  if (file != "terminal") {
    reply.pipes = {{"save", file}};
  }
  return reply;
}

Outcome show_configuration(Call& call) {
  call.level = {};
  auto path = path_of(call);
  if (!path) {
    return std::move(path.error());
  }
  if (call.pipes.plan) {
    return call.shell.refuse(call.line, call.pipes.column,
                             "'plan' is for the candidate, in configuration mode");
  }
  auto& engine = call.shell.services().engine;
  if (call.pipes.compare) {
    return compare(call, engine.running(), *path);
  }
  return render(call, engine.running(), *path, path->empty() ? last_commit(engine) : std::string());
}

namespace {

// The configuration that the next words name, as behind `rollback`.
std::expected<tree::ConfigTree, Reply> named_configuration(Call& call) {
  const auto read = read_revision(call.rest());
  if (!read) {
    return std::unexpected(
        call.shell.refuse_word(call, call.next + read.error().word, read.error().message));
  }
  call.next += read->used;
  auto tree = find_configuration(call.shell.services().engine, read->source);
  return tree ? std::expected<tree::ConfigTree, Reply>(std::move(*tree))
              : std::unexpected(failed(tree.error()));
}

}  // namespace

Outcome show_rollback(Call& call) {
  call.level = {};
  auto first = named_configuration(call);
  if (!first) {
    return std::move(first.error());
  }
  if (call.pipes.compare || call.pipes.plan) {
    return call.shell.refuse(call.line, call.pipes.column,
                             "'show system rollback A compare B' compares two revisions");
  }
  if (call.at_end()) {
    return render(call, *first, {}, {});
  }
  if (!is(call.word(), "compare")) {
    return call.shell.refuse_word(call, call.next, "syntax error, expecting <compare>.");
  }
  ++call.next;
  auto second = named_configuration(call);
  if (!second) {
    return std::move(second.error());
  }
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  return compare_trees(call, std::move(*first), std::move(*second), {});
}

Outcome show_rescue(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  call.level = {};
  if (call.pipes.compare || call.pipes.plan) {
    return *rerendered(call);
  }
  auto tree = call.shell.services().engine.saved().load(commit::kRescue);
  return tree ? Outcome(render(call, *tree, {}, {})) : Outcome(failed(tree.error()));
}

}  // namespace millrace::server
