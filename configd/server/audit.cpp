// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/audit.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <format>

#include "base/fd.h"
#include "schema/values.h"

namespace millrace::server {
namespace {

constexpr std::string_view kJournal = "/run/systemd/journal/socket";

// The journal's own protocol (systemd: docs/JOURNAL_NATIVE_PROTOCOL.md): a datagram of NAME=VALUE
// lines. Values have no newline, they are escaped.
void to_journal(const AuditEntry& entry) {
  std::string text =
      "PRIORITY=6\nSYSLOG_IDENTIFIER=millrace-audit\nSYSLOG_FACILITY=10\nMESSAGE=" + entry.message +
      "\n";
  for (const auto& [name, value] : entry.fields) {
    text += name + "=" + value + "\n";
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(kJournal, address.sun_path);
  const base::Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket) {
    // A system without a journal keeps no record; there is nobody to tell.
    static_cast<void>(sendto(socket.get(), text.data(), text.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
  }
}

std::string_view to_string(Audit::Result result) {
  switch (result) {
    case Audit::Result::Done:
      return "ok";
    case Audit::Result::Failed:
      return "failed";
    case Audit::Result::Denied:
      return "denied";
  }
  return "failed";
}

}  // namespace

std::string escaped(std::string_view text, std::size_t longest) {
  std::string out;
  while (!text.empty()) {
    std::string_view next = text.substr(0, 1);
    // The shortest front that is a character; a byte that begins none is by itself.
    for (std::size_t size = 2; !schema::is_printable(next) && size <= 4; ++size) {
      next = text.substr(0, size);
    }
    const bool plain = schema::is_printable(next) && next != "\\" && next != "\"";
    const std::string piece = plain ? std::string(next)
                              : next == "\\" || next == "\""
                                  ? "\\" + std::string(next)
                                  : std::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    if (out.size() + piece.size() > longest) {
      return out + "…";
    }
    out += piece;
    text.remove_prefix(plain ? next.size() : 1);
  }
  return out;
}

Audit::Audit(Sink sink)
    : sink_(sink ? std::move(sink) : Sink(to_journal)), filled_(std::chrono::steady_clock::now()) {}

bool Audit::admit(std::uint64_t& left_out) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> passed = now - filled_;
  filled_ = now;
  tokens_ = std::min(limits_.burst, tokens_ + passed.count() * limits_.per_second);
  if (tokens_ < 1) {
    ++left_out_;
    return false;
  }
  tokens_ -= 1;
  left_out = std::exchange(left_out_, 0);
  return true;
}

void Audit::write(const Peer& peer, std::string_view kind, std::string_view text,
                  std::string_view result) {
  std::uint64_t left_out = 0;
  if (!admit(left_out)) {
    return;
  }
  if (left_out != 0) {
    sink_({std::format("{} entries were left out: too many at once", left_out), {}});
  }
  const std::string user = escaped(peer.user, 64);
  const std::string line = escaped(text, kLongestEntry - 256);
  const std::string terminal =
      peer.origin.terminal.empty() ? "none" : escaped(peer.origin.terminal, 32);
  const std::string remote = peer.origin.remote.empty() ? "local" : escaped(peer.origin.remote, 64);
  sink_({std::format("user={} uid={} pid={} tty={} from={} {}=\"{}\" result={}", user, peer.uid,
                     peer.pid, terminal, remote, kind, line, result),
         {{"MILLRACE_USER", user},
          {"MILLRACE_UID", std::to_string(peer.uid)},
          {"MILLRACE_PID", std::to_string(peer.pid)},
          {"MILLRACE_TTY", terminal},
          {"MILLRACE_FROM", remote},
          {"MILLRACE_KIND", std::string(kind)},
          {"MILLRACE_TEXT", line},
          {"MILLRACE_RESULT", std::string(result)}}});
}

void Audit::command(const Peer& peer, std::string_view line, Result result) {
  write(peer, "command", line, to_string(result));
}

namespace {

// A path as it may be written down: the values of a secret leaf-list are keys of steps.
std::string masked(tree::Path path) {
  for (auto& step : path.steps) {
    if (step.node->secret && step.keyed) {
      step.key = tree::kHiddenSecret;
    }
  }
  return path.to_string();
}

// "set system host-name r2": what became of one statement.
std::string change_line(const tree::Change& change) {
  const tree::Node& node = change.after ? *change.after : *change.before;
  std::string line = (change.after ? "set " : "delete ") + masked(change.path);
  if (change.after && !node.value().empty()) {
    line += " " + std::string(node.schema()->secret ? tree::kHiddenSecret : node.value());
  }
  return line;
}

void add_lines(const tree::Path& path, const tree::NodePtr& node, std::size_t most,
               std::vector<std::string>& lines) {
  if (lines.size() > most) {
    return;
  }
  if (node->children().empty()) {
    lines.push_back(change_line({path, nullptr, node}));
    return;
  }
  node->children().for_each([&](const tree::NodePtr& child) {
    // A list and its entry are one step.
    tree::Path below = path;
    if (child->is_entry()) {
      below.steps.pop_back();
    }
    add_lines(below / schema::PathStep{child->schema(),
                                       std::string(child->is_entry() ? child->name() : ""),
                                       child->is_entry()},
              child, most, lines);
    return lines.size() <= most;
  });
}

}  // namespace

void Audit::commit(const Peer& peer, std::uint64_t revision, const tree::Delta& delta) {
  std::vector<std::string> lines;
  for (const auto& change : delta.changes()) {
    if (lines.size() > kMostChanges) {
      break;
    }
    if (change.after && !change.before) {
      add_lines(change.path, change.after, kMostChanges, lines);
    } else {
      lines.push_back(change_line(change));
    }
  }
  const bool more = lines.size() > kMostChanges;
  lines.resize(std::min(lines.size(), kMostChanges));
  for (const auto& line : lines) {
    write(peer, "change", line, std::format("revision-{}", revision));
  }
  if (more) {
    write(peer, "change", "and more; the revision has all", std::format("revision-{}", revision));
  }
}

}  // namespace millrace::server
