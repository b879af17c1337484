// SPDX-License-Identifier: GPL-2.0-or-later
//
// The protocol of vtysh (FRR, lib/vty.c: vtysh_read and vtysh_flush): a line goes out closed by a
// NUL; the answer is the printed text, three NULs and the status byte.
//
// mgmtd needs more than the others. A plain `configure terminal` commits every line by itself,
// which for 2,000 routes takes minutes and leaves half of them after a refusal. So do what `vtysh
// -f` does (measured on 10.3): lock the candidate with `configure terminal file-lock`, collect the
// lines between XFRR_start_configuration and XFRR_end_configuration, and the end commits all or
// nothing and says why not. The candidate is shared by everybody and outlives the session: what a
// refused line or a lost connection left in it would go out with somebody's next commit. `mgmt
// commit abort` fills it from running; that costs as much as there is, so it is done after a
// refusal and when we do not know how our last transaction ended, and a transaction that is refused
// without it gets a second try with it. mgmtd releases the locks of a session some time after it
// has answered `end`, so the next session may find them taken for a moment.
//
// A session with mgmtd is kept for what comes next: when one is closed mgmtd works through all of
// its configuration (measured: 0.1 s beside 10,000 routes), and a commit asks it four times. Only a
// session that ended in good order is kept, and it is greeted like a new one before it is used.
//
// Patience: a daemon that answered last time is waited for, since watchfrr brings back one that
// died. One that did not answer last time, or never has, gets a moment: so one that hangs costs a
// commit one wait, however often the commit and its undo ask, and one that is not there costs the
// start of configd nothing.
#include "system/frr_vty.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <format>
#include <map>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "base/fd.h"
#include "system/frr_answer.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;
using base::Result;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestReply = std::size_t{256} << 20;
constexpr auto kRetry = std::chrono::milliseconds(50);
constexpr std::size_t kTail = 4;  // three NULs and the status

std::string reason(int error) {
  return std::generic_category().message(error);
}

// One connection to one daemon.
class Vty {
 public:
  // `known`: the daemon answered the last time.
  static Result<Vty> connect(FrrDaemon daemon, const FrrVtyOptions& options, bool known);

  // Errors: Io when the daemon is gone or late. A refusal is a reply.
  Result<FrrReply> run(std::string_view line);

  // Waits for the first answer as long as `known` says. Errors: Io.
  Result<void> greet(const FrrVtyOptions& options, bool known);
  // Sends a line whose answer is read with receive(), until that says that there is no more.
  Result<void> begin(std::string_view line) { return send(line, Clock::now() + reply_); }
  // A part of the answer; `line` is for the error.
  Result<std::string> receive(std::string_view line);

  // The daemon has not closed it, as one that was restarted has.
  bool is_open() const;

 private:
  Vty(base::Fd socket, FrrDaemon daemon, std::chrono::milliseconds reply)
      : socket_(std::move(socket)), daemon_(daemon), reply_(reply) {}

  std::unexpected<base::Error> lost(std::string_view line, std::string_view why) const {
    return fail(Code::Io, std::format("{} {} at '{}'", to_string(daemon_), why, line));
  }
  std::unexpected<base::Error> late(std::string_view line) const {
    return lost(line,
                std::format("did not answer within {} s",
                            std::chrono::duration_cast<std::chrono::seconds>(reply_).count()));
  }
  Result<void> send(std::string_view line, Clock::time_point deadline);
  bool wait(short events, Clock::time_point deadline) const;

  base::Fd socket_;
  FrrDaemon daemon_;
  std::chrono::milliseconds reply_;
};

Result<Vty> Vty::connect(FrrDaemon daemon, const FrrVtyOptions& options, bool known) {
  const std::string path = options.sockets / std::format("{}.vty", to_string(daemon));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return fail(Code::Io, std::format("the socket path {} is too long", path));
  }
  path.copy(address.sun_path, path.size());
  const auto deadline = Clock::now() + (known ? options.connect : std::chrono::milliseconds(0));
  while (true) {
    // Not blocking: connect(2) waits without end for room in the queue of a daemon that hangs
    // (net/unix/af_unix.c: unix_stream_connect).
    base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) {
      return fail(Code::Io,
                  std::format("cannot open a socket for {}: {}", to_string(daemon), reason(errno)));
    }
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      Vty vty(std::move(socket), daemon, options.reply);
      if (auto greeted = vty.greet(options, known); !greeted) {
        return std::unexpected(greeted.error());
      }
      return vty;
    }
    const int error = errno;
    // Absent or refusing: it is starting, or restarted by watchfrr after a crash.
    const bool starting = error == ENOENT || error == ECONNREFUSED || error == EAGAIN;
    if (!starting || Clock::now() >= deadline) {
      return fail(
          Code::Io,
          std::format("{} does not listen at {}: {}", to_string(daemon), path, reason(error)), {},
          "see whether FRR runs: systemctl status frr");
    }
    std::this_thread::sleep_for(kRetry);
  }
}

