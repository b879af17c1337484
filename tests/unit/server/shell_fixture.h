// SPDX-License-Identifier: GPL-2.0-or-later
//
// A shell on the real templates and an engine without a system.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "server/shell.h"
#include "support/fake_engine.h"
#include "support/fake_system.h"

namespace millrace::server {

inline const schema::Schema& templates() {
  static const auto schema = schema::load(MILLRACE_SOURCE_DIR "/templates");
  EXPECT_TRUE(schema) << schema.error().to_string();
  return *schema;
}

class ShellTest : public ::testing::Test {
 protected:
  ShellTest()
      : engine(templates()),
        services(
            templates(), engine, [this] { return make_system(); }, "1.2.3"),
        shell(services, {0, 42, "alice", true}, services.sessions.next_number()) {
    shell.set_client("cli", {});
  }

  base::Result<std::unique_ptr<system::RealSystem>> make_system() {
    auto files = std::make_unique<test::FakeFiles>(hook);
    auto frr = std::make_unique<test::FakeFrr>(hook);
    auto units = std::make_unique<test::FakeUnits>(hook, *files, *frr);
    return std::make_unique<system::RealSystem>(std::make_unique<test::FakeKernel>(hook),
                                                std::move(frr), std::move(files), std::move(units),
                                                std::make_unique<test::FakeAccounts>(hook));
  }

  // What the commit thread would do, at once.
  static Reply settle(Outcome outcome) {
    if (auto* deferred = std::get_if<Deferred<Reply>>(&outcome)) {
      deferred->work(nullptr);
      return deferred->finish();
    }
    return std::get<Reply>(std::move(outcome));
  }
  Reply run(std::string_view line) { return settle(shell.execute(line)); }
  // Runs lines that must succeed silently.
  void setup(std::initializer_list<std::string_view> lines) {
    for (const auto line : lines) {
      const Reply reply = run(line);
      EXPECT_TRUE(reply.ok) << line << "\n" << reply.errors;
    }
  }

  test::ChangeHook hook;
  test::FakeEngine engine;
  Services services;
  Shell shell;
};

}  // namespace millrace::server
