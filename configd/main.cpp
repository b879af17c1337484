// SPDX-License-Identifier: GPL-2.0-or-later
//
// configd: schema from templates, the engine on the last committed revision, then the socket. The
// socket opens after the start, so whoever can connect sees the configuration in force. A start
// that fails in part is served all the same: a router that nobody can log in to cannot be repaired.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "appliers/registry.h"
#include "base/file.h"
#include "base/log.h"
#include "base/notify.h"
#include "base/process.h"
#include "base/words.h"
#include "check/check.h"
#include "check/groups.h"
#include "ops/builtins.h"
#include "schema/yang.h"
#include "server/instance.h"
#include "server/options.h"
#include "server/server.h"
#include "server/support_report.h"
#include "server/zeroize.h"
#include "tree/effective.h"
#include "tree/inheritance.h"
#include "tree/text.h"

namespace {

using namespace millrace;
using base::Level;

constexpr int kFailed = 1;
constexpr int kUsageError = 2;

int complain(std::string_view what, const base::Error& error) {
  base::log(Level::Error, std::string(what) + ": " + error.to_string());
  return kFailed;
}

base::Result<schema::Schema> load_schema(const server::Options& options) {
  auto schema = schema::load(options.templates);
  if (!schema) {
    return schema;
  }
  const auto owners = appliers::ownership();
  if (auto assigned = schema::assign_owners(*schema, owners); !assigned) {
    return std::unexpected(std::move(assigned.error()));
  }
  return schema;
}

int check_file(const schema::Schema& schema, const std::filesystem::path& file) {
  auto text = base::read_file(file);
  if (!text) {
    std::fprintf(stderr, "configd: %s\n", text.error().to_string().c_str());
    return kFailed;
  }
  tree::Editor editor{tree::ConfigTree(schema)};
  const auto report =
      tree::load(editor, {}, *text, tree::LoadAction::Override, tree::form_of(*text));
  std::fputs(report.to_string(file.string()).c_str(), stdout);
  tree::Expander expander;
  auto diagnostics = check::check_groups(nullptr, expander.active(editor.tree()));
  diagnostics.append(check::check_all(expander.effective(editor.tree())));
  diagnostics = tree::with_origins(diagnostics, editor.tree());
  std::fputs(diagnostics.to_string().c_str(), stdout);
  const bool good = report.errors.empty() && !diagnostics.has_errors();
  std::puts(good ? "configuration check succeeds" : "error: configuration check-out failed");
  return good ? 0 : kFailed;
}

int export_yang(const schema::Schema& schema, const std::filesystem::path& folder) {
  const auto file = folder / (std::string(schema::kYangModule) + ".yang");
  if (auto written = base::write_file(file, schema::to_yang(schema)); !written) {
    std::fprintf(stderr, "configd: %s\n", written.error().to_string().c_str());
    return kFailed;
  }
  return 0;
}

base::Result<std::string> run_on_machine(const std::vector<std::string>& argv) {
  auto ran = base::run_process(argv);
  if (!ran) {
    return std::unexpected(std::move(ran.error()));
  }
  if (ran->status != 0) {
    const std::string said = base::one_line(ran->errors.empty() ? ran->output : ran->errors);
    return base::fail(
        base::Code::ApplyFailed,
        said.empty() ? argv[0] + " ended with status " + std::to_string(ran->status) : said);
  }
  return std::move(ran->output);
}

int serve(const schema::Schema& schema, const server::Options& options) {
  auto lock = server::lock_instance(options.run);
  if (!lock) {
    return complain("cannot start", lock.error());
  }
  const auto open_system = [&options] {
    return system::open_system({options.frr_sockets, options.files_root, options.units});
  };
  auto system = open_system();
  if (!system) {
    return complain("cannot reach the system", system.error());
  }
  const bool zeroizes = server::is_marked_for_zeroize(options.state);
  if (zeroizes) {
    if (auto erased = server::erase_revisions(options.state); !erased) {
      return complain("cannot erase the revisions", erased.error());
    }
  }
  auto engine = commit::Engine::open(schema, appliers::make_registry(schema), (*system)->view(),
                                     {options.state, options.run});
  if (!engine) {
    return complain("cannot open the revisions", engine.error());
  }
  const auto started = (*engine)->start();
  if (started) {
    for (const auto& remark : started->remarks) {
      base::log(Level::Notice, remark);
    }
  } else {
    complain("the last revision is not in force", started.error());
  }
  server::Services services(schema, **engine, open_system, MILLRACE_VERSION);
  services.factory_default = options.templates / "factory-default.conf";
  services.state = options.state;
  if (options.units == "systemd") {
    services.machine = run_on_machine;
  }
  if (zeroizes) {
    if (auto erased = server::erase_traces(options.files_root, options.state, services.machine);
        !erased) {
      complain("not everything could be erased", erased.error());
    }
  }
  for (const auto& problem : ops::unknown_builtins(services.commands)) {
    base::log(Level::Error, problem);
    return kFailed;
  }
  auto listening = server::Server::listen(
      services, {.socket = options.socket, .limits = {}, .archive = options.state / "archive"});
  if (!listening) {
    return complain("cannot serve", listening.error());
  }
  const std::string status = started
                                 ? "revision " + std::to_string(started->revision) + " is in force"
                                 : "the last revision is not in force";
  base::log(Level::Info, "ready, " + status);
  base::notify_manager("READY=1\nSTATUS=" + status);
  (*listening)->run();
  base::notify_manager("STOPPING=1");
  base::log(Level::Info, "stopped");
  return 0;
}

int run(const std::vector<std::string>& arguments) {
  const auto options = server::read_options(arguments);
  if (!options) {
    std::fprintf(stderr, "configd: %s\n%s", options.error().c_str(), server::kUsage);
    return kUsageError;
  }
  using Action = server::Options::Action;
  if (options->action == Action::Version) {
    std::puts("configd " MILLRACE_VERSION);
    return 0;
  }
  if (options->action == Action::Help) {
    std::fputs(server::kUsage, stdout);
    return 0;
  }
  const auto schema = load_schema(*options);
  if (!schema) {
    return complain("cannot load the templates", schema.error());
  }
  switch (options->action) {
    case Action::Check:
      return check_file(*schema, options->check_file);
    case Action::SupportReport:
      std::fputs(server::support_report(*schema).c_str(), stdout);
      return 0;
    case Action::ExportYang:
      return export_yang(*schema, options->yang_folder);
    default:
      return serve(*schema, *options);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    base::log(Level::Error, std::string("configd failed inside: ") + error.what());
    return kFailed;
  }
}