// A daemon that hangs accepts connections all the same; the first answer tells.
Result<void> Vty::greet(const FrrVtyOptions& options, bool known) {
  reply_ = known ? options.connect : std::min(options.connect, options.stranger);
  const auto enabled = run("enable");
  reply_ = options.reply;
  return enabled ? Result<void>() : std::unexpected(enabled.error());
}

bool Vty::is_open() const {
  pollfd watched{socket_.get(), POLLIN, 0};
  return ::poll(&watched, 1, 0) == 0;  // nothing was asked, so whatever there is to read is an end
}

bool Vty::wait(short events, Clock::time_point deadline) const {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      return false;
    }
    pollfd watched{socket_.get(), events, 0};
    const int ready = ::poll(&watched, 1, static_cast<int>(left));
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return false;
    }
  }
}

Result<void> Vty::send(std::string_view line, Clock::time_point deadline) {
  std::string bytes(line);
  bytes.push_back('\0');
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count =
        ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if (!wait(POLLOUT, deadline)) {
        return lost(line, "does not read");
      }
    } else if (errno != EINTR) {
      return lost(line, "closed the connection");
    }
  }
  return {};
}

Result<FrrReply> Vty::run(std::string_view line) {
  const auto deadline = Clock::now() + reply_;
  if (const auto sent = send(line, deadline); !sent) {
    return std::unexpected(sent.error());
  }
  std::string text;
  while (true) {
    auto part = receive(line);
    if (!part) {
      return std::unexpected(std::move(part.error()));
    }
    text += *part;
    if (text.size() >= kTail && std::memcmp(text.data() + text.size() - kTail, "\0\0\0", 3) == 0) {
      const int status = static_cast<unsigned char>(text.back());
      text.resize(text.size() - kTail);
      return FrrReply{std::string(line), status, std::move(text)};
    }
    if (text.size() > kLongestReply) {
      return lost(line, "answers without end");
    }
    if (Clock::now() >= deadline) {
      return late(line);
    }
  }
}

Result<std::string> Vty::receive(std::string_view line) {
  const auto deadline = Clock::now() + reply_;
  std::array<char, 65536> buffer;
  while (true) {
    if (!wait(POLLIN, deadline)) {
      return late(line);
    }
    const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (count > 0) {
      return std::string(buffer.data(), static_cast<std::size_t>(count));
    }
    if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      return lost(line, "closed the connection");
    }
  }
}

// The pieces of one answer. The last four bytes that came are held back: they are the end or belong
// to the next piece.
class VtyAnswer final : public FrrAnswer {
 public:
  VtyAnswer(Vty vty, FrrDaemon daemon, std::string command)
      : vty_(std::move(vty)), daemon_(daemon), command_(std::move(command)) {}

  Result<std::string> next() override {
    while (!done_) {
      auto part = vty_.receive(command_);
      if (!part) {
        return std::unexpected(std::move(part.error()));
      }
      held_ += *part;
      if (held_.size() < kTail) {
        continue;
      }
      const std::string tail = held_.substr(held_.size() - kTail);
      held_.resize(held_.size() - kTail);
      std::string piece = std::exchange(held_, tail);
      done_ = std::memcmp(tail.data(), "\0\0\0", 3) == 0;
      object_ = object_ || (first_ && piece.starts_with('{'));
      first_ = first_ && piece.empty();
      if (done_ && tail.back() != 0 && !object_) {
        return fail(Code::ApplyFailed,
                    std::format("{} refused '{}': {}", to_string(daemon_), command_, piece));
      }
      if (!piece.empty()) {
        return piece;
      }
    }
    return std::string();
  }

 private:
  Vty vty_;
  FrrDaemon daemon_;
  std::string command_;
  std::string held_;
  bool done_ = false;
  bool first_ = true;    // no piece was given yet
  bool object_ = false;  // the answer is JSON
};

class FrrVty final : public Frr, public FrrStream {
 public:
  explicit FrrVty(FrrVtyOptions options) : options_(std::move(options)) {}

  Result<std::vector<FrrReply>> configure(FrrDaemon daemon,
                                          const std::vector<std::string>& lines) override {
    return noted(daemon,
                 daemon == FrrDaemon::Mgmtd ? transaction(lines) : line_by_line(daemon, lines));
  }

  Result<std::string> show(FrrDaemon daemon, std::string_view command) override {
    auto texts = show_each(daemon, {std::string(command)});
    if (!texts) {
      return std::unexpected(texts.error());
    }
    return std::move(texts->front());
  }

