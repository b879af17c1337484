// SPDX-License-Identifier: GPL-2.0-or-later
//
// policy-options. Policies by themselves do nothing, so there is nothing to plan: the protocols
// that use one turn it into route-maps (policy/compiler.h) and say what FRR cannot do there. What
// is wrong wherever it is used is found here.
#include <memory>
#include <string>

#include "appliers/policy/as_path.h"
#include "appliers/policy/community.h"
#include "appliers/policy/model.h"
#include "commit/applier.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using commit::World;
using tree::View;

void check_path(const View& entry, const std::string& level, const std::string& statement,
                Diagnostics& out) {
  for (const auto& [text, view] : entry["path"].entries()) {
    if (const auto expression = policy::as_path_expression(text); !expression) {
      out.error(Code::BadValue, level, statement, expression.error().message,
                expression.error().hint);
    }
  }
}

void check_filters(const View& term, const std::string& level, Diagnostics& out) {
  for (const auto& [prefix, filter] : term["from"]["route-filter"].entries()) {
    const std::string statement = "route-filter " + std::string(prefix);
    const auto ranges = policy::read_ranges(filter);
    if (!ranges) {
      out.error(Code::BadValue, level + " from", statement, ranges.error().message);
    }
    std::size_t types = 0;
    std::size_t actions = 0;
    filter.node()->children().for_each([&](const tree::NodePtr& child) {
      const std::string_view name = child->name();
      const bool flag = name == "exact" || name == "longer" || name == "orlonger";
      const bool list = name == "upto" || name == "prefix-length-range" || name == "through";
      types += flag ? 1 : list ? child->children().size() : 0;
      actions += flag || list ? 0 : 1;
      return true;
    });
    if (types > 1 && actions > 0) {
      out.error(Code::Constraint, level + " from", statement,
                "several match types of one prefix cannot have actions",
                "use one term for each match type");
    }
  }
}

void check_statement(const View& statement, const std::string& path, Diagnostics& out) {
  for (const auto& [name, term] : statement["term"].entries()) {
    check_filters(term, path + " term " + std::string(name), out);
  }
  check_filters(statement, path, out);
}

class Policies final : public commit::Applier {
 public:
  std::string_view name() const override { return "policy"; }
  std::vector<std::string> owns() const override { return {"policy-options"}; }

  void check(const World& /*before*/, const World& after, const tree::Delta& delta,
             Diagnostics& out) const override {
    const View options = View(after.tree)["policy-options"];
    for_each_changed(after.tree, delta, "policy-statement", [&](const std::string& key) {
      check_statement(options["policy-statement"].entry(key),
                      "policy-options policy-statement " + key, out);
    });
    for_each_changed(after.tree, delta, "as-path", [&](const std::string& key) {
      check_path(options["as-path"].entry(key), "policy-options", "as-path " + key, out);
    });
    for_each_changed(after.tree, delta, "as-path-group", [&](const std::string& key) {
      for (const auto& [name, path] : options["as-path-group"].entry(key)["as-path"].entries()) {
        check_path(path, "policy-options as-path-group " + key, "as-path " + std::string(name),
                   out);
      }
    });
    for_each_changed(after.tree, delta, "community", [&](const std::string& key) {
      for (const auto& [text, view] : options["community"].entry(key)["members"].entries()) {
        if (const auto member = policy::read_member(text); !member) {
          out.error(Code::BadValue, "policy-options community " + key, "members",
                    member.error().message);
        }
      }
    });
  }

  commit::Plan plan(const World& /*before*/, const World& /*after*/,
                    const tree::Delta& /*delta*/) const override {
    return {};
  }
  base::Result<commit::Plan> reconcile(const World& /*wanted*/,
                                       system::System& /*system*/) const override {
    return commit::Plan();
  }

 private:
  template <class Check>
  static void for_each_changed(const tree::ConfigTree& tree, const tree::Delta& delta,
                               std::string_view list, Check check) {
    const schema::Node* const options = tree.schema().find("policy-options");
    tree::Path path;
    path.steps.push_back({options, {}, false});
    path.steps.push_back({options->child(list), {}, false});
    for (const std::string& key : delta.changed_keys(path)) {
      if (View(tree)["policy-options"][list].entry(key)) {
        check(key);
      }
    }
  }
};

}  // namespace

std::unique_ptr<commit::Applier> make_policy() {
  return std::make_unique<Policies>();
}

}  // namespace millrace::appliers
