// SPDX-License-Identifier: GPL-2.0-or-later
//
// Classes of users: what the rights of a class say, and that nothing which a session can ask gives
// away what its user may not see.
#include "server/access.h"

#include <gmock/gmock.h>

#include "server/completion.h"
#include "server/programs.h"
#include "support/random.h"
#include "tree/text.h"
#include "unit/server/access_fixture.h"

namespace millrace::server {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kHash =
    "$6$abcdefgh$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ./"
    "0123456789abcdefghijkl";

// ===== who has which rights =====

TEST_F(AccessTest, Members_of_the_group_that_no_configuration_knows_have_all_rights) {
  auto user = login("stranger", true);
  EXPECT_TRUE(is_known(user->peer()));
  EXPECT_TRUE(run_as(*user, "configure").ok);
  EXPECT_TRUE(sees_everything(user->peer()));
}

TEST_F(AccessTest, Sessions_of_bgp_are_seen_with_view_and_ended_with_clear) {
  in_force(
      "set system login user bob class read-only\n"
      "set system login user ann class operator\n"
      "set routing-options autonomous-system 65001\n"
      "set protocols bgp group G type external\n"
      "set protocols bgp group G neighbor 10.0.0.2 peer-as 65002\n");
  auto bob = login("bob");
  auto ann = login("ann");
  EXPECT_THAT(run_as(*bob, "clear bgp neighbor all").errors, HasSubstr("unknown command."));
  EXPECT_THAT(run_as(*ann, "clear bgp neighbor all").errors, Not(HasSubstr("unknown command.")));
  EXPECT_THAT(run_as(*bob, "show bgp summary").errors, Not(HasSubstr("unknown command.")));
  EXPECT_THAT(words_offered(*bob, "show bgp neighbor "), ::testing::Contains("10.0.0.2"));
  EXPECT_THAT(words_offered(*bob, "show route receive-protocol bgp "),
              ::testing::Contains("10.0.0.2"));
  EXPECT_THAT(words_offered(*bob, "show bgp group "), ::testing::Contains("G"));
}

TEST_F(AccessTest, A_user_of_the_configuration_has_its_class_even_in_the_group) {
  in_force("set system login user bob class read-only\n");
  auto user = login("bob", true);
  EXPECT_TRUE(is_known(user->peer()));
  EXPECT_THAT(run_as(*user, "configure").errors, HasSubstr("unknown command."));
}

TEST_F(AccessTest, Who_is_neither_configured_nor_in_the_group_has_no_rights) {
  auto user = login("stranger");
  EXPECT_FALSE(is_known(user->peer()));
  EXPECT_THAT(run_as(*user, "ping 192.0.2.1").errors, HasSubstr("unknown command."));
  EXPECT_TRUE(run_as(*user, "show version").refused);
  EXPECT_FALSE(may(user->peer(), {.kind = Access::Kind::Commit}));
}

TEST_F(AccessTest, A_change_of_class_counts_from_the_next_line_and_a_deletion_too) {
  in_force("set system login user bob class super-user\n");
  auto user = login("bob");
  EXPECT_TRUE(run_as(*user, "configure").ok);
  in_force("set system login user bob class operator\n");
  EXPECT_THAT(run_as(*user, "set system host-name x").errors, HasSubstr("unknown command."));
  EXPECT_TRUE(run_as(*user, "exit").ok);
  EXPECT_THAT(run_as(*user, "configure").errors, HasSubstr("unknown command."));
  in_force("delete system login\n");
  EXPECT_THAT(run_as(*user, "ping 192.0.2.1").errors, HasSubstr("unknown command."));
  EXPECT_TRUE(run_as(*user, "show version").refused);
  EXPECT_TRUE(run_as(*user, "exit").close);
}

TEST_F(AccessTest, What_is_inactive_makes_no_user_and_what_a_group_brings_does) {
  in_force("set system login user bob class super-user\ndeactivate system login user bob\n");
  auto user = login("bob");
  EXPECT_FALSE(is_known(user->peer()));
  in_force(
      "delete system login\nset groups people system login user bob class operator\n"
      "set apply-groups people\n");
  EXPECT_TRUE(run_as(*user, "show version").ok);
  EXPECT_THAT(run_as(*user, "configure").errors, HasSubstr("unknown command."));
}

TEST_F(AccessTest, A_group_is_no_way_around_a_class) {
  with_class("permissions [ configure interface-control ]\ndeny-configuration \"interfaces eth1\"");
  auto user = login("bob");
  run_as(*user, "configure");
  EXPECT_TRUE(run_as(*user, "set groups g interfaces eth0 mtu 1400").ok);
  EXPECT_THAT(run_as(*user, "set groups g interfaces eth1 mtu 1400").errors,
              HasSubstr("permission denied"));
  EXPECT_THAT(run_as(*user, "set groups g system host-name x").errors,
              HasSubstr("permission denied"));
  EXPECT_THAT(run_as(*user, "set apply-groups g").errors, HasSubstr("permission denied"));
}

// ===== classes, one row each =====

struct Row {
  std::string name;
  std::string rules;  // of class mine, or "class NAME" for a built-in one
  std::vector<std::string> may_run;
  std::vector<std::string> may_not_run;
  std::vector<std::string> views;
  std::vector<std::string> views_not;
  std::vector<std::string> edits;
  std::vector<std::string> edits_not;
};

class Classes : public AccessTest, public ::testing::WithParamInterface<Row> {
 protected:
  bool checks(const Peer& peer, Access::Kind kind, const std::string& words) {
    std::vector<std::string_view> texts;
    for (const auto part : std::views::split(words, ' ')) {
      texts.emplace_back(part.begin(), part.end());
    }
    const auto walks = schema::walk(templates().root(), texts, schema::Abbreviations::No);
    EXPECT_TRUE(walks) << words;
    const tree::Path path{walks->front().steps};
    return may(peer, {.kind = kind, .path = &path});
  }
};

TEST_P(Classes, allow_what_their_row_says) {
  const Row& row = GetParam();
  if (row.rules.starts_with("class ")) {
    in_force("set system login user bob " + row.rules + "\n");
  } else {
    with_class(row.rules);
  }
  auto user = login("bob");
  const auto runs = [&](const std::string& command, std::string_view permission) {
    return may(user->peer(),
               {.kind = Access::Kind::Operate, .command = command, .permission = permission});
  };
  const auto permission_of = [&](const std::string& line) {
    const schema::Command* found = nullptr;
    for (const auto& command : services.commands.all()) {
      if (line.starts_with(command.words) &&
          (!found || found->words.size() < command.words.size())) {
        found = &command;
      }
    }
    return found ? found->permission
                 : std::string(line.starts_with("configure") ? "configure" : "");
  };
  for (const auto& line : row.may_run) {
    EXPECT_TRUE(runs(line, permission_of(line))) << line;
  }
  for (const auto& line : row.may_not_run) {
    EXPECT_FALSE(runs(line, permission_of(line))) << line;
  }
  for (const auto& path : row.views) {
    EXPECT_TRUE(checks(user->peer(), Access::Kind::View, path)) << path;
  }
  for (const auto& path : row.views_not) {
    EXPECT_FALSE(checks(user->peer(), Access::Kind::View, path)) << path;
  }
  for (const auto& path : row.edits) {
    EXPECT_TRUE(checks(user->peer(), Access::Kind::Edit, path)) << path;
  }
  for (const auto& path : row.edits_not) {
    EXPECT_FALSE(checks(user->peer(), Access::Kind::Edit, path)) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(
    table, Classes,
    ::testing::Values(
        Row{"super_user",
            "class super-user",
            {"show version", "configure", "ping", "show log audit"},
            {},
            {"system login", "interfaces"},
            {},
            {"system login", "interfaces", "version"},
            {}},
        Row{"operator",
            "class operator",
            {"show version", "ping", "show log messages"},
            {"configure", "show log audit"},
            {},
            {"system", "interfaces eth0"},
            {},
            {"system"}},
        Row{"read_only",
            "class read-only",
            {"show version", "show route"},
            {"configure", "ping", "show log messages"},
            {},
            {"system"},
            {},
            {"interfaces"}},
        Row{"unauthorized",
            "class unauthorized",
            {},
            {"show version", "ping", "configure"},
            {},
            {"system", "interfaces"},
            {},
            {"system"}},
        Row{"an_area_to_see",
            "permissions [ view interface ]",
            {"show version"},
            {"configure"},
            {"interfaces eth0 mtu"},
            {"system host-name", "routing-options"},
            {},
            {"interfaces"}},
        Row{"an_area_to_change",
            "permissions [ configure interface-control ]",
            {"configure"},
            {"show version"},
            {"interfaces eth0 mtu"},
            {"system"},
            {"interfaces eth0 mtu"},
            {"system host-name"}},
        Row{"a_part_of_a_part",
            "permissions [ configure system-control ]",
            {"configure"},
            {},
            {"system ntp"},
            {"system login", "system root-authentication"},
            {"system host-name"},
            {"system login user x"}},
        Row{"all_but_secrets",
            "permissions [ view-configuration ]",
            {},
            {"configure"},
            {"system login user x", "version"},
            {},
            {},
            {"interfaces"}},
        Row{"secrets_need_their_own",
            "permissions [ configure admin-control ]",
            {},
            {},
            {"system login user x"},
            {},
            {"system login user x class"},
            {"system login user x authentication encrypted-password"}},
        Row{"secrets_too",
            "permissions [ configure admin-control secret-control ]",
            {},
            {},
            {},
            {},
            {"system login user x authentication encrypted-password"},
            {}},
        Row{"denied_commands",
            "permissions all\ndeny-commands \"show log|ping\"",
            {"show version", "show route", "configure"},
            {"show log messages", "show log audit", "ping 192.0.2.1"},
            {},
            {},
            {},
            {}},
        Row{"denied_arguments",
            "permissions [ view network ]\ndeny-commands \"ping 10\\..*\"",
            {"ping 192.0.2.1", "show version"},
            {"ping 10.0.0.1", "ping 10.0.0.1 count 5"},
            {},
            {},
            {},
            {}},
        Row{"denied_words_are_commands",
            "permissions [ view trace ]\ndeny-commands request",
            {"show log messages", "show route"},
            {"request system logout"},
            {},
            {},
            {},
            {}},
        Row{"allowed_commands",
            "permissions view\nallow-commands \"ping|show log messages\"",
            {"ping 192.0.2.1", "show log messages", "show version"},
            {"traceroute", "configure"},
            {},
            {},
            {},
            {}},
        Row{"a_denial_wins",
            "permissions view\nallow-commands \"show .*\"\ndeny-commands \"show route\"",
            {"show version", "show log messages"},
            {"show route", "show route 192.0.2.0/24"},
            {},
            {},
            {},
            {}},
        Row{"rules_in_lists",
            "permissions view\ndeny-commands-regexps [ \"show route\" \"show version\" ]",
            {"show interfaces"},
            {"show route", "show version"},
            {},
            {},
            {},
            {}},
        Row{"denied_configuration",
            "permissions all\ndeny-configuration \"system login|interfaces eth1\"",
            {},
            {},
            {"system host-name", "interfaces eth0", "interfaces eth10"},
            {"system login", "system login user x", "interfaces eth1", "interfaces eth1 mtu"},
            {"interfaces eth0 mtu"},
            {"interfaces eth1 mtu", "system login class x"}},
        Row{"allowed_configuration",
            "permissions configure\nallow-configuration \"interfaces eth[0-3] unit 0\"",
            {},
            {},
            {"interfaces eth0 unit 0 family inet", "interfaces eth3 unit 0", "interfaces eth0"},
            {"interfaces eth0 mtu"},
            {"interfaces eth0 unit 0 family inet"},
            {"interfaces eth0 mtu", "system host-name"}},
        Row{"words_not_parts_of_them",
            "permissions all\ndeny-configuration \"interfaces eth\"",
            {},
            {},
            {"interfaces eth0"},
            {},
            {"interfaces eth0 mtu"},
            {}},
        Row{"a_group_is_no_way_around",
            "permissions [ configure interface-control ]\n"
            "deny-configuration \"interfaces eth1\"",
            {},
            {},
            {"interfaces eth0"},
            {"interfaces eth1"},
            {},
            {"interfaces eth1 mtu"}}),
    [](const auto& row) { return row.param.name; });

// ===== what a session meets =====

TEST_F(AccessTest, What_one_may_not_run_is_not_listed_and_unknown) {
  with_class("permissions view\ndeny-commands \"show route\"");
  auto user = login("bob");
  EXPECT_THAT(words_offered(*user, "show "), Not(::testing::Contains("route")));
  EXPECT_THAT(words_offered(*user, ""), Not(::testing::Contains("configure")));
  EXPECT_THAT(words_offered(*user, ""), Not(::testing::Contains("ping")));
  EXPECT_THAT(run_as(*user, "help").output, Not(HasSubstr("show route")));
  EXPECT_THAT(run_as(*user, "show route").errors, Not(HasSubstr("denied")));
  EXPECT_FALSE(run_as(*user, "ping 192.0.2.1").ok);
  EXPECT_TRUE(run_as(*user, "show version | match request").ok);
}

TEST_F(AccessTest,
       What_one_may_not_see_is_absent_everywhere_and_what_one_may_not_change_is_denied) {
  in_force("set system host-name r1\nset interfaces eth0 mtu 1400\n");
  with_class("permissions [ configure interface-control ]");
  auto user = login("bob");
  ASSERT_TRUE(run_as(*user, "configure").ok);
  EXPECT_THAT(run_as(*user, "show").output, Not(HasSubstr("host-name")));
  EXPECT_THAT(run_as(*user, "show").output, HasSubstr("mtu 1400;"));
  EXPECT_THAT(run_as(*user, "set system host-name r2").errors,
              StartsWith("error: permission denied: system host-name"));
  EXPECT_FALSE(run_as(*user, "delete system").ok);
  EXPECT_TRUE(run_as(*user, "set interfaces eth0 mtu 1500").ok);
  EXPECT_THAT(words_offered(*user, "set "), ::testing::IsSupersetOf({"groups", "interfaces"}));
  EXPECT_THAT(words_offered(*user, "set "), Not(::testing::Contains("system")));
  EXPECT_THAT(words_offered(*user, "show "), Not(::testing::Contains("system")));
  EXPECT_THAT(run_as(*user, "show | compare").output, HasSubstr("mtu 1500"));
  EXPECT_TRUE(services.candidate.snapshot().root().child("system"));
}

TEST_F(AccessTest, A_load_takes_what_is_permitted_and_counts_the_rest_as_errors) {
  in_force("set system host-name r1\n");
  with_class("permissions [ configure interface-control ]");
  auto user = login("bob");
  run_as(*user, "configure");
  ASSERT_TRUE(run_as(*user, "load merge terminal").read);
  const Reply reply =
      settle(user->input("system { host-name r2; }\ninterfaces { eth0 { mtu 1400; } }\n"));
  EXPECT_FALSE(reply.ok);
  EXPECT_THAT(reply.errors, HasSubstr("permission denied: system\n"));
  EXPECT_THAT(reply.output, HasSubstr("1 error"));
  EXPECT_THAT(run_as(shell, "show configuration").output, HasSubstr("r1"));
  EXPECT_THAT(tree::to_set(services.candidate.snapshot(), {}), HasSubstr("eth0 mtu 1400"));
  EXPECT_THAT(tree::to_set(services.candidate.snapshot(), {}), HasSubstr("host-name r1"));
}

TEST_F(AccessTest, An_override_keeps_what_its_user_cannot_see) {
  in_force("set system host-name r1\nset interfaces eth1 mtu 1400\n");
  with_class("permissions [ configure interface-control ]");
  auto user = login("bob");
  run_as(*user, "configure");
  run_as(*user, "load override terminal");
  const Reply reply = settle(user->input("interfaces { eth0 { mtu 1400; } }\n"));
  EXPECT_TRUE(reply.ok) << reply.errors;
  const auto candidate = tree::to_set(services.candidate.snapshot(), {});
  EXPECT_THAT(candidate, HasSubstr("host-name r1"));
  EXPECT_THAT(candidate, HasSubstr("eth0 mtu 1400"));
  EXPECT_THAT(candidate, Not(HasSubstr("eth1")));
}

// ===== passwords =====

TEST_F(AccessTest, A_password_is_asked_for_twice_and_kept_as_its_hash) {
  setup({"configure", "set system login user bob class operator"});
  Reply reply = run("set system login user bob authentication plain-text-password");
  ASSERT_TRUE(reply.ask && reply.ask->secret);
  EXPECT_EQ(reply.ask->text, "New password:");
  reply = settle(shell.answer("correct horse"));
  ASSERT_TRUE(reply.ask && reply.ask->secret);
  EXPECT_EQ(reply.ask->text, "Retype new password:");
  reply = settle(shell.answer("correct horse"));
  EXPECT_TRUE(reply.ok) << reply.errors;
  const auto text = run("show").output;
  EXPECT_THAT(text, HasSubstr("encrypted-password $y$"));
  EXPECT_THAT(text, HasSubstr("## SECRET-DATA"));
  EXPECT_THAT(text, Not(HasSubstr("correct horse")));
  EXPECT_THAT(text, Not(HasSubstr("plain-text")));
}

TEST_F(AccessTest, Passwords_that_differ_or_are_too_short_change_nothing) {
  setup({"configure", "set system login user bob class operator"});
  for (const auto& [first, second] : {std::pair{"correct horse", "correct house"},
                                      std::pair{"short", "short"}, std::pair{"", ""}}) {
    run("set system login user bob authentication plain-text-password");
    settle(shell.answer(first));
    const Reply reply = settle(shell.answer(second));
    EXPECT_FALSE(reply.ok);
    EXPECT_THAT(reply.errors, Not(HasSubstr("correct")));
  }
  EXPECT_THAT(run("show").output, Not(HasSubstr("password")));
}

TEST_F(AccessTest, A_password_in_clear_cannot_be_loaded) {
  setup({"configure"});
  run("load merge terminal");
  const Reply reply =
      settle(shell.input("system { root-authentication { plain-text-password; } }\n"));
  EXPECT_FALSE(reply.ok);
  EXPECT_THAT(reply.errors, HasSubstr("cannot be loaded"));
}

TEST_F(AccessTest, What_is_no_hash_is_refused_without_repeating_it) {
  setup({"configure"});
  const Reply reply = run("set system root-authentication encrypted-password hunter2-in-clear");
  EXPECT_FALSE(reply.ok);
  EXPECT_THAT(reply.errors.substr(reply.errors.find('^')), Not(HasSubstr("hunter2")));
}

// ===== the property =====

// Everything that a session can ask, with lines and as a program.
std::string everything_said(Shell& user) {
  std::string said;
  const auto add = [&](const Reply& reply) {
    said += reply.output + reply.errors + reply.data.dump() + "\n";
  };
  const auto settle = [&](Outcome outcome) {
    if (auto* deferred = std::get_if<Deferred<Reply>>(&outcome)) {
      deferred->work(nullptr);
      add(deferred->finish());
    } else {
      add(std::get<Reply>(outcome));
    }
  };
  const auto complete_all = [&](std::initializer_list<std::string_view> lines) {
    for (const auto line : lines) {
      const auto completion = complete(user, line);
      for (const auto& offer : completion.offers) {
        said += offer.text + " " + offer.help + "\n";
      }
      said += completion.problem ? completion.problem->message : "";
    }
  };
  for (const std::string_view line : {"show configuration",
                                      "show configuration | display set",
                                      "show configuration | display json",
                                      "show configuration system login",
                                      "show configuration interfaces",
                                      "show configuration | compare rollback 1",
                                      "show system commit",
                                      "configure",
                                      "show",
                                      "show | display set",
                                      "show | display json",
                                      "show | display set relative",
                                      "show system",
                                      "show system login",
                                      "show interfaces",
                                      "show | compare",
                                      "show | compare | display set",
                                      "show | compare rollback 1",
                                      "show | compare rollback 2",
                                      "show | plan",
                                      "commit check",
                                      "save terminal",
                                      "edit system login",
                                      "show",
                                      "top",
                                      "delete system",
                                      "delete interfaces",
                                      "delete interfaces eth1",
                                      "rollback 1",
                                      "rollback 2",
                                      "copy interfaces eth1 to eth0",
                                      "rename interfaces eth1 to eth2",
                                      "deactivate system login",
                                      "status",
                                      "commit",
                                      "exit"}) {
    settle(user.execute(line));
    if (line == "exit") {
      break;
    }
    complete_all({"show ", "set ", "show system login user ", "set system login user ",
                  "show interfaces ", "set interfaces ", "delete interfaces eth1 ",
                  "edit interfaces ", "show configuration interfaces ",
                  "show interfaces eth1 description ", "show interfaces eth1 unit ", "rollback "});
  }
  using nlohmann::json;
  std::vector<std::pair<std::string, json>> calls;
  for (const char* source : {"running", "candidate"}) {
    for (const char* format : {"text", "set", "json"}) {
      calls.emplace_back("configuration.get", json{{"source", source}, {"format", format}});
      calls.emplace_back(
          "configuration.get",
          json{{"source", source}, {"format", format}, {"path", {"system", "login"}}});
    }
  }
  calls.emplace_back("configuration.get", json{{"source", 1}});
  for (const char* format : {"text", "set"}) {
    calls.emplace_back("configuration.compare", json{{"format", format}});
    calls.emplace_back("configuration.compare", json{{"format", format}, {"revision", 1}});
  }
  calls.emplace_back("configuration.load",
                     json{{"text", "interfaces { eth0 { mtu 1300; } }"}, {"action", "override"}});
  for (const char* method : {"configuration.plan", "configuration.check", "configuration.commit",
                             "configuration.discard", "system.revisions"}) {
    calls.emplace_back(method, json::object());
  }
  for (auto& [method, params] : calls) {
    auto outcome = call_program(user, {1, method, params});
    EXPECT_TRUE(outcome) << method;
    if (!outcome) {
      continue;
    }
    ProgramResult result = std::unexpected(RpcError{});
    if (auto* deferred = std::get_if<Deferred<ProgramResult>>(&*outcome)) {
      deferred->work(nullptr);
      result = deferred->finish();
    } else {
      result = std::get<ProgramResult>(*outcome);
    }
    said += result ? result->dump() : result.error().message + result.error().data.dump();
  }
  return said;
}

TEST_F(AccessTest, Nothing_that_a_user_may_not_see_is_in_any_reply) {
  support::Random random;
  for (int round = 0; round < 6; ++round) {
    // What carries the marker is in parts that the class does not see.
    const auto mark = [&](const char* line) {
      return random.below(4) != 0 ? std::string(line) + "\n" : std::string();
    };
    in_force(
        "delete system\ndelete interfaces\nset interfaces eth0 mtu 1400\n"
        "set interfaces eth0 description seen\nset interfaces eth1 mtu 1500\n"
        "set system login class mine permissions [ view configure interface-control ]\n"
        "set system login class mine deny-configuration \"interfaces eth1\"\n"
        "set system login user bob class mine\n" +
        mark("set interfaces eth1 description marker-1") +
        mark("set interfaces eth1 unit 0 description marker-2") +
        mark("set interfaces eth1 unit 0 family inet6 address 2001:db8:dead::1/64") +
        mark("set system host-name marker-3") +
        mark("set system login user marker_4 class operator") +
        mark("set system login user bob full-name marker-5") +
        "set system login user bob authentication encrypted-password \"" + std::string(kHash) +
        "\"\n" + mark("set system ntp server marker-6.example"));
    in_force("set interfaces eth0 mtu 1450\n" + mark("set system host-name marker-7"));
    tree::Editor editor(engine.running());
    ASSERT_TRUE(tree::load(editor, {}, "set system host-name marker-8\n", tree::LoadAction::Set)
                    .errors.empty());
    services.candidate.reset(editor.tree());
    engine.findings = {};
    engine.findings.warning("system login user marker_9", "class", "the class of marker-9 is odd");
    engine.findings.warning("interfaces eth0", "mtu", "seen too");
    engine.steps = {{"login", "create user marker_10", false}, {"interfaces", "raise eth1", false}};
    auto user = login("bob");
    const std::string said = everything_said(*user);
    EXPECT_THAT(said, HasSubstr("eth0"));
    EXPECT_THAT(said, HasSubstr("seen too"));
    for (const char* hidden : {"marker", "$6$", "2001:db8:dead"}) {
      EXPECT_EQ(said.find(hidden), std::string::npos)
          << "round " << round << ": "
          << said.substr(said.find(hidden) < 200 ? 0 : said.find(hidden) - 200, 400);
    }
  }
}

// ===== the record =====

class RecordTest : public AccessTest {
 protected:
  RecordTest() {
    services.audit.set_sink([this](const AuditEntry& entry) { entries.push_back(entry); });
  }
  std::string messages() const {
    std::string text;
    for (const auto& entry : entries) {
      text += entry.message + "\n";
    }
    return text;
  }
  std::vector<AuditEntry> entries;
};

TEST_F(RecordTest, Has_who_what_and_how_it_went_in_whole_words) {
  setup({"conf", "se sys host r7"});
  run("set system host-name r_8_");
  EXPECT_THAT(messages(), HasSubstr("user=alice uid=0 pid=42 tty=none from=local "
                                    "command=\"configure\" result=ok\n"));
  EXPECT_THAT(messages(), HasSubstr("command=\"set system host-name r7\" result=ok\n"));
  EXPECT_EQ(entries.size(), 2U) << "a line that is refused never was a command";
}

TEST_F(RecordTest, Has_what_was_denied) {
  in_force("set system login user bob class read-only\n");
  auto user = login("bob");
  run_as(*user, "configure");
  EXPECT_THAT(messages(), HasSubstr("user=bob uid=2001 pid=43 tty=none from=local "
                                    "command=\"configure\" result=denied\n"));
}

TEST_F(RecordTest, Has_no_secrets) {
  setup({"configure"});
  run("set system root-authentication encrypted-password \"" + std::string(kHash) + "\"");
  run("set system login user bob authentication plain-text-password");
  settle(shell.answer("correct horse"));
  settle(shell.answer("correct horse"));
  run("commit");
  EXPECT_THAT(messages(), HasSubstr("root-authentication encrypted-password"));
  EXPECT_THAT(messages(), Not(HasSubstr("$6$")));
  EXPECT_THAT(messages(), Not(HasSubstr("$y$")));
  EXPECT_THAT(messages(), Not(HasSubstr("correct")));
}

TEST_F(RecordTest, No_text_of_a_user_can_begin_a_line_or_a_field) {
  Peer peer{2001, 7, "bob"};
  services.audit.command(peer, "annotate x \"a\nuser=root uid=0 \x1b[2J\\ \xff é\" result=ok",
                         Audit::Result::Failed);
  ASSERT_EQ(entries.size(), 1U);
  for (const auto& [name, value] : entries[0].fields) {
    EXPECT_EQ(value.find('\n'), std::string::npos);
  }
  EXPECT_THAT(entries[0].message,
              HasSubstr("command=\"annotate x \\\"a\\x0auser=root uid=0 \\x1b[2J\\\\ \\xff é\\\" "
                        "result=ok\" result=failed"));
}

TEST_F(RecordTest, An_entry_and_their_number_are_bounded) {
  Peer peer{2001, 7, "bob"};
  services.audit.command(peer, std::string(100'000, 'x'), Audit::Result::Done);
  EXPECT_LE(entries[0].message.size(), Audit::kLongestEntry + 64);
  services.audit.set_limits({.burst = 10, .per_second = 0});
  entries.clear();
  for (int i = 0; i < 100; ++i) {
    services.audit.command(peer, "show version", Audit::Result::Done);
  }
  EXPECT_EQ(entries.size(), 10U);
  services.audit.set_limits({.burst = 10, .per_second = 0});
  services.audit.command(peer, "show version", Audit::Result::Done);
  EXPECT_EQ(entries[10].message, "90 entries were left out: too many at once");
}

TEST_F(RecordTest, A_commit_has_each_statement_that_it_changed) {
  setup({"configure", "set system host-name r7", "set interfaces eth0 unit 0 description x"});
  run("set system root-authentication encrypted-password \"" + std::string(kHash) + "\"");
  entries.clear();
  ASSERT_TRUE(run("commit").ok);
  EXPECT_THAT(messages(), HasSubstr("change=\"set system host-name r7\" result=revision-2\n"));
  EXPECT_THAT(messages(),
              HasSubstr("change=\"set interfaces eth0 unit 0 description x\" result=revision-2"));
  EXPECT_THAT(messages(), HasSubstr("encrypted-password /* SECRET-DATA */"));
}

}  // namespace
}  // namespace millrace::server
