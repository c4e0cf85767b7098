#include "engine/misfits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "engine/collapse_sql.h"
#include "engine/column_sql.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

// A wide file takes too long to be looked at column by column.
constexpr std::size_t kColumnsTried = 2000;

std::string read_sql(const CollapseRequest& request, std::size_t layout) {
  std::set<std::string> paths;
  for (const InputFile& file : request.files) {
    if (file.layout == layout) paths.insert(literal(file.path));
  }
  if (paths.empty()) return {};
  return fmt::format("read_parquet([{}], hive_partitioning=false, union_by_name=false)",
                     fmt::join(paths, ", "));
}

// Values that a cast would change, in all columns at once.
std::vector<std::string> lost_values(Connection& connection, const CollapseRequest& request,
                                     std::size_t layout, const std::string& from) {
  std::vector<std::string> terms;
  std::vector<const Column*> columns;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    const std::string term =
        count_misfits_sql(request.columns[i], request.layouts[layout].columns[i]);
    if (term.empty()) continue;
    terms.push_back(term);
    columns.push_back(&request.columns[i]);
  }
  if (terms.empty()) return {};
  const auto rows = connection.query(fmt::format("SELECT {} FROM {}", fmt::join(terms, ", "), from),
                                     "count what does not fit");
  if (!rows) return {};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::int64_t count = integer((*rows)[0][2 * i]);
    if (count > 0)
      found.push_back(fmt::format("{} of column {}, such as {}", count, columns[i]->name,
                                  text_or_empty((*rows)[0][2 * i + 1])));
  }
  return found;
}

// Whether every value of such a type can be read: numbers have no form that could be wrong.
bool always_readable(const Layout& layout, const std::string& name) {
  const auto source = std::ranges::find(layout.columns, name, &ColumnSource::reader_name);
  if (source == layout.columns.end()) return false;
  const TypeKind kind = source->reader_type.kind;
  return kind <= TypeKind::decimal || kind == TypeKind::blob || kind == TypeKind::date;
}

// Columns in which the reader finds what it cannot read.
std::vector<std::string> unreadable(Connection& connection, const Layout& layout,
                                    const std::string& from) {
  std::vector<std::string> found;
  const std::size_t count = std::min(layout.reader_names.size(), kColumnsTried);
  for (std::size_t i = 0; i < count; ++i) {
    if (always_readable(layout, layout.reader_names[i])) continue;
    const auto rows = connection.query(
        fmt::format("SELECT bit_xor(hash(#{})) FROM (SELECT * FROM {})", i + 1, from),
        "read one column");
    if (!rows && rows.error().cause.contains(kUnreadableValue))
      found.push_back(fmt::format("column {}", layout.reader_names[i]));
  }
  return found;
}

}  // namespace

std::string misfits(Connection& connection, const CollapseRequest& request) {
  std::vector<std::string> all;
  for (std::size_t layout = 0; layout < request.layouts.size(); ++layout) {
    const std::string from = read_sql(request, layout);
    if (from.empty()) continue;
    auto found = lost_values(connection, request, layout, from);
    if (found.empty()) found = unreadable(connection, request.layouts[layout], from);
    all.insert(all.end(), found.begin(), found.end());
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

}  // namespace forebay::duckdb
