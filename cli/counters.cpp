// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/counters.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <fstream>
#include <system_error>
#include <utility>

namespace millrace::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kEscape = 27;
constexpr int kControlD = 4;
constexpr int kControlU = 21;

std::uint64_t number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  stream >> value;
  return stream ? value : 0;
}

std::string text_in(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  stream >> text;
  return text;
}

Counters::Direction read_direction(const fs::path& folder, const std::string& side) {
  return {number_in(folder / (side + "_packets")), number_in(folder / (side + "_bytes")),
          number_in(folder / (side + "_errors")), number_in(folder / (side + "_dropped"))};
}

// eth2 before eth10.
std::pair<std::string, std::uint64_t> order_of(const std::string& name) {
  const auto digits = name.find_last_not_of("0123456789") + 1;
  std::uint64_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return {name.substr(0, digits), number};
}

}  // namespace

std::vector<Counters> read_counters(const fs::path& folder) {
  std::vector<Counters> out;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const fs::path statistics = at->path() / "statistics";
    std::error_code none;
    if (!fs::is_directory(statistics, none)) {
      continue;  // files of the bonding driver stand there too
    }
    const std::string name = at->path().filename().string();
    out.push_back({name == "lo" ? "lo0" : name, text_in(at->path() / "carrier") == "1",
                   read_direction(statistics, "rx"), read_direction(statistics, "tx")});
  }
  std::ranges::sort(out, {}, [](const Counters& each) { return order_of(each.name); });
  return out;
}

InterfaceMonitor::InterfaceMonitor(std::string host, std::string only)
    : host_(std::move(host)), only_(std::move(only)) {}

void InterfaceMonitor::sample(std::vector<Counters> counters, double seconds) {
  if (started_ < 0) {
    started_ = seconds;
    base_ = before_ = counters;
  } else if (!frozen_) {
    interval_ = std::max(seconds - now_, 0.001);
    before_ = std::exchange(latest_, {});
  }
  if (!frozen_ || latest_.empty()) {
    latest_ = std::move(counters);
    now_ = seconds;
  }
}

const Counters* InterfaceMonitor::find(const std::vector<Counters>& list,
                                       const std::string& name) const {
  const auto found = std::ranges::find(list, name, &Counters::name);
  return found == list.end() ? nullptr : &*found;
}

std::uint64_t InterfaceMonitor::rate(std::uint64_t now, std::uint64_t before) const {
  return now < before ? 0
                      : static_cast<std::uint64_t>(static_cast<double>(now - before) / interval_);
}

void InterfaceMonitor::next() {
  const auto at = std::ranges::find(latest_, only_, &Counters::name);
  if (!latest_.empty()) {
    only_ = at == latest_.end() || at + 1 == latest_.end() ? latest_.front().name : (at + 1)->name;
  }
}

InterfaceMonitor::Key InterfaceMonitor::handle(int key) {
  switch (key) {
    case 'q':
    case 'Q':
    case kEscape:
      return Key::Quit;
    case 'b':
      unit_ = Unit::Bytes;
      return Key::Changed;
    case 'p':
      unit_ = Unit::Packets;
      return Key::Changed;
    case 'c':
      base_ = latest_;
      started_ = now_;
      return Key::Changed;
    case 'd':
      delta_ = true;
      return Key::Changed;
    case 'r':
      delta_ = false;
      return Key::Changed;
    case 'f':
      frozen_ = true;
      return Key::Changed;
    case 't':
      frozen_ = false;
      return Key::Changed;
    case 'n':
      if (only_.empty()) {
        return Key::Unknown;
      }
      next();
      return Key::Changed;
    case 'i':
      only_ = only_.empty() && !latest_.empty() ? latest_.front().name : std::string();
      return Key::Changed;
    case kControlD:
      first_ = first_ + 1 < latest_.size() ? first_ + 1 : first_;
      return Key::Changed;
    case kControlU:
      first_ -= first_ > 0 ? 1 : 0;
      return Key::Changed;
    default:
      return Key::Unknown;
  }
}

std::string InterfaceMonitor::header(std::size_t columns, const std::string& clock) const {
  const std::string seconds = std::format("Seconds: {:.0f}", std::max(now_ - started_, 0.0));
  const std::string time = "Time: " + clock;
  const std::size_t used = host_.size() + seconds.size() + time.size();
  const std::size_t gap = columns > used ? (columns - used) / 2 : 1;
  return host_ + std::string(gap, ' ') + seconds + std::string(gap, ' ') + time;
}

