// SPDX-License-Identifier: GPL-2.0-or-later
//
// `| resolve` and `| suppress-zeros`: pipes that look at the words of a line.
#include <arpa/inet.h>
#include <netdb.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "cli/text_pipes.h"

namespace millrace::cli {
namespace {

bool is_address_byte(char byte) {
  return std::isxdigit(static_cast<unsigned char>(byte)) != 0 || byte == '.' || byte == ':';
}

// The socket address of `text`, or nothing.
std::optional<sockaddr_storage> parse(const std::string& text) {
  sockaddr_storage storage{};
  auto* four = reinterpret_cast<sockaddr_in*>(&storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
  if (inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
    storage.ss_family = AF_INET;
  } else if (inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) == 1) {
    storage.ss_family = AF_INET6;
  } else {
    return std::nullopt;
  }
  return storage;
}

bool is_zero(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char byte) { return byte == '0'; });
}

bool is_number(std::string_view word) {
  return !word.empty() &&
         std::ranges::all_of(word, [](char byte) { return byte >= '0' && byte <= '9'; });
}

// Whether the line has numbers that stand alone, and all of them are zero.
bool is_all_zeros(std::string_view line) {
  constexpr std::string_view kBetween = " \t,:()[]";
  bool has_numbers = false;
  while (!line.empty()) {
    const auto start = std::min(line.find_first_not_of(kBetween), line.size());
    line.remove_prefix(start);
    const auto end = std::min(line.find_first_of(kBetween), line.size());
    const auto word = line.substr(0, end);
    line.remove_prefix(end);
    if (is_number(word)) {
      has_numbers = true;
      if (!is_zero(word)) {
        return false;
      }
    }
  }
  return has_numbers;
}

}  // namespace

std::optional<std::string> host_name_of(const std::string& address) {
  const auto socket = parse(address);
  if (!socket) {
    return std::nullopt;
  }
  std::array<char, NI_MAXHOST> name{};
  const auto size = static_cast<socklen_t>(socket->ss_family == AF_INET ? sizeof(sockaddr_in)
                                                                        : sizeof(sockaddr_in6));
  const int outcome = getnameinfo(reinterpret_cast<const sockaddr*>(&*socket), size, name.data(),
                                  name.size(), nullptr, 0, NI_NAMEREQD);
  return outcome == 0 ? std::optional<std::string>(name.data()) : std::nullopt;
}

std::string resolve(std::string_view text, bool full_names, const NameOf& name_of) {
  std::map<std::string, std::string> known;
  std::string out;
  while (!text.empty()) {
    const auto end =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_address_byte) - text.begin());
    std::string word(text.substr(0, end));
    text.remove_prefix(end);
    const auto [place, is_new] = known.try_emplace(word, word);
    if (is_new && parse(word)) {
      if (const auto name = name_of(word)) {
        place->second = full_names ? *name : name->substr(0, name->find('.'));
      }
    }
    out += place->second;
    // Up to where a word can begin again: a letter before it makes it part of a name.
    std::size_t next = 0;
    while (next < text.size() &&
           (!is_address_byte(text[next]) ||
            (next > 0 && (std::isalnum(static_cast<unsigned char>(text[next - 1])) != 0 ||
                          text[next - 1] == '-' || text[next - 1] == '_')))) {
      ++next;
    }
    out += text.substr(0, next);
    text.remove_prefix(next);
  }
  return out;
}

std::string suppress_zeros(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    if (!is_all_zeros(line.substr(0, line.find('\n')))) {
      out += line;
    }
    text.remove_prefix(line.size());
  }
  return out;
}

}  // namespace millrace::cli
