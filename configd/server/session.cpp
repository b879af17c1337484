// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/session.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "appliers/login_users.h"
#include "base/log.h"
#include "server/completion.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

namespace asio = boost::asio;
using nlohmann::json;

// A batch ends early when its replies grow past this; the client sends the rest again.
constexpr std::size_t kMaxBatchOutput = std::size_t{1} << 20;
constexpr std::chrono::seconds kQuiet{2};
constexpr std::chrono::milliseconds kTick{500};

std::string_view text_of(const json& params, const char* name) {
  const auto found = params.find(name);
  return found != params.end() && found->is_string()
             ? std::string_view(found->get_ref<const std::string&>())
             : std::string_view();
}

// The params of a method that needs this string, or the protocol's own error.
const std::string* required(const json& params, const char* name) {
  const auto found = params.find(name);
  return found != params.end() && found->is_string() ? found->get_ptr<const std::string*>()
                                                     : nullptr;
}

const char* to_text(OfferKind kind) {
  switch (kind) {
    case OfferKind::Keyword:
      return "keyword";
    case OfferKind::Name:
      return "name";
    case OfferKind::Placeholder:
      return "placeholder";
    case OfferKind::File:
      return "file";
    case OfferKind::Enter:
      return "enter";
    case OfferKind::Pipe:
      return "pipe";
  }
  return "keyword";
}

RpcError missing(const json& id, std::string_view name) {
  return {kInvalidParams, std::string(name) + " is missing or not a string", nullptr, id};
}

}  // namespace

Session::Session(Services& services, CommitThread& commits, Peer peer, Notify notify)
    : services_(services),
      commits_(commits),
      notify_(std::move(notify)),
      number_(services.sessions.next_number()),
      shell_(services, std::move(peer), number_) {}

json Session::to_json(Reply reply) {
  away_ = !reply.run.empty() || !reply.local.empty();
  json out = {{"status", reply.ok ? "ok" : "error"},
              {"output", std::move(reply.output)},
              {"errors", std::move(reply.errors)},
              {"pipes", std::move(reply.pipes)},
              {"mode", shell_.configuring() ? "configuration" : "operational"},
              {"prompt", shell_.prompt()},
              {"banner", shell_.above_prompt()}};
  if (!reply.data.is_null()) {
    out["data"] = std::move(reply.data);
  }
  if (reply.ask) {
    out["ask"] = {{"question", reply.ask->text}};
    if (reply.ask->secret) {
      out["ask"]["secret"] = true;
    } else {
      out["ask"]["default"] = reply.ask->yes_by_default ? "yes" : "no";
    }
  }
  if (reply.read) {
    out["read"] = {{"until", "end of file"}};
    if (reply.read->file.empty()) {
      out["read"]["hint"] = "[Type ^D at a new line to end input]";
    } else {
      out["read"]["file"] = std::move(reply.read->file);
    }
  }
  if (!reply.run.empty()) {
    out["run"] = {{"argv", std::move(reply.run)}};
  }
  if (!reply.local.empty()) {
    out["local"] = std::move(reply.local);
  }
  if (reply.close) {
    out["close"] = true;
  }
  if (reply.refused) {
    out["refused"] = true;
  }
  if (!reply.settings.is_null()) {
    out["settings"] = std::move(reply.settings);
  }
  return out;
}

json Session::open(const Request& request) {
  const std::string_view client = text_of(request.params, "client");
  Shell::Terminal terminal;
  if (const auto found = request.params.find("terminal");
      found != request.params.end() && found->is_object()) {
    terminal.interactive = true;
    terminal.name = text_of(*found, "tty");
  }
  if (const auto found = request.params.find("candidate"); found != request.params.end()) {
    const auto mode = edit_mode(*found);
    if (!mode) {
      return response(RpcError{kInvalidParams,
                               "candidate is neither \"shared\", \"private\" nor \"exclusive\"",
                               nullptr, request.id});
    }
    if (auto entered = enter_candidate(shell_, *mode); !entered) {
      entered.error().id = request.id;
      return response(entered.error());
    }
  }
  shell_.set_client(client == "cli" || client == "netconf" ? std::string(client) : "other",
                    std::move(terminal));
  json opened = {{"session", number_},
                 {"user", shell_.peer().user},
                 {"host", short_host_name()},
                 {"version", services_.version},
                 {"mode", shell_.configuring() ? "configuration" : "operational"},
                 {"prompt", shell_.prompt()},
                 {"banner", shell_.above_prompt()},
                 {"confined", !may_use_every_file(shell_.peer())}};
  const auto running = services_.effective.of(services_.engine.running());
  const tree::View top(running);
  if (top.schema().child("system") && top["system"].schema().child("login")) {
    if (const auto announcement = top["system"]["login"]["announcement"]; announcement.exists()) {
      opened["announcement"] = appliers::login_text(announcement.text());
    }
  }
  return response(request.id, std::move(opened));
}

json Session::complete(const Request& request) {
  const std::string* line = required(request.params, "line");
  if (!line) {
    return response(missing(request.id, "line"));
  }
  std::size_t cursor = line->size();
  if (const auto found = request.params.find("cursor");
      found != request.params.end() && found->is_number_unsigned()) {
    cursor = std::min(cursor, found->get<std::size_t>());
  }
  const Completion completion = server::complete(shell_, std::string_view(*line).substr(0, cursor));
  json choices = json::array();
  for (const auto& offer : completion.offers) {
    choices.push_back(
        {{"text", offer.text},
         {"help", offer.help},
         {"marker", std::string(1, offer.marker)},
         {"placeholder", offer.kind == OfferKind::Placeholder || offer.kind == OfferKind::File},
         {"kind", to_text(offer.kind)}});
  }
  json result = {{"choices", std::move(choices)}, {"start", completion.start}};
  if (completion.problem) {
    result["problem"] = {{"at", completion.problem->byte},
                         {"message", completion.problem->message}};
  }
  if (completion.more) {
    result["more"] = true;
  }
  return response(request.id, std::move(result));
}

