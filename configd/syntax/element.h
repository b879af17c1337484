// SPDX-License-Identifier: GPL-2.0-or-later
//
// What JSON, XML and YAML have in common: named things with text or things inside, attributes, and
// a place in the source. The tree makes elements in one walk and reads them in one; json.h, xml.h
// and yaml.h only spell them, and carry the structured replies of operational commands too.
//
//   element              JSON                       XML
//   Object               "unit": {…}                <unit>…</unit>
//   Object, listed       "unit": [{…}, {…}]         <unit>…</unit><unit>…</unit>
//   Text                 "host-name": "r1"          <host-name>r1</host-name>
//   Number, Boolean      "mtu": 1400                <mtu>1400</mtu>
//   Empty                "disable": [null]          <disable/>
//   attributes           "@": {…} inside an object, "@host-name": {…} beside a leaf
//   of one listed text   "@search": [null, {…}]     attributes of that element
//   of the whole list    "@search": {…}             list-NAME="…" at the first element
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/statement.h"

namespace millrace::syntax {

// `value` equal to `name` is a flag: true in JSON, `inactive="inactive"` in XML. `comment` is the
// text of a comment: an element of its own in XML.
struct Attribute {
  std::string name;
  std::string value;
  bool operator==(const Attribute&) const = default;
};

struct Element {
  enum class Kind : std::uint8_t { Object, Text, Number, Boolean, Empty };
  std::string name;
  Kind kind = Kind::Object;
  bool listed = false;  // one of the items of a list, even when it is the only one
  std::string text = {};
  std::vector<Attribute> attributes = {};
  std::vector<Attribute> list_attributes = {};  // of the whole list, at its first item
  std::vector<Element> children = {};
  Position at = {};
};

// What a reader makes of a document: elements, or the one error that made it unreadable. A document
// that is not well-formed is read as a whole or not at all.
struct ElementDocument {
  std::vector<Element> elements;
  std::vector<SyntaxError> errors;
};

// Line and column of a byte of `source`.
Position position_at(std::string_view source, std::size_t offset);
// The error at a byte of `source`, with its line as context.
SyntaxError error_at(std::string_view source, std::size_t offset, std::string found,
                     std::string expected);

}  // namespace millrace::syntax
