// SPDX-License-Identifier: GPL-2.0-or-later
//
// A schema of random rules over one hierarchy, and random edits of trees of it, by seed. Names and
// values come from a pool so small that everything meets everything.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "schema/walk.h"
#include "tree/text.h"

namespace millrace::check::testing {

class RandomRules {
 public:
  explicit RandomRules(unsigned seed) : random_(seed) {
    for (const char* line : {
             "C top",
             "l top/limit",
             "s top/any",
             "L top/zone",
             "l top/zone/kind",
             "s top/zone/peer",
             "C top/zone/opt",
             "l top/zone/opt/level",
             "f top/zone/opt/flag",
             "L top/zone/item",
             "l top/zone/item/port",
             "s top/zone/item/tag",
             "C top/zone/item/deep",
             "l top/zone/item/deep/mark",
             "L top/host",
             "l top/host/zone",
             "s top/host/uses",
             "l top/host/weight",
             "C side",
             "L side/entry",
             "l side/entry/note",
             "L side/entry/part",
         }) {
      paths_.push_back({line[0], std::string(line + 2)});
    }
    add_rules();
  }

  schema::Schema schema() const {
    auto built = schema::build({{"random.tmpl", text()}});
    if (!built) {
      ADD_FAILURE() << built.error().message << text();
      std::abort();
    }
    return std::move(*built);
  }
  std::string text() const { return "feature random {\n help r;\n" + body("") + "}\n"; }

  // A set or delete line; whether it does something depends on what is there.
  std::string edit() { return line(below(5) < 4); }
  std::string addition() { return line(true); }
  // An edit, as often as not of what is there: chance alone seldom meets it.
  std::string edit(const tree::ConfigTree& tree) {
    std::vector<std::vector<std::string>> lines;
    std::istringstream text(tree::to_set(tree, {}));
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line);
      lines.emplace_back(std::istream_iterator<std::string>(words),
                         std::istream_iterator<std::string>());
    }
    if (lines.empty() || below(5) < 2) {
      return edit();
    }
    std::vector<std::string> words = lines[below(static_cast<unsigned>(lines.size()))];
    if (below(2)) {
      words.back() = value();  // of a flag it is none, and the line does not load
    } else {
      words.front() = "delete";
      words.resize(words.size() - 1 - below(words.size() > 5 ? 3 : words.size() > 4 ? 2 : 1));
    }
    std::string line;
    for (const std::string& word : words) {
      line += (line.empty() ? "" : " ") + word;
    }
    return line;
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

 private:
  std::string line(bool sets) {
    const Statement& statement = paths_[1 + below(static_cast<unsigned>(paths_.size()) - 1)];
    std::string line = sets ? "set" : "delete";
    std::string path;
    for (const std::string& name : split(statement.path)) {
      path += (path.empty() ? "" : "/") + name;
      line += " " + name;
      if (kind_of(path) == 'L' && (sets || path != statement.path || below(12))) {
        line += " " + value();
      }
    }
    if (statement.kind == 'l' ? sets : statement.kind == 's' && (sets || below(3))) {
      line += " " + value();
    }
    return statement.kind == 'C' && (sets || below(16)) ? this->line(sets) : line;
  }

  struct Statement {
    char kind;  // Container, List, leaf, flag, leaf-list (s)
    std::string path;
  };

