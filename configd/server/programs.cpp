// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/programs.h"

#include <memory>
#include <utility>

#include "ops/revisions.h"
#include "server/loading.h"
#include "server/redaction.h"
#include "server/trial.h"
#include "syntax/json.h"
#include "syntax/xml.h"
#include "tree/compare.h"
#include "tree/text.h"

namespace millrace::server {
namespace {

using nlohmann::json;

std::unexpected<RpcError> invalid(std::string message) {
  return std::unexpected(RpcError{kInvalidParams, std::move(message)});
}

std::unexpected<RpcError> denied() {
  return std::unexpected(to_rpc({base::Code::Denied, "permission denied"}));
}

// A string parameter, or `fallback` when it is absent.
std::expected<std::string, RpcError> text_parameter(const json& params, const char* name,
                                                    std::string fallback) {
  const auto found = params.find(name);
  if (found == params.end()) {
    return fallback;
  }
  if (!found->is_string()) {
    return invalid(std::string(name) + " is not a string");
  }
  return found->get<std::string>();
}

std::expected<tree::Path, RpcError> path_parameter(const Services& services, const json& params) {
  const auto found = params.find("path");
  if (found == params.end()) {
    return tree::Path{};
  }
  std::vector<std::string> words;
  for (const auto& word : *found) {
    if (!word.is_string()) {
      return invalid("path is not an array of words");
    }
    words.push_back(word.get<std::string>());
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  const auto walks = schema::walk(services.schema.root(), views, schema::Abbreviations::No);
  if (!walks) {
    return std::unexpected(
        to_rpc({walks.error().code, walks.error().message, {}, walks.error().hint}));
  }
  if (walks->size() != 1 || !walks->front().values.empty()) {
    return invalid("path names a value, not a statement");
  }
  return tree::Path{walks->front().steps};
}

ProgramResult get_configuration(Shell& shell, const json& params) {
  auto& services = shell.services();
  const auto path = path_parameter(services, params);
  if (!path) {
    return std::unexpected(path.error());
  }
  if (!may(shell.peer(), {.kind = Access::Kind::View, .path = &*path})) {
    return denied();
  }
  base::Result<tree::ConfigTree> tree = services.engine.running();
  if (const auto source = params.find("source"); source != params.end()) {
    if (*source == json("candidate")) {
      tree = shell.candidate().snapshot();
    } else if (source->is_number_unsigned()) {
      const auto index = source->get<std::size_t>();
      tree = index == 0 ? tree : services.engine.revision(index);
    } else if (*source != json("running")) {
      return invalid("source is neither \"running\", \"candidate\" nor a revision index");
    }
  }
  if (!tree) {
    return std::unexpected(to_rpc(tree.error()));
  }
  tree = shell.visible(*tree);
  const auto format = text_parameter(params, "format", "text");
  if (!format) {
    return std::unexpected(format.error());
  }
  tree::WriteOptions options;
  options.hide_secrets = !may(shell.peer(), {.kind = Access::Kind::View, .permission = "secret"});
  if (*format == "text") {
    return json{{"text", tree::to_text(*tree, *path, options)}};
  }
  if (*format == "set") {
    return json{{"text", tree::to_set(*tree, *path, options)}};
  }
  if (*format == "json") {
    return json{{"text", tree::to_json(*tree, *path, options)}};
  }
  if (*format == "xml") {
    return json{{"text", tree::to_xml(*tree, *path, options)}};
  }
  if (*format == "yaml") {
    return json{{"text", tree::to_yaml(*tree, *path, options)}};
  }
  return invalid("format is neither \"text\", \"set\", \"json\", \"xml\" nor \"yaml\"");
}

// "text", "json" or "xml"; without it the text tells.
std::expected<tree::LoadForm, RpcError> form_parameter(const json& params, std::string_view text) {
  const auto format = text_parameter(params, "format", {});
  if (!format) {
    return std::unexpected(format.error());
  }
  if (format->empty()) {
    return tree::form_of(text);
  }
  if (*format == "text" || *format == "json" || *format == "xml") {
    return *format == "text"   ? tree::LoadForm::Text
           : *format == "json" ? tree::LoadForm::Json
                               : tree::LoadForm::Xml;
  }
  return invalid("format is neither \"text\", \"json\" nor \"xml\"");
}

ProgramResult load_configuration(Shell& shell, const json& params) {
  auto& services = shell.services();
  const auto path = path_parameter(services, params);
  const auto text = text_parameter(params, "text", {});
  const auto wanted = text_parameter(params, "action", "merge");
  if (!path || !text || !wanted) {
    return std::unexpected(!path ? path.error() : !text ? text.error() : wanted.error());
  }
  if (!may(shell.peer(), {.kind = Access::Kind::Edit, .path = &*path})) {
    return denied();
  }
  const auto form = form_parameter(params, *text);
  if (!form) {
    return std::unexpected(form.error());
  }
  for (const LoadAction& row : load_actions()) {
    if (row.name != *wanted) {
      continue;
    }
    tree::LoadReport report;
    const auto outcome = shell.candidate().edit([&](tree::Editor& editor) -> base::Result<void> {
      const tree::ConfigTree before = editor.tree();
      const auto loaded = edit_as_seen(shell.peer(), editor, [&](tree::Editor& seen) {
        report = tree::load(seen, *path, *text, row.action, *form);
        return base::Result<void>();
      });
      if (!loaded) {
        return loaded;
      }
      keep_permitted(shell.peer(), before, editor, report);
      return {};
    });
    if (!outcome) {
      return std::unexpected(to_rpc(outcome.error()));
    }
    json errors = json::array();
    for (const auto& error : report.errors) {
      errors.push_back({{"line", error.at.line},
                        {"column", error.at.column},
                        {"path", error.level},
                        {"statement", error.statement},
                        {"message", error.message},
                        {"hint", error.hint}});
    }
    return json{{"statements", report.statements},
                {"errors", std::move(errors)},
                {"warnings", report.warnings}};
  }
  return invalid("action '" + *wanted + "' is not known");
}

ProgramResult compare_configuration(Shell& shell, const json& params) {
  auto& services = shell.services();
  const auto path = path_parameter(services, params);
  const auto format = text_parameter(params, "format", "text");
  if (!path || !format) {
    return std::unexpected(!path ? path.error() : format.error());
  }
  if (!may(shell.peer(), {.kind = Access::Kind::View, .path = &*path})) {
    return denied();
  }
  std::size_t index = 0;
  if (const auto revision = params.find("revision"); revision != params.end()) {
    if (!revision->is_number_unsigned()) {
      return invalid("revision is not an index");
    }
    index = revision->get<std::size_t>();
  }
  auto before = index == 0 ? base::Result<tree::ConfigTree>(shell.candidate().base())
                           : services.engine.revision(index);
  if (!before) {
    return std::unexpected(to_rpc(before.error()));
  }
  const tree::Delta delta(shell.visible(*before), shell.visible(shell.candidate().snapshot()));
  const tree::WriteOptions options{
      .hide_secrets = !may(shell.peer(), {.kind = Access::Kind::View, .permission = "secret"})};
  if (*format == "text") {
    return json{{"text", tree::compare_text(delta, *path, options)}};
  }
  if (*format == "set") {
    return json{{"text", tree::compare_set(delta, *path, options)}};
  }
  if (*format == "json" || *format == "xml") {
    const std::vector<syntax::Element> elements = {tree::compare_element(delta, *path, options)};
    return json{
        {"text", *format == "json" ? syntax::write_json(elements) : syntax::write_xml(elements)}};
  }
  return invalid("format is neither \"text\", \"set\", \"json\" nor \"xml\"");
}

// Why nothing can be planned, as one error.
std::unexpected<base::Error> conflicting(const base::Diagnostics& diagnostics) {
  const auto& first = diagnostics.items().front();
  return base::fail(first.code, first.message, first.level, first.hint);
}

ProgramOutcome plan_configuration(Shell& shell) {
  if (!may(shell.peer(), {.kind = Access::Kind::Commit})) {
    return ProgramResult(denied());
  }
  auto steps = std::make_shared<base::Result<std::vector<commit::StepLine>>>();
  return Deferred<ProgramResult>{
      [&shell, steps](commit::Observer*) {
        const auto wanted = shell.candidate().wanted();
        *steps = wanted ? shell.services().engine.plan(*wanted) : conflicting(wanted.error());
        if (*steps) {
          **steps = redacted(shell.peer(), shell.services().schema, std::move(**steps));
        }
      },
      [steps]() -> ProgramResult {
        if (!*steps) {
          return std::unexpected(to_rpc(steps->error()));
        }
        json list = json::array();
        for (const auto& step : **steps) {
          list.push_back({{"applier", step.applier},
                          {"description", step.description},
                          {"disruptive", step.disruptive}});
        }
        return json{{"steps", std::move(list)}};
      }};
}

ProgramOutcome check_configuration(Shell& shell) {
  if (!may(shell.peer(), {.kind = Access::Kind::Commit})) {
    return ProgramResult(denied());
  }
  auto diagnostics = std::make_shared<base::Diagnostics>();
  return Deferred<ProgramResult>{
      [&shell, diagnostics](commit::Observer*) {
        const auto wanted = shell.candidate().wanted();
        *diagnostics =
            redacted(shell.peer(), shell.services().schema,
                     wanted ? shell.services().engine.check_candidate(*wanted) : wanted.error());
      },
      [diagnostics]() -> ProgramResult { return json{{"diagnostics", to_json(*diagnostics)}}; }};
}

// Nobody changes the candidate while a commit is scheduled.
std::optional<RpcError> scheduled(const Services& services) {
  const auto waiting = services.engine.schedule().waiting();
  return waiting ? std::optional(to_rpc(scheduled_error(*waiting))) : std::nullopt;
}

ProgramResult unlock_configuration(Shell& shell) {
  if (shell.configuring() || shell.candidate().mode() != EditMode::Exclusive) {
    return std::unexpected(to_rpc({base::Code::Conflict, "this session holds no lock"}));
  }
  shell.candidate().leave();
  shell.services().sessions.left(shell.session());
  return json::object();
}

ProgramResult update_configuration(Shell& shell) {
  auto& candidate = shell.candidate();
  if (candidate.mode() != EditMode::Private) {
    return std::unexpected(to_rpc({base::Code::Conflict, "this session has no private candidate"}));
  }
  return json{{"diagnostics", to_json(candidate.update())}};
}

}  // namespace

std::optional<EditMode> edit_mode(const json& text) {
  return text == json("shared")      ? std::optional(EditMode::Shared)
         : text == json("private")   ? std::optional(EditMode::Private)
         : text == json("exclusive") ? std::optional(EditMode::Exclusive)
                                     : std::nullopt;
}

ProgramResult enter_candidate(Shell& shell, EditMode mode) {
  if (!may(shell.peer(),
           {.kind = Access::Kind::Operate, .command = "configure", .permission = "configure"})) {
    return denied();
  }
  if (const auto entered = shell.candidate().enter(mode); !entered) {
    return std::unexpected(to_rpc(entered.error()));
  }
  shell.services().sessions.editing(shell.session(),
                                    mode == EditMode::Private     ? "private"
                                    : mode == EditMode::Exclusive ? "exclusive"
                                                                  : "",
                                    "[edit]");
  return json::object();
}

std::optional<ProgramOutcome> call_program(Shell& shell, const Request& request) {
  const auto& method = request.method;
  if (method == "configuration.get") {
    return get_configuration(shell, request.params);
  }
  if (method == "configuration.load") {
    if (auto refused = scheduled(shell.services())) {
      return ProgramResult(std::unexpected(std::move(*refused)));
    }
    return load_configuration(shell, request.params);
  }
  if (method == "configuration.compare") {
    return compare_configuration(shell, request.params);
  }
  if (method == "configuration.plan") {
    return plan_configuration(shell);
  }
  if (method == "configuration.check") {
    return check_configuration(shell);
  }
  if (method == "configuration.commit") {
    return commit_configuration(shell, request.params);
  }
  if (method == "configuration.confirm" || method == "configuration.reject") {
    return end_trial(shell, request.params, method == "configuration.confirm");
  }
  if (method == "configuration.discard") {
    if (!may(shell.peer(), {.kind = Access::Kind::Edit})) {
      return ProgramResult(denied());
    }
    if (auto refused = scheduled(shell.services())) {
      return ProgramResult(std::unexpected(std::move(*refused)));
    }
    auto outcome = shell.candidate().reset(shell.candidate().base());
    if (!outcome) {
      return ProgramResult(std::unexpected(to_rpc(outcome.error())));
    }
    return ProgramResult(json::object());
  }
  if (method == "configuration.lock") {
    return enter_candidate(shell, EditMode::Exclusive);
  }
  if (method == "configuration.unlock") {
    return unlock_configuration(shell);
  }
  if (method == "configuration.update") {
    return update_configuration(shell);
  }
  if (method == "system.revisions") {
    if (!may(shell.peer(), {.kind = Access::Kind::Operate,
                            .command = "show system commit",
                            .permission = "view"})) {
      return ProgramResult(denied());
    }
    return ProgramResult(ops::revisions_json(shell.services().engine));
  }
  return std::nullopt;
}

void record_program(Shell& shell, const Request& request, const ProgramResult& result) {
  auto& audit = shell.services().audit;
  const bool denied = !result && result.error().message.starts_with("permission denied");
  if (!result && !denied) {
    // The parameters may be anything, and nothing was done with them.
    audit.command(shell.peer(), request.method, Audit::Result::Failed);
    return;
  }
  std::string text = request.method;
  for (const char* name : {"source", "action", "path", "format", "revision", "comment"}) {
    const auto found = request.params.find(name);
    if (found == request.params.end()) {
      continue;
    }
    text += std::string(" ") + name;
    if (found->is_array()) {
      for (const auto& word : *found) {
        text += " " + (word.is_string() ? word.get<std::string>() : std::string("?"));
      }
    } else {
      text += " " + (found->is_string() ? found->get<std::string>() : found->dump());
    }
  }
  audit.command(shell.peer(), text, denied ? Audit::Result::Denied : Audit::Result::Done);
}

}  // namespace millrace::server
