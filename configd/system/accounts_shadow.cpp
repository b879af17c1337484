// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is there is read from the files themselves; what changes goes through useradd, usermod,
// userdel and chpasswd, which know the locks and write atomically. A password goes to chpasswd's
// standard input, never into an argument that others could see in /proc.
#include "system/accounts_shadow.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <format>
#include <map>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/process.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;
using base::Result;

constexpr std::string_view kShell = "/usr/bin/cli";
constexpr mode_t kHomeMode = 0700;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::uint32_t number(std::string_view text) {
  std::uint32_t value = ~std::uint32_t{0};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// passwd(5)
struct Entry {
  std::string name;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string full_name;
  std::string home;
};

class ShadowAccounts final : public Accounts {
 public:
  explicit ShadowAccounts(std::filesystem::path root) : root_(std::move(root)) {}

  Result<std::vector<Account>> owned() override {
    const auto entries = read_entries();
    const auto passwords = read_passwords();
    const auto group = group_id(kUserGroup);
    if (!entries || !passwords || !group) {
      return std::unexpected(!entries     ? entries.error()
                             : !passwords ? passwords.error()
                                          : group.error());
    }
    std::vector<Account> accounts;
    for (const Entry& entry : *entries) {
      if (*group && entry.gid == **group) {
        const auto password = passwords->find(entry.name);
        accounts.push_back({entry.name, entry.uid, entry.full_name,
                            password == passwords->end() ? "!" : password->second});
      }
    }
    std::ranges::sort(accounts, {}, &Account::name);
    return accounts;
  }

  Result<void> put(const Account& account) override {
    auto entries = read_entries();
    auto group = group_id(kUserGroup);
    if (!entries || !group) {
      return std::unexpected(!entries ? entries.error() : group.error());
    }
    if (!*group) {
      if (auto made = run("groupadd", {"--system", std::string(kUserGroup)}); !made) {
        return made;
      }
      group = group_id(kUserGroup);
      if (!group || !*group) {
        return fail(Code::Io, std::format("cannot make the group {}", kUserGroup));
      }
    }
    const Entry* mine = nullptr;
    for (const Entry& entry : *entries) {
      if (entry.name == account.name) {
        mine = &entry;
      } else if (entry.uid == account.uid) {
        return fail(Code::ApplyFailed,
                    std::format("uid {} is that of user '{}' already", account.uid, entry.name));
      }
    }
    if (mine && mine->gid != **group) {
      return fail(Code::ApplyFailed,
                  std::format("user '{}' exists and is not of the configuration", account.name));
    }
    const auto written = mine ? change(*mine, account) : create(account);
    if (!written) {
      return written;
    }
    if (auto home = make_home(account, **group); !home) {
      return home;
    }
    const auto password = this->password(account.name);
    return password && *password == account.password ? Result<void>()
                                                     : set_password(account.name, account.password);
  }

  Result<void> remove(std::string_view name) override {
    const auto accounts = owned();
    if (!accounts) {
      return std::unexpected(accounts.error());
    }
    const auto found = std::ranges::find(*accounts, name, &Account::name);
    if (found == accounts->end()) {
      return {};
    }
    // Nobody may log in any more, then nobody is logged in any more.
    if (auto locked = set_password(name, "!"); !locked) {
      return locked;
    }
    end_processes(found->uid);
    auto removed = run("userdel", {"--force", std::string(name)});
    end_processes(found->uid);  // of a login that was on its way
    return removed;
  }

  Result<std::string> password(std::string_view name) override {
    const auto passwords = read_passwords();
    if (!passwords) {
      return std::unexpected(passwords.error());
    }
    const auto found = passwords->find(name);
    if (found == passwords->end()) {
      return fail(Code::UnknownPath, std::format("there is no user '{}'", name));
    }
    return found->second;
  }

  Result<void> set_password(std::string_view name, std::string_view password) override {
    // chpasswd takes no empty one, which the admin of a live system has.
    return password.empty()
               ? run("usermod", {"--password", "", std::string(name)})
               : run("chpasswd", {"--encrypted"}, std::format("{}:{}\n", name, password));
  }

 private:
  Result<void> create(const Account& account) {
    return run("useradd",
               {"--no-create-home", "--no-user-group", "--uid", std::to_string(account.uid),
                "--gid", std::string(kUserGroup), "--groups", std::string(kSocketGroup),
                "--comment", account.full_name, "--home-dir", home_of(account.name), "--shell",
                std::string(kShell), account.name});
  }

  Result<void> change(const Entry& entry, const Account& account) {
    std::vector<std::string> options;
    if (entry.uid != account.uid) {
      end_processes(entry.uid);
      options.insert(options.end(), {"--uid", std::to_string(account.uid)});
    }
    if (entry.full_name != account.full_name) {
      options.insert(options.end(), {"--comment", account.full_name});
    }
    if (options.empty()) {
      return {};
    }
    options.push_back(account.name);
    return run("usermod", std::move(options));
  }

  static std::string home_of(std::string_view name) { return std::format("/home/{}", name); }

  Result<void> make_home(const Account& account, std::uint32_t group) const {
    const auto home = root_ / std::format("home/{}", account.name);
    std::error_code failed;
    if (std::filesystem::exists(home, failed)) {
      return {};
    }
    std::filesystem::create_directories(home.parent_path(), failed);
    if (::mkdir(home.c_str(), kHomeMode) != 0 || ::chown(home.c_str(), account.uid, group) != 0) {
      return fail(Code::Io, std::format("cannot make {}: {}", home.string(),
                                        std::generic_category().message(errno)));
    }
    return {};
  }

  Result<void> run(const char* program, std::vector<std::string> options,
                   std::string_view input = {}) const {
    std::vector<std::string> argv = {program};
    if (root_ != "/") {
      argv.insert(argv.end(), {"--prefix", root_.string()});
    }
    std::ranges::move(options, std::back_inserter(argv));
    const auto result = base::run_process(argv, input);
    if (!result) {
      return std::unexpected(result.error());
    }
    if (result->status != 0) {
      std::string said = result->errors.empty() ? result->output : result->errors;
      std::ranges::replace(said, '\n', ' ');
      return fail(Code::ApplyFailed, std::format("{} failed: {}", program, said));
    }
    return {};
  }

  Result<std::vector<std::vector<std::string>>> read_table(const char* file) const {
    const auto text = base::read_file(root_ / "etc" / file);
    if (!text) {
      return std::unexpected(text.error());
    }
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : split(*text, '\n')) {
      auto row = split(line, ':');
      if (row.size() > 1) {
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }

  Result<std::vector<Entry>> read_entries() const {
    const auto rows = read_table("passwd");
    if (!rows) {
      return std::unexpected(rows.error());
    }
    std::vector<Entry> entries;
    for (const auto& row : *rows) {
      if (row.size() >= 7) {
        entries.push_back({row[0], number(row[2]), number(row[3]), row[4], row[5]});
      }
    }
    return entries;
  }

  Result<std::map<std::string, std::string, std::less<>>> read_passwords() const {
    const auto rows = read_table("shadow");
    if (!rows) {
      return std::unexpected(rows.error());
    }
    std::map<std::string, std::string, std::less<>> passwords;
    for (const auto& row : *rows) {
      passwords.emplace(row[0], row[1]);
    }
    return passwords;
  }

  Result<std::optional<std::uint32_t>> group_id(std::string_view name) const {
    const auto rows = read_table("group");
    if (!rows) {
      return std::unexpected(rows.error());
    }
    for (const auto& row : *rows) {
      if (row[0] == name && row.size() > 2) {
        return number(row[2]);
      }
    }
    return std::nullopt;
  }

  // What runs as `uid`, first asked and then made to end.
  void end_processes(std::uint32_t uid) const {
    if (root_ != "/" || uid == 0) {
      return;
    }
    for (const int signal : {SIGHUP, SIGTERM, SIGKILL, SIGKILL}) {
      if (signal_processes(uid, signal) == 0) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  static int signal_processes(std::uint32_t uid, int signal) {
    int count = 0;
    std::error_code failed;
    for (const auto& process : std::filesystem::directory_iterator("/proc", failed)) {
      const auto pid = static_cast<pid_t>(number(process.path().filename().string()));
      if (pid > 1 && runs_as(process.path(), uid)) {
        ++count;
        ::kill(pid, signal);
      }
    }
    return count;
  }

  // By its own word, proc_pid_status(5): the folder of a process that changed its user, as sshd's
  // does, belongs to root.
  static bool runs_as(const std::filesystem::path& process, std::uint32_t uid) {
    constexpr std::string_view kUid = "\nUid:\t";
    const auto status = base::read_file(process / "status");
    if (!status) {
      return false;
    }
    const auto at = status->find(kUid);
    return at != std::string::npos &&
           number(std::string_view(*status).substr(at + kUid.size())) == uid;
  }

  std::filesystem::path root_;
};

}  // namespace

std::unique_ptr<Accounts> make_accounts(std::filesystem::path root) {
  return std::make_unique<ShadowAccounts>(std::move(root));
}

}  // namespace millrace::system
