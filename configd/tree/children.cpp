// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/children.h"

#include <array>
#include <map>
#include <string>
#include <variant>

#include "base/check.h"
#include "schema/type.h"
#include "tree/child_orders.h"

namespace millrace::tree {
namespace {

// Where statements of several levels stand together (schema::Node::like), one does not know all.
std::optional<std::uint32_t> order_by_search(const Statements& statements, std::string_view name) {
  std::optional<std::uint32_t> order;
  statements.for_each([&](const NodePtr& node) {
    if (node->name() == name) {
      order = node->schema()->order;
    }
    return !order;
  });
  return order;
}

// Statements do not know names, the schema does: by way of any statement there is.
std::optional<std::uint32_t> order_of(const Statements& statements, std::string_view name) {
  const NodePtr* any = statements.last();
  const schema::Node* parent = any ? (*any)->schema()->parent : nullptr;
  if (!parent) {
    return std::nullopt;
  }
  const schema::Node* child = parent->child(name);
  if (!child) {
    child = parent->nameless_list();
    if (!child || child->name != name) {
      return order_by_search(statements, name);
    }
  }
  return child->order;
}

}  // namespace

struct Children::Tree {
  std::variant<Statements, Entries, RankedEntries> items;
  std::int64_t inactive = 0;    // children that hold something inactive
  std::int64_t guarded = 0;     // children that hold something protected
  std::int64_t inheriting = 0;  // children that hold something of groups or ranges
  std::int64_t applying = 0;    // children that apply groups, a part of those

  explicit Tree(Order order) {
    if (order == Order::Natural) {
      items.emplace<Entries>();
    } else if (order == Order::Ranked) {
      items.emplace<RankedEntries>();
    }
  }

