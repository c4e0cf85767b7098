#include "engine/collapse_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

// Rows of a file are numbered below this many bits of `_forebay_order`; the file stands above.
constexpr int kRowBits = 40;

// Files that one read_parquet() can read: same layout, same treatment of deleted rows.
struct Group {
  std::size_t layout = 0;
  bool snapshot = false;
  std::vector<std::size_t> positions;  // in the request's files
};

std::vector<Group> group_files(const CollapseRequest& request) {
  std::map<std::pair<std::size_t, bool>, Group> groups;
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    const InputFile& file = request.files[i];
    CHECK(file.file_id == request.files.front().file_id + static_cast<std::int64_t>(i));
    Group& group = groups[{file.layout, file.snapshot}];
    group.layout = file.layout;
    group.snapshot = file.snapshot;
    group.positions.push_back(i);
  }
  std::vector<Group> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

// Paths are listed, never matched, and no column is made up from them.
std::string from_files(const CollapseRequest& request, const Group& group) {
  std::vector<std::string> paths;
  for (const std::size_t i : group.positions) paths.push_back(literal(request.files[i].path));
  return fmt::format("read_parquet([{}], hive_partitioning=false, union_by_name=false)",
                     fmt::join(paths, ", "));
}

// The position of a row's file in the request: arithmetic where the group is a run of files.
std::string position_sql(const Group& group) {
  const bool run = group.positions.back() - group.positions.front() + 1 == group.positions.size();
  if (run) return fmt::format("(file_index::BIGINT + {})", group.positions.front());
  return fmt::format("([{}]::BIGINT[])[file_index + 1]", fmt::join(group.positions, ", "));
}

std::string rank_sql(const CollapseRequest& request, const Group& group) {
  std::vector<std::int64_t> ranks;
  bool same = true;
  for (const std::size_t i : group.positions) {
    ranks.push_back(request.files[i].rank);
    same = same && ranks.back() == ranks.front();
  }
  if (same) return fmt::format("{}::BIGINT", ranks.front());
  return fmt::format("([{}]::BIGINT[])[file_index + 1]", fmt::join(ranks, ", "));
}

std::string column_sql(const Column& column, const ColumnSource& source) {
  const std::string type = to_sql(column.type);
  if (source.reader_name.empty()) return fmt::format("NULL::{} AS {}", type, quote(column.name));
  const std::string name = quote(source.reader_name);
  if (source.reader_type == column.type) return fmt::format("{} AS {}", name, quote(column.name));
  if (!source.check_values)
    return fmt::format("CAST({} AS {}) AS {}", name, type, quote(column.name));
  // There and back again: what comes back different did not survive.
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN NULL WHEN TRY_CAST(TRY_CAST({0} AS {1}) AS {2}) = {0} "
      "THEN CAST({0} AS {1}) ELSE error({3} || {0}::VARCHAR) END AS {4}",
      name, type, to_sql(source.reader_type),
      literal(fmt::format("a value {} {} ({}): ", kDriftMark, column.name, type)),
      quote(column.name));
}

std::string flag_sql(const Layout& layout) {
  return fmt::format("coalesce({}, false)", quote(layout.delete_flag));
}

std::string group_sql(const CollapseRequest& request, const Group& group, ReadShape shape) {
  const Layout& layout = request.layouts[group.layout];
  CHECK(layout.columns.size() == request.columns.size());
  std::string select;
  for (std::size_t i = 0; i < request.columns.size(); ++i)
    select += column_sql(request.columns[i], layout.columns[i]) + ", ";
  const std::string position = position_sql(group);
  select += fmt::format("{} + {} AS {}", request.files.front().file_id, position, quote(kFileColumn));
  const bool flagged = !layout.delete_flag.empty();
  if (shape == ReadShape::actions) {
    select += fmt::format(
        ", {} AS \"_forebay_delete\", {} AS \"_forebay_rank\", ({} << {}) | file_row_number AS "
        "\"_forebay_order\"",
        flagged && !group.snapshot ? flag_sql(layout) : "false", rank_sql(request, group), position,
        kRowBits);
  }
  const std::string where =
      flagged && group.snapshot ? fmt::format(" WHERE NOT {}", flag_sql(layout)) : std::string();
  return fmt::format("SELECT {} FROM {}{}", select, from_files(request, group), where);
}

}  // namespace

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
    counts.push_back(fmt::format("SELECT count(*) AS n FROM {} WHERE {}", from_files(request, group),
                                 flag_sql(layout)));
  }
  if (counts.empty()) return {};
  return fmt::format("SELECT sum(n)::BIGINT FROM ({})", fmt::join(counts, " UNION ALL "));
}

std::string read_one_sql(const std::string& path) {
  return fmt::format("SELECT * FROM read_parquet({}, hive_partitioning=false)", literal(path));
}

}  // namespace forebay::duckdb
