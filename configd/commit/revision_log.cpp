// SPDX-License-Identifier: GPL-2.0-or-later
//
// The log is a chain of files, "log-BASE", each headed by the last revision before it. A new one is
// begun every kSegmentRevisions revisions, and then a snapshot of its base is written by a thread
// of its own, which afterwards deletes the files that nobody can ask for any more, oldest first. So
// nothing is ever rewritten, the commit path only appends, and a crash at any point leaves a chain
// that is merely longer than it needs to be.
//
// A tree is rebuilt from the snapshot of a file's base, or from the empty configuration at base 0,
// and the deltas after it. Rebuilt trees are kept: versions share what they have in common.
#include "commit/revision_log.h"

#include <sys/stat.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <format>
#include <map>
#include <mutex>
#include <thread>

#include "base/check.h"
#include "base/file.h"
#include "commit/log_reader.h"
#include "commit/record.h"
#include "commit/salvage.h"
#include "commit/saved.h"
#include "commit/segment.h"
#include "commit/snapshot.h"
#include "tree/delta.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Result;

constexpr std::size_t kMaxRevisions = 50;
constexpr std::size_t kSegmentRevisions = 16;
// Beyond this a start spends less on a snapshot than on the set lines of the deltas.
constexpr std::size_t kSegmentBytes = 1U << 20;
// More would be memory for nothing: each may be a whole configuration that shares little.
constexpr std::size_t kKeptTrees = 8;

struct Pending {
  LogEntry entry;
  tree::ConfigTree candidate;
};

}  // namespace

struct RevisionLog::State {
  State(std::filesystem::path folder, const schema::Schema& schema)
      : folder_(std::move(folder)), schema_(schema), running_(schema) {}

