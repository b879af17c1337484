// SPDX-License-Identifier: GPL-2.0-or-later
//
// A persistent, ordered collection of nodes with unique names: a B-tree whose blocks are shared
// between versions. Sorted collections order by schema::natural_less (entries) or by the schema's
// order (statements); ranked ones keep the order of input in a second tree of ranks.
//
// A copy is one pointer and stays as it was whatever happens to the original: a change copies the
// blocks on its path first, unless nobody else holds them, which is what makes loading 100,000
// lines cheap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace millrace::tree {

class Node;
using NodePtr = std::shared_ptr<const Node>;

enum class Order : std::uint8_t { Schema, Natural, Ranked };

class Children {
 public:
  Children();
  explicit Children(Order order);
  Children(const Children&);
  Children(Children&&) noexcept;
  Children& operator=(const Children&);
  Children& operator=(Children&&) noexcept;
  ~Children();

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  Order order() const;

  const Node* find(std::string_view name) const;  // O(log n), null when absent
  NodePtr find_shared(std::string_view name) const;
  // In order of display; stops when `visit` returns false.
  void for_each(const std::function<bool(const NodePtr&)>& visit) const;
  // The neighbours in order of display, null at the ends. O(log n).
  const Node* before(std::string_view name) const;
  const Node* after(std::string_view name) const;
  // Whether the one is displayed before the other; both by key when one is absent. O(log n).
  bool precedes(std::string_view one, std::string_view other) const;

  // Adds, or replaces the node of the same name in place. Ranked: new nodes go to the end.
  void put(NodePtr node);
  // Ranked: adds or moves `node` next to `neighbour`. Requires: `neighbour` is present.
  void put_before(NodePtr node, std::string_view neighbour);
  void put_after(NodePtr node, std::string_view neighbour);
  void erase(std::string_view name);  // absent: nothing

  // Calls `visit(before, after)` for every name whose node differs, in order of name; one side is
  // null when the name is on the other side only. Shared blocks are skipped: O(difference · log n).
  // A pure change of rank is not a difference here; see `moved`.
  static void diff(const Children& before, const Children& after,
                   const std::function<void(const NodePtr&, const NodePtr&)>& visit);
  // Ranked: whether the names present in both stand in another order.
  static bool moved(const Children& before, const Children& after);

 private:
  friend class NodeBuilder;
  struct Tree;

  Tree& own();
  // The place of the node of that name, in blocks nobody else sees, or null. Valid until the next
  // call of any other function; whoever changes what the node holds also corrects `count_marks`.
  NodePtr* slot(std::string_view name);
  // How many children are or hold something inactive (protected, of groups): `sign` times those of
  // `node`.
  void count_marks(const Node& node, int sign);
  bool any_inactive() const;
  bool any_protected() const;
  bool any_inheritance() const;
  bool any_applies_groups() const;

  std::shared_ptr<const Tree> tree_;  // null: empty, in order of the schema
};

}  // namespace millrace::tree