  Result<std::vector<std::string>> show_each(FrrDaemon daemon,
                                             const std::vector<std::string>& commands) override {
    return noted(daemon, run_shows(daemon, commands));
  }

  Result<std::unique_ptr<FrrAnswer>> ask(FrrDaemon daemon, std::string_view command) override {
    auto vty = noted(daemon, open(daemon));
    if (!vty) {
      return std::unexpected(std::move(vty.error()));
    }
    if (auto sent = vty->begin(command); !sent) {
      return std::unexpected(std::move(sent.error()));
    }
    return std::make_unique<VtyAnswer>(std::move(*vty), daemon, std::string(command));
  }

  Result<void> answers(FrrDaemon daemon) override {
    auto vty = noted(daemon, open(daemon));
    if (!vty) {
      return std::unexpected(vty.error());
    }
    keep(daemon, std::move(*vty));
    return {};
  }

 private:
  Result<Vty> open(FrrDaemon daemon) {
    if (daemon == FrrDaemon::Mgmtd && kept_) {
      Vty vty = std::move(*std::exchange(kept_, std::nullopt));
      if (vty.is_open()) {
        auto greeted = vty.greet(options_, known_[daemon]);
        if (greeted) {
          return vty;
        }
        if (vty.is_open()) {
          return std::unexpected(greeted.error());  // it hangs, and would hang a new session
        }
      }
    }
    return Vty::connect(daemon, options_, known_[daemon]);
  }

  // Requires: the session is in enable mode and owes no answer.
  void keep(FrrDaemon daemon, Vty vty) {
    if (daemon == FrrDaemon::Mgmtd) {
      kept_.emplace(std::move(vty));
    }
  }

  // Remembers whether the daemon answered.
  template <class T>
  Result<T> noted(FrrDaemon daemon, Result<T> result) {
    known_[daemon] = result.has_value() || result.error().code != Code::Io;
    return result;
  }

  Result<std::vector<std::string>> run_shows(FrrDaemon daemon,
                                             const std::vector<std::string>& commands);
  Result<std::vector<FrrReply>> transaction(const std::vector<std::string>& lines);
  Result<std::variant<Vty, FrrReply>> begin_transaction(bool clean);
  Result<std::vector<FrrReply>> try_transaction(const std::vector<std::string>& lines, bool clean);
  Result<std::vector<FrrReply>> line_by_line(FrrDaemon daemon,
                                             const std::vector<std::string>& lines);

  FrrVtyOptions options_;
  std::map<FrrDaemon, bool> known_;
  bool candidate_is_clean_ = false;  // as far as we know
  std::optional<Vty> kept_;          // with mgmtd
};

Result<std::vector<std::string>> FrrVty::run_shows(FrrDaemon daemon,
                                                   const std::vector<std::string>& commands) {
  auto vty = open(daemon);
  if (!vty) {
    return std::unexpected(vty.error());
  }
  std::vector<std::string> texts;
  for (const std::string& command : commands) {
    auto reply = vty->run(command);
    if (!reply) {
      return std::unexpected(reply.error());
    }
    if (reply->refused()) {
      return fail(Code::ApplyFailed,
                  std::format("{} refused '{}': {}", to_string(daemon), command, reply->text));
    }
    texts.push_back(std::move(reply->text));
  }
  keep(daemon, std::move(*vty));
  return texts;
}

// Runs `lines` until one is refused or the connection fails; `replies` gets every reply. Returns
// whether all were taken.
Result<bool> run_all(Vty& vty, const std::vector<std::string>& lines,
                     std::vector<FrrReply>& replies) {
  for (const std::string& line : lines) {
    auto reply = vty.run(line);
    if (!reply) {
      return std::unexpected(reply.error());
    }
    replies.push_back(std::move(*reply));
    if (replies.back().refused()) {
      return false;
    }
  }
  return true;
}

namespace {

// Lines of prefix-lists and route-maps. Each by itself would copy and check all of them that the
// daemon has: 1,000 lines of one list took 16 s one by one and 0.4 s together (FRR 10.3, bgpd).
bool is_policy_line(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (line.starts_with("no ")) {
    line.remove_prefix(3);
  }
  constexpr std::array<std::string_view, 11> kWords = {"ip prefix-list ",
                                                       "ipv6 prefix-list ",
                                                       "route-map ",
                                                       "match ",
                                                       "set ",
                                                       "on-match ",
                                                       "exit",
                                                       "bgp as-path access-list ",
                                                       "bgp community-list ",
                                                       "bgp extcommunity-list ",
                                                       "bgp large-community-list "};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return line.starts_with(word); });
}

}  // namespace

