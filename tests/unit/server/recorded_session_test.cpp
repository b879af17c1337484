// SPDX-License-Identifier: GPL-2.0-or-later
//
// docs/guide/session.md, typed again on a real terminal: what the page shows is what happens. With
// MILLRACE_UPDATE_CASES=1 the page is written anew from what happened; read it before you commit
// it.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>

#include "support/pseudo_terminal.h"
#include "unit/server/end_to_end.h"

namespace millrace {
namespace {

const std::filesystem::path kPage = MILLRACE_SOURCE_DIR "/docs/guide/session.md";
constexpr std::string_view kFence = "```session\n";

class RecordedSession : public EndToEnd {
 protected:
  void SetUp() override {
    EndToEnd::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    ASSERT_EQ(sethostname("r1", 2), 0);
    // Accounts like those of a router: without any, everybody is told so.
    for (const char* name : {"passwd", "shadow", "group", "gshadow"}) {
      const auto text = base::read_file(std::filesystem::path("/etc") / name);
      ASSERT_TRUE(text) << name;
      ASSERT_TRUE(base::write_file(folder_ / "root/etc" / name, *text, 0600));
    }
    stop_daemon(SIGTERM);
    start_daemon();
  }

  // Everything up to the next prompt, which is left out, and what it was: '>' or '#'.
  std::string until_prompt(test::PseudoTerminal& terminal, char& mode) {
    std::string out;
    for (;;) {
      out += terminal.see("root@r1");
      const std::string next = terminal.see(" ");
      if (next == "> " || next == "# ") {
        mode = next[0];
        out.resize(out.size() - std::string_view("root@r1").size());
        return out;
      }
      if (next.empty()) {
        return out;
      }
      out += next;
    }
  }
};

// As a page has it: no carriage returns, no blanks at the end of a line.
std::string as_page(const std::string& text) {
  std::string out;
  for (const char byte : text) {
    if (byte == '\n') {
      out.erase(out.find_last_not_of(' ') + 1);
    }
    if (byte != '\r' && byte != '\a') {
      out += byte;
    }
  }
  return out;
}

// What differs from day to day and from machine to machine.
std::string settled(std::string text) {
  static const std::regex kTime("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} [A-Z]+");
  static const std::regex kVersion("(Millrace|Kernel|Model): .*");
  static const std::regex kLocal(" *fe80:[0-9a-f:/]*\n");
  static const std::regex kMac("([0-9a-f]{2}:){5}[0-9a-f]{2}");
  static const std::regex kSeconds("commit-seconds\": \"[0-9]+");
  text = std::regex_replace(text, kTime, "TIME");
  text = std::regex_replace(text, kSeconds, "commit-seconds\": \"N");
  text = std::regex_replace(text, kLocal, "\n");
  text = std::regex_replace(text, kMac, "MAC");
  return std::regex_replace(text, kVersion, "$1: X");
}

std::vector<std::string> typed_lines(std::string_view block) {
  std::vector<std::string> out;
  while (!block.empty()) {
    const auto end = block.find('\n');
    const auto line = block.substr(0, end);
    if (line.starts_with("root@r1> ") || line.starts_with("root@r1# ")) {
      out.emplace_back(line.substr(9));
    }
    block.remove_prefix(end == std::string_view::npos ? block.size() : end + 1);
  }
  // After `?` and after an error the line comes back; it was typed once.
  std::vector<std::string> once;
  for (const auto& line : out) {
    const bool comes_back = !once.empty() && (once.back() == line || once.back() == line + " ?" ||
                                              once.back() == line + "?");
    if (!comes_back) {
      once.push_back(line);
    }
  }
  return once;
}

TEST_F(RecordedSession, The_page_shows_what_happens) {
  const auto page = base::read_file(kPage);
  ASSERT_TRUE(page);
  const auto start = page->find(kFence) + kFence.size();
  const auto end = page->find("```", start);
  ASSERT_TRUE(end != std::string::npos && start < end);
  const std::string block = page->substr(start, end - start);

  test::PseudoTerminal terminal;
  const std::string program = kBuild / "cli/cli";
  const std::string path = socket();
  terminal.start("dumb", {.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0}, [&] {
    execl(program.c_str(), program.c_str(), "--socket", path.c_str(), nullptr);
  });
  char mode = '>';
  until_prompt(terminal, mode);
  // The page has long output in one piece.
  terminal.type("set cli screen-length 0\n");
  until_prompt(terminal, mode);
  std::string shown;
  for (const auto& line : typed_lines(block)) {
    shown += "root@r1" + std::string(1, mode) + " ";
    const bool asks = line.ends_with('?');
    terminal.type(asks ? line : line + "\n");
    shown += until_prompt(terminal, mode);
    const bool refused = shown.find("^\r\n", shown.rfind("root@r1")) != std::string::npos;
    if (asks || refused) {
      terminal.type("\x15\n");  // the line came back; the page goes on without it
      until_prompt(terminal, mode);
    }
  }
  shown = as_page(shown);
  if (std::getenv("MILLRACE_UPDATE_CASES") != nullptr) {
    ASSERT_TRUE(base::write_file(kPage, page->substr(0, start) + shown + page->substr(end)));
    GTEST_SKIP() << "the page is written anew";
  }
  EXPECT_EQ(settled(shown), settled(block));
}

}  // namespace
}  // namespace millrace
