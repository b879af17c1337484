// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/program.h"

#include <format>

#include "base/check.h"

namespace millrace::appliers::policy {

Label Program::label() {
  places_.push_back(0);
  used_.push_back(false);
  return {static_cast<int>(places_.size()) - 1};
}

void Program::place(Label at) {
  const auto index = static_cast<std::size_t>(at.number);
  if (!used_[index] && !reached_) {
    return;  // jumps go forward, so none will come
  }
  if (pending_ == at) {
    pending_.reset();
    reached_ = true;
  } else {
    settle();
  }
  reached_ = reached_ || used_[index];
  places_[index] = entries_.size();
}

void Program::add(std::vector<std::string> matches, std::vector<std::string> sets, Label target) {
  if (!reached_) {
    return;
  }
  if (matches.empty() && sets.empty()) {
    jump(target);
    return;
  }
  if (target.number >= 0) {
    used_[static_cast<std::size_t>(target.number)] = true;
  }
  reached_ = !matches.empty();
  entries_.push_back({std::move(matches), std::move(sets), target});
}

void Program::jump(Label target) {
  if (!reached_) {
    return;
  }
  if (target.number >= 0) {
    used_[static_cast<std::size_t>(target.number)] = true;
  }
  pending_ = target;
  reached_ = false;
}

void Program::settle() {
  if (pending_) {
    entries_.push_back({{}, {}, *pending_});
    pending_.reset();
  }
}

std::size_t Program::size() {
  settle();
  return entries_.size();
}

std::vector<std::string> Program::body(std::size_t index) const {
  const Entry& entry = entries_[index];
  std::vector<std::string> lines;
  if (entry.target.number >= 0) {
    const std::size_t next = places_[static_cast<std::size_t>(entry.target.number)];
    base::check(next > index && next < entries_.size(), "jumps of a route-map go forward");
    lines.push_back(next == index + 1 ? "on-match next"
                                      : std::format("on-match goto {}", next + 1));
  }
  lines.insert(lines.end(), entry.matches.begin(), entry.matches.end());
  if (entry.target != kReject) {
    lines.insert(lines.end(), entry.sets.begin(), entry.sets.end());
  }
  return lines;
}

FrrObject Program::render(std::string_view name) {
  settle();
  FrrObject object;
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    const std::string head =
        std::format("route-map {} {} {}", name,
                    entries_[index].target == kReject ? "deny" : "permit", index + 1);
    object.lines.push_back({"", head});
    for (std::string& line : body(index)) {
      object.lines.push_back({head, std::move(line)});
    }
  }
  return object;
}

std::string Program::text() {
  settle();
  std::string text;
  for (std::size_t index = 0; index < entries_.size(); ++index) {
    text += entries_[index].target == kReject ? "deny\n" : "permit\n";
    for (const std::string& line : body(index)) {
      text += line + '\n';
    }
  }
  return text;
}

}  // namespace millrace::appliers::policy
