// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/write_queue.h"

#include <algorithm>
#include <utility>

#include "base/file.h"

namespace millrace::system {

WriteQueue::WriteQueue(std::filesystem::path marks, Write write)
    : marks_(std::move(marks)), write_(std::move(write)) {}

WriteQueue::~WriteQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

std::filesystem::path WriteQueue::mark(std::string_view path) const {
  std::string name(path);
  std::ranges::replace(name, '/', ':');
  return marks_ / name;
}

base::Result<void> WriteQueue::add(std::string_view path, Content content) {
  const std::scoped_lock lock(mutex_);
  if (auto marked = base::write_file(mark(path), ""); !marked) {
    return marked;
  }
  waiting_.insert_or_assign(std::string(path), std::move(content));
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { work(); });
  }
  changed_.notify_all();
  return {};
}

void WriteQueue::settle(std::string_view path) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !waiting_.contains(path) && writing_ != path; });
}

bool WriteQueue::marked(std::string_view path) const {
  std::error_code ignored;
  return std::filesystem::exists(mark(path), ignored);
}

void WriteQueue::unmark(std::string_view path) {
  std::error_code ignored;
  std::filesystem::remove(mark(path), ignored);
}

void WriteQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      return;
    }
    auto next = waiting_.extract(waiting_.begin());
    writing_ = next.key();
    lock.unlock();
    const auto written = write_(next.key(), next.mapped()());
    next = {};  // what the content holds goes before anybody is told
    lock.lock();
    if (written && !waiting_.contains(writing_)) {
      unmark(writing_);
    }
    writing_.clear();
    changed_.notify_all();
  }
}

}  // namespace millrace::system