  ~State() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    if (worker_.joinable()) {
      worker_.join();
    }
  }

  // ===== opening =====

  Result<void> open() {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      return base::fail(Code::Io, std::format("cannot create {}", folder_.string()));
    }
    // Optional: files are 0600 by themselves, and a disk that is read only keeps its modes.
    static_cast<void>(::chmod(folder_.c_str(), 0700));
    auto contents = read_log(folder_);
    if (!contents) {
      return std::unexpected(contents.error());
    }
    auto tree = adopt(*contents);
    if (contents->damage || !tree) {
      const std::string what = contents->damage ? *contents->damage : tree.error().message;
      salvage(std::move(*contents), what);
    } else {
      running_ = *tree;
      open_for_writing();
    }
    recovery_.committed = entries_.rbegin()->first;
    list_revisions();
    queue_missing_snapshot();
    forget_old_trees();
    worker_ = std::thread([this] { work(); });
    return {};
  }

  // Takes the chain for the log; returns its newest tree.
  Result<tree::ConfigTree> adopt(const LogContents& contents) {
    entries_ = contents.entries;
    segments_ = contents.segments;
    recovery_ = contents.recovery;
    next_id_ = contents.next_id;
    last_file_ = contents.last_file;
    good_ = contents.good;
    return entries_.empty() ? tree::ConfigTree(schema_)
                            : rebuild(entries_.rbegin()->first, &recovery_.remarks);
  }

  // The log is damaged: cuts it back to the newest revision that can be trusted.
  void salvage(LogContents whole, const std::string& what) {
    const RevisionId highest = std::max(highest_known_id(folder_), whole.next_id - 1);
    auto aside = keep_aside(folder_);
    LogContents taken;  // nothing, if nothing can be read
    for (const LogContents& chain : readable_chains(folder_, std::move(whole))) {
      if (auto tree = adopt(chain)) {
        taken = chain;
        running_ = *tree;
        break;
      }
    }
    if (taken.entries.empty()) {
      static_cast<void>(adopt(taken));  // empty: always there
      running_ = tree::ConfigTree(schema_);
    }
    recovery_.salvaged = true;
    recovery_.interrupted.reset();
    recovery_.remarks.insert(
        recovery_.remarks.begin(),
        std::format("alarm: {}; the newest revision that can be trusted is {}{}", what,
                    taken.entries.empty() ? 0 : taken.entries.rbegin()->first,
                    aside ? ", the old files are in " + aside->folder.string() : std::string()));
    next_id_ = std::max(next_id_, highest + 1);
    for (const std::string& file : aside ? aside->unreadable : std::vector<std::string>()) {
      recovery_.remarks.push_back(std::format("alarm: {} of the old files cannot be read", file));
    }
    if (!aside) {  // nothing is lost, and nothing may be written over
      recovery_.remarks.push_back(unwritable(aside.error()));
      begin_without_file();
      return;
    }
    remove_others(folder_, taken);
    open_for_writing();
    if (segment_) {
      // Tells the next start which ids are taken.
      static_cast<void>(end(Record::Kind::Aborted, highest));
    }
    if (taken.entries.empty()) {
      begin_from_rescue();
    }
  }

  // Nothing of the log is left: what somebody kept for an emergency becomes the first revision.
  void begin_from_rescue() {
    auto rescue = SavedConfigurations(folder_, schema_).load(kRescue);
    if (!rescue) {
      recovery_.remarks.push_back("alarm: " + rescue.error().message +
                                  ", so the configuration is empty");
      return;
    }
    list_revisions();
    const Revision revision{0, std::time(nullptr), "root", "other", "rescue configuration"};
    if (const auto id = prepare(revision, *rescue, {}); id && committed(*id)) {
      recovery_.remarks.push_back("alarm: the rescue configuration is in force");
    } else {
      running_ = *rescue;  // until somebody makes room
    }
  }

  static std::string unwritable(const base::Error& error) {
    return "alarm: the revision log takes no records: " + error.message;
  }

  void open_for_writing() {
    if (auto opened = open_last_segment(); !opened) {
      recovery_.remarks.push_back(unwritable(opened.error()));
      begin_without_file();
    }
  }

  void begin_without_file() {
    if (entries_.empty()) {
      entries_[0] = initial_entry(std::time(nullptr));
    }
  }

  // Errors: Io: the folder cannot be written, and segment_ is empty.
  Result<void> open_last_segment() {
    auto segment = Segment::open(folder_, last_file_, good_);
    if (!segment) {
      return std::unexpected(segment.error());
    }
    segment_ = std::move(*segment);
    if (segment_->read_only()) {
      recovery_.remarks.push_back(std::format(
          "alarm: the disk of {} is read-only: no commit can be recorded", folder_.string()));
    }
    if (good_ > 0) {
      return {};
    }
    auto begun = begin_segment(last_file_);
    if (!begun) {
      segment_.reset();
    }
    return begun;
  }

  // A disk that was read only at the start may be writable by now.
  Result<void> need_segment() {
    if (segment_) {
      return {};
    }
    if (recovery_.salvaged) {
      return base::fail(Code::Io, "the revision log is damaged and could not be kept aside", {},
                        "make its folder writable and restart configd");
    }
    return open_last_segment();
  }

  // Writes the head of the empty file that segment_ is.
  Result<void> begin_segment(RevisionId base) {
    Record head;
    head.revision.id = base;
    head.revision.time = std::time(nullptr);
    auto line = encode_record(head);
    if (!line) {
      return std::unexpected(line.error());
    }
    if (auto appended = segment_->append(*line); !appended) {
      return appended;
    }
    if (segments_.empty() || segments_.back() != base) {
      segments_.push_back(base);
    }
    if (base == 0) {
      entries_[0] = initial_entry(head.revision.time);
    }
    return {};
  }

  // ===== rebuilding =====

  // Requires: entries_ has `id`, or `id` is the base of a file.
  Result<tree::ConfigTree> rebuild(RevisionId id, std::vector<std::string>* remarks) {
    if (const auto known = entries_.find(id); known != entries_.end() && known->second.tree) {
      return *known->second.tree;
    }
    for (auto base = segments_.rbegin(); base != segments_.rend(); ++base) {
      if (*base > id) {
        continue;
      }
      std::vector<std::string> found;
      auto start = *base == 0 ? Result<tree::ConfigTree>(tree::ConfigTree(schema_))
                              : read_snapshot(folder_, *base, schema_, found);
      if (start) {
        auto tree = replay_from(*base, id, std::move(*start), found);
        if (tree && remarks != nullptr) {
          remarks->insert(remarks->end(), found.begin(), found.end());
        }
        return tree;
      }
      if (start.error().code != Code::UnknownPath && remarks != nullptr) {
        remarks->push_back(std::format("alarm: {}, using an older one", start.error().message));
      }
    }
    return base::fail(Code::Io, std::format("no snapshot that leads to revision {}", id));
  }

  Result<tree::ConfigTree> replay_from(RevisionId base, RevisionId id, tree::ConfigTree tree,
                                       std::vector<std::string>& remarks) {
    std::map<RevisionId, std::string> files;
    for (auto entry = entries_.upper_bound(base); entry != entries_.upper_bound(id); ++entry) {
      const RevisionId segment = entry->second.segment;
      if (!files.contains(segment)) {
        auto text = base::read_file(Segment::path(folder_, segment));
        if (!text) {
          return std::unexpected(text.error());
        }
        files.emplace(segment, std::move(*text));
      }
      auto scan = scan_records(
          std::string_view(files.at(segment)).substr(entry->second.offset, entry->second.length));
      if (scan.records.size() != 1) {
        return base::fail(Code::Syntax,
                          std::format("the record of revision {} is damaged", entry->first));
      }
      tree = replay(scan.records.front().record.delta, tree, entry->first, remarks);
      entry->second.tree = tree;
    }
    return tree;
  }

  void list_revisions() {
    revisions_.clear();
    for (auto entry = entries_.rbegin();
         entry != entries_.rend() && revisions_.size() < kMaxRevisions; ++entry) {
      revisions_.push_back(entry->second.revision);
    }
  }

  void forget_old_trees() {
    std::size_t kept = 0;
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if (++kept > kKeptTrees) {
        entry->second.tree.reset();
      }
    }
  }

  // ===== appending =====

  Result<RevisionId> prepare(const Revision& revision, const tree::ConfigTree& candidate,
                             const std::vector<std::string>& touched) {
    const std::scoped_lock lock(mutex_);
    if (auto writable = need_segment(); !writable) {
      return std::unexpected(writable.error());
    }
    if (auto rotated = rotate(kSegmentRevisions); !rotated) {
      return std::unexpected(rotated.error());
    }
    Record record;
    record.kind = Record::Kind::Prepare;
    record.revision = revision;
    record.revision.id = next_id_;
    record.parent = revisions_.front().id;
    record.delta = tree::encode(tree::Delta(running_, candidate));
    record.touched = touched;
    auto line = encode_record(record);
    if (!line) {
      return std::unexpected(line.error());
    }
    const std::size_t offset = segment_->size();
    if (auto appended = segment_->append(*line); !appended) {
      return std::unexpected(appended.error());
    }
    pending_ = Pending{{record.revision, segments_.back(), offset, line->size(), false, candidate},
                       candidate};
    return next_id_++;
  }

  // Begins a new file when the last one is large or has `revisions` of them (0: no number is
  // enough).
  Result<void> rotate(std::size_t revisions) {
    const RevisionId last = revisions_.front().id;
    const auto first = entries_.upper_bound(segments_.back());
    const auto count = static_cast<std::size_t>(std::distance(first, entries_.end()));
    const bool many = revisions > 0 && count >= revisions;
    if (count == 0 || (!many && segment_->size() < kSegmentBytes)) {
      return {};
    }
    auto segment = Segment::open(folder_, last, 0);
    if (!segment) {
      return std::unexpected(segment.error());
    }
    std::swap(*segment_, *segment);
    if (auto begun = begin_segment(last); !begun) {
      std::swap(*segment_, *segment);
      std::error_code ignored;  // begin_segment's error is the one to report
      std::filesystem::remove(Segment::path(folder_, last), ignored);
      return begun;
    }
    queue_missing_snapshot();
    return {};
  }

  Result<void> end(Record::Kind kind, RevisionId id) {
    Record record;
    record.kind = kind;
    record.revision.id = id;
    if (auto writable = need_segment(); !writable) {
      return writable;
    }
    auto line = encode_record(record);
    return line ? segment_->append(*line) : std::unexpected(line.error());
  }

  Result<void> committed(RevisionId id) {
    const std::scoped_lock lock(mutex_);
    base::check(pending_ && pending_->entry.revision.id == id, "committed() without prepare()");
    if (auto ended = end(Record::Kind::Committed, id); !ended) {
      return ended;
    }
    running_ = pending_->candidate;
    entries_[id] = std::move(pending_->entry);
    pending_.reset();
    list_revisions();
    forget_old_trees();
    // After a large change its snapshot is written at once, for a start that may follow at once. If
    // that fails the next commit tries again.
    static_cast<void>(rotate(0));
    return {};
  }

  Result<void> aborted(RevisionId id) {
    pending_.reset();
    return end(Record::Kind::Aborted, id);
  }

  bool on_trial() const {
    const LogEntry& newest = entries_.rbegin()->second;
    return newest.revision.trial && !newest.confirmed;
  }

  Result<void> confirm() {
    const std::scoped_lock lock(mutex_);
    base::check(on_trial(), "confirm() without a trial");
    auto done = end(Record::Kind::Confirmed, entries_.rbegin()->first);
    if (done) {
      entries_.rbegin()->second.confirmed = true;
    }
    return done;
  }

  // ===== in the background =====

  // Requires: the lock, or no worker yet.
  void queue_missing_snapshot() {
    if (segments_.empty()) {
      return;
    }
    const RevisionId base = segments_.back();
    if (base == 0 || std::filesystem::exists(snapshot_path(folder_, base))) {
      return;
    }
    if (auto tree = rebuild(base, nullptr)) {  // else the older snapshots still lead here
      job_ = {base, *tree};
      wake_.notify_all();
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stopping_ || job_; });
      if (!job_) {
        return;
      }
      const auto [base, tree] = *std::exchange(job_, std::nullopt);
      lock.unlock();
      const bool written = write_snapshot(folder_, base, tree).has_value();
      lock.lock();
      if (written) {
        drop_old_files();
      }
    }
  }

  // Requires: the lock. A file may go when a later one's base has a snapshot and is older than
  // every revision that can be asked for. Not every base has one: under load the next is begun
  // first.
  void drop_old_files() {
    if (revisions_.size() < kMaxRevisions) {
      return;
    }
    RevisionId first = 0;
    for (const RevisionId base : segments_) {
      if (base < revisions_.back().id && std::filesystem::exists(snapshot_path(folder_, base))) {
        first = base;
      }
    }
    while (segments_[0] < first) {
      std::error_code ignored;  // a file that stays is read again at the next start, no more
      std::filesystem::remove(Segment::path(folder_, segments_[0]), ignored);
      std::filesystem::remove(snapshot_path(folder_, segments_[0]), ignored);
      entries_.erase(entries_.begin(), entries_.upper_bound(segments_[1]));
      segments_.erase(segments_.begin());
    }
  }

  const std::filesystem::path folder_;
  const schema::Schema& schema_;
  Recovery recovery_;
  tree::ConfigTree running_;
  std::vector<Revision> revisions_;  // newest first
  std::optional<Segment> segment_;   // the last one; empty while the folder cannot be written
  RevisionId last_file_ = 0;         // of the chain, and how much of it to keep
  std::size_t good_ = 0;
  std::optional<Pending> pending_;
  RevisionId next_id_ = 1;

  std::mutex mutex_;  // between the commit thread and the worker: guards what follows, revisions_
  std::map<RevisionId, LogEntry> entries_;  // committed, oldest first; some older than revisions_
  std::vector<RevisionId> segments_;        // bases, oldest first
  std::optional<std::pair<RevisionId, tree::ConfigTree>> job_;
  bool stopping_ = false;
  std::condition_variable wake_;
  std::thread worker_;
};

