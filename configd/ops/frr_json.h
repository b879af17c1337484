// SPDX-License-Identifier: GPL-2.0-or-later
//
// FRR's JSON, member by member: only one route of a table is in memory at a time. The getters take
// any shape for an answer, since what a peer sent may be in it: what is not there or of another
// type is empty, 0 or false.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "system/frr_answer.h"

namespace millrace::ops {

// The members of the objects at one depth of an answer that is an object: 1 is the answer itself,
// 2 what stands in its members ("routes": {…}), whose names are not told.
class JsonMembers {
 public:
  struct Member {
    std::string key;
    nlohmann::json value;
  };
  JsonMembers(std::unique_ptr<system::FrrAnswer> answer, unsigned depth, std::string whose);

  // Nothing at the end. Errors: Io when the answer is no JSON object or ends before it is one.
  base::Result<std::optional<Member>> next();

 private:
  std::unexpected<base::Error> wrong() const;
  base::Result<std::optional<Member>> finish();

  std::unique_ptr<system::FrrAnswer> answer_;
  unsigned wanted_;
  std::string whose_;  // for errors: "bgpd's answer to 'show …'"
  std::string piece_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  bool begun_ = false;
  bool string_ = false;
  bool escaped_ = false;
  bool value_ = false;  // between the colon and the end of a member
  std::string key_;     // with its quotes
  std::string text_;
};

// Asks `daemon` and gives the members of the answer.
base::Result<JsonMembers> members(system::Frr& frr, system::FrrDaemon daemon,
                                  const std::string& command, unsigned depth);

// A whole answer, which must be an object. For answers that are small by nature.
base::Result<nlohmann::json> ask_json(system::Frr& frr, system::FrrDaemon daemon,
                                      const std::string& command);

// A whole answer that is here already; null when it is no JSON.
nlohmann::json parsed(std::string text);

// Text of a member in one line without control characters.
std::string text_of(const nlohmann::json& object, std::string_view key);
std::int64_t number_of(const nlohmann::json& object, std::string_view key,
                       std::int64_t fallback = 0);
bool flag_of(const nlohmann::json& object, std::string_view key);
// A member of any type; null when there is none.
const nlohmann::json& part_of(const nlohmann::json& object, std::string_view key);

}  // namespace millrace::ops
