// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/frame.h"

#include <gtest/gtest.h>

namespace millrace::server {
namespace {

using nlohmann::json;

TEST(Frame, A_header_says_the_size_in_network_byte_order) {
  const std::string out = frame(std::string_view("abc"));
  EXPECT_EQ(out, std::string("\0\0\0\3abc", 7));
  EXPECT_EQ(payload_size({1, 2, 3, 4}), 0x01020304U);
}

TEST(Frame, A_request_is_read_with_its_id_and_parameters) {
  const auto request =
      parse_request(R"({"jsonrpc":"2.0","id":7,"method":"line.execute","params":{"line":"x"}})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->id, json(7));
  EXPECT_EQ(request->method, "line.execute");
  EXPECT_EQ(request->params, json({{"line", "x"}}));
  EXPECT_FALSE(request->notification);
}

TEST(Frame, A_request_without_an_id_is_a_notification) {
  EXPECT_TRUE(parse_request(R"({"jsonrpc":"2.0","method":"x"})")->notification);
}

TEST(Frame, What_is_not_json_is_a_parse_error) {
  EXPECT_EQ(parse_request("{").error().code, kParseError);
  EXPECT_EQ(parse_request("").error().code, kParseError);
  EXPECT_EQ(parse_request("{\"jsonrpc\":\"\xff\"}").error().code, kParseError);
}

TEST(Frame, Deep_nesting_is_refused_before_it_costs_memory) {
  const std::string deep(100000, '[');
  EXPECT_EQ(parse_request(deep).error().code, kParseError);
  std::string closed = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":)";
  closed += std::string(50, '[') + std::string(50, ']') + "}}";
  EXPECT_EQ(parse_request(closed).error().message, "the message is nested too deeply");
}

TEST(Frame, Batches_and_wrong_versions_are_invalid_requests) {
  EXPECT_EQ(parse_request("[]").error().code, kInvalidRequest);
  EXPECT_EQ(parse_request(R"({"id":1,"method":"x"})").error().code, kInvalidRequest);
  EXPECT_EQ(parse_request(R"({"jsonrpc":"2.0","id":1,"method":4})").error().code, kInvalidRequest);
  EXPECT_EQ(parse_request(R"({"jsonrpc":"2.0","id":[],"method":"x"})").error().code,
            kInvalidRequest);
  EXPECT_EQ(parse_request(R"({"jsonrpc":"2.0","id":3,"method":"x","params":[]})").error().id,
            json(3));
}

TEST(Frame, Bytes_that_are_not_utf8_do_not_break_an_answer) {
  const std::string out = frame(response(json(1), json{{"text", "\xff"}}));
  EXPECT_FALSE(json::parse(out.substr(kHeaderSize), nullptr, false).is_discarded());
}

TEST(Frame, An_error_carries_code_path_and_hint) {
  const auto error = to_rpc({base::Code::BadValue, "bad", "system", "try that"});
  EXPECT_EQ(error.code, kOurs);
  EXPECT_EQ(error.data, json({{"code", "bad-value"}, {"path", "system"}, {"hint", "try that"}}));
}

}  // namespace
}  // namespace millrace::server