RevisionLog::RevisionLog(std::unique_ptr<State> state) : state_(std::move(state)) {}
RevisionLog::RevisionLog(RevisionLog&&) noexcept = default;
RevisionLog& RevisionLog::operator=(RevisionLog&&) noexcept = default;
RevisionLog::~RevisionLog() = default;

Result<RevisionLog> RevisionLog::open(const std::filesystem::path& folder,
                                      const schema::Schema& schema) {
  auto state = std::make_unique<State>(folder, schema);
  if (auto opened = state->open(); !opened) {
    return std::unexpected(opened.error());
  }
  return RevisionLog(std::move(state));
}

const Recovery& RevisionLog::recovery() const {
  return state_->recovery_;
}
const tree::ConfigTree& RevisionLog::running() const {
  return state_->running_;
}
const std::vector<Revision>& RevisionLog::revisions() const {
  return state_->revisions_;
}

Result<tree::ConfigTree> RevisionLog::tree(std::size_t index) const {
  const std::scoped_lock lock(state_->mutex_);
  if (index >= state_->revisions_.size()) {
    return base::fail(Code::UnknownPath, std::format("no revision {}, expected 0 to {}", index,
                                                     state_->revisions_.size() - 1));
  }
  auto tree = state_->rebuild(state_->revisions_[index].id, nullptr);
  state_->forget_old_trees();
  return tree;
}

Result<tree::ConfigTree> RevisionLog::tree_of(RevisionId id) const {
  const std::scoped_lock lock(state_->mutex_);
  if (!state_->entries_.contains(id)) {
    return base::fail(Code::UnknownPath, std::format("no revision with the id {}", id));
  }
  auto tree = state_->rebuild(id, nullptr);
  state_->forget_old_trees();
  return tree;
}

bool RevisionLog::on_trial() const {
  const std::scoped_lock lock(state_->mutex_);
  return state_->on_trial();
}

Result<void> RevisionLog::confirm() {
  return state_->confirm();
}

Result<RevisionId> RevisionLog::prepare(const Revision& revision, const tree::ConfigTree& candidate,
                                        const std::vector<std::string>& touched) {
  return state_->prepare(revision, candidate, touched);
}

Result<void> RevisionLog::committed(RevisionId id) {
  return state_->committed(id);
}
Result<void> RevisionLog::aborted(RevisionId id) {
  return state_->aborted(id);
}

}  // namespace millrace::commit
