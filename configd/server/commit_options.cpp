// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/commit_options.h"

#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "commit/saved.h"
#include "schema/values.h"

namespace millrace::server {
namespace {

using Form = CommitOptions::Form;
using Done = std::expected<void, Reply>;

constexpr unsigned kMaxMinutes = 65535;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kWords = {{
    {"activate", "Put into force what was prepared"},
    {"and-quit", "Leave configuration mode if it succeeds"},
    {"at", "Commit at a time, or when the router boots"},
    {"check", "Only look for mistakes"},
    {"comment", "Note that is kept with the revision"},
    {"confirmed", "Go back by itself unless it is confirmed in time"},
    {"full", "Bring every subsystem to what it should be, not only those that change"},
    {"label", "Name of the revision, for use wherever its number is"},
    {"prepare", "Come as far as possible without changing anything"},
}};
constexpr std::array<std::string_view, 3> kOtherEngines = {"no-synchronize", "peers-synchronize",
                                                           "synchronize"};

std::unexpected<Reply> refuse(const Call& call, std::size_t word, std::string_view message,
                              std::string_view hint = {}) {
  return std::unexpected(call.shell.refuse_word(call, word, message, hint));
}

// The word after the present one, which becomes the present one.
std::expected<std::string_view, Reply> argument(Call& call, std::string_view expected) {
  if (++call.next >= call.words.size()) {
    return refuse(call, call.next, "missing argument, expecting " + std::string(expected) + ".");
  }
  return call.word();
}

std::optional<std::string_view> next_word(const Call& call) {
  if (call.next + 1 >= call.words.size()) {
    return std::nullopt;
  }
  return call.words[call.next + 1].text;
}

Done read_comment(Call& call, CommitOptions& options) {
  const auto text = argument(call, "\"comment\"");
  if (!text) {
    return std::unexpected(text.error());
  }
  // In `show system commit` a line break would look like another commit.
  if (!schema::is_printable(*text)) {
    return refuse(call, call.next, "invalid comment: expected text without control characters");
  }
  options.comment = *text;
  return {};
}

Done read_label(Call& call, CommitOptions& options) {
  const auto name = argument(call, "<name>");
  if (!name) {
    return std::unexpected(name.error());
  }
  if (const auto valid = commit::check_name(*name); !valid) {
    return refuse(call, call.next, valid.error().message);
  }
  options.label = *name;
  return {};
}

// `confirmed`, `confirmed 5`, `confirmed 5 verify "ping 192.0.2.1"`, `confirmed cancel`
Done read_confirmed(Call& call, CommitOptions& options) {
  options.trial.emplace();
  auto word = next_word(call);
  if (word && word->size() > 1 && is(*word, "cancel")) {
    ++call.next;
    options.trial.reset();
    options.form = Form::Cancel;
    return {};
  }
  unsigned minutes = 0;
  if (word && !word->empty() && word->find_first_not_of("0123456789") == std::string_view::npos) {
    ++call.next;
    const auto [end, code] = std::from_chars(word->data(), word->data() + word->size(), minutes);
    if (code != std::errc() || minutes < 1 || minutes > kMaxMinutes) {
      return refuse(call, call.next,
                    "Value " + std::string(*word) + " is not within range (1..65535)");
    }
    options.trial->minutes = minutes;
    word = next_word(call);
  }
  if (word && is(*word, "verify")) {
    ++call.next;
    const auto probe = argument(call, "\"command\"");
    if (!probe) {
      return std::unexpected(probe.error());
    }
    options.trial->verify = *probe;
  }
  return {};
}

Done read_at(Call& call, CommitOptions& options) {
  const auto time = argument(call, "<time> or <reboot>");
  if (!time) {
    return std::unexpected(time.error());
  }
  options.form = Form::At;
  if (is(*time, "reboot")) {
    return {};
  }
  const std::int64_t now = std::time(nullptr);
  options.at = read_time(*time, now);
  if (!options.at) {
    return refuse(call, call.next,
                  "invalid time '" + std::string(*time) +
                      "': expected \"HH:MM[:SS]\", \"YYYY-MM-DD HH:MM[:SS]\" or reboot");
  }
  if (*options.at <= now) {
    return refuse(call, call.next, "invalid time '" + std::string(*time) + "': it has passed");
  }
  return {};
}

Done read_one(Call& call, CommitOptions& options) {
  const std::string_view word = call.word();
  const auto set_form = [&](Form form) {
    options.form = form;
    return Done();
  };
  // Shorter abbreviations would change their meaning when words are added.
  if (is(word, "at")) {
    return read_at(call, options);
  }
  if (word.size() > 1 && is(word, "and-quit")) {
    options.and_quit = true;
    return {};
  }
  if (word.size() > 1 && is(word, "activate")) {
    return set_form(Form::Activate);
  }
  if (word.size() > 1 && is(word, "check")) {
    return set_form(Form::Check);
  }
  if (word.size() > 2 && is(word, "comment")) {
    return read_comment(call, options);
  }
  if (word.size() > 2 && is(word, "confirmed")) {
    return read_confirmed(call, options);
  }
  if (is(word, "full")) {
    options.full = true;
    return {};
  }
  if (is(word, "label")) {
    return read_label(call, options);
  }
  if (word.size() > 1 && is(word, "prepare")) {
    return set_form(Form::Prepare);
  }
  for (const std::string_view other : kOtherEngines) {
    if (is(word, other)) {
      return refuse(
          call, call.next,
          "'commit " + std::string(other) + "' is not possible: this router has one engine",
          "plain 'commit' is all that is needed");
    }
  }
  return refuse(call, call.next, "syntax error, expecting <command>.");
}

// What does not go together; empty when all is well.
std::string contradiction(const CommitOptions& options) {
  const bool noted = !options.comment.empty() || !options.label.empty();
  switch (options.form) {
    case Form::Check:
    case Form::Prepare:
    case Form::Cancel:
      if (noted || options.and_quit || options.full || options.trial) {
        return std::string("syntax error: ") +
               (options.form == Form::Check     ? "'check' commits nothing and stands alone."
                : options.form == Form::Prepare ? "'prepare' commits nothing and stands alone."
                                                : "'confirmed cancel' stands alone.");
      }
      break;
    case Form::At:
      if (options.trial || options.full) {
        return "syntax error: 'at' goes with 'comment' and 'label' only.";
      }
      break;
    case Form::Activate:
      if (options.full) {
        return "syntax error: 'activate' does what was prepared and no more.";
      }
      break;
    case Form::Now:
      break;
  }
  return {};
}

// Two digits at `at`, or -1.
int two_digits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t index) {
    return index < text.size() && text[index] >= '0' && text[index] <= '9' ? text[index] - '0' : -1;
  };
  const int high = digit(at);
  const int low = digit(at + 1);
  return high < 0 || low < 0 ? -1 : high * 10 + low;
}

