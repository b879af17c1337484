// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/snapshot.h"

#include <algorithm>
#include <format>

#include "base/file.h"
#include "commit/record.h"
#include "tree/delta.h"
#include "tree/keep_unknown.h"
#include "tree/text.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

// Enough to see what is wrong; a router full of alarms hides the first one.
constexpr std::size_t kMaxRemarks = 20;

std::string head_of(RevisionId id, std::string_view body) {
  return std::format("# millrace snapshot {} crc32c {:08x}\n", id, crc32c(body));
}

void add_lost(const std::vector<tree::UnknownStatement>& lost, RevisionId id,
              std::vector<std::string>& remarks) {
  for (const tree::UnknownStatement& each : lost) {
    std::string remark = std::format("alarm: statement \"{}\" of revision {} is kept out: {}",
                                     each.statement, id, each.reason);
    if (remarks.size() < kMaxRemarks && !std::ranges::contains(remarks, remark)) {
      remarks.push_back(std::move(remark));
    }
  }
}

}  // namespace

std::filesystem::path snapshot_path(const std::filesystem::path& folder, RevisionId id) {
  return folder / std::format("snapshot-{}.conf", id);
}

Result<void> write_snapshot(const std::filesystem::path& folder, RevisionId id,
                            const tree::ConfigTree& tree) {
  const std::string body = tree::to_text(tree, {});
  return base::write_file(snapshot_path(folder, id), head_of(id, body) + body, 0600);
}

Result<tree::ConfigTree> read_snapshot(const std::filesystem::path& folder, RevisionId id,
                                       const schema::Schema& schema,
                                       std::vector<std::string>& remarks) {
  auto text = base::read_file(snapshot_path(folder, id));
  if (!text) {
    return std::unexpected(text.error());
  }
  const std::size_t end = text->find('\n');
  std::string body = end == std::string::npos ? std::string() : text->substr(end + 1);
  if (end == std::string::npos || text->substr(0, end + 1) != head_of(id, body)) {
    return base::fail(Code::Syntax, std::format("snapshot {} is damaged", id));
  }
  tree::Editor editor{tree::ConfigTree(schema)};
  add_lost(tree::load_keeping(editor, std::move(body)), id, remarks);
  tree::restore_known(editor);
  return editor.tree();
}

tree::ConfigTree replay(std::string_view encoded, const tree::ConfigTree& tree, RevisionId id,
                        std::vector<std::string>& remarks) {
  if (auto result = tree::apply(encoded, tree)) {
    tree::Editor editor(std::move(*result));
    tree::restore_known(editor);
    return editor.tree();
  }
  tree::Editor editor(tree);
  add_lost(tree::apply_keeping(editor, encoded), id, remarks);
  tree::restore_known(editor);
  return editor.tree();
}

}  // namespace millrace::commit
