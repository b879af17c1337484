// SPDX-License-Identifier: GPL-2.0-or-later
#include <utility>

#include "ops/layout.h"
#include "server/configuration_mode.h"
#include "server/loading.h"
#include "server/path_pattern.h"
#include "server/remarks.h"
#include "server/rendering.h"

namespace millrace::server {
namespace {

std::vector<syntax::Attribute> last_commit_of(const commit::Engine& engine) {
  const auto revisions = engine.revisions();
  if (revisions.empty()) {
    return {};
  }
  const auto& last = revisions.front();
  return {{"junos:commit-seconds", std::to_string(last.time)},
          {"junos:commit-localtime", ops::local_time(last.time)},
          {"junos:commit-user", last.user}};
}

Rendering rendering_for(const Call& call) {
  Rendering how;
  how.display = call.pipes.display.value_or(Display{});
  how.hide_secrets = !may(call.shell.peer(), {.kind = Access::Kind::View, .permission = "secret"});
  how.remarks = true;
  how.banner = call.shell.banner();
  return how;
}

// A configuration other than the candidate, as the pipes want it.
Reply render(const Call& call, const tree::ConfigTree& tree, const tree::Path& path,
             std::string header, std::vector<syntax::Attribute> history = {}) {
  Rendering how = rendering_for(call);
  if (const auto good = check(how.display); !good) {
    return call.shell.refuse(call.line, call.pipes.column, good.error().message);
  }
  const tree::ConfigTree running = call.shell.visible(call.shell.services().engine.running());
  how.header = std::move(header);
  how.history = std::move(history);
  how.changed_from = &running;
  return render(call.shell.visible(tree), path, how);
}

Reply compare_trees(const Call& call, tree::ConfigTree before, tree::ConfigTree after,
                    const tree::Path& path) {
  const Rendering how = rendering_for(call);
  const Display plain{.format = how.display.format, .inherited = how.display.inherited};
  if (how.display != plain) {
    return call.shell.refuse(call.line, call.pipes.column,
                             "'compare' can be displayed as set, json, xml or yaml");
  }
  return render(tree::Delta(call.shell.visible(before), call.shell.visible(after)), path, how);
}

// Where to begin, and what to leave out there when the path stands for several places.
struct Shown {
  tree::Path path;
  std::optional<PathPattern> only = {};

  tree::ConfigTree of(const tree::ConfigTree& tree) const {
    return only ? tree::visible(tree, *only) : tree;
  }
};

// `after` as it differs from what the text of a file says.
Reply compare_with_text(Shell& shell, const tree::ConfigTree& after, const Shown& shown,
                        const Rendering& how, const std::string& name, std::string text) {
  auto before = tree_of_text(shell.services().schema, name, std::move(text));
  return before ? render(tree::Delta(shell.visible(shown.of(*before)), shell.visible(after)),
                         shown.path, how)
                : std::move(before.error());
}

// What may be seen of it is decided place by place, as for everything that is shown.
std::expected<Shown, Reply> places_of(const Call& call) {
  const auto words = texts(call.rest());
  const auto walks = schema::walk(call.level.schema(call.shell.services().schema), words,
                                  schema::Abbreviations::Yes, schema::Keys::Patterns);
  if (!walks || walks->size() != 1 || !walks->front().values.empty()) {
    const std::size_t word = walks ? words.size() - 1 : walks.error().word;
    return std::unexpected(call.shell.refuse_word(call, call.next + word,
                                                  walks ? "syntax error." : walks.error().message));
  }
  PathPattern only(call.level / walks->front().steps);
  return Shown{only.fixed(), std::move(only)};
}

std::expected<Shown, Reply> path_of(const Call& call) {
  if (call.at_end()) {
    return Shown{call.level};
  }
  if (has_patterns(call.level, call.shell.services().schema, texts(call.rest()))) {
    return places_of(call);
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
  return Shown{std::move(path)};
}

// `after` as it differs from what `compare` names, or from `running`.
Outcome compare(const Call& call, tree::ConfigTree after, const Shown& shown,
                const tree::ConfigTree& running) {
  const ConfigurationSource& source = call.pipes.compare_with;
  const tree::Path& path = shown.path;
  after = shown.of(after);
  if (source.kind == ConfigurationSource::Kind::Running) {
    return compare_trees(call, shown.of(running), std::move(after), path);
  }
  if (source.kind == ConfigurationSource::Kind::Candidate) {
    return compare_trees(call, shown.of(call.shell.candidate().snapshot()), std::move(after), path);
  }
  if (source.kind != ConfigurationSource::Kind::File) {
    auto before = find_configuration(call.shell.services().engine, source);
    return before ? compare_trees(call, shown.of(*before), std::move(after), path)
                  : failed(before.error());
  }
  const Rendering how = rendering_for(call);
  return call.shell.read({source.name},
                         [&shell = call.shell, after, shown, how, name = source.name,
                          pipes = call.pipes.client](std::string text) -> Outcome {
                           Reply reply =
                               compare_with_text(shell, after, shown, how, name, std::move(text));
                           reply.pipes = pipes;
                           return reply;
                         });
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
  const auto shown = path_of(call);
  if (!shown) {
    return shown.error();
  }
  const tree::Path& path = shown->path;
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
    return compare(call, call.shell.candidate().snapshot(), *shown, call.shell.candidate().base());
  }
  Rendering how = rendering_for(call);
  if (const auto good = check(how.display); !good) {
    return call.shell.refuse(call.line, call.pipes.column, good.error().message);
  }
  const auto changed = call.shell.candidate().last_changed();
  if (changed != 0) {
    how.history = {{"junos:changed-seconds", std::to_string(changed)},
                   {"junos:changed-localtime", ops::local_time(changed)}};
  }
  if (path.empty()) {
    how.header = changed != 0 ? "## Last changed: " + ops::local_time(changed) + "\n"
                              : last_commit(services.engine);
  }
  const tree::ConfigTree base = call.shell.visible(call.shell.candidate().base());
  how.changed_from = &base;
  const tree::ConfigTree candidate = call.shell.visible(call.shell.candidate().snapshot());
  // A remark may be about what the user does not see.
  const tree::Notes notes = how.display.format == Format::Text && sees_everything(call.shell.peer())
                                ? remarks_of(services.engine, candidate)
                                : tree::Notes();
  how.notes = &notes;
  return render(shown->of(candidate), path, how);
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
  Rendering how = rendering_for(call);
  how.remarks = false;
  if (const auto good = check(how.display);
      !good || how.display.changed || how.display.max_depth != 0) {
    return call.shell.refuse(call.line, call.pipes.column,
                             "'save' writes text, set, json, xml or yaml");
  }
  Reply reply = render(call.shell.visible(call.shell.candidate().snapshot()), call.level, how);
  reply.data = nullptr;
  if (file != "terminal") {
    reply.pipes = {{"save", file, "configuration"}};
  }
  return reply;
}

Outcome show_configuration(Call& call) {
  call.level = {};
  const auto shown = path_of(call);
  if (!shown) {
    return shown.error();
  }
  if (call.pipes.plan) {
    return call.shell.refuse(call.line, call.pipes.column,
                             "'plan' is for the candidate, in configuration mode");
  }
  auto& engine = call.shell.services().engine;
  const tree::ConfigTree running = engine.running();
  if (call.pipes.compare) {
    return compare(call, running, *shown, running);
  }
  return render(call, shown->of(running), shown->path,
                shown->path.empty() ? last_commit(engine) : std::string(), last_commit_of(engine));
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
