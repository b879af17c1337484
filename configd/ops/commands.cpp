// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/commands.h"

#include <net/if.h>

#include <algorithm>
#include <utility>

#include "base/interface_name.h"

namespace millrace::ops {
namespace {

std::vector<std::string_view> split(std::string_view words) {
  std::vector<std::string_view> out;
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (end > 0) {
      out.push_back(words.substr(0, end));
    }
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

MatchError ambiguous(std::size_t word, std::string_view text, std::vector<schema::Choice> choices) {
  return {word, "'" + std::string(text) + "' is ambiguous.", std::move(choices), true};
}

// The argument that `word` names: exactly, or as the only prefix among those not given yet.
std::expected<const schema::Command::Argument*, MatchError> keyword(const Match& match,
                                                                    std::size_t index,
                                                                    std::string_view word) {
  const schema::Command::Argument* found = nullptr;
  std::vector<schema::Choice> choices;
  for (const auto& argument : match.command->arguments) {
    if (argument.positional || match.has(argument.name) || !argument.name.starts_with(word)) {
      continue;
    }
    if (argument.name == word) {
      return &argument;
    }
    found = &argument;
    choices.push_back({argument.name, argument.help});
  }
  if (choices.size() > 1) {
    return std::unexpected(ambiguous(index, word, std::move(choices)));
  }
  return found;
}

const schema::Command::Argument* next_positional(const Match& match) {
  for (const auto& argument : match.command->arguments) {
    if (argument.positional && !match.has(argument.name)) {
      return &argument;
    }
  }
  return nullptr;
}

// A value that starts with `-` could be read as an option by the program that gets it.
std::expected<std::string, MatchError> typed(const schema::Command::Argument& argument,
                                             std::size_t index, std::string_view word) {
  auto value = argument.type.canonical(word);
  if (!value) {
    return std::unexpected(MatchError{index, value.error().message});
  }
  if (value->starts_with('-') && argument.type.base != schema::BaseType::Integer) {
    return std::unexpected(
        MatchError{index, "invalid value '" + *value + "': it may not start with '-'"});
  }
  return std::move(*value);
}

std::expected<void, MatchError> parse_arguments(Match& match,
                                                std::span<const std::string_view> words) {
  for (std::size_t at = match.used; at < words.size(); ++at) {
    auto named = keyword(match, at, words[at]);
    if (!named) {
      return std::unexpected(std::move(named.error()));
    }
    const schema::Command::Argument* argument = *named;
    if (argument && argument->type.base == schema::BaseType::Empty) {
      match.arguments.emplace(argument->name, std::string());
      continue;
    }
    if (argument) {
      if (++at == words.size()) {
        return std::unexpected(MatchError{
            .word = at,
            .message = "missing argument, expecting " + argument->type.placeholder() + ".",
            .value_of = argument});
      }
    } else {
      argument = next_positional(match);
      if (!argument) {
        return std::unexpected(MatchError{at, "syntax error, expecting <command>."});
      }
    }
    auto value = typed(*argument, at, words[at]);
    if (!value) {
      return std::unexpected(std::move(value.error()));
    }
    match.arguments.emplace(argument->name, std::move(*value));
  }
  match.used = words.size();
  for (const auto& argument : match.command->arguments) {
    if (argument.mandatory && !match.has(argument.name)) {
      return std::unexpected(
          MatchError{words.size(), "missing argument, expecting <" + argument.name + ">."});
    }
  }
  return {};
}

bool is_interface(const schema::Type& type) {
  return type.base == schema::BaseType::InterfaceName ||
         type.base == schema::BaseType::LogicalInterface ||
         std::ranges::any_of(type.members, is_interface);
}

// Programs know devices: lo of lo0.0, eth0 of eth0.0 unless the unit is a VLAN.
std::string device(const std::string& interface) {
  if (if_nametoindex(interface.c_str()) != 0) {
    return interface;
  }
  return base::kernel_parent(interface.ends_with(".0") ? interface.substr(0, interface.size() - 2)
                                                       : interface);
}

std::string word_for_program(const Match& match, std::string_view name, const std::string& value) {
  const bool outside = match.command->runner == "terminal" || match.command->runner == "exec";
  const auto& arguments = match.command->arguments;
  const auto argument = std::ranges::find(arguments, name, &schema::Command::Argument::name);
  return outside && argument != arguments.end() && is_interface(argument->type) ? device(value)
                                                                                : value;
}

// {name} and {-name} replaced; nothing when an argument of the word was not given.
std::optional<std::string> fill(const Match& match, std::string_view word) {
  std::string out;
  while (!word.empty()) {
    const auto open = word.find('{');
    const auto close = open == std::string_view::npos ? open : word.find('}', open);
    if (close == std::string_view::npos) {
      out += word;
      break;
    }
    out += word.substr(0, open);
    auto name = word.substr(open + 1, close - open - 1);
    const bool presence = name.starts_with('-');
    if (presence) {
      name.remove_prefix(1);
    }
    const std::string* value = match.argument(name);
    if (!value) {
      return std::nullopt;
    }
    if (!presence) {
      out += word_for_program(match, name, *value);
    }
    word.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace

const std::string* Match::argument(std::string_view name) const {
  const auto found = arguments.find(name);
  return found == arguments.end() ? nullptr : &found->second;
}

Commands::Commands(std::vector<schema::Command> commands) : commands_(std::move(commands)) {
  branches_.emplace_back();
  for (std::size_t index = 0; index < commands_.size(); ++index) {
    if (commands_[index].runner == kGroupRunner) {
      continue;
    }
    std::size_t at = 0;
    for (const std::string_view word : split(commands_[index].words)) {
      const auto [place, added] = branches_[at].next.try_emplace(std::string(word), 0);
      if (added) {
        place->second = branches_.size();
        at = place->second;
        branches_.emplace_back();
      } else {
        at = place->second;
      }
    }
    branches_[at].command = index;
  }
  for (const schema::Command& group : commands_) {
    if (group.runner == kGroupRunner) {
      describe(group);
    }
  }
}

void Commands::describe(const schema::Command& group) {
  std::size_t at = 0;
  for (const std::string_view word : split(group.words)) {
    const auto next = branches_[at].next.find(word);
    if (next == branches_[at].next.end()) {
      return;  // there is none of its commands
    }
    at = next->second;
  }
  branches_[at].help = group.help;
}

std::string Commands::first_help(std::size_t branch) const {
  while (!branches_[branch].command && !branches_[branch].next.empty()) {
    branch = branches_[branch].next.begin()->second;
  }
  const auto& command = branches_[branch].command;
  return command ? commands_[*command].help : std::string();
}

std::expected<Commands::Place, MatchError> Commands::descend(
    std::span<const std::string_view> words) const {
  Place place;
  while (place.used < words.size()) {
    const auto& next = branches_[place.branch].next;
    const std::string_view word = words[place.used];
    auto found = next.lower_bound(word);
    if (found == next.end() || !found->first.starts_with(word) || word.empty()) {
      break;
    }
    if (found->first != word) {
      std::vector<schema::Choice> choices;
      for (auto other = found; other != next.end() && other->first.starts_with(word); ++other) {
        choices.push_back({other->first, {}});
      }
      if (choices.size() > 1) {
        return std::unexpected(
            ambiguous(place.used, word, this->choices(words.first(place.used), word)));
      }
    }
    place.branch = found->second;
    ++place.used;
  }
  return place;
}

std::expected<Match, MatchError> Commands::match(std::span<const std::string_view> words) const {
  const auto place = descend(words);
  if (!place) {
    return std::unexpected(place.error());
  }
  const auto& branch = branches_[place->branch];
  if (!branch.command) {
    if (place->used == words.size()) {
      return std::unexpected(MatchError{words.size(), "syntax error, expecting <command>."});
    }
    return std::unexpected(MatchError{
        place->used, place->used == 0 ? "unknown command." : "syntax error, expecting <command>."});
  }
  Match match;
  match.command = &commands_[*branch.command];
  match.used = place->used;
  if (match.command->runner != kSessionRunner) {
    if (auto parsed = parse_arguments(match, words); !parsed) {
      return std::unexpected(std::move(parsed.error()));
    }
  }
  return match;
}

std::vector<schema::Choice> Commands::choices(std::span<const std::string_view> words,
                                              std::string_view prefix) const {
  const auto place = descend(words);
  if (!place) {
    return {};
  }
  const auto& branch = branches_[place->branch];
  std::vector<schema::Choice> out;
  if (place->used == words.size()) {
    for (const auto& [word, index] : branch.next) {
      if (word.starts_with(prefix)) {
        const std::string& help = branches_[index].help;
        out.push_back({word, help.empty() ? first_help(index) : help});
      }
    }
  }
  if (!branch.command || commands_[*branch.command].runner == kSessionRunner) {
    return out;
  }
  Match match;
  match.command = &commands_[*branch.command];
  match.used = place->used;
  // An incomplete command is no error here: only what was given so far matters.
  static_cast<void>(parse_arguments(match, words));
  for (const auto& argument : match.command->arguments) {
    if (match.has(argument.name)) {
      continue;
    }
    if (argument.positional) {
      out.push_back({"<" + argument.name + ">", argument.help, ' ', nullptr, true});
    } else if (argument.name.starts_with(prefix)) {
      out.push_back({argument.name, argument.help});
    }
  }
  std::ranges::stable_sort(out, [](const auto& left, const auto& right) {
    return std::pair(!left.placeholder, left.text) < std::pair(!right.placeholder, right.text);
  });
  return out;
}

Open Commands::open(std::span<const std::string_view> words) const {
  const auto place = descend(words);
  const auto& command = branches_[place ? place->branch : 0].command;
  if (!place || !command || commands_[*command].runner == kSessionRunner) {
    return {};
  }
  Match match;
  match.command = &commands_[*command];
  match.used = place->used;
  const auto parsed = parse_arguments(match, words);
  return {parsed ? nullptr : parsed.error().value_of, next_positional(match)};
}

std::vector<std::string> program(const Match& match) {
  std::vector<std::string> out;
  for (const auto& word : match.command->argv) {
    if (auto filled = fill(match, word)) {
      out.push_back(std::move(*filled));
    }
  }
  return out;
}

}  // namespace millrace::ops
