// SPDX-License-Identifier: GPL-2.0-or-later
//
// The schema: what may be configured, built once at start from templates/ and immutable after.
// Every other folder walks it; nothing about a statement is written anywhere else. Template syntax:
// docs/reference/templates.md.
//
// Words map to nodes one way, whether they come from a set line or from nested text: each word is
// the name of a child, a list key, or a value (schema/walk.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schema/type.h"
#include "syntax/expression.h"

namespace millrace::schema {

enum class Kind : std::uint8_t {
  Container,  // has children; exists when it has a child, or by itself when `presence`
  List,       // entries by key; an entry has children
  Leaf,       // one value, or none when the type is Empty
  LeafList,   // a set of values, in order of input when `ordered`
};

// What a statement does. A statement we accept but do not implement would be a lie.
enum class Support : std::uint8_t {
  Works,
  Warns,    // accepted; commit says it has no effect, `support_reason` why
  Refused,  // not accepted; `support_reason` is the hint
};

// Statements that expansion (tree/effective.h) turns into others; it takes them away when it has.
enum class Role : std::uint8_t {
  None,
  Groups,        // the list of groups: an entry holds a fragment of the whole hierarchy
  ApplyGroups,   // leaf-lists of names of groups, possible at every level
  ExceptGroups,  // the same below the top: what is not to be inherited from further up
  Range,         // a list beside another: an entry holds statements of several entries of that one
  RangeMember,   // which ones
  ApplyPath,  // a leaf whose value is a path; what that leads to becomes entries of the list `like`
};

struct Node;

struct Must {
  syntax::Expression expression;
  std::string text;
  std::string message;
};

// `ref "/policy-options/policy-statement"`: the value must be a key of that list, or a value of
// that leaf or leaf-list.
struct Reference {
  std::string path;
  const Node* target = nullptr;  // resolved when the schema is built
};

// `unique "address port"`: no two entries of one list have the same values of these leaves, which
// are statements of the entry or of containers in it ("tcp/port"). An absent leaf without a default
// makes its entry unlike all others.
struct Unique {
  std::string text;
  std::vector<const Node*> leaves;  // resolved when the schema is built
};

// `unique-in "/interfaces"`: no two keys or values of this statement, wherever below one instance
// of `scope`, are the same.
struct UniqueIn {
  std::string path;
  const Node* scope = nullptr;  // the statement itself or one around it
  // The address of an interface-address counts and not its length; link-local ones may repeat.
  bool by_address = false;
  std::string message;  // empty: "'VALUE' is used by … already"
};

struct Node {
  Kind kind = Kind::Container;
  std::string name;
  std::string help;
  Type type;        // Leaf, LeafList: of the value; List: of the key
  std::string key;  // List: the name of the key, for placeholders, xml and json
  // List that is itself the level: `interfaces eth0`, not `interfaces interface eth0`. Its name
  // serves templates and paths of the schema only.
  bool nameless = false;
  bool presence = false;   // Container that means something when empty
  bool ordered = false;    // List, LeafList: order of input matters
  bool one_liner = false;  // List entry or container written on one line
  bool joined = false;     // Container written with its child on one line: `family inet {`
  bool mandatory = false;
  bool secret = false;  // never shown or logged in clear
  // What a login class needs to see it, with `-control` to change it (inherited by children);
  // empty: only who sees everything. See schema/permission.h.
  std::string permission;
  // Leaf that is no value of its own: setting it asks for a text, whose hash goes to that sibling.
  std::string asks;
  std::optional<std::string> default_value;  // canonical; never stored in the tree
  std::vector<Must> musts;
  std::optional<Reference> reference;
  std::vector<Unique> unique;  // List
  std::optional<UniqueIn> unique_in;
  std::uint32_t min_elements = 0;  // List, LeafList: in a parent that is there
  std::uint32_t max_elements = 0;  // 0: any number
  Support support = Support::Works;
  std::string support_reason;
  Role role = Role::None;
  // Statements of that node may stand here too: the root in a group, the list in a range, what may
  // stand everywhere in all others. One copy serves all, so the schema of a group costs nothing;
  // `parent` of such a statement is not this node. Of an ApplyPath: the list beside it.
  const Node* like = nullptr;
  std::string owner;   // the applier or render that owns this subtree (inherited by children)
  std::string origin;  // "services/ntp.tmpl:12"

  const Node* parent = nullptr;                 // null at the root
  std::uint32_t order = 0;                      // position among the siblings: the order of display
  std::vector<std::unique_ptr<Node>> children;  // by `order`
  std::vector<std::uint32_t> by_name;           // indexes into `children`, sorted by name

  // The child of that name, own or of `like`, never the nameless list; null when there is none.
  // O(log n).
  const Node* child(std::string_view child_name) const;
  const Node* nameless_list() const;  // the nameless list among the same, or null
  // "interfaces unit family inet": names from the root, no keys, nameless lists left out.
  std::string path() const;
};

// A file made from configuration: mustache over the subtree at `path`, in a fixed escaping. Absent
// subtree: no file, and the unit is stopped.
struct Render {
  std::string name;  // owner name: "ntp"
  std::string path;  // "system ntp"
  std::string file;  // absolute target
  unsigned mode = 0644;
  std::string escape;    // "word": a value stays one word of one line; "line": stays in its line
  std::string text;      // mustache
  std::string unit;      // the systemd unit that reads the file
  bool reloads = false;  // reload rather than restart when only the file changes
  std::vector<std::string> validate;  // argv; {} is the path of the file to check
  std::string origin;
};

// An operational command.
struct Command {
  struct Argument {
    std::string name;  // keyword, or placeholder when `positional`
    std::string help;
    Type type;  // Empty: the keyword alone
    bool positional = false;
    bool mandatory = false;
    bool file = false;  // names a file of the user, for completion by the client
    std::string
        values;  // the list whose entries it may name, as a path from the top; for completion
  };
  std::string words;  // "show ntp associations"
  std::string help;
  std::vector<Argument> arguments;
  // "builtin": a function of ops/ named `target`; "exec": `argv`, output returned; "terminal":
  // `argv`, run by the client on the user's terminal; "client": `argv`, which the client carries
  // out itself; "frr": `argv` joined, sent to daemon `target`; "group": nothing, this is the help
  // of the words that other commands begin with.
  std::string runner;
  std::string target;
  // {name} stands for an argument's value, {-name} for a keyword's presence; a word whose argument
  // is absent is dropped.
  std::vector<std::string> argv;
  std::string permission;  // "view", "clear", "network", …
  std::string origin;
};

class Schema {
 public:
  Schema();
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;
  ~Schema();

  const Node& root() const;
  const std::vector<Render>& renders() const;
  const std::vector<Command>& commands() const;

  // The node at "interfaces interface unit family inet": every name from the root, nameless lists
  // included by their name or left out; null when there is none.
  const Node* find(std::string_view path) const;

 private:
  friend class Builder;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct Source {
  std::string name;  // "services/ntp.tmpl", for messages
  std::string text;
};

// Builds from template texts; reports all problems at once, each naming file, line and column.
base::Result<Schema> build(std::vector<Source> sources);

// Every *.tmpl below `folder`, in order of name.
base::Result<Schema> load(const std::filesystem::path& folder);

// Every leaf has an owner and every path in `owns` exists; the daemon refuses to start otherwise.
// Renders own their paths by themselves. Sets Node::owner; call once, before the schema is shared.
struct Ownership {
  std::string name;
  std::vector<std::string> owns;  // schema paths
};
base::Result<void> assign_owners(Schema& schema, std::span<const Ownership> owners);

}  // namespace millrace::schema
