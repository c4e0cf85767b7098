#include "engine/collapse_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

// Rows of a file are numbered below this many bits of `_forebay_order`; the file stands above.
constexpr int kRowBits = 40;

// Files that one read_parquet() can read: same layout, same treatment of their rows.
struct Group {
  std::size_t layout = 0;
  bool snapshot = false;
  bool known_keys_only = false;
  std::vector<std::size_t> positions;  // in the request's files
};

std::vector<Group> group_files(const CollapseRequest& request) {
  std::map<std::tuple<std::size_t, bool, bool>, Group> groups;
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    const InputFile& file = request.files[i];
    Group& group = groups[{file.layout, file.snapshot, file.known_keys_only}];
    group.layout = file.layout;
    group.snapshot = file.snapshot;
    group.known_keys_only = file.known_keys_only;
    group.positions.push_back(i);
  }
  std::vector<Group> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

constexpr std::string_view kHidden = "_forebay_hidden_";

// Names for the first columns of a file, where one of them must not be called by its own.
std::string aliases(const Layout& layout) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < layout.reader_names.size(); ++i) {
    if (layout.reader_names[i].starts_with(kHidden)) count = i + 1;
  }
  if (count == 0) return {};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(quote(layout.reader_names[i]));
  return fmt::format(" t({})", fmt::join(names, ", "));
}

// Paths are listed, never matched, and no column is made up from them.
std::string from_files(const CollapseRequest& request, const Group& group) {
  std::vector<std::string> paths;
  for (const std::size_t i : group.positions) paths.push_back(literal(request.files[i].path));
  return fmt::format("read_parquet([{}], hive_partitioning=false, union_by_name=false){}",
                     fmt::join(paths, ", "), aliases(request.layouts[group.layout]));
}

// A number that each file of the group has: arithmetic on the reader's file index where the numbers
// follow each other, a constant where they are equal, else a look-up.
std::string per_file_sql(const std::vector<std::int64_t>& numbers) {
  bool consecutive = true;
  bool equal = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    consecutive = consecutive && numbers[i] == numbers.front() + static_cast<std::int64_t>(i);
    equal = equal && numbers[i] == numbers.front();
  }
  if (equal) return fmt::format("{}::BIGINT", numbers.front());
  if (consecutive) return fmt::format("(file_index::BIGINT + {})", numbers.front());
  return fmt::format("([{}]::BIGINT[])[file_index::BIGINT + 1]", fmt::join(numbers, ", "));
}

template <class Member>
std::string per_file_sql(const CollapseRequest& request, const Group& group, Member member) {
  std::vector<std::int64_t> numbers;
  for (const std::size_t i : group.positions) numbers.push_back(request.files[i].*member);
  return per_file_sql(numbers);
}

std::string position_sql(const Group& group) {
  return per_file_sql({group.positions.begin(), group.positions.end()});
}

bool contains(const ColumnType& type, TypeKind kind) {
  return type.kind == kind || std::ranges::any_of(type.children, [&](const ColumnType& child) {
           return contains(child, kind);
         });
}

// What a value passes through on its way back from the table's type to its file's: there is no cast
// from nanoseconds to seconds.
ColumnType way_back(ColumnType type) {
  if (type.kind == TypeKind::timestamp_ns) type.kind = TypeKind::timestamp_us;
  for (ColumnType& child : type.children) child = way_back(child);
  return type;
}

std::string column_sql(const Column& column, const ColumnSource& source) {
  const std::string type = to_sql(column.type);
  if (source.reader_name.empty()) return fmt::format("NULL::{} AS {}", type, quote(column.name));
  const std::string name = quote(source.reader_name);
  if (source.reader_type == column.type) return fmt::format("{} AS {}", name, quote(column.name));
  if (!source.check_values)
    return fmt::format("CAST({} AS {}) AS {}", name, type, quote(column.name));
  // There and back again: what comes back different did not survive.
  std::string there = fmt::format("TRY_CAST({} AS {})", name, type);
  if (contains(source.reader_type, TypeKind::timestamp_s) &&
      !contains(source.reader_type, TypeKind::timestamp_ns))
    there = fmt::format("TRY_CAST({} AS {})", there, to_sql(way_back(column.type)));
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN NULL WHEN TRY_CAST({5} AS {2}) = {0} "
      "THEN CAST({0} AS {1}) ELSE error({3} || {0}::VARCHAR) END AS {4}",
      name, type, to_sql(source.reader_type),
      literal(fmt::format("a value {} {} ({}): ", kDriftMark, column.name, type)),
      quote(column.name), there);
}

std::string flag_sql(const Layout& layout) {
  return fmt::format("coalesce({}::BOOLEAN, false)", quote(layout.delete_flag));
}

std::string group_sql(const CollapseRequest& request, const Group& group, ReadShape shape) {
  const Layout& layout = request.layouts[group.layout];
  CHECK(layout.columns.size() == request.columns.size());
  std::string select;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    const Column& column = request.columns[i];
    const ColumnSource& source = layout.columns[i];
    select += column_sql(column, source) + ", ";
  }
  select += fmt::format("{} AS {}", per_file_sql(request, group, &InputFile::file_id),
                        quote(kFileColumn));
  const bool flagged = !layout.delete_flag.empty();
  if (shape == ReadShape::actions) {
    select += fmt::format(
        ", {} AS \"_forebay_delete\", {} AS \"_forebay_rank\", ({} << {}) | file_row_number AS "
        "\"_forebay_order\", {} AS \"_forebay_known\"",
        flagged && !group.snapshot ? flag_sql(layout) : "false",
        per_file_sql(request, group, &InputFile::rank), position_sql(group), kRowBits,
        group.known_keys_only);
  }
  const std::string where =
      flagged && group.snapshot ? fmt::format(" WHERE NOT {}", flag_sql(layout)) : std::string();
  const std::string sql =
      fmt::format("SELECT {} FROM {}{}", select, from_files(request, group), where);
  if (!group.known_keys_only) return sql;
  std::vector<std::string> keys;
  for (const std::string& key : request.key) keys.push_back(quote(key));
  return fmt::format("SELECT * FROM ({}) SEMI JOIN {} USING ({})", sql, request.known_keys,
                     fmt::join(keys, ", "));
}

}  // namespace

std::string reader_name(const std::string& file_name, std::size_t position) {
  const bool hides = equal_ignoring_case(file_name, "file_index") ||
                     equal_ignoring_case(file_name, "file_row_number");
  return hides ? fmt::format("{}{}", kHidden, position) : file_name;
}

std::string read_files_sql(const CollapseRequest& request, ReadShape shape) {
  std::vector<std::string> selects;
  for (const Group& group : group_files(request))
    selects.push_back(group_sql(request, group, shape));
  return fmt::format("{}", fmt::join(selects, " UNION ALL "));
}

std::string count_left_out_sql(const CollapseRequest& request) {
  std::vector<std::string> counts;
  for (const Group& group : group_files(request)) {
    const Layout& layout = request.layouts[group.layout];
    if (!group.snapshot || layout.delete_flag.empty()) continue;
    counts.push_back(fmt::format("SELECT count(*) AS n FROM {} WHERE {}",
                                 from_files(request, group), flag_sql(layout)));
  }
  if (counts.empty()) return {};
  return fmt::format("SELECT sum(n)::BIGINT FROM ({})", fmt::join(counts, " UNION ALL "));
}

std::string read_one_sql(const std::string& path) {
  return fmt::format("SELECT * FROM read_parquet({}, hive_partitioning=false)", literal(path));
}

}  // namespace forebay::duckdb
