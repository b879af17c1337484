// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/table.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/words.h"

namespace millrace::server {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::pair<std::string, std::string>>;  // column, text

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<Cells> rows;
  std::size_t lead = 0;  // columns that name the row of the table around it
};

std::string plain(const Json& value) {
  return value.is_string() ? value.get<std::string>()
         : value.is_null() ? std::string()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_list_of_objects(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Json& item) { return item.is_object(); });
}

class Tables {
 public:
  void object(const Json& value, const std::string& title) {
    Cells cells;
    flatten(value, "", cells, title, {});
    if (!cells.empty()) {
      Table& table = of(title);
      for (auto& [name, text] : cells) {
        add(table, {{"name", std::move(name)}, {"value", std::move(text)}});
      }
    }
  }
  void list(const Json& value, const std::string& title, const Cells& lead) {
    // Made first, so that it stands before the tables of what is in its rows.
    Table& table = of(title);
    table.lead = lead.size();
    for (const Json& item : value) {
      Cells cells = lead;
      flatten(item, "", cells, title, lead);
      add(table, std::move(cells));
    }
  }
  std::string print() const {
    std::string out;
    for (const Table& table : tables_) {
      if (!table.rows.empty()) {
        out += (out.empty() ? "" : "\n") + print(table);
      }
    }
    return out;
  }

 private:
  Table& of(const std::string& title) {
    const auto found = std::ranges::find(tables_, title, &Table::title);
    return found != tables_.end() ? *found : tables_.emplace_back(Table{title, {}, {}});
  }

  static void add(Table& table, Cells cells) {
    for (const auto& [name, text] : cells) {
      if (!std::ranges::contains(table.columns, name)) {
        table.columns.push_back(name);
      }
    }
    table.rows.push_back(std::move(cells));
  }

  // What names the row in the tables of its lists.
  static std::string identity(const Json& row) {
    for (const char* name : {"name", "prefix", "destination", "id"}) {
      if (const auto found = row.find(name); found != row.end() && found->is_primitive()) {
        return plain(*found);
      }
    }
    const auto first =
        std::ranges::find_if(row, [](const Json& value) { return value.is_primitive(); });
    return first != row.end() ? plain(*first) : std::string();
  }

  void flatten(const Json& object, const std::string& prefix, Cells& cells,
               const std::string& title, const Cells& lead) {
    for (const auto& [name, value] : object.items()) {
      const std::string column = prefix + name;
      if (name == "@" || (value.is_array() && value.empty())) {
        continue;  // attributes of a configuration, and lists of nothing
      }
      if (value.is_object()) {
        flatten(value, column + ".", cells, title, lead);
      } else if (is_list_of_objects(value)) {
        Cells inner = lead;
        const std::string who = prefix.empty() ? identity(object) : std::string();
        if (!title.empty() && !who.empty()) {
          inner.emplace_back(title.substr(title.rfind(' ') + 1), who);
        }
        list(value, title.empty() ? column : title + " " + column, inner);
      } else if (value.is_array()) {
        std::string joined;
        for (const Json& item : value) {
          joined += (joined.empty() ? "" : " ") + plain(item);
        }
        cells.emplace_back(column, std::move(joined));
      } else {
        cells.emplace_back(column, plain(value));
      }
    }
  }

  static std::string print(const Table& table) {
    std::vector<std::string> columns = table.columns;
    // "name" is what people look for first; in JSON members may stand in any order.
    const auto rest = columns.begin() + static_cast<std::ptrdiff_t>(table.lead);
    std::stable_partition(rest, columns.end(),
                          [](const std::string& column) { return column == "name"; });
    std::vector<std::size_t> widths;
    for (const auto& column : columns) {
      std::size_t most = base::characters(column);
      for (const auto& row : table.rows) {
        most = std::max(most, base::characters(cell(row, column)));
      }
      widths.push_back(most);
    }
    std::string out = table.title.empty() ? "" : table.title + "\n";
    out += line(columns, widths, [](const std::string& column) { return column; });
    out += line(columns, widths, [&](const std::string& column) {
      const auto at =
          static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
      return std::string(widths[at], '-');
    });
    for (const auto& row : table.rows) {
      out += line(columns, widths, [&](const std::string& column) { return cell(row, column); });
    }
    return out;
  }

  static std::string cell(const Cells& row, std::string_view column) {
    const auto found = std::ranges::find(row, column, &Cells::value_type::first);
    return found == row.end() ? std::string() : found->second;
  }

  template <class Text>
  static std::string line(const std::vector<std::string>& columns,
                          const std::vector<std::size_t>& widths, Text text) {
    std::string out;
    for (std::size_t at = 0; at < columns.size(); ++at) {
      const std::string shown = text(columns[at]);
      out += shown;
      out.append(widths[at] - base::characters(shown) + 2, ' ');
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  }

  std::deque<Table> tables_;  // references stay good while it grows
};

}  // namespace

std::string to_table(const Json& data) {
  Tables tables;
  if (is_list_of_objects(data)) {
    tables.list(data, "", {});
  } else if (data.is_object()) {
    tables.object(data, "");
  } else {
    return plain(data) + "\n";
  }
  return tables.print();
}

}  // namespace millrace::server
