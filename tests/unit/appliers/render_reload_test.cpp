// SPDX-License-Identifier: GPL-2.0-or-later
//
// A service that reads its file again when it is told to, and a configd that ends between writing
// the file and telling it.
#include <gmock/gmock.h>

#include <stdexcept>

#include "support/fake_system.h"
#include "unit/appliers/world.h"

namespace millrace::appliers {

std::unique_ptr<commit::Applier> make_render(const schema::Render& render);

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

schema::Render reloading() {
  schema::Render render;
  render.name = "names";
  render.path = "system";
  render.file = "/etc/names";
  render.escape = "word";
  render.text = "name {{host-name}}\n";
  render.unit = "names.service";
  render.reloads = true;
  return render;
}

class RenderReload : public ::testing::Test {
 protected:
  RenderReload() { machine_.units.reads("names.service", "/etc/names"); }

  commit::Plan plan(const commit::World& before, const commit::World& after) const {
    return applier_->plan(before, after, {before.tree, after.tree});
  }

  void die_at(std::string change) {
    machine_.hook = [change = std::move(change)](const std::string& next) -> base::Result<void> {
      if (next == change) {
        throw std::runtime_error(change);
      }
      return {};
    };
  }

  // What a start does.
  void recover(const commit::World& wanted) {
    machine_.hook = {};
    auto view = machine_.view();
    auto repair = applier_->reconcile(wanted, view);
    ASSERT_TRUE(repair) << repair.error().to_string();
    ASSERT_TRUE(test::apply(*repair, view));
    auto again = applier_->reconcile(wanted, view);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->empty());
    EXPECT_FALSE(applier_->unsettled(view));
  }

  const schema::Render render_ = reloading();
  const std::unique_ptr<commit::Applier> applier_ = make_render(render_);
  test::FakeSystem machine_;
  const commit::World none_ = test::world_of("");
  const commit::World old_ = test::world_of("set system host-name old");
  const commit::World new_ = test::world_of("set system host-name new");
};

TEST_F(RenderReload, Leaves_no_mark_when_all_goes_well) {
  auto first = plan(none_, old_);
  ASSERT_TRUE(test::apply(first, machine_.view()));
  const std::string before = machine_.dump();
  auto change = plan(old_, new_);
  ASSERT_TRUE(test::apply(change, machine_.view()));
  EXPECT_THAT(machine_.dump(), Not(HasSubstr("stale")));
  ASSERT_TRUE(test::undo(change, machine_.view()));
  EXPECT_EQ(machine_.dump(), before);
}

TEST_F(RenderReload, Tells_a_service_that_was_not_told_although_its_file_is_right) {
  auto first = plan(none_, old_);
  ASSERT_TRUE(test::apply(first, machine_.view()));
  auto change = plan(old_, new_);
  ASSERT_TRUE(test::apply(change, machine_.view()));
  // The service runs on the new file; the undo has the old one in place and ends there.
  die_at("units: reload names.service");
  EXPECT_THROW(static_cast<void>(test::undo(change, machine_.view())), std::runtime_error);
  EXPECT_THAT(machine_.dump(), HasSubstr("unit names.service active stale"));
  auto view = machine_.view();
  EXPECT_TRUE(applier_->unsettled(view));
  recover(old_);
  EXPECT_THAT(machine_.dump(), HasSubstr("unit names.service active\n"));
}

TEST_F(RenderReload, Is_repaired_whatever_change_was_the_last_before_the_end) {
  for (const char* const change :
       {"files: write /run/millrace/untold/names", "files: write /etc/names",
        "units: reload names.service", "files: remove /run/millrace/untold/names"}) {
    SCOPED_TRACE(change);
    machine_.hook = {};
    recover(old_);
    auto step = plan(old_, new_);
    die_at(change);
    EXPECT_THROW(static_cast<void>(test::apply(step, machine_.view())), std::runtime_error);
    recover(old_);
    EXPECT_THAT(machine_.dump(), HasSubstr("name old"));
    EXPECT_THAT(machine_.dump(), Not(HasSubstr("stale")));
  }
}

}  // namespace
}  // namespace millrace::appliers
