// SPDX-License-Identifier: GPL-2.0-or-later
//
// dataplaned: keeps the fast path in step with the kernel. One thread, one poll; netlink, the
// control socket, signals and a tick of a second. When it ends on SIGTERM it takes its programs off
// the ports; when it dies otherwise they stay and pass everything to the kernel until it is back.
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "abi/control.h"
#include "base/file.h"
#include "base/log.h"
#include "base/notify.h"
#include "daemon/dataplane.h"

namespace {

using namespace millrace;
using base::Level;
using daemon::Configuration;
using daemon::Dataplane;

struct Options {
  std::string configuration{abi::kConfigurationFile};
  std::string socket{abi::kControlSocket};
  std::string pins = "/sys/fs/bpf/millrace";
  bool check = false;
};

base::Result<Configuration> read_configuration(const std::string& path) {
  auto text = base::read_file(path);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  return daemon::parse_configuration(*text);
}

base::Result<base::Fd> listen_at(const std::string& path) {
  base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return base::fail(base::Code::BadValue, "the socket's path is too long: " + path);
  }
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ::mkdir(path.substr(0, path.rfind('/')).c_str(), 0700);
  ::unlink(path.c_str());
  if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), 8) != 0) {
    return base::fail(base::Code::Io, "cannot listen at " + path + ": " + std::strerror(errno));
  }
  return socket;
}

// One request and its answer. Who may connect is root by the folder's mode; a second is enough for
// one.
void serve(int listener, const std::function<nlohmann::json(const nlohmann::json&)>& answer) {
  const base::Fd client(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!client) {
    return;
  }
  const timeval patience = {1, 0};
  ::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(client.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::string request;
  char bytes[4096];
  ssize_t size = 0;
  while (request.size() < 65536 && (size = ::read(client.get(), bytes, sizeof bytes)) > 0) {
    request.append(bytes, static_cast<std::size_t>(size));
  }
  const auto parsed = nlohmann::json::parse(request, nullptr, false);
  nlohmann::json reply = {{"error", "found no JSON object, expected a request"}};
  try {
    if (parsed.is_object()) {
      reply = answer(parsed);
    }
  } catch (const nlohmann::json::exception& error) {
    reply = {{"error", error.what()}};
  }
  base::write_all(client.get(), reply.dump());
}

base::Fd signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    sigaddset(&set, signal);
  }
  sigprocmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return base::Fd(::signalfd(-1, &set, SFD_CLOEXEC));
}

base::Fd ticking() {
  base::Fd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  const itimerspec second = {{1, 0}, {1, 0}};
  ::timerfd_settime(timer.get(), 0, &second, nullptr);
  return timer;
}

int fail(const base::Error& error) {
  base::log(Level::Error, error.to_string());
  return 1;
}

int run(const Options& options) {
  auto configuration = read_configuration(options.configuration);
  if (!configuration) {
    return fail(configuration.error());
  }
  const base::Fd signal = signals();
  const base::Fd timer = ticking();
  auto listener = listen_at(options.socket);
  if (!listener) {
    return fail(listener.error());
  }
  std::unique_ptr<Dataplane> dataplane;
  const auto apply = [&]() -> base::Result<void> {
    if (!configuration->enabled) {
      dataplane.reset();
      loader::Ports::detach_all(options.pins);
    } else if (dataplane && dataplane->sizes() == configuration->sizes) {
      dataplane->reconfigure(*configuration);
    } else {
      dataplane
          .reset();  // tables of other sizes: until they are filled, packets take the kernel's way
      auto started = Dataplane::start(*configuration, options.pins);
      if (!started) {
        return std::unexpected(std::move(started.error()));
      }
      dataplane = std::move(*started);
    }
    return {};
  };
  if (auto applied = apply(); !applied) {
    return fail(applied.error());
  }
  base::notify_manager("READY=1");
  for (;;) {
    pollfd watched[] = {{signal.get(), POLLIN, 0},
                        {timer.get(), POLLIN, 0},
                        {listener->get(), POLLIN, 0},
                        {dataplane ? dataplane->fd() : -1, POLLIN, 0}};
    if (::poll(watched, std::size(watched), -1) < 0) {
      continue;
    }
    base::Result<void> result;
    if (watched[0].revents != 0) {
      signalfd_siginfo info = {};
      (void)!::read(signal.get(), &info, sizeof info);
      if (info.ssi_signo != SIGHUP) {
        dataplane.reset();
        loader::Ports::detach_all(options.pins);
        return 0;
      }
      if (auto changed = read_configuration(options.configuration)) {
        configuration = std::move(changed);
        result = apply();
      } else {
        base::log(Level::Error, changed.error().to_string());
      }
    }
    if (result && watched[3].revents != 0) {
      result = dataplane->on_news();
    }
    if (result && watched[1].revents != 0) {
      std::uint64_t times = 0;
      (void)!::read(timer.get(), &times, sizeof times);
      result = dataplane ? dataplane->on_tick() : base::Result<void>{};
    }
    if (watched[2].revents != 0) {
      serve(listener->get(), [&](const nlohmann::json& request) -> nlohmann::json {
        return dataplane ? dataplane->answer(request) : nlohmann::json{{"enabled", false}};
      });
    }
    if (!result) {
      return fail(result.error());  // packets pass, and systemd starts us again
    }
  }
}

}  // namespace

int main(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto value = [&](std::string& into) {
      if (i + 1 < count) {
        into = words[++i];
      }
    };
    if (word == "--configuration") {
      value(options.configuration);
    } else if (word == "--socket") {
      value(options.socket);
    } else if (word == "--pins") {
      value(options.pins);
    } else if (word == "--check") {
      options.check = true;
      value(options.configuration);
    } else {
      std::fprintf(stderr,
                   "usage: dataplaned [--check FILE | --configuration FILE] [--socket PATH] "
                   "[--pins FOLDER]\n");
      return 2;
    }
  }
  if (options.check) {
    const auto configuration = read_configuration(options.configuration);
    if (!configuration) {
      std::fprintf(stderr, "dataplaned: %s\n", configuration.error().to_string().c_str());
      return 1;
    }
    return 0;
  }
  return run(options);
}
