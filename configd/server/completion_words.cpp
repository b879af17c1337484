// SPDX-License-Identifier: GPL-2.0-or-later
//
// Words of operational mode, and what several places offer alike.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "ops/layout.h"
#include "ops/revisions.h"
#include "server/completion_parts.h"
#include "server/log_commands.h"
#include "server/power_commands.h"
#include "tree/view.h"

namespace millrace::server {
namespace {

// What `values` of a template may say instead of a path: names that only the machine knows.
constexpr std::string_view kLiveLogFiles = "live log-files";

// `pid N`, `terminal T` or `user NAME` of those who are connected; false when something else stands
// there. What may follow is the caller's.
bool complete_who(Asking& asking, bool everybody) {
  const auto sessions = asking.shell.services().sessions.all();
  if (asking.at_end()) {
    if (everybody) {
      asking.keyword("all", "Everybody");
    }
    asking.keyword("pid", "The session of this client process");
    asking.keyword("terminal", "The session on this terminal");
    asking.keyword("user", "The session of this user");
    return false;
  }
  const std::string_view what = asking.word();
  ++asking.next;
  if (everybody && is(what, "all")) {
    return true;
  }
  if (!asking.at_end()) {
    ++asking.next;
    return true;
  }
  std::map<std::string, std::string> names;
  for (const auto& [number, entry] : sessions) {
    const std::string pid = std::to_string(entry.pid);
    if (is(what, "pid")) {
      names.emplace(pid, entry.user + " " + entry.terminal);
    } else if (is(what, "terminal") && !entry.terminal.empty()) {
      names.emplace(entry.terminal, entry.user + " (pid " + pid + ")");
    } else if (is(what, "user")) {
      names.emplace(entry.user, "");
    }
  }
  for (const auto& [name, help] : names) {
    asking.name(name, help);
  }
  return false;
}

void complete_logout(Asking& asking) {
  if (!complete_who(asking, false)) {
    return;
  }
  if (asking.at_end()) {
    asking.keyword("all", "All sessions of the user");
  }
  asking.complete();
}

void complete_message(Asking& asking) {
  if (!complete_who(asking, true)) {
    return;
  }
  if (asking.at_end()) {
    asking.keyword("message", "What to say");
    return;
  }
  ++asking.next;
  if (asking.at_end()) {
    asking.placeholder("<text>", "Text in quotes");
  } else {
    asking.complete();
  }
}

bool is_interface(const schema::Type& type) {
  return type.base == schema::BaseType::InterfaceName ||
         type.base == schema::BaseType::LogicalInterface ||
         std::ranges::any_of(type.members, is_interface);
}

std::string description(const tree::ConfigTree& running, const std::string& interface) {
  const auto& root = running.schema().root();
  if (!root.child("interfaces") || !root.child("interfaces")->nameless_list()) {
    return {};
  }
  const tree::View entry = tree::View(running)["interfaces"].entry(interface);
  return entry.exists() && entry.schema().child("description") ? entry["description"].text()
                                                               : std::string();
}

// The interfaces that there are, as the configuration names them.
void offer_interfaces(Asking& asking) {
  auto& services = asking.shell.services();
  auto system = services.open_system();
  auto links = system ? (*system)->kernel->links() : std::unexpected(system.error());
  if (!links) {
    return;  // completion offers what it can find; the command itself will say what is wrong
  }
  const auto running = asking.shell.visible(services.engine.running());
  for (const auto& link : *links) {
    const std::string name = ops::interface_name(link.name);
    asking.name(name, description(running, name));
  }
}

// Every entry of the lists at `path` of what is in force, with the descriptions of its user.
void offer_values(Asking& asking, std::string_view path) {
  const tree::ConfigTree running = asking.shell.services().engine.running();
  std::vector<const tree::Node*> level = {&running.root()};
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    std::vector<const tree::Node*> next;
    for (const tree::Node* node : level) {
      const tree::Node* child = node->child(name);
      if (!child) {
        continue;
      }
      const bool lists = child->schema()->kind == schema::Kind::List && !child->is_entry();
      if (!lists || path.empty()) {
        next.push_back(child);
        continue;
      }
      child->children().for_each([&](const tree::NodePtr& entry) {
        next.push_back(entry.get());
        return next.size() < kMostNames;
      });
    }
    level = std::move(next);
  }
  for (const tree::Node* list : level) {
    for (auto& offer : names_of(*list, asking.prefix, ' ', kMostNames + 1)) {
      asking.out.offers.push_back(std::move(offer));
    }
    if (asking.out.offers.size() > kMostNames) {
      asking.out.offers.resize(kMostNames);
      asking.out.more = true;
      return;
    }
  }
}

void offer_argument(Asking& asking, const schema::Command::Argument& argument) {
  if (argument.file) {
    asking.file(argument.help);
  } else if (is_interface(argument.type)) {
    asking.placeholder("<" + argument.name + ">", argument.help);
    offer_interfaces(asking);
  } else {
    offer_type(asking, argument.type, argument.name, argument.help);
  }
  if (argument.values == kLiveLogFiles) {
    offer_log_files(asking);
  } else if (!argument.values.empty()) {
    offer_values(asking, argument.values);
  }
}

// The word at the cursor can be nothing that is offered: is it a value then, or wrong?
void check_word(Asking& asking) {
  auto words = asking.rest();
  words.push_back(asking.prefix);
  const auto match = asking.shell.commands().match(words);
  if (!match && match.error().word + 1 == words.size() && !match.error().past_word) {
    asking.wrong(asking.words.size(), match.error().message);
  }
}

// `request system configuration rescue|checkpoint`
void complete_saving(Asking& asking, bool named) {
  if (asking.at_end()) {
    asking.keyword("delete", "Keep it no longer");
    asking.keyword("save", "Keep what is in force now");
    return;
  }
  const bool deletes = is(asking.word(), "delete");
  ++asking.next;
  if (!named || !asking.at_end()) {
    asking.complete();
    return;
  }
  asking.placeholder("<name>", "Name of the checkpoint");
  if (deletes) {
    offer_checkpoints(asking);
  }
}

// `show system rollback A compare B`
void complete_rollback(Asking& asking) {
  bool more = complete_revision(asking);
  if (!more || !asking.at_end()) {
    asking.next += more && is(asking.word(), "compare") ? 1 : 0;
    more = more && complete_revision(asking);
    if (more) {
      asking.complete();
    }
    return;
  }
  asking.complete();
  asking.keyword("compare", "What another one has on top of it");
}

void complete_session_command(Asking& asking, const ops::Match& match) {
  asking.next += match.used;
  if (match.command->target == "show configuration") {
    asking.level = {};
    complete_path(asking, asking.shell.services().engine.running(), PathUse::Shown);
  } else if (match.command->target == "set cli") {
    complete_set_cli(asking);
  } else if (match.command->target == "help") {
    complete_help(asking);
  } else if (match.command->target.starts_with("request system configuration ")) {
    complete_saving(asking, match.command->target.ends_with("checkpoint"));
  } else if (match.command->target == "show system rollback") {
    complete_rollback(asking);
  } else if (match.command->target == "request system logout") {
    complete_logout(asking);
  } else if (match.command->target == "request message") {
    complete_message(asking);
  } else if (match.command->target == "monitor start" || match.command->target == "monitor stop") {
    complete_monitor(asking, match.command->target == "monitor stop");
  } else if (match.command->target == "request system reboot" ||
             match.command->target == "request system halt" ||
             match.command->target == "request system power-off") {
    complete_power(asking);
  } else if (asking.at_end()) {
    asking.complete();
    // `configure pri`: the word may go on to a longer command.
    if (!asking.prefix.empty() && !asking.has_words()) {
      asking.wrong(asking.words.size(), "syntax error, expecting <command>.");
    }
  } else {
    asking.wrong(asking.next, "syntax error, expecting <command>.");
  }
}

}  // namespace

