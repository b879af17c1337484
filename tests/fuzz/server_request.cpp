// SPDX-License-Identifier: GPL-2.0-or-later
//
// Any bytes as messages to a session, as root would send them: framing and requests must answer or
// refuse, and whatever the shell is told, a line that failed leaves the candidate as it was. The
// input is split at newlines; what parses as a request goes through its method, the rest is typed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "base/check.h"
#include "server/frame.h"
#include "server/programs.h"
#include "support/fake_engine.h"

namespace {

using namespace millrace;

constexpr const char* kTemplate = R"(
feature x {
  help "x";
  container system {
    help "s";
    leaf host-name { help "h"; type host-name; }
    list server { help "l"; key name; type host; leaf prefer { help "p"; type empty; } }
    leaf-list tag { help "t"; type string { length 1..20; } }
  }
}
)";

const schema::Schema& the_schema() {
  static const auto schema = [] {
    auto built = schema::build({{"x.tmpl", kTemplate}});
    base::check(built.has_value(), built ? "" : built.error().to_string());
    return std::move(*built);
  }();
  return schema;
}

template <class T>
void settle(std::variant<T, server::Deferred<T>> outcome) {
  if (auto* deferred = std::get_if<server::Deferred<T>>(&outcome)) {
    deferred->work(nullptr);
    deferred->finish();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::FakeEngine engine(the_schema());
  server::Services services(
      the_schema(), engine,
      []() -> base::Result<std::unique_ptr<system::RealSystem>> {
        return base::fail(base::Code::Io, "no system here");
      },
      "0");
  server::Shell shell(services, {0, 1, "root", true}, 1);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const auto request = server::parse_request(line)) {
      if (auto outcome = server::call_program(shell, *request)) {
        settle(std::move(*outcome));
      }
      continue;
    }
    const auto before = services.candidate.snapshot();
    auto outcome = shell.execute(line);
    if (const auto* reply = std::get_if<server::Reply>(&outcome); reply && !reply->ok) {
      base::check(services.candidate.snapshot() == before, "a failed line changed the candidate");
    }
    const auto* reply = std::get_if<server::Reply>(&outcome);
    if (reply && reply->ask) {
      settle(shell.answer("yes"));
    } else if (reply && reply->read) {
      settle(shell.input(std::string(rest)));
    } else {
      settle(std::move(outcome));
    }
    shell.complete(line);
  }
  return 0;
}
