// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/frr_json.h"

#include <map>

#include <gmock/gmock.h>

namespace millrace::ops {
namespace {

class Pieces : public system::FrrAnswer {
 public:
  Pieces(std::string text, std::size_t size) : text_(std::move(text)), size_(size) {}
  base::Result<std::string> next() override {
    std::string piece = text_.substr(0, size_);
    text_.erase(0, size_);
    return piece;
  }

 private:
  std::string text_;
  std::size_t size_;
};

std::map<std::string, std::string> read(const std::string& text, unsigned depth, std::size_t size) {
  JsonMembers members(std::make_unique<Pieces>(text, size), depth, "the answer");
  std::map<std::string, std::string> out;
  while (true) {
    auto member = members.next();
    if (!member) {
      return {{"error", member.error().message}};
    }
    if (!*member) {
      return out;
    }
    out[(*member)->key] = (*member)->value.dump();
  }
}

TEST(FrrJson, Members_are_the_same_however_the_text_is_cut) {
  const std::string text =
      "{\n \"a\": {\"x\": [1, {\"y\": \"}],\\\" \\\\\"}], \"z\\n\" : null} ,\"b\":{ },\n"
      "\"c\": 7, \"d\": {\"e\": \"\", \"f\": -1.5e3 } }\n\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const auto top = read(text, 1, size);
    EXPECT_EQ(top.size(), 4U) << size;
    EXPECT_EQ(top.at("a"), R"({"x":[1,{"y":"}],\" \\"}],"z\n":null})") << size;
    EXPECT_EQ(top.at("c"), "7");
    const auto below = read(text, 2, size);
    EXPECT_EQ(below.size(), 4U) << size;
    EXPECT_EQ(below.at("x"), R"([1,{"y":"}],\" \\"}])") << size;
    EXPECT_EQ(below.at("f"), "-1500.0");
  }
  EXPECT_TRUE(read("{}", 1, 1).empty());
}

TEST(FrrJson, What_is_no_object_or_ends_early_is_an_error) {
  for (const auto* text : {"", "  ", "% Unknown command", "[1]", "{\"a\": 1", "{\"a\": \"x",
                           "{} {}", "{\"a\": x}", "{a: 1}"}) {
    for (const std::size_t size : {1U, 100U}) {
      EXPECT_EQ(read(text, 1, size)["error"], "the answer is not a JSON object") << text;
    }
  }
}

TEST(FrrJson, Bytes_that_are_no_text_do_not_spoil_the_rest) {
  EXPECT_EQ(read("{\"a\": {\"name\": \"\xff\xfe\", \"n\": 1}}", 1, 3).at("a"),
            R"({"n":1,"name":"??"})");
}

}  // namespace
}  // namespace millrace::ops
