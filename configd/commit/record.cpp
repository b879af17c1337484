// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/record.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <charconv>
#include <format>
#include <nlohmann/json.hpp>
#include <optional>

namespace millrace::commit {
namespace {

using Json = nlohmann::json;
using base::Code;
using base::Result;

constexpr std::array<std::string_view, 5> kKinds = {"segment", "prepare", "committed", "aborted",
                                                    "confirmed"};
constexpr std::size_t kCrcDigits = 8;

std::optional<Record> from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    return std::nullopt;
  }
  try {
    Record record;
    const auto kind = std::ranges::find(kKinds, json.at("record").get<std::string>());
    if (kind == kKinds.end()) {
      return std::nullopt;
    }
    record.kind = static_cast<Record::Kind>(kind - kKinds.begin());
    record.revision.id = json.at("id").get<RevisionId>();
    record.revision.time = json.value("time", std::int64_t{0});
    record.revision.user = json.value("user", "");
    record.revision.via = json.value("via", "");
    record.revision.comment = json.value("comment", "");
    record.revision.label = json.value("label", "");
    if (const auto trial = json.find("trial"); trial != json.end()) {
      record.revision.trial = {trial->at("minutes").get<unsigned>(), trial->value("verify", "")};
      record.revision.previous = trial->at("previous").get<RevisionId>();
    }
    record.parent = json.value("parent", RevisionId{0});
    record.delta = json.value("delta", "");
    record.touched = json.value("touched", std::vector<std::string>());
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

// The record at the start of `text`, with the length of its line.
std::optional<LocatedRecord> record_at(std::string_view text) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc()) {
    return std::nullopt;
  }
  const auto digits = static_cast<std::size_t>(end - text.data());
  const std::size_t head = digits + 1 + kCrcDigits + 1;
  if (text.size() < head || length >= text.size() - head || text[digits] != ' ' ||
      text[head - 1] != ' ' || text[head + length] != '\n') {
    return std::nullopt;
  }
  std::uint32_t crc = 0;
  const char* crc_text = text.data() + digits + 1;
  const auto parsed = std::from_chars(crc_text, crc_text + kCrcDigits, crc, 16);
  const std::string_view json = text.substr(head, length);
  if (parsed.ec != std::errc() || parsed.ptr != crc_text + kCrcDigits || crc != crc32c(json)) {
    return std::nullopt;
  }
  auto record = from_json(json);
  if (!record) {
    return std::nullopt;
  }
  return LocatedRecord{std::move(*record), 0, head + length + 1};
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

Result<std::string> encode_record(const Record& record) {
  Json json = {{"record", kKinds[static_cast<std::size_t>(record.kind)]},
               {"id", record.revision.id}};
  if (record.kind == Record::Kind::Segment || record.kind == Record::Kind::Prepare) {
    json["time"] = record.revision.time;
  }
  if (record.kind == Record::Kind::Segment) {
    json["version"] = 1;
  }
  if (record.kind == Record::Kind::Prepare) {
    json["parent"] = record.parent;
    json["user"] = record.revision.user;
    json["via"] = record.revision.via;
    json["comment"] = record.revision.comment;
    json["touched"] = record.touched;
    if (!record.revision.label.empty()) {
      json["label"] = record.revision.label;
    }
    if (const auto& trial = record.revision.trial) {
      json["trial"] = {{"minutes", trial->minutes}, {"previous", record.revision.previous}};
      if (!trial->verify.empty()) {
        json["trial"]["verify"] = trial->verify;
      }
    }
    json["delta"] = record.delta;
  }
  try {
    const std::string text = json.dump();
    return std::format("{} {:08x} {}\n", text.size(), crc32c(text), text);
  } catch (const Json::exception&) {
    return base::fail(Code::BadValue,
                      "found text that is not UTF-8, the revision log expects UTF-8");
  }
}

RecordScan scan_records(std::string_view text) {
  RecordScan scan;
  while (scan.good < text.size()) {
    auto found = record_at(text.substr(scan.good));
    if (!found) {
      break;
    }
    found->offset = scan.good;
    scan.good += found->length;
    scan.records.push_back(std::move(*found));
  }
  // At every byte, since the damage may be to the newline that would lead to the next record.
  for (std::size_t at = scan.good + 1; at < text.size(); ++at) {
    if (text[at] >= '1' && text[at] <= '9' && record_at(text.substr(at))) {
      scan.damage = std::format(
          "found a damaged record at byte {} with good ones after it, expected damage at the end "
          "only",
          scan.good);
      break;
    }
  }
  return scan;
}

RevisionId highest_id(std::string_view text) {
  RevisionId highest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const bool may_begin = text[at] >= '1' && text[at] <= '9';
    const auto found = may_begin ? record_at(text.substr(at)) : std::nullopt;
    highest = std::max(highest, found ? found->record.revision.id : 0);
    at += found ? found->length : 1;
  }
  return highest;
}

}  // namespace millrace::commit
