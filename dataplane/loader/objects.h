// SPDX-License-Identifier: GPL-2.0-or-later
//
// The compiled BPF objects, as they stand in this binary, and libbpf's handles with owners.
#pragma once

#include <bpf/libbpf.h>

#include <memory>
#include <span>
#include <string>

#include "base/error.h"

namespace millrace::loader {

std::span<const unsigned char> forward_object();
std::span<const unsigned char> dispatch_object();
std::span<const unsigned char> watch_object();

struct CloseObject {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
};
using Object = std::unique_ptr<bpf_object, CloseObject>;

// Opened, not loaded. Errors: Internal.
base::Result<Object> open_object(std::span<const unsigned char> bytes, const char* name);
// Errors: ApplyFailed, with the last lines that libbpf and the verifier had to say.
base::Result<void> load_object(bpf_object* object, const char* name);

// "cannot DO: REASON", of a libbpf result (a negative errno).
base::Error refused(int result, const std::string& what);

}  // namespace millrace::loader