Result<std::vector<FrrReply>> FrrVty::line_by_line(FrrDaemon daemon,
                                                   const std::vector<std::string>& lines) {
  auto vty = open(daemon);
  if (!vty) {
    return std::unexpected(vty.error());
  }
  std::vector<FrrReply> entering;
  const auto entered = run_all(*vty, {"configure terminal"}, entering);
  if (!entered) {
    return std::unexpected(entered.error());
  }
  if (!*entered) {
    return entering;
  }
  std::vector<FrrReply> replies;
  const bool batch = std::ranges::all_of(lines, is_policy_line);
  if (batch) {
    if (const auto begun = vty->run("XFRR_start_configuration"); !begun) {
      return std::unexpected(begun.error());
    }
  }
  const auto done = run_all(*vty, lines, replies);
  if (!done) {
    return std::unexpected(done.error());
  }
  if (batch && *done) {
    if (const auto ended = run_all(*vty, {"XFRR_end_configuration"}, replies); !ended) {
      return std::unexpected(ended.error());
    }
  }
  if (const auto left = vty->run("end"); !left) {
    return std::unexpected(left.error());
  }
  return replies;
}

// A connection inside an open transaction, or the reply that refused to open one. `clean`: from the
// running configuration, whatever the candidate holds.
Result<std::variant<Vty, FrrReply>> FrrVty::begin_transaction(bool clean) {
  std::vector<std::string> lines = {"configure terminal file-lock"};
  if (clean) {
    lines.emplace_back("mgmt commit abort");
  }
  lines.emplace_back("XFRR_start_configuration");
  const auto deadline = Clock::now() + options_.connect;
  while (true) {
    auto vty = open(FrrDaemon::Mgmtd);
    if (!vty) {
      return std::unexpected(vty.error());
    }
    std::vector<FrrReply> entering;
    const auto entered = run_all(*vty, lines, entering);
    if (!entered) {
      return std::unexpected(entered.error());
    }
    if (*entered) {
      return std::move(*vty);
    }
    const bool locked = entering.back().text.contains("locked by another session");
    if (!locked || Clock::now() >= deadline) {
      return std::move(entering.back());
    }
    std::this_thread::sleep_for(kRetry);
  }
}

Result<std::vector<FrrReply>> FrrVty::try_transaction(const std::vector<std::string>& lines,
                                                      bool clean) {
  candidate_is_clean_ = false;  // until we have seen the end
  auto begun = begin_transaction(clean);
  if (!begun) {
    return std::unexpected(begun.error());
  }
  if (auto* const refusal = std::get_if<FrrReply>(&*begun)) {
    return std::vector<FrrReply>{std::move(*refusal)};
  }
  Vty& vty = std::get<Vty>(*begun);
  std::vector<FrrReply> replies;
  auto taken = run_all(vty, lines, replies);
  if (taken && *taken) {
    taken = run_all(vty, {"XFRR_end_configuration"}, replies);
  }
  if (!taken) {
    return std::unexpected(taken.error());
  }
  std::vector<FrrReply> leaving;
  const std::vector<std::string> end = *taken
                                           ? std::vector<std::string>{"end"}
                                           : std::vector<std::string>{"mgmt commit abort", "end"};
  const auto left = run_all(vty, end, leaving);
  if (!left) {
    return std::unexpected(left.error());
  }
  candidate_is_clean_ = *left;
  if (*left) {
    keep(FrrDaemon::Mgmtd, std::move(vty));
  }
  return replies;
}

Result<std::vector<FrrReply>> FrrVty::transaction(const std::vector<std::string>& lines) {
  const bool clean = !candidate_is_clean_;
  auto replies = try_transaction(lines, clean);
  if (replies && replies->back().refused() && !clean) {
    // Perhaps for what somebody else had left in the candidate.
    replies = try_transaction(lines, true);
  }
  return replies;
}

}  // namespace

std::string_view to_string(FrrDaemon daemon) {
  switch (daemon) {
    case FrrDaemon::Zebra:
      return "zebra";
    case FrrDaemon::Mgmtd:
      return "mgmtd";
    case FrrDaemon::Staticd:
      return "staticd";
    case FrrDaemon::Bgpd:
      return "bgpd";
    case FrrDaemon::Ospfd:
      return "ospfd";
  }
  std::unreachable();
}

Result<std::vector<std::string>> Frr::show_each(FrrDaemon daemon,
                                                const std::vector<std::string>& commands) {
  std::vector<std::string> texts;
  for (const std::string& command : commands) {
    auto text = show(daemon, command);
    if (!text) {
      return std::unexpected(text.error());
    }
    texts.push_back(std::move(*text));
  }
  return texts;
}

std::unique_ptr<Frr> make_frr(FrrVtyOptions options) {
  return std::make_unique<FrrVty>(std::move(options));
}

}  // namespace millrace::system
