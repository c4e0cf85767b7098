#include "engine/time_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/collapse_sql.h"
#include "engine/time_sql.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

template <class Pick>
void merge(std::optional<std::int64_t>& into, const Value& value, Pick pick) {
  if (is_null(value)) return;
  const std::int64_t ticks = integer(value);
  into = into ? pick(*into, ticks) : ticks;
}

}  // namespace

// Reads the column of the time alone.
Result<TimeScan> scan_times(Connection& db, const CollapseRequest& request, const TimeAxis& axis,
                            std::int64_t latest) {
  TimeScan scan;
  if (request.files.empty()) return scan;
  ASSIGN_OR_RETURN(
      const auto rows,
      db.query(fmt::format("SELECT {0}, count(*), count(*) FILTER ({1} IS NULL), "
                           "count(*) FILTER (ticks IS NULL AND {1} IS NOT NULL), "
                           "max(ticks) FILTER (ticks <= {3}), min(ticks), max(ticks) "
                           "FROM (SELECT {0}, {1}, {2} AS ticks FROM ({4})) GROUP BY {0} "
                           "ORDER BY {0}",
                           quote(kFileColumn), quote(axis.column), ticks_sql(axis), latest,
                           read_files_sql(request, ReadShape::values)),
               "read the times of"));
  const auto least = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
  const auto most = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
  for (const Row& row : rows) {
    scan.files.push_back(
        {.file_id = integer(row[0]), .kept = static_cast<std::uint64_t>(integer(row[1]))});
    scan.nulls += static_cast<std::uint64_t>(integer(row[2]));
    scan.unmeasured += static_cast<std::uint64_t>(integer(row[3]));
    merge(scan.greatest, row[4], most);
    merge(scan.least, row[5], least);
    merge(scan.most, row[6], most);
  }
  return scan;
}

Result<std::uint64_t> count_nulls_kept_out(Connection& db, const CollapseRequest& request,
                                           const TimeAxis& axis) {
  const std::string rows = read_kept_out_sql(request);
  if (rows.empty()) return 0U;
  ASSIGN_OR_RETURN(
      const auto found,
      db.query(fmt::format("SELECT count(*) FROM ({}) WHERE {} IS NULL", rows, quote(axis.column)),
               "read the times of"));
  return static_cast<std::uint64_t>(integer(found[0][0]));
}

namespace {

// How the request's first file fills the column of the time.
const ColumnSource& source_of(const CollapseRequest& request, const TimeAxis& axis) {
  const auto column = std::ranges::find(request.columns, axis.column, &Column::name);
  const auto at = static_cast<std::size_t>(column - request.columns.begin());
  return request.layouts[request.files.front().layout].columns[at];
}

}  // namespace

// A greatest time without rows above the bound, and no row without a time that would be taken. A
// text's statistics are of its bytes, which say nothing about its time.
Result<GroupCount> count_groups(Connection& db, const CollapseRequest& request,
                                const TimeAxis& axis) {
  const InputFile& file = request.files.front();
  const ColumnSource& source = source_of(request, axis);
  std::string taken = "true";
  if (file.filter && axis.form != TimeAxis::Form::text) {
    const RowFilter& filter = request.filters[*file.filter];
    taken = filter_sql({.axis = axis, .above = filter.above, .nulls = true});
    if (filter.nulls) taken += " OR coalesce(nulls, 1) > 0";
  }
  ASSIGN_OR_RETURN(
      const auto groups,
      db.query(
          fmt::format("SELECT count(*), count(*) FILTER (NOT ({})) FROM (SELECT "
                      "TRY_CAST(TRY_CAST(coalesce(stats_max_value, stats_max) AS {}) AS {}) AS {}, "
                      "stats_null_count AS nulls FROM parquet_metadata({}) WHERE path_in_schema = "
                      "{})",
                      taken, to_sql(source.reader_type), to_sql(axis.type), quote(axis.column),
                      literal(file.path), literal(source.reader_name)),
          "read the statistics of"));
  return GroupCount{.all = static_cast<std::uint64_t>(integer(groups[0][0])),
                    .skipped = static_cast<std::uint64_t>(integer(groups[0][1]))};
}

// From the statistics: row groups that no filter lets through are not read for an example either.
Result<std::string> example_kept_out(Connection& db, const CollapseRequest& request,
                                     const TimeAxis& axis) {
  const InputFile& file = request.files.front();
  const ColumnSource& source = source_of(request, axis);
  ASSIGN_OR_RETURN(const auto found,
                   db.query(fmt::format("SELECT min(TRY_CAST(stats_min_value AS {}))::VARCHAR FROM "
                                        "parquet_metadata({}) WHERE path_in_schema = {}",
                                        to_sql(source.reader_type), literal(file.path),
                                        literal(source.reader_name)),
                            "read the statistics of"));
  return text_or_empty(found[0][0]);
}

}  // namespace forebay::duckdb
