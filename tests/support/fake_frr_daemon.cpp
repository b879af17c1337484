// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/fake_frr_daemon.h"

#include <algorithm>
#include <format>
#include <sstream>

#include "base/words.h"

namespace millrace::test {
namespace {

using appliers::form_of;
using appliers::FrrLine;

constexpr std::string_view kInterface = "interface ";

bool opens(std::string_view line) {
  return line.starts_with("router bgp ") || line == "router ospf" ||
         line.starts_with("route-map ") || line == "rpki" || line.starts_with("address-family ") ||
         line.starts_with(kInterface);
}

// The part of a list or route-map by which all of it is deleted, "route-map R".
bool is_whole(const std::vector<std::string>& words) {
  if (words.empty()) {
    return false;
  }
  return (words[0] == "route-map" && words.size() == 2) ||
         ((words[0] == "ip" || words[0] == "ipv6") && words.size() == 3) ||
         (words[0] == "bgp" && words.size() > 1 && words[1].ends_with("-list") &&
          words.size() == 4) ||
         (words[0] == "bgp" && words.size() == 4 && words[1] == "as-path") ||
         (words[0] == "router" && (words.size() == 3 || words.back() == "ospf")) ||
         (words[0] == "rpki" && words.size() == 1);
}

bool starts_with_words(std::string_view text, std::string_view words) {
  return text == words || (text.starts_with(words) && text[words.size()] == ' ');
}

bool of_neighbor(const FrrLine& line, std::string_view name) {
  const std::string_view text =
      line.text.starts_with("no ") ? std::string_view(line.text).substr(3) : line.text;
  return starts_with_words(text, std::format("neighbor {}", name));
}

}  // namespace

void FakeFrrDaemon::start(std::string_view file) {
  running_ = true;
  std::istringstream stream{std::string(file)};
  for (std::string line; std::getline(stream, line);) {
    line.erase(0, line.find_first_not_of(' '));
    const bool frame = line.empty() || line.starts_with("!") || line.starts_with("frr ") ||
                       line.starts_with("log ");
    if (!frame) {
      static_cast<void>(run(line));
    }
  }
  end();
}

void FakeFrrDaemon::stop() {
  running_ = false;
  lines_.clear();
  end();
}

std::string FakeFrrDaemon::block() const {
  std::string block;
  for (const std::string& head : heads_) {
    block += (block.empty() ? "" : "\n") + head;
  }
  return block;
}

bool FakeFrrDaemon::has(std::string_view block, std::string_view text) const {
  return std::ranges::any_of(
      lines_, [&](const Line& line) { return line.block == block && line.text == text; });
}

std::string FakeFrrDaemon::run(const std::string& line) {
  if (line == "exit" || line == "exit-address-family") {
    if (!heads_.empty()) {
      heads_.pop_back();
    }
    return {};
  }
  if (opens(line)) {
    const bool inner = line.starts_with("address-family ");
    if (inner && heads_.size() != 1) {
      return "% Unknown command: " + line + "\n";
    }
    if (!inner) {
      heads_.clear();
    }
    if (line.starts_with("router bgp ")) {
      for (const Line& other : lines_) {
        if (other.text.starts_with("router bgp ") && other.text != line) {
          return "% BGP is already running; AS is " + other.text.substr(11) + "\n";
        }
      }
    }
    // FRR prints no interface that has no lines
    if (!inner && !line.starts_with(kInterface) && !has("", line)) {
      put("", line);
    }
    heads_.push_back(line);
    return {};
  }
  return line.starts_with("no ") ? remove(line.substr(3)) : add(line);
}

std::string FakeFrrDaemon::add(const std::string& line) {
  const std::string here = block();
  const auto words = base::split_words(line);
  if (words[0] == "neighbor" && words.size() > 2) {
    const bool creates =
        heads_.size() == 1 && (words[2] == "remote-as" || words[2] == "peer-group");
    const bool there = std::ranges::any_of(lines_, [&](const Line& other) {
      return other.block == heads_.front() && of_neighbor(other, words[1]);
    });
    if (!creates && !there) {
      return "% Specify remote-as or peer-group commands first\n";
    }
  }
  if (line.starts_with("ip ospf area ") && std::ranges::any_of(lines_, [&](const Line& other) {
        return other.block == here && other.text.starts_with("ip ospf area ");
      })) {
    return "% Must remove previous area config before changing ospf area\n";
  }
  if (here.empty() && !is_whole({words.begin(), words.begin() + (words[0] == "bgp" ? 4 : 3)})) {
    return "% Unknown command: " + line + "\n";
  }
  // The opposite of a line that begins with no.
  if (std::erase_if(lines_, [&](const Line& other) {
        return other.block == here && other.text == "no " + line;
      }) > 0) {
    return {};
  }
  const appliers::FrrForm form = form_of(line);
  for (Line& other : lines_) {
    if (other.block == here && other.text.starts_with("no ") == line.starts_with("no ") &&
        other.form.slot == form.slot) {
      other.text = line;
      other.form = form;
      return {};
    }
  }
  put(here, line);
  return {};
}

void FakeFrrDaemon::put(std::string block, const std::string& text) {
  lines_.push_back({{std::move(block), text}, form_of(text)});
}

// Lists, route-maps, neighbours and routers go with everything that is in them.
bool FakeFrrDaemon::remove_whole(const std::string& what) {
  const auto words = base::split_words(what);
  if (!heads_.empty()) {
    const bool group = words.size() == 3 && words[2] == "peer-group";
    return words[0] == "neighbor" && (words.size() == 2 || group) &&
           std::erase_if(lines_, [&](const Line& line) {
             return line.block.starts_with(heads_.front()) && of_neighbor(line, words[1]);
           }) > 0;
  }
  return is_whole(words) &&
         std::erase_if(lines_, [&](const Line& line) {
           return starts_with_words(
               line.block.empty() ? line.text : line.block.substr(0, line.block.find('\n')), what);
         }) > 0;
}

std::string FakeFrrDaemon::remove(const std::string& what) {
  const auto words = base::split_words(what);
  if (words.size() == 3 && words[0] == "neighbor" && words[2] == "peer-group" &&
      std::ranges::any_of(lines_, [&](const Line& line) {
        return line.text.starts_with("bgp listen range ") && line.text.ends_with(" " + words[1]);
      })) {
    return "% Can't delete a peer-group that a listen range uses\n";
  }
  if (remove_whole(what)) {
    return {};
  }
  if (heads_.empty()) {
    return "% Can't find " + what + "\n";
  }
  const std::string here = block();
  const std::string command = "no " + what;
  if (std::erase_if(lines_, [&](const Line& line) {
        return line.block == here && line.form.removal == command;
      }) > 0) {
    return {};
  }
  return add(command);
}

std::string FakeFrrDaemon::running_config() const {
  std::string text;
  const auto print = [&](std::string_view block, std::size_t depth) {
    for (const Line& line : lines_) {
      if (line.block == block) {
        text += std::string(depth, ' ') + line.text + "\n";
      }
    }
  };
  std::vector<std::string> interfaces;
  for (const Line& line : lines_) {
    if (line.block.starts_with(kInterface) &&
        std::ranges::find(interfaces, line.block) == interfaces.end()) {
      interfaces.push_back(line.block);
    }
  }
  for (const std::string& interface : interfaces) {
    text += interface + "\n";
    print(interface, 1);
    text += "exit\n!\n";
  }
  for (const Line& top : lines_) {
    if (!top.block.empty()) {
      continue;
    }
    text += top.text + "\n";
    print(top.text, 1);
    std::vector<std::string> families;
    for (const Line& line : lines_) {
      if (line.block.starts_with(top.text + "\n") &&
          std::ranges::find(families, line.block) == families.end()) {
        families.push_back(line.block);
      }
    }
    for (const std::string& family : families) {
      text += " !\n " + family.substr(family.find('\n') + 1) + "\n";
      print(family, 2);
      text += " exit-address-family\n";
    }
    text += opens(top.text) ? "exit\n!\n" : "";
  }
  return text;
}

std::vector<std::string> FakeFrrDaemon::dump() const {
  std::vector<std::string> lines;
  for (const Line& line : lines_) {
    std::string place = line.block;
    std::ranges::replace(place, '\n', '/');
    lines.push_back(std::format("{}: {}{}{}", name_, place, place.empty() ? "" : ": ", line.text));
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace millrace::test
