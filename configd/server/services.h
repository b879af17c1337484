// SPDX-License-Identifier: GPL-2.0-or-later
//
// What all sessions share. Everything in here is safe to use from any session's thread, except the
// engine's commit, check_candidate and plan, which belong to the commit thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "commit/engine.h"
#include "ops/commands.h"
#include "server/audit.h"
#include "server/candidate.h"
#include "server/editors.h"
#include "server/effective_running.h"
#include "server/log_watch.h"
#include "server/notices.h"
#include "server/session_list.h"

namespace millrace::server {

// A view of the system of one's own: netlink sockets and vty connections are not shared between
// threads, so every operational command opens what it uses.
using SystemFactory = std::function<base::Result<std::unique_ptr<system::RealSystem>>()>;

struct Services {
  Services(const schema::Schema& the_schema, commit::Engine& the_engine, SystemFactory factory,
           std::string the_version, Audit::Sink record = nullptr);

  const schema::Schema& schema;
  commit::Engine& engine;
  SystemFactory open_system;
  std::string version;
  std::filesystem::path state;            // where the engine keeps its files; empty in tests
  std::filesystem::path factory_default;  // what `load factory-default` reads
  ops::Commands commands;
  Candidate candidate;
  SessionList sessions;
  Editors editors{sessions};
  Audit audit;
  EffectiveRunning effective;
  Notices notices;
  LogWatch logs{"/var/log"};
  // Runs a program that stops or erases the machine, and says what it said. None where there is no
  // machine to stop: in tests, and where no systemd runs.
  std::function<base::Result<std::string>(const std::vector<std::string>& argv)> machine;
  // Minutes without input after which a session of that user ends; 0 or no function: never.
  std::function<unsigned(const Peer&)> idle_limit;
};

// The host name without its domain, for prompts.
std::string short_host_name();

}  // namespace millrace::server
