// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sessions of users whose class the configuration in force says.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "server/completion.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {

class AccessTest : public ShellTest {
 protected:
  // Puts set lines into force, beside what is there.
  void in_force(const std::string& lines) {
    tree::Editor editor(engine.running());
    const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    EXPECT_TRUE(report.errors.empty()) << report.to_string("lines");
    ASSERT_TRUE(engine.commit({editor.tree(), "root", "test", ""}, nullptr).committed);
    services.candidate.reset(engine.running());
  }
  void with_class(const std::string& rules) {
    std::string lines = "set system login user bob class mine\n";
    for (const auto part : std::views::split(rules, '\n')) {
      if (!part.empty()) {
        lines += "set system login class mine " + std::string(part.begin(), part.end()) + "\n";
      }
    }
    in_force(lines);
  }
  std::unique_ptr<Shell> login(const std::string& user, bool in_group = false) {
    auto made = std::make_unique<Shell>(services, Peer{2001, 43, user, in_group},
                                        services.sessions.next_number());
    made->set_client("cli", {});
    made->refresh_rights();
    return made;
  }
  static Reply run_as(Shell& user, std::string_view line) { return settle(user.execute(line)); }

  static std::vector<std::string> words_offered(Shell& user, std::string_view line) {
    std::vector<std::string> out;
    for (const auto& offer : complete(user, line).offers) {
      out.push_back(offer.text);
    }
    return out;
  }
};

}  // namespace millrace::server
