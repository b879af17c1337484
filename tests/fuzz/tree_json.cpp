// SPDX-License-Identifier: GPL-2.0-or-later
//
// Any bytes as a configuration in this form: what is loaded of it is a configuration like any
// other.
#include "support/fuzz_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return millrace::test::load_anything(bytes, size, millrace::tree::LoadForm::Json);
}
