// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "base/file.h"
#include "schema/schema.h"

namespace millrace::schema {

base::Result<Schema> load(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".tmpl") {
      files.push_back(it->path());
    }
  }
  if (error) {
    return base::fail(base::Code::Io, "cannot list the templates: " + error.message(),
                      folder.string());
  }
  if (files.empty()) {
    return base::fail(base::Code::UnknownPath, "found no templates, expected *.tmpl files",
                      folder.string());
  }
  std::ranges::sort(files);
  std::vector<Source> sources;
  for (const fs::path& file : files) {
    auto text = base::read_file(file);
    if (!text) {
      return base::fail_because(std::move(text.error()), "cannot read a template", file.string());
    }
    sources.push_back({file.lexically_relative(folder).generic_string(), std::move(*text)});
  }
  return build(std::move(sources));
}

}  // namespace millrace::schema