  static std::vector<std::string> split(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      names.push_back(path.substr(at, end - at));
      at = end + 1;
    }
    return names;
  }
  char kind_of(const std::string& path) const {
    return std::ranges::find(paths_, path, &Statement::path)->kind;
  }
  std::string value() {
    static constexpr const char* kValues[] = {"a", "1", "3", "03"};
    return kValues[below(std::size(kValues))];
  }
  const Statement& any_of(std::string_view kinds) {
    while (true) {
      const Statement& statement = paths_[below(static_cast<unsigned>(paths_.size()))];
      if (kinds.contains(statement.kind)) {
        return statement;
      }
    }
  }

  void add_rules() {
    for (unsigned i = 0; i < 3; ++i) {
      rules_[any_of("Lls").path] += "";
    }
    for (unsigned i = below(5); i > 0; --i) {
      once(any_of("lsL").path, "ref", "ref \"/" + any_of("Lls").path + "\";");
    }
    for (unsigned i = below(3); i > 0; --i) {
      std::string members = "type integer { range 1..2; }";
      for (unsigned refs = 1 + below(2); refs > 0; --refs) {
        members += " type string { ref \"/" + any_of("L").path + "\"; }";
      }
      types_[any_of("ls").path] = "type union { " + members + " }";
    }
    static constexpr const char* kUniques[] = {"port", "deep/mark", "\"port deep/mark\""};
    if (below(4)) {
      once("top/zone/item", "unique", std::string("unique ") + kUniques[below(3)] + ";");
    }
    for (unsigned i = below(4); i > 0; --i) {
      const std::string path = any_of("lsL").path;
      const auto names = split(path);
      const std::string scope = below(2) || names.size() < 3 ? names[0] : names[0] + "/" + names[1];
      once(path, "unique-in", "unique-in \"/" + scope + "\";");
    }
    if (below(4) == 0) {
      once(any_of("l").path, "mandatory", "mandatory;");
    }
    if (below(2)) {
      once(any_of("sL").path, "max-elements", "max-elements 2;");
    }
    if (below(4) == 0) {
      once(any_of("sL").path, "min-elements", "min-elements 2;");
    }
    for (unsigned i = below(3); i > 0; --i) {
      const std::string path = any_of("l").path;
      if (!rules_[path].contains("mandatory") && !types_.contains(path)) {
        once(path, "default", "default 3;");
      }
    }
    if (below(3) == 0) {
      once(any_of("lfs").path, "warns", "warns \"nothing\";");
    }
    for (unsigned i = below(4) == 0 ? 0 : below(8); i > 0; --i) {
      const std::string& carrier = any_of("LLllsfC").path;
      rules_[carrier] += " must \"" + expression(carrier, 2) + "\" { error-message \"rule " +
                         std::to_string(i) + "\"; }";
    }
    // Over all entries of the tree, which the index answers without looking at them.
    if (below(2)) {
      const std::string equal = "/" + any_of("lls").path + " = '" + value() + "'";
      rules_[any_of("LlsfC").path] += " must \"" + (below(2) ? equal : "not (" + equal + ")") +
                                      "\" { error-message \"rule of all\"; }";
    }
  }
  void once(const std::string& path, const std::string& word, const std::string& statement) {
    if (!rules_[path].contains(" " + word + " ") && !rules_[path].contains(" " + word + ";")) {
      rules_[path] += " " + statement;
    }
  }

  std::string expression(const std::string& carrier, unsigned depth) {
    static constexpr const char* kCompare[] = {" = ", " = ", " != ", " < ", " >= "};
    switch (below(depth > 0 ? 8 : 5)) {
      case 0:
        return "exists(" + path_from(carrier) + ")";
      case 1:
        return "count(" + path_from(carrier) + ") <= " + std::to_string(1 + below(3));
      case 2:
        return path_from(carrier) + kCompare[below(5)] + path_from(carrier);
      case 3:
      case 4:
        return path_from(carrier) + kCompare[below(5)] + (below(2) ? "'" + value() + "'" : "2");
      case 5:
        return "not (" + expression(carrier, depth - 1) + ")";
      case 6:
        return "(" + expression(carrier, depth - 1) + ") and (" + expression(carrier, depth - 1) +
               ")";
      default:
        return "(" + expression(carrier, depth - 1) + ") or (" + expression(carrier, depth - 1) +
               ")";
    }
  }

  // From the carrier to any statement, up to where their ways part or absolute.
  std::string path_from(const std::string& carrier) {
    const auto from = split(carrier);
    const auto to = split(any_of("CLLllsf").path);
    std::size_t same = 0;
    while (same < from.size() && same < to.size() && from[same] == to[same]) {
      ++same;
    }
    if (same == 0 || below(3) == 0) {
      return down(carrier, to, 0, "");
    }
    std::string path = same == from.size() ? "." : "..";
    for (std::size_t up = same + 1; up < from.size(); ++up) {
      path += "/..";
    }
    return down(carrier, to, same, path);
  }
  std::string down(const std::string& carrier, const std::vector<std::string>& to,
                   std::size_t first, std::string path) {
    std::string whole;
    for (std::size_t i = 0; i < to.size(); ++i) {
      whole += (i ? "/" : "") + to[i];
      if (i < first) {
        continue;
      }
      path += "/" + to[i];
      if (kind_of(whole) == 'L' && below(2)) {
        const unsigned kind = below(5);
        const bool has_parent = carrier.contains('/');
        path += kind < 2                  ? "[.]"
                : kind == 2 && has_parent ? "[..]"
                : kind == 3               ? "['" + value() + "']"
                                          : "[/side/entry/note]";
      }
    }
    return path;
  }

  std::string body(const std::string& around) const {
    std::string out;
    for (const auto& [kind, path] : paths_) {
      const std::size_t slash = path.rfind('/');
      if ((slash == std::string::npos ? "" : path.substr(0, slash)) != around) {
        continue;
      }
      const std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
      static const std::map<char, std::string> kWords = {
          {'C', "container "}, {'L', "list "}, {'l', "leaf "}, {'f', "leaf "}, {'s', "leaf-list "}};
      out += kWords.at(kind) + name + " { help h;";
      if (kind == 'L') {
        out += " key name; type string;";
      } else if (kind == 'f') {
        out += " type empty;";
      } else if (kind != 'C') {
        out += types_.contains(path) ? " " + types_.at(path) : " type string;";
      }
      out += rules_.contains(path) ? rules_.at(path) : "";
      out += kind == 'C' || kind == 'L' ? "\n" + body(path) + "}\n" : " }\n";
    }
    return out;
  }

  std::mt19937 random_;
  std::vector<Statement> paths_;
  std::map<std::string, std::string> rules_;
  std::map<std::string, std::string> types_;
};

}  // namespace millrace::check::testing
