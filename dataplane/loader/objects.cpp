// SPDX-License-Identifier: GPL-2.0-or-later
#include "loader/objects.h"

#include <cstdio>
#include <cstring>
#include <mutex>

// One symbol for each end of each object; .incbin keeps the bytes out of the compiler.
#define MILLRACE_INCLUDE(name)                              \
  asm(".pushsection .rodata\n"                              \
      ".balign 16\n"                                        \
      "millrace_" #name                                     \
      "_begin:\n"                                           \
      ".incbin \"" MILLRACE_BPF_OBJECTS "/" #name           \
      ".bpf.o\"\n"                                          \
      "millrace_" #name                                     \
      "_end:\n"                                             \
      ".popsection\n");                                     \
  extern "C" const unsigned char millrace_##name##_begin[]; \
  extern "C" const unsigned char millrace_##name##_end[];

MILLRACE_INCLUDE(forward)
MILLRACE_INCLUDE(dispatch)
MILLRACE_INCLUDE(watch)

namespace millrace::loader {
namespace {

constexpr std::size_t kLogLimit = 2000;

// What libbpf said since the last failure; it has one printer for the process.
std::mutex said_mutex;
std::string said;

int keep(libbpf_print_level level, const char* format, va_list arguments) {
  if (level == LIBBPF_DEBUG) {
    return 0;
  }
  char line[1024];
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  const std::lock_guard lock(said_mutex);
  said += line;
  if (said.size() > 2 * kLogLimit) {
    said.erase(0, said.size() - kLogLimit);
  }
  return length;
}

std::string take_said() {
  const std::lock_guard lock(said_mutex);
  std::string text = said.size() > kLogLimit ? said.substr(said.size() - kLogLimit) : said;
  said.clear();
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text;
}

}  // namespace

std::span<const unsigned char> forward_object() {
  return {millrace_forward_begin, millrace_forward_end};
}
std::span<const unsigned char> dispatch_object() {
  return {millrace_dispatch_begin, millrace_dispatch_end};
}
std::span<const unsigned char> watch_object() {
  return {millrace_watch_begin, millrace_watch_end};
}

base::Error refused(int result, const std::string& what) {
  return base::Error{base::Code::ApplyFailed,
                     "cannot " + what + ": " + std::strerror(result < 0 ? -result : result)};
}

base::Result<Object> open_object(std::span<const unsigned char> bytes, const char* name) {
  libbpf_set_print(keep);
  bpf_object_open_opts options = {};
  options.sz = sizeof options;
  options.object_name = name;
  bpf_object* object = bpf_object__open_mem(bytes.data(), bytes.size(), &options);
  if (object == nullptr) {
    return base::fail(base::Code::Internal,
                      std::string("cannot read the BPF object ") + name + ": " + take_said());
  }
  return Object(object);
}

base::Result<void> load_object(bpf_object* object, const char* name) {
  take_said();
  if (const int result = bpf_object__load(object); result != 0) {
    base::Error error = refused(result, std::string("load the BPF object ") + name);
    error.message += "\n" + take_said();
    return std::unexpected(std::move(error));
  }
  return {};
}

}  // namespace millrace::loader
