// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/registry.h"

#include <gmock/gmock.h>

#include "appliers/render_text.h"
#include "unit/appliers/world.h"

namespace millrace::appliers {
namespace {

TEST(Registry, Gives_every_statement_of_the_templates_an_owner) {
  auto schema = schema::load(std::filesystem::path(MILLRACE_SOURCE_DIR) / "templates");
  ASSERT_TRUE(schema) << schema.error().to_string();
  const auto owned = schema::assign_owners(*schema, ownership());
  EXPECT_TRUE(owned) << owned.error().to_string();
}

TEST(Registry, Has_an_applier_for_every_render) {
  const auto registry = make_registry(test::real_schema());
  for (const schema::Render& render : test::real_schema().renders()) {
    EXPECT_EQ(test::applier(registry, render.name).owns(), std::vector{render.path});
  }
}

TEST(Registry, Can_be_sorted) {
  auto registry = make_registry(test::real_schema());
  const auto sorted = commit::sort_appliers(registry);
  EXPECT_TRUE(sorted) << sorted.error().to_string();
}

TEST(Registry, Reads_only_statements_that_exist) {
  for (const auto& applier : make_registry(test::real_schema())) {
    for (const std::string& path : applier->reads()) {
      EXPECT_NE(test::real_schema().find(path), nullptr) << applier->name() << " reads " << path;
    }
  }
}

TEST(Registry, Has_no_render_that_could_print_a_raw_value) {
  for (const schema::Render& render : test::real_schema().renders()) {
    EXPECT_EQ(why_not_renderable(render.text).value_or(""), "") << render.origin;
  }
}

}  // namespace
}  // namespace millrace::appliers
