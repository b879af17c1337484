// SPDX-License-Identifier: GPL-2.0-or-later
//
// The terminal client, also as a login shell: `-cli` at a terminal, `cli -c COMMAND` from ssh.
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "cli/console.h"
#include "cli/options.h"

namespace {

using namespace millrace;

constexpr int kFailed = 1;
constexpr int kUsageError = 2;
constexpr int kUnreachable = 3;

// A person who logs in while the router boots waits a moment rather than being thrown out.
base::Result<client::Client> connect(const std::filesystem::path& socket, bool patient) {
  auto client = client::Client::connect(socket);
  for (int tries = 0; patient && !client && tries < 50; ++tries) {
    usleep(100'000);
    client = client::Client::connect(socket);
  }
  return client;
}

int run(const std::vector<std::string>& arguments) {
  auto options = cli::read_options(arguments);
  if (!options) {
    std::fprintf(stderr, "cli: %s\n%s", options.error().c_str(), cli::kUsage);
    return kUsageError;
  }
  if (options->help) {
    std::fputs(cli::kUsage, stdout);
    return 0;
  }
  const bool interactive = !options->has_commands && isatty(STDIN_FILENO) != 0;
  auto client = connect(options->socket, interactive);
  if (!client) {
    std::fprintf(stderr, "error: %s: %s\n", client.error().path.c_str(),
                 client.error().message.c_str());
    return kUnreachable;
  }
  cli::Input input =
      options->has_commands ? cli::Input(std::move(options->commands)) : cli::Input(STDIN_FILENO);
  cli::Console console(std::move(*client), std::move(input),
                       {.interactive = interactive,
                        .editing = interactive && cli::Terminal::present(),
                        .numbered = !options->has_commands});
  return console.run();
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cli: failed inside: %s\n", error.what());
    return kFailed;
  }
}