  const NodePtr* find(std::string_view name) const {
    if (const auto* statements = std::get_if<Statements>(&items)) {
      const auto order = order_of(*statements, name);
      return order ? statements->find(*order) : nullptr;
    }
    if (const auto* entries = std::get_if<Entries>(&items)) {
      return entries->find(name);
    }
    const auto& ranked = std::get<RankedEntries>(items);
    const Indexed* indexed = ranked.index.find(name);
    return indexed ? &ranked.ranks.find(indexed->rank)->node : nullptr;
  }
};

Children::Children() = default;
Children::Children(const Children&) = default;
Children::Children(Children&&) noexcept = default;
Children& Children::operator=(const Children&) = default;
Children& Children::operator=(Children&&) noexcept = default;
Children::~Children() = default;

Children::Children(Order order) {
  // One empty tree an order serves all.
  static const std::array<std::shared_ptr<const Tree>, 2> empty{
      std::make_shared<Tree>(Order::Natural), std::make_shared<Tree>(Order::Ranked)};
  if (order != Order::Schema) {
    tree_ = empty[order == Order::Natural ? 0 : 1];
  }
}

std::size_t Children::size() const {
  return tree_ ? std::visit([](const auto& items) { return items.size(); }, tree_->items) : 0;
}

Order Children::order() const {
  return tree_ ? static_cast<Order>(tree_->items.index()) : Order::Schema;
}

const Node* Children::find(std::string_view name) const {
  const NodePtr* found = tree_ ? tree_->find(name) : nullptr;
  return found ? found->get() : nullptr;
}

NodePtr Children::find_shared(std::string_view name) const {
  const NodePtr* found = tree_ ? tree_->find(name) : nullptr;
  return found ? *found : nullptr;
}

void Children::for_each(const std::function<bool(const NodePtr&)>& visit) const {
  if (!tree_) {
    return;
  }
  if (const auto* statements = std::get_if<Statements>(&tree_->items)) {
    statements->for_each(visit);
  } else if (const auto* entries = std::get_if<Entries>(&tree_->items)) {
    entries->for_each(visit);
  } else {
    std::get<RankedEntries>(tree_->items).ranks.for_each([&](const Ranked& item) {
      return visit(item.node);
    });
  }
}

const Node* Children::before(std::string_view name) const {
  if (!tree_) {
    return nullptr;
  }
  const NodePtr* found = nullptr;
  if (const auto* statements = std::get_if<Statements>(&tree_->items)) {
    const auto order = order_of(*statements, name);
    found = order ? statements->before(*order) : nullptr;
  } else if (const auto* entries = std::get_if<Entries>(&tree_->items)) {
    found = entries->before(name);
  } else {
    const auto& ranked = std::get<RankedEntries>(tree_->items);
    const Indexed* indexed = ranked.index.find(name);
    const Ranked* item = indexed ? ranked.ranks.before(indexed->rank) : nullptr;
    found = item ? &item->node : nullptr;
  }
  return found ? found->get() : nullptr;
}

const Node* Children::after(std::string_view name) const {
  if (!tree_) {
    return nullptr;
  }
  const NodePtr* found = nullptr;
  if (const auto* statements = std::get_if<Statements>(&tree_->items)) {
    const auto order = order_of(*statements, name);
    found = order ? statements->after(*order) : nullptr;
  } else if (const auto* entries = std::get_if<Entries>(&tree_->items)) {
    found = entries->after(name);
  } else {
    const auto& ranked = std::get<RankedEntries>(tree_->items);
    const Indexed* indexed = ranked.index.find(name);
    const Ranked* item = indexed ? ranked.ranks.after(indexed->rank) : nullptr;
    found = item ? &item->node : nullptr;
  }
  return found ? found->get() : nullptr;
}

bool Children::precedes(std::string_view one, std::string_view other) const {
  if (order() == Order::Ranked) {
    const auto& index = std::get<RankedEntries>(tree_->items).index;
    const Indexed* left = index.find(one);
    const Indexed* right = index.find(other);
    if (left && right) {
      return left->rank < right->rank;
    }
  }
  return schema::natural_less(one, other);
}

Children::Tree& Children::own() {
  if (!tree_) {
    tree_ = std::make_shared<Tree>(Order::Schema);
  } else if (tree_.use_count() != 1) {
    tree_ = std::make_shared<Tree>(*tree_);
  }
  return const_cast<Tree&>(*tree_);  // made non-const, and ours alone
}

NodePtr* Children::slot(std::string_view name) {
  if (!find(name)) {
    return nullptr;
  }
  Tree& tree = own();
  if (auto* statements = std::get_if<Statements>(&tree.items)) {
    return statements->slot(*order_of(*statements, name));
  }
  if (auto* entries = std::get_if<Entries>(&tree.items)) {
    return entries->slot(name);
  }
  auto& ranked = std::get<RankedEntries>(tree.items);
  return &ranked.ranks.slot(ranked.index.find(name)->rank)->node;
}

void Children::count_marks(const Node& node, int sign) {
  if (node.holds_inactive() || node.holds_protected() || node.holds_inheritance()) {
    Tree& tree = own();
    tree.inactive += node.holds_inactive() ? sign : 0;
    tree.guarded += node.holds_protected() ? sign : 0;
    tree.inheriting += node.holds_inheritance() ? sign : 0;
    tree.applying += node.applies_groups() ? sign : 0;
  }
}

bool Children::any_inactive() const {
  return tree_ && tree_->inactive > 0;
}
bool Children::any_protected() const {
  return tree_ && tree_->guarded > 0;
}
bool Children::any_inheritance() const {
  return tree_ && tree_->inheriting > 0;
}
bool Children::any_applies_groups() const {
  return tree_ && tree_->applying > 0;
}

void Children::put(NodePtr node) {
  if (const Node* old = find(node->name())) {
    count_marks(*old, -1);
  }
  count_marks(*node, 1);
  Tree& tree = own();
  if (auto* statements = std::get_if<Statements>(&tree.items)) {
    statements->put(std::move(node));
  } else if (auto* entries = std::get_if<Entries>(&tree.items)) {
    entries->put(std::move(node));
  } else {
    auto& ranked = std::get<RankedEntries>(tree.items);
    if (const Indexed* indexed = ranked.index.find(node->name())) {
      ranked.ranks.slot(indexed->rank)->node = std::move(node);
    } else {
      const Ranked* last = ranked.ranks.last();
      ranked.add((last ? last->rank : 0) + kRankGap, std::move(node));
    }
  }
}

void Children::put_before(NodePtr node, std::string_view neighbour) {
  const std::string name(node->name());
  base::check(order() == Order::Ranked && find(neighbour), "a place needs a neighbour in its list");
  if (name == neighbour) {
    put(std::move(node));
    return;
  }
  erase(name);
  count_marks(*node, 1);
  auto& ranked = std::get<RankedEntries>(own().items);
  for (int attempt = 0;; ++attempt) {
    const std::int64_t high = ranked.index.find(neighbour)->rank;
    const Ranked* previous = ranked.ranks.before(high);
    const std::int64_t low = previous ? previous->rank : high - 2 * kRankGap;
    if (high - low >= 2) {
      ranked.add(low + (high - low) / 2, std::move(node));
      return;
    }
    base::check(attempt == 0, "renumbered ranks have gaps");
    ranked.renumber();
  }
}

void Children::put_after(NodePtr node, std::string_view neighbour) {
  base::check(order() == Order::Ranked && find(neighbour), "a place needs a neighbour in its list");
  if (node->name() == neighbour) {
    put(std::move(node));
    return;
  }
  const Node* next = after(neighbour);
  if (next && next->name() == node->name()) {
    put(std::move(node));
  } else if (next) {
    put_before(std::move(node), std::string(next->name()));
  } else {
    erase(std::string(node->name()));
    put(std::move(node));
  }
}

void Children::erase(std::string_view name) {
  const Node* old = find(name);
  if (!old) {
    return;
  }
  count_marks(*old, -1);
  Tree& tree = own();
  if (auto* statements = std::get_if<Statements>(&tree.items)) {
    statements->erase(*order_of(*statements, name));
  } else if (auto* entries = std::get_if<Entries>(&tree.items)) {
    entries->erase(name);
  } else {
    auto& ranked = std::get<RankedEntries>(tree.items);
    const std::int64_t rank = ranked.index.find(name)->rank;
    ranked.index.erase(name);
    ranked.ranks.erase(rank);
  }
}

namespace {

struct NaturalLess {
  bool operator()(std::string_view left, std::string_view right) const {
    return schema::natural_less(left, right);
  }
};

// Everything on one side, in order of name.
void diff_nothing(const Children& nodes, const std::function<void(const NodePtr&)>& visit) {
  std::map<std::string_view, NodePtr, NaturalLess> by_name;
  nodes.for_each([&](const NodePtr& node) {
    if (nodes.order() == Order::Ranked) {
      by_name.emplace(node->name(), node);
    } else {
      visit(node);
    }
    return true;
  });
  for (const auto& [name, node] : by_name) {
    visit(node);
  }
}

// Entries of unequal labels are paired by name: a label is no identity, it may be given out again.
void diff_ranked(const RankedEntries& before, const RankedEntries& after,
                 const std::function<void(const NodePtr&, const NodePtr&)>& visit) {
  std::map<std::string_view, std::pair<NodePtr, NodePtr>, NaturalLess> found;
  BTree<RankTraits>::diff(before.ranks, after.ranks, [&](const Ranked* left, const Ranked* right) {
    if (left) {
      found[left->node->name()].first = left->node;
    }
    if (right) {
      found[right->node->name()].second = right->node;
    }
  });
  for (const auto& [name, sides] : found) {
    if (sides.first != sides.second) {
      visit(sides.first, sides.second);
    }
  }
}

// The last entry before `name` that the other list has too, or empty.
std::string_view common_before(const Children& list, const Children& other, std::string_view name) {
  const Node* at = list.before(name);
  while (at && !other.find(at->name())) {
    at = list.before(at->name());
  }
  return at ? at->name() : std::string_view();
}

}  // namespace

void Children::diff(const Children& before, const Children& after,
                    const std::function<void(const NodePtr&, const NodePtr&)>& visit) {
  if (before.tree_ == after.tree_) {
    return;
  }
  // An absent list is empty in order of the schema, so the orders need not be equal here.
  if (before.empty()) {
    diff_nothing(after, [&](const NodePtr& node) { visit(nullptr, node); });
    return;
  }
  if (after.empty()) {
    diff_nothing(before, [&](const NodePtr& node) { visit(node, nullptr); });
    return;
  }
  base::check(before.order() == after.order(), "only lists of one kind have a difference");
  const auto pass = [&](const NodePtr* left, const NodePtr* right) {
    visit(left ? *left : nullptr, right ? *right : nullptr);
  };
  if (const auto* statements = std::get_if<Statements>(&before.tree_->items)) {
    Statements::diff(*statements, std::get<Statements>(after.tree_->items), pass);
  } else if (const auto* entries = std::get_if<Entries>(&before.tree_->items)) {
    Entries::diff(*entries, std::get<Entries>(after.tree_->items), pass);
  } else {
    diff_ranked(std::get<RankedEntries>(before.tree_->items),
                std::get<RankedEntries>(after.tree_->items), visit);
  }
}

bool Children::moved(const Children& before, const Children& after) {
  if (before.tree_ == after.tree_ || before.empty() || after.empty() ||
      before.order() != Order::Ranked) {
    return false;
  }
  const auto& left = std::get<RankedEntries>(before.tree_->items);
  const auto& right = std::get<RankedEntries>(after.tree_->items);
  // Entries with equal labels stand in equal order. If each of the others follows the same common
  // entry as before, then nothing moved: all that hang on one entry that stands still form a chain
  // which is the same on both sides.
  bool moved = false;
  BTree<IndexTraits>::diff(left.index, right.index, [&](const Indexed* was, const Indexed* is) {
    moved = moved ||
            (was && is &&
             common_before(before, after, was->name) != common_before(after, before, is->name));
  });
  return moved;
}

}  // namespace millrace::tree