void offer_checkpoints(Asking& asking) {
  for (const auto& saved : asking.shell.services().engine.saved().list()) {
    if (saved.name != commit::kRescue) {
      asking.name(saved.name, ops::local_time(saved.time) + " by " + saved.user);
    }
  }
}

void offer_type(Asking& asking, const schema::Type& type, std::string_view name,
                std::string_view help) {
  switch (type.base) {
    case schema::BaseType::Enumeration:
      for (const auto& value : type.values) {
        asking.keyword(value.name, value.help);
      }
      return;
    case schema::BaseType::Boolean:
      asking.keyword("false", help);
      asking.keyword("true", help);
      return;
    case schema::BaseType::Integer:
      asking.placeholder(type.placeholder(), help);
      return;
    default:
      asking.placeholder("<" + std::string(name) + ">", help);
  }
}

void offer_revisions(Asking& asking) {
  const auto& engine = asking.shell.services().engine;
  std::size_t index = 0;
  std::vector<const commit::Revision*> labelled;
  const auto revisions = engine.revisions();
  for (const auto& revision : revisions) {
    asking.name(
        std::to_string(index++),
        ops::revision_line(revision) + (revision.comment.empty() ? "" : " " + revision.comment));
    if (!revision.label.empty()) {
      labelled.push_back(&revision);
    }
  }
  for (const auto* revision : labelled) {
    asking.name(revision->label, ops::revision_line(*revision));
  }
  asking.keyword("checkpoint", "A configuration kept under a name");
  asking.keyword("rescue", "The configuration kept for an emergency");
  asking.keyword("revision", "A revision by its stable id");
}

bool complete_revision(Asking& asking) {
  if (asking.at_end()) {
    offer_revisions(asking);
    return false;
  }
  const std::string_view word = asking.word();
  ++asking.next;
  const bool checkpoint = is(word, "checkpoint");
  if (!checkpoint && !is(word, "revision")) {
    return true;
  }
  if (!asking.at_end()) {
    ++asking.next;
    return true;
  }
  asking.placeholder(checkpoint ? "<name>" : "<id>",
                     checkpoint ? "Name of the checkpoint" : "Stable id of the revision");
  if (checkpoint) {
    offer_checkpoints(asking);
  }
  return false;
}

void complete_operational(Asking& asking) {
  const auto& commands = asking.shell.commands();
  const auto words = asking.rest();
  const auto match = commands.match(words);
  if (!match && match.error().word < words.size()) {
    asking.wrong(asking.next + match.error().word, match.error().message, match.error().past_word);
    return;
  }
  for (const auto& choice : commands.choices(words, asking.prefix)) {
    if (!choice.placeholder) {
      asking.keyword(choice.text, choice.help, choice.marker);
    }
  }
  if (match && match->command->runner == ops::kSessionRunner) {
    complete_session_command(asking, *match);
    return;
  }
  if (match) {
    asking.complete();
  }
  const ops::Open open = commands.open(words);
  if (open.value) {
    asking.out.offers.clear();
    offer_argument(asking, *open.value);
  } else if (open.positional) {
    offer_argument(asking, *open.positional);
  }
  if (!asking.prefix.empty() && !asking.has_words()) {
    check_word(asking);
  }
}

}  // namespace millrace::server
