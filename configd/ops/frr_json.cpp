// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/frr_json.h"

#include <algorithm>
#include <format>
#include <utility>

#include "base/words.h"

namespace millrace::ops {

using base::Result;
using nlohmann::json;

namespace {

// A peer may call itself by bytes that are no UTF-8 (draft-walton-bgp-hostname-capability), and
// FRR passes them on.
json parse(std::string& text) {
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) {
    for (char& byte : text) {
      byte = static_cast<unsigned char>(byte) < 0x80 ? byte : '?';
    }
    value = json::parse(text, nullptr, false);
  }
  return value;
}

}  // namespace

JsonMembers::JsonMembers(std::unique_ptr<system::FrrAnswer> answer, unsigned depth,
                         std::string whose)
    : answer_(std::move(answer)), wanted_(depth), whose_(std::move(whose)) {}

std::unexpected<base::Error> JsonMembers::wrong() const {
  return base::fail(base::Code::Io, whose_ + " is not a JSON object");
}

Result<std::optional<JsonMembers::Member>> JsonMembers::finish() {
  value_ = false;
  const json key = parse(key_);
  json value = parse(text_);
  key_.clear();
  text_.clear();
  if (!key.is_string() || value.is_discarded()) {
    return wrong();
  }
  return Member{key.get<std::string>(), std::move(value)};
}

Result<std::optional<JsonMembers::Member>> JsonMembers::next() {
  while (true) {
    if (at_ == piece_.size()) {
      auto piece = answer_->next();
      if (!piece) {
        return std::unexpected(std::move(piece.error()));
      }
      if (piece->empty()) {
        if (!begun_ || depth_ != 0 || string_) {
          return wrong();
        }
        return std::nullopt;
      }
      piece_ = std::move(*piece);
      at_ = 0;
    }
    std::string& into = value_ ? text_ : key_;
    if (string_ || value_) {
      // Most letters mean nothing here.
      const auto end =
          std::min(piece_.find_first_of(string_ ? "\"\\" : "\"{}[]:, \n\t\r", at_), piece_.size());
      if (end > at_ && !escaped_) {
        into.append(piece_, at_, end - at_);
        at_ = end;
        continue;
      }
    }
    const char c = piece_[at_++];
    if (string_) {
      into += c;
      string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
      continue;
    }
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank) {
      continue;
    }
    if (depth_ == 0 && (begun_ || c != '{')) {
      return wrong();
    }
    begun_ = true;
    const bool ends = depth_ == wanted_ && (c == ',' || c == '}');
    if (ends && value_) {
      depth_ -= c == '}' ? 1 : 0;
      return finish();
    }
    if (c == '}' || c == ']') {
      --depth_;
    } else if (c == '{' || c == '[') {
      ++depth_;
    }
    if (value_) {
      text_ += c;
    } else if (c == '"') {
      key_ = c;
    } else if (c == ':' && depth_ == wanted_) {
      value_ = true;
    }
    string_ = c == '"';
  }
}

Result<JsonMembers> members(system::Frr& frr, system::FrrDaemon daemon, const std::string& command,
                            unsigned depth) {
  auto answer = system::ask(frr, daemon, command);
  if (!answer) {
    return std::unexpected(std::move(answer.error()));
  }
  return JsonMembers(std::move(*answer), depth,
                     std::format("{}'s answer to '{}'", system::to_string(daemon), command));
}

Result<json> ask_json(system::Frr& frr, system::FrrDaemon daemon, const std::string& command) {
  auto all = members(frr, daemon, command, 1);
  if (!all) {
    return std::unexpected(std::move(all.error()));
  }
  json out = json::object();
  while (true) {
    auto member = all->next();
    if (!member) {
      return std::unexpected(std::move(member.error()));
    }
    if (!*member) {
      return out;
    }
    out[(*member)->key] = std::move((*member)->value);
  }
}

json parsed(std::string text) {
  json value = parse(text);
  return value.is_discarded() ? json() : value;
}

const json& part_of(const json& object, std::string_view key) {
  static const json kNone;
  if (!object.is_object()) {
    return kNone;
  }
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

std::string text_of(const json& object, std::string_view key) {
  const json& value = part_of(object, key);
  return value.is_string() ? base::one_line(value.get<std::string>()) : std::string();
}

std::int64_t number_of(const json& object, std::string_view key, std::int64_t fallback) {
  const json& value = part_of(object, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : fallback;
}

bool flag_of(const json& object, std::string_view key) {
  const json& value = part_of(object, key);
  return value.is_boolean() && value.get<bool>();
}

}  // namespace millrace::ops