std::vector<std::string> InterfaceMonitor::all_lines(std::size_t rows) const {
  const bool bytes = unit_ == Unit::Bytes;
  const std::string unit = bytes ? "bytes" : "packets";
  const std::string per = delta_ ? "(delta)" : bytes ? "(bps)" : "(pps)";
  std::vector<std::string> out = {std::format("{:<10} {:>5} {:>15} {:>12} {:>15} {:>12}",
                                              "Interface", "Link", "Input " + unit, per,
                                              "Output " + unit, per)};
  for (std::size_t at = first_; at < latest_.size() && out.size() < rows; ++at) {
    const Counters& now = latest_[at];
    const Counters* before = find(before_, now.name);
    const Counters* base = find(base_, now.name);
    const auto column = [&](const Counters::Direction Counters::* side) {
      const auto take = [&](const Counters* from) -> std::uint64_t {
        return !from ? 0 : bytes ? (from->*side).bytes : (from->*side).packets;
      };
      const std::uint64_t value = take(&now);
      // Rates of bytes are given in bits, as on every other screen of a router.
      const std::uint64_t moved =
          delta_ ? value - std::min(value, take(base))
                 : rate(value, take(before ? before : &now)) * (bytes ? 8U : 1U);
      return std::pair(value, std::format("({})", moved));
    };
    const auto [in, in_rate] = column(&Counters::in);
    const auto [sent, sent_rate] = column(&Counters::out);
    out.push_back(std::format("{:<10} {:>5} {:>15} {:>12} {:>15} {:>12}", now.name,
                              now.up ? "Up" : "Down", in, in_rate, sent, sent_rate));
  }
  return out;
}

std::vector<std::string> InterfaceMonitor::one_lines() const {
  const Counters* now = find(latest_, only_);
  if (!now) {
    return {"Interface: " + only_ + " is not there"};
  }
  const Counters* before = find(before_, only_);
  const Counters* base = find(base_, only_);
  std::vector<std::string> out = {
      "Interface: " + now->name + ", Link is " + (now->up ? "Up" : "Down"), "",
      std::format("{:<57}{}", "Traffic statistics:", "Current delta")};
  const auto line = [&](std::string_view name, std::uint64_t value, std::uint64_t was,
                        std::uint64_t at_start, std::string_view unit, unsigned scale) {
    const std::string speed =
        unit.empty() ? "" : std::format("({} {})", rate(value, was) * scale, unit);
    out.push_back(std::format("  {:<18} {:>16} {:<18} {}", name, value, speed,
                              std::format("[{}]", value - std::min(value, at_start))));
  };
  const Counters zero{};
  const Counters& was = before ? *before : *now;
  const Counters& start = base ? *base : zero;
  line("Input bytes:", now->in.bytes, was.in.bytes, start.in.bytes, "bps", 8);
  line("Output bytes:", now->out.bytes, was.out.bytes, start.out.bytes, "bps", 8);
  line("Input packets:", now->in.packets, was.in.packets, start.in.packets, "pps", 1);
  line("Output packets:", now->out.packets, was.out.packets, start.out.packets, "pps", 1);
  out.emplace_back("Error statistics:");
  line("Input errors:", now->in.errors, was.in.errors, start.in.errors, "", 1);
  line("Input drops:", now->in.drops, was.in.drops, start.in.drops, "", 1);
  line("Output errors:", now->out.errors, was.out.errors, start.out.errors, "", 1);
  line("Output drops:", now->out.drops, was.out.drops, start.out.drops, "", 1);
  return out;
}

std::vector<std::string> InterfaceMonitor::lines(std::size_t rows, std::size_t columns,
                                                 const std::string& clock) const {
  constexpr std::string_view kAllKeys =
      "Bytes=b, Clear=c, Delta=d, Packets=p, Quit=q or ESC, Rate=r, Up=^U, Down=^D";
  constexpr std::string_view kOneKeys = "Next=n, Other=i, Freeze=f, Thaw=t, Clear=c, Quit=q or ESC";
  std::vector<std::string> out = {header(columns, clock), ""};
  const std::size_t body = rows > out.size() + 2 ? rows - out.size() - 2 : 0;
  for (auto& line : only_.empty() ? all_lines(body) : one_lines()) {
    out.push_back(std::move(line));
  }
  if (rows > 1) {
    out.resize(rows - 1);
  }
  out.emplace_back(only_.empty() ? kAllKeys : kOneKeys);
  if (frozen_) {
    out.back() = "(frozen) " + out.back();
  }
  out.resize(std::min(out.size(), rows));
  for (auto& line : out) {
    line.resize(std::min(line.size(), columns));
  }
  return out;
}

}  // namespace millrace::cli
