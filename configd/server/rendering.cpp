// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/rendering.h"

#include <memory>
#include <utility>

#include "server/table.h"
#include "syntax/json.h"
#include "syntax/xml.h"
#include "syntax/yaml.h"
#include "tree/compare.h"
#include "tree/effective.h"
#include "tree/elements.h"
#include "tree/inheritance.h"

namespace millrace::server {
namespace {

using syntax::Element;

// What attributes such as junos:changed are called by.
constexpr const char* kHistoryNamespace = "urn:millrace:configuration-history";

tree::WriteOptions options_of(const Rendering& how) {
  tree::WriteOptions options;
  options.hide_secrets = how.hide_secrets;
  options.remarks = how.remarks && how.display.format == Format::Text;
  options.notes = how.notes;
  options.relative = how.display.relative;
  options.explicit_presence = how.display.explicit_presence;
  options.detail = how.display.detail;
  options.max_depth = how.display.max_depth;
  options.changed_from = how.display.changed ? how.changed_from : nullptr;
  return options;
}

// What to write in place of `tree` for `display inheritance`; the remarks borrow from it.
std::unique_ptr<const tree::Inheritance> expand(const Display& display,
                                                const tree::ConfigTree& tree,
                                                tree::WriteOptions& options) {
  using Inherited = Display::Inherited;
  if (display.inherited == Inherited::No) {
    return nullptr;
  }
  auto inheritance = std::make_unique<const tree::Inheritance>(
      tree, display.defaults ? tree::Defaults::Shown : tree::Defaults::Hidden);
  if (display.inherited != Inherited::NoComments) {
    options.inheritance = inheritance.get();
  }
  options.inheritance_remarks =
      display.inherited == Inherited::Brief   ? tree::InheritanceRemarks::Brief
      : display.inherited == Inherited::Terse ? tree::InheritanceRemarks::Terse
                                              : tree::InheritanceRemarks::Full;
  return inheritance;
}

std::string envelope(Element inside, const std::string& banner) {
  Element reply{.name = "rpc-reply",
                .attributes = {{"xmlns:junos", kHistoryNamespace}},
                .children = {std::move(inside)}};
  if (!banner.empty()) {
    reply.children.push_back(
        {.name = "cli",
         .children = {{.name = "banner", .kind = Element::Kind::Text, .text = banner}}});
  }
  return syntax::write_xml({reply});
}

Reply structured(Element configuration, const Rendering& how) {
  configuration.attributes.insert(configuration.attributes.begin(), how.history.begin(),
                                  how.history.end());
  if (how.display.format == Format::Xml) {
    return done(envelope(std::move(configuration), how.banner));
  }
  if (how.display.format == Format::Yaml) {
    return done(syntax::write_yaml(syntax::to_json({configuration})));
  }
  if (how.display.format == Format::Table) {
    const auto data = syntax::to_json({configuration});
    const auto inside = data.find("configuration");
    return done(to_table(inside != data.end() ? *inside : data));
  }
  Reply reply = done(syntax::write_json({configuration}));
  reply.data = nlohmann::json::parse(reply.output, nullptr, false);
  return reply;
}

}  // namespace

base::Result<void> check(const Display& display) {
  const bool about_text = display.detail || display.max_depth != 0;
  const bool about_set = display.relative || display.explicit_presence;
  if ((display.changed && display.inherited != Display::Inherited::No) ||
      (about_text && display.format != Format::Text) ||
      (about_set && display.format != Format::Set) ||
      (display.changed && display.format != Format::Xml)) {
    return base::fail(base::Code::BadValue, "these displays do not go together");
  }
  return {};
}

Reply render(const tree::ConfigTree& written, const tree::Path& path, const Rendering& how) {
  tree::WriteOptions options = options_of(how);
  const auto inheritance = expand(how.display, written, options);
  const tree::ConfigTree& tree = inheritance ? inheritance->tree() : written;
  switch (how.display.format) {
    case Format::Text:
      return done(how.header + tree::to_text(tree, path, options));
    case Format::Set:
      return done(tree::to_set(tree, path, options));
    default:
      return structured(tree::to_element(tree, path, options), how);
  }
}

Reply render(const tree::Delta& written, const tree::Path& path, const Rendering& how) {
  tree::Expander expander;
  const bool expands = how.display.inherited != Display::Inherited::No;
  const tree::Delta delta = expands ? tree::Delta(expander.effective(written.before()),
                                                  expander.effective(written.after()))
                                    : written;
  const tree::WriteOptions options{.hide_secrets = how.hide_secrets};
  switch (how.display.format) {
    case Format::Text:
      return done(tree::compare_text(delta, path, options));
    case Format::Set:
      return done(tree::compare_set(delta, path, options));
    default:
      return structured(tree::compare_element(delta, path, options), how);
  }
}

base::Result<std::string> render(const nlohmann::json& data, Format format) {
  const std::string text = data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  if (format == Format::Json) {
    return text + "\n";
  }
  if (format == Format::Table) {
    return to_table(nlohmann::ordered_json::parse(text));
  }
  if (format == Format::Yaml) {
    return syntax::write_yaml(nlohmann::ordered_json::parse(text));
  }
  const syntax::ElementDocument read =
      syntax::parse_json(data.is_object() ? text : R"({"item":)" + text + "}");
  if (!read.errors.empty()) {
    return base::fail(base::Code::BadValue, "this output cannot be written as XML");
  }
  return envelope({.name = "output", .children = read.elements}, {});
}

}  // namespace millrace::server