asio::awaitable<void> Session::report_progress(Progress& progress) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(kQuiet);
  for (;;) {
    co_await timer.async_wait(asio::use_awaitable);
    if (std::string text = progress.take(); !text.empty()) {
      if (!sees_everything(shell_.peer())) {
        text = "at work";  // a step may be about what the user does not see
      }
      notify_(notification("progress", {{"text", std::move(text)}}));
    }
    timer.expires_after(kTick);
  }
}

template <class T>
asio::awaitable<T> Session::resolve(std::variant<T, Deferred<T>> outcome) {
  using namespace asio::experimental::awaitable_operators;
  if (auto* ready = std::get_if<T>(&outcome)) {
    co_return std::move(*ready);
  }
  auto& deferred = std::get<Deferred<T>>(outcome);
  Progress progress;
  std::exception_ptr thrown;
  // `||` waits for a success, so an exception may not leave the work: the ticker would never end.
  const auto work = [&] {
    try {
      deferred.work(&progress);
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  const auto result = co_await (commits_.run(work) || report_progress(progress));
  if (thrown) {
    std::rethrow_exception(thrown);
  }
  if (const bool* ran = std::get_if<0>(&result); ran && *ran) {
    co_return deferred.finish();
  }
  if constexpr (std::is_same_v<T, Reply>) {
    co_return failed("configd is stopping");
  } else {
    co_return std::unexpected(to_rpc({base::Code::Io, "configd is stopping"}));
  }
}

asio::awaitable<json> Session::lines(const Request& request) {
  const auto found = request.params.find("lines");
  if (found == request.params.end() || !found->is_array()) {
    co_return response(
        RpcError{kInvalidParams, "lines is missing or not an array", nullptr, request.id});
  }
  // All of them before the first: what has been done is not to be reported as an error.
  if (!std::ranges::all_of(*found, [](const json& line) { return line.is_string(); })) {
    co_return response(RpcError{kInvalidParams, "a line is not a string", nullptr, request.id});
  }
  json replies = json::array();
  std::size_t size = 0;
  for (const auto& line : *found) {
    Reply reply = co_await resolve(shell_.execute(line.get_ref<const std::string&>()));
    const bool last =
        reply.ask || reply.read || !reply.run.empty() || !reply.local.empty() || reply.close;
    closed_ = closed_ || reply.close;
    size += reply.output.size() + reply.errors.size();
    replies.push_back(to_json(std::move(reply)));
    if (last || size > kMaxBatchOutput) {
      break;
    }
  }
  co_return response(request.id, {{"replies", std::move(replies)}});
}

void Session::abandon() {
  if (shell_.configuring()) {
    shell_.leave_configuration();
  }
  shell_.candidate().leave();
  closed_ = true;
}

asio::awaitable<json> Session::dispatch(const Request& request) {
  const auto& params = request.params;
  services_.sessions.active(number_);
  away_ = false;
  shell_.refresh_rights();
  std::optional<Outcome> outcome;
  if (request.method == "line.execute") {
    const std::string* line = required(params, "line");
    if (!line) {
      co_return response(missing(request.id, "line"));
    }
    outcome = shell_.execute(*line);
  } else if (request.method == "line.batch") {
    co_return co_await lines(request);
  } else if (request.method == "line.answer") {
    outcome = shell_.answer(text_of(params, "text"));
  } else if (request.method == "line.input") {
    const std::string* error = required(params, "error");
    outcome =
        error ? shell_.input_failed(*error) : shell_.input(std::string(text_of(params, "text")));
  } else if (request.method == "line.complete") {
    co_return complete(request);
  } else if (request.method == "session.open") {
    co_return open(request);
  } else if (request.method == "message.send") {
    const std::string* text = required(params, "text");
    const Reply sent = send_text(shell_, text_of(params, "to"), text ? *text : "");
    co_return sent.ok ? response(request.id, json::object())
                      : response(RpcError{kOurs, sent.errors, nullptr, request.id});
  } else if (request.method == "session.close") {
    closed_ = true;
    co_return response(request.id, json::object());
  } else if (auto program = call_program(shell_, request)) {
    ProgramResult result = co_await resolve(std::move(*program));
    record_program(shell_, request, result);
    if (!result) {
      result.error().id = request.id;
      co_return response(result.error());
    }
    co_return response(request.id, std::move(*result));
  } else {
    co_return response(
        RpcError{kMethodNotFound, "no method '" + request.method + "'", nullptr, request.id});
  }
  Reply reply = co_await resolve(std::move(*outcome));
  closed_ = closed_ || reply.close;
  co_return response(request.id, to_json(std::move(reply)));
}

asio::awaitable<json> Session::handle(Request request) {
  std::string problem;
  try {
    co_return co_await dispatch(request);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  base::log(base::Level::Error, "request " + request.method + " failed inside configd: " + problem);
  RpcError error = to_rpc({base::Code::Internal, "configd failed inside: " + problem});
  error.id = request.id;
  co_return response(error);
}

}  // namespace millrace::server
