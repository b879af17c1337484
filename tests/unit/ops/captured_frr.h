// SPDX-License-Identifier: GPL-2.0-or-later
//
// FRR 10.3 as it answered once: a router 1.1.1.1 in AS 65001 with an external neighbour (10.0.0.2,
// AS 65002, one of whose prefixes an import policy rejects, and four of whose are loops), an
// internal one (10.0.1.3), one that never answered, one that is shut down, and one over IPv6. Its
// ospfd is that of another router, with two neighbours.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>

#include <gmock/gmock.h>

#include "ops/builtins.h"
#include "support/fake_engine.h"
#include "support/fake_system.h"
#include "tree/text.h"

namespace millrace::ops {

class CapturedFrr : public system::Frr {
 public:
  CapturedFrr() {
    std::ifstream file(MILLRACE_SOURCE_DIR "/tests/unit/ops/frr.json");
    answers_ = nlohmann::ordered_json::parse(file);
  }
  nlohmann::ordered_json& answer(const std::string& command) { return answers_[command]; }
  nlohmann::ordered_json& all() { return answers_; }
  void stop_bgpd() { bgpd_ = false; }
  void stop_ospfd() { ospfd_ = false; }

  std::vector<std::string> cleared;  // commands that are no `show`

  base::Result<std::vector<system::FrrReply>> configure(system::FrrDaemon,
                                                        const std::vector<std::string>&) override {
    return base::fail(base::Code::Denied, "an operational command configures nothing");
  }
  base::Result<std::string> show(system::FrrDaemon daemon, std::string_view command) override {
    if (auto there = answers(daemon); !there) {
      return std::unexpected(there.error());
    }
    if (!command.starts_with("show ")) {
      cleared.emplace_back(command);
      return std::string();
    }
    const std::string key = std::string(system::to_string(daemon)) + " " + std::string(command);
    const auto found = answers_.find(key);
    EXPECT_NE(found, answers_.end()) << key;
    return found == answers_.end()
               ? "{}"
               : found->dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  base::Result<void> answers(system::FrrDaemon daemon) override {
    if (daemon == system::FrrDaemon::Bgpd && !bgpd_) {
      return base::fail(base::Code::Io, "bgpd does not listen");
    }
    if (daemon == system::FrrDaemon::Ospfd && !ospfd_) {
      return base::fail(base::Code::Io, "ospfd does not listen");
    }
    return {};
  }

 private:
  nlohmann::ordered_json answers_;  // routes come in the order of prefixes
  bool bgpd_ = true;
  bool ospfd_ = true;
};

class CapturedRouter : public ::testing::Test {
 protected:
  CapturedRouter() : engine(templates()) {}

  static const schema::Schema& templates() {
    static const auto schema = schema::load(MILLRACE_SOURCE_DIR "/templates");
    EXPECT_TRUE(schema) << schema.error().to_string();
    return *schema;
  }

  Reply show(Builtin builtin, std::map<std::string, std::string, std::less<>> arguments = {}) {
    Context context{
        engine, {machine.kernel, frr, machine.files, machine.units, machine.accounts}, "1.2.3"};
    auto reply = builtin({nullptr, std::move(arguments), 0}, context);
    return reply ? *reply : Reply{"ERROR " + reply.error().message, nullptr};
  }
  // Ages differ from run to run.
  std::string text(Builtin builtin,
                   std::map<std::string, std::string, std::less<>> arguments = {}) {
    return std::regex_replace(show(builtin, std::move(arguments)).text,
                              std::regex("([0-9]+w)?([0-9]+d )?[0-9]{2}:[0-9]{2}:[0-9]{2}"), "AGE");
  }

  // Compares with tests/unit/ops/golden/NAME.txt, which MILLRACE_UPDATE_CASES=1 writes anew: read
  // the difference before it is committed.
  void expect_golden(const std::string& name, const std::string& printed) {
    const std::string path = MILLRACE_SOURCE_DIR "/tests/unit/ops/golden/" + name + ".txt";
    if (std::getenv("MILLRACE_UPDATE_CASES")) {
      std::ofstream(path) << printed;
    }
    std::ifstream file(path);
    const std::string wanted{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(printed, wanted) << path;
  }

  test::FakeEngine engine;
  test::FakeSystem machine;
  CapturedFrr frr;
};

}  // namespace millrace::ops
