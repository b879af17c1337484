// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/record.h"

#include <gtest/gtest.h>

namespace millrace::commit {
namespace {

std::string line(RevisionId id, std::string comment = {}) {
  Record record;
  record.kind = Record::Kind::Prepare;
  record.revision = {id, 1700000000, "alice", "cli", std::move(comment)};
  record.parent = id - 1;
  record.delta = "set left item a value 1\nset left item b value \"x y\"\n";
  record.touched = {"left", "right"};
  return encode_record(record).value();
}

TEST(Record, Crc_is_that_of_RFC_3720) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
}

TEST(Record, Reads_as_it_was_written) {
  const auto scan = scan_records(line(7, "two\nlines"));
  ASSERT_FALSE(scan.damage);
  ASSERT_EQ(scan.records.size(), 1U);
  const Record& record = scan.records[0].record;
  EXPECT_EQ(record.kind, Record::Kind::Prepare);
  EXPECT_EQ(record.revision.id, 7U);
  EXPECT_EQ(record.revision.time, 1700000000);
  EXPECT_EQ(record.revision.user, "alice");
  EXPECT_EQ(record.revision.comment, "two\nlines");
  EXPECT_EQ(record.parent, 6U);
  EXPECT_EQ(record.delta, "set left item a value 1\nset left item b value \"x y\"\n");
  EXPECT_EQ(record.touched, (std::vector<std::string>{"left", "right"}));
}

TEST(Record, Torn_anywhere_is_cut_and_those_before_it_stay) {
  const std::string first = line(1), both = first + line(2);
  for (std::size_t size = first.size(); size < both.size(); ++size) {
    const auto scan = scan_records(both.substr(0, size));
    ASSERT_FALSE(scan.damage);
    EXPECT_EQ(scan.records.size(), 1U) << size;
    EXPECT_EQ(scan.good, first.size()) << size;
  }
}

TEST(Record, Zeros_at_the_end_are_a_torn_tail) {
  const auto scan = scan_records(line(1) + std::string(4096, '\0'));
  ASSERT_FALSE(scan.damage);
  EXPECT_EQ(scan.records.size(), 1U);
}

TEST(Record, A_changed_byte_before_a_good_record_is_damage) {
  std::string text = line(1) + line(2);
  for (std::size_t at = 0; at < line(1).size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    const auto scan = scan_records(changed);
    EXPECT_TRUE(scan.damage) << at;
    EXPECT_TRUE(scan.records.empty()) << at;
    EXPECT_EQ(highest_id(changed), 2U) << at;
  }
}

}  // namespace
}  // namespace millrace::commit