// "HH:MM" or "HH:MM:SS" into `time`.
bool read_clock(std::string_view text, std::tm& time) {
  time.tm_hour = two_digits(text, 0);
  time.tm_min = two_digits(text, 3);
  time.tm_sec = text.size() == 8 ? two_digits(text, 6) : 0;
  return (text.size() == 5 || (text.size() == 8 && text[5] == ':')) && text[2] == ':' &&
         time.tm_hour >= 0 && time.tm_hour < 24 && time.tm_min >= 0 && time.tm_min < 60 &&
         time.tm_sec >= 0 && time.tm_sec < 60;
}

}  // namespace

std::optional<std::int64_t> read_time(std::string_view text, std::int64_t now) {
  std::tm time{};
  const std::time_t base = now;
  localtime_r(&base, &time);
  time.tm_isdst = -1;
  if (text.size() > 11 && text[10] == ' ') {
    if (two_digits(text, 0) < 0 || two_digits(text, 2) < 0 || text[4] != '-' || text[7] != '-' ||
        !read_clock(text.substr(11), time)) {
      return std::nullopt;
    }
    time.tm_year = two_digits(text, 0) * 100 + two_digits(text, 2) - 1900;
    time.tm_mon = two_digits(text, 5) - 1;
    time.tm_mday = two_digits(text, 8);
    const std::tm wanted = time;
    const std::time_t at = mktime(&time);
    // mktime turns the 31st of February into a day of March.
    const bool exists = at != -1 && time.tm_mon == wanted.tm_mon && time.tm_mday == wanted.tm_mday;
    return exists ? std::optional<std::int64_t>(at) : std::nullopt;
  }
  if (!read_clock(text, time)) {
    return std::nullopt;
  }
  std::tm today = time;
  std::int64_t at = mktime(&today);
  if (at <= now) {
    ++time.tm_mday;
    at = mktime(&time);
  }
  return at;
}

std::span<const std::pair<std::string_view, std::string_view>> commit_words() {
  return kWords;
}

std::expected<CommitOptions, Reply> read_commit_options(Call& call) {
  CommitOptions options;
  std::size_t forms = 0;
  for (; !call.at_end(); ++call.next) {
    const std::size_t word = call.next;
    const Form before = std::exchange(options.form, Form::Now);
    if (auto done = read_one(call, options); !done) {
      return std::unexpected(std::move(done.error()));
    }
    if (options.form != Form::Now && ++forms > 1) {
      return refuse(call, word, "syntax error: only one form of commit at a time.");
    }
    options.form = options.form == Form::Now ? before : options.form;
  }
  if (const std::string problem = contradiction(options); !problem.empty()) {
    return refuse(call, call.words.size(), problem);
  }
  return options;
}

}  // namespace millrace::server
