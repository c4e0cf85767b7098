#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/collapse_errors.h"
#include "engine/collapse_sql.h"
#include "engine/engines.h"
#include "engine/key_hashes.h"
#include "engine/misfits.h"
#include "engine/row_order_sql.h"
#include "engine/time_scan.h"

namespace forebay {
namespace {

using duckdb::quote;

// Rows that are read and go nowhere.
struct LeftOut {
  std::uint64_t in_snapshots = 0;
  std::uint64_t skipped = 0;
  std::uint64_t all() const { return in_snapshots + skipped; }
};

class DuckdbEngine final : public Engine {
 public:
  explicit DuckdbEngine(duckdb::Connection& connection) : db_(connection) {}

  Result<std::vector<Column>> file_columns(const std::string& path,
                                           const std::string& object) override;
  Result<bool> is_all_null(const std::vector<std::string>& paths, std::size_t position) override;
  Result<TimeScan> scan_times(const CollapseRequest& request, const TimeAxis& axis,
                              std::int64_t latest) override;
  Result<std::uint64_t> count_nulls_kept_out(const CollapseRequest& request,
                                             const TimeAxis& axis) override;
  Result<std::string> example_kept_out(const CollapseRequest& request,
                                       const TimeAxis& axis) override;
  Result<GroupCount> count_groups(const CollapseRequest& request, const TimeAxis& axis) override;
  Result<Delta> collapse(const CollapseRequest& request) override;
  std::string misfits(const CollapseRequest& request) override {
    return duckdb::misfits(db_, request);
  }
  Status release() override;

 private:
  Result<Delta> deltas(const CollapseRequest& request);
  Result<Delta> append_all(const CollapseRequest& request);
  Result<std::optional<Delta>> append_distinct(const CollapseRequest& request,
                                               const LeftOut& left_out);
  Result<Delta> last_actions(const CollapseRequest& request, const LeftOut& left_out);
  Result<Delta> all_actions(const CollapseRequest& request, const LeftOut& left_out);
  Result<LeftOut> count_left_out(const CollapseRequest& request);
  Status compare_values(const CollapseRequest& request, Delta& delta);

  duckdb::Connection& db_;
  int next_relation_ = 0;
};

std::string key_columns(const CollapseRequest& request) {
  std::vector<std::string> names;
  for (const std::string& key : request.key) names.push_back(quote(key));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string any_key_null(const CollapseRequest& request) {
  std::vector<std::string> terms;
  for (const std::string& key : request.key) terms.push_back(quote(key) + " IS NULL");
  return fmt::format("{}", fmt::join(terms, " OR "));
}

template <class T>
Result<T> of_files(Result<T> result, const CollapseRequest& request) {
  if (!result) return fail(about_files(std::move(result).error(), request));
  return result;
}

Result<std::vector<Column>> DuckdbEngine::file_columns(const std::string& path,
                                                       const std::string& object) {
  auto columns = db_.describe(duckdb::read_one_sql(path), "read the columns of");
  if (!columns) {
    Error error = std::move(columns).error();
    error.object = object;
    return fail(std::move(error));
  }
  for (const Column& column : *columns) {
    const std::string part = unstorable_part(column.type);
    if (part.empty()) continue;
    return fail({.code = ErrorCode::refused,
                 .operation = "read",
                 .object = object,
                 .cause = fmt::format("its column '{}' has {}: no table can hold that as it is",
                                      column.name, part),
                 .hint = "have the column delivered in another form"});
  }
  for (std::size_t i = 0; i < columns->size(); ++i)
    (*columns)[i].name = duckdb::reader_name((*columns)[i].name, i);
  return columns;
}

Result<bool> DuckdbEngine::is_all_null(const std::vector<std::string>& paths,
                                       std::size_t position) {
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const auto rows,
                     db_.query(fmt::format("SELECT count(#{}) FROM ({})", position + 1,
                                           duckdb::read_one_sql(path)),
                               "look for values in"));
    if (duckdb::integer(rows[0][0]) > 0) return false;
  }
  return true;
}

Result<LeftOut> DuckdbEngine::count_left_out(const CollapseRequest& request) {
  const std::string sql = duckdb::count_left_out_sql(request);
  if (sql.empty()) return LeftOut{};
  const auto rows = db_.query(sql, "count deleted rows in");
  if (!rows) return fail(about_files(rows.error(), request));
  return LeftOut{.in_snapshots = static_cast<std::uint64_t>(duckdb::integer((*rows)[0][0])),
                 .skipped = static_cast<std::uint64_t>(duckdb::integer((*rows)[0][1]))};
}

// Without a key every row appends; the target counts them as they go in.
Result<Delta> DuckdbEngine::append_all(const CollapseRequest& request) {
  const std::uint64_t rows = rows_promised(request);
  ASSIGN_OR_RETURN(const LeftOut left_out, count_left_out(request));
  return Delta{
      .kind = Delta::Kind::append,
      .rows = fmt::format("({})", duckdb::read_files_sql(request, duckdb::ReadShape::values)),
      .read = rows,
      .left_out = left_out.in_snapshots,
      .skipped = left_out.skipped,
      .puts = rows - left_out.all()};
}

// A snapshot whose keys are distinct needs no collapse: it goes straight from the files into the
// table. No two equal hashes prove distinct keys, and comparing hashes is far cheaper than grouping
// the keys; two equal ones prove nothing, and then the general way decides.
Result<std::optional<Delta>> DuckdbEngine::append_distinct(const CollapseRequest& request,
                                                           const LeftOut& left_out) {
  const std::string values = duckdb::read_files_sql(request, duckdb::ReadShape::values);
  ASSIGN_OR_RETURN(
      const auto hashes,
      of_files(duckdb::compare_key_hashes(
                   db_, {.rows = values, .key = request.key, .count = rows_promised(request)}),
               request));
  const std::uint64_t read = hashes.rows + left_out.all();
  if (read != rows_promised(request)) return fail(wrong_count(request, read));
  if (hashes.no_key > 0) return fail(null_key(request));
  if (hashes.repeats) return std::optional<Delta>();
  return Delta{.kind = Delta::Kind::append,
               .rows = fmt::format("({})", values),
               .read = read,
               .left_out = left_out.in_snapshots,
               .skipped = left_out.skipped,
               .puts = hashes.rows};
}

// The row of a group that wins by the terms from `first` to before `end`, and where they are equal
// by the place at which it stands.
std::string winner_sql(const CollapseRequest& request, std::size_t first, std::size_t end) {
  if (request.first_stays) return "min(\"_forebay_order\")";
  std::vector<std::string> terms = duckdb::compared_sql(request.order, first, end);
  if (terms.empty()) return "max(\"_forebay_order\")";
  return fmt::format("arg_max(\"_forebay_order\", ROW({}, \"_forebay_order\"))",
                     fmt::join(terms, ", "));
}

// One last action per key, and only those rows are read whole.
Result<Delta> DuckdbEngine::last_actions(const CollapseRequest& request, const LeftOut& left_out) {
  const std::string actions = duckdb::read_files_sql(request, duckdb::ReadShape::actions);
  const std::string name = fmt::format("forebay_delta_{}", next_relation_++);
  const auto made =
      db_.execute(fmt::format("CREATE OR REPLACE TEMP TABLE forebay_last AS SELECT {0}, "
                              "{3} AS \"_forebay_order\", count(*) AS \"_forebay_rows\", "
                              "count(*) FILTER (\"_forebay_known\") AS \"_forebay_known\" "
                              "FROM ({1}) GROUP BY {0};"
                              "CREATE OR REPLACE TEMP TABLE {2} AS SELECT "
                              "a.* EXCLUDE (\"_forebay_order\", \"_forebay_known\") "
                              "FROM ({1}) a SEMI JOIN forebay_last l "
                              "ON a.\"_forebay_order\" = l.\"_forebay_order\"",
                              key_columns(request), actions, name,
                              winner_sql(request, 0, request.order.terms.size())),
                  "collapse");
  if (!made) return fail(about_files(made.error(), request));
  ASSIGN_OR_RETURN(
      const auto counts,
      db_.query(fmt::format("SELECT (SELECT coalesce(sum(\"_forebay_rows\"), 0)::BIGINT FROM "
                            "forebay_last), count(*) FILTER ({}), count(*) FILTER (NOT "
                            "\"_forebay_delete\"), count(*) FILTER (\"_forebay_delete\"), "
                            "(SELECT coalesce(sum(\"_forebay_known\"), 0)::BIGINT FROM "
                            "forebay_last) FROM {}",
                            any_key_null(request), name),
                "count"));
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint64_t>(duckdb::integer(counts[0][i]));
  };
  const std::uint64_t read = at(0) + left_out.all();
  if (read - at(4) != rows_promised(request)) return fail(wrong_count(request, read - at(4)));
  if (at(1) > 0) return fail(null_key(request));
  return Delta{.kind = Delta::Kind::put,
               .rows = name,
               .read = read,
               .collapsed = at(0) - at(2) - at(3),
               .left_out = left_out.in_snapshots,
               .skipped = left_out.skipped,
               .puts = at(2),
               .deletes = at(3)};
}

// For a history: every row, or where rows carry versions the winner of each version of a key; the
// last action of each key is told apart.
Result<Delta> DuckdbEngine::all_actions(const CollapseRequest& request, const LeftOut& left_out) {
  const std::string actions = duckdb::read_files_sql(request, duckdb::ReadShape::actions);
  const std::string name = fmt::format("forebay_delta_{}", next_relation_++);
  const std::string key = key_columns(request);
  const RowOrder& order = request.order;
  std::string from = fmt::format("(SELECT * FROM ({}) WHERE \"_forebay_acts\")", actions);
  std::string versions;  // one row for each version of a key
  std::string wanted;
  if (!order.empty()) {
    std::string of_key = key;
    for (std::size_t i = 0; i < order.decisive; ++i) of_key += ", " + duckdb::term_column(i);
    versions = fmt::format(
        "CREATE OR REPLACE TEMP TABLE forebay_versions AS SELECT {0}, {1} AS "
        "\"_forebay_order\", count(*) AS \"_forebay_rows\", count(*) FILTER (\"_forebay_known\") "
        "AS \"_forebay_again\" FROM ({2}) GROUP BY {0};",
        of_key, winner_sql(request, order.decisive, order.terms.size()), actions);
    from = "forebay_versions";
    wanted = "JOIN forebay_versions v ON a.\"_forebay_order\" = v.\"_forebay_order\" ";
  }
  const auto made = db_.execute(
      fmt::format("{0} CREATE OR REPLACE TEMP TABLE forebay_last AS SELECT {1}, {2} AS "
                  "\"_forebay_order\" FROM {3} GROUP BY {1};"
                  "CREATE OR REPLACE TEMP TABLE {4} AS SELECT a.* EXCLUDE (\"_forebay_order\", "
                  "\"_forebay_known\", \"_forebay_acts\"), l.\"_forebay_order\" IS NOT NULL AS "
                  "\"_forebay_current\" FROM ({5}) a {6}LEFT JOIN forebay_last l "
                  "ON a.\"_forebay_order\" = l.\"_forebay_order\"",
                  versions, key, winner_sql(request, 0, order.decisive), from, name, actions,
                  wanted),
      "collapse");
  if (!made) return fail(about_files(made.error(), request));
  const auto of_versions = [](const char* count) {
    return fmt::format("(SELECT coalesce(sum({}), 0)::BIGINT FROM forebay_versions)", quote(count));
  };
  ASSIGN_OR_RETURN(
      const auto counts,
      db_.query(fmt::format("SELECT {0}, count(*) FILTER ({1}), count(*) FILTER "
                            "(\"_forebay_current\" AND NOT \"_forebay_delete\"), count(*) FILTER "
                            "(\"_forebay_current\" AND \"_forebay_delete\"), {3} FROM {2}",
                            order.empty() ? "count(*)" : of_versions("_forebay_rows"),
                            any_key_null(request), name,
                            order.empty() ? "0" : of_versions("_forebay_again")),
                "count"));
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint64_t>(duckdb::integer(counts[0][i]));
  };
  // Of files that are read again only some rows come out.
  const std::uint64_t read = at(0) + left_out.all();
  if (read - at(4) != rows_promised(request)) return fail(wrong_count(request, read - at(4)));
  if (at(1) > 0) return fail(null_key(request));
  return Delta{.kind = Delta::Kind::put,
               .rows = name,
               .history = true,
               .read = read,
               .collapsed = at(0) - at(2) - at(3),
               .left_out = left_out.in_snapshots,
               .skipped = left_out.skipped,
               .puts = at(2),
               .deletes = at(3)};
}

Status DuckdbEngine::compare_values(const CollapseRequest& request, Delta& delta) {
  if (request.one_value.empty()) return {};
  std::vector<std::string> extremes;
  for (const OneValue& one : request.one_value)
    extremes.push_back(fmt::format("min({0}), max({0})", duckdb::one_value_sql(one)));
  // Every value of a key's column stands among the keys, which were just collapsed; where a history
  // follows places, those that a later clear undid are not among them.
  const bool all_keys =
      delta.kind == Delta::Kind::put && (!delta.history || !request.order.empty());
  const bool of_keys = all_keys && std::ranges::all_of(request.one_value, [&](const auto& one) {
                         return std::ranges::find(request.key, one.column) != request.key.end();
                       });
  const std::string from =
      of_keys ? "forebay_last"
              : fmt::format("({})", duckdb::read_files_sql(request, duckdb::ReadShape::values));
  const auto rows = db_.query(fmt::format("SELECT {} FROM {}", fmt::join(extremes, ", "), from),
                              "compare the values of");
  if (!rows) return fail(about_files(rows.error(), request));
  for (std::size_t i = 0; i < request.one_value.size(); ++i) {
    const duckdb::Value& least = (*rows)[0][2 * i];
    if (duckdb::is_null(least)) continue;
    delta.one_value.push_back({.name = request.one_value[i].name,
                               .least = duckdb::text(least),
                               .greatest = duckdb::text((*rows)[0][2 * i + 1])});
  }
  return {};
}

Result<TimeScan> DuckdbEngine::scan_times(const CollapseRequest& request, const TimeAxis& axis,
                                          std::int64_t latest) {
  return of_files(duckdb::scan_times(db_, request, axis, latest), request);
}

Result<std::uint64_t> DuckdbEngine::count_nulls_kept_out(const CollapseRequest& request,
                                                         const TimeAxis& axis) {
  return of_files(duckdb::count_nulls_kept_out(db_, request, axis), request);
}

Result<GroupCount> DuckdbEngine::count_groups(const CollapseRequest& request,
                                              const TimeAxis& axis) {
  return of_files(duckdb::count_groups(db_, request, axis), request);
}

Result<std::string> DuckdbEngine::example_kept_out(const CollapseRequest& request,
                                                   const TimeAxis& axis) {
  return of_files(duckdb::example_kept_out(db_, request, axis), request);
}

Result<Delta> DuckdbEngine::collapse(const CollapseRequest& request) {
  if (request.files.empty()) return Delta{};
  ASSIGN_OR_RETURN(Delta delta, deltas(request));
  RETURN_IF_ERROR(compare_values(request, delta));
  return delta;
}

Result<Delta> DuckdbEngine::deltas(const CollapseRequest& request) {
  if (request.key.empty()) return append_all(request);
  ASSIGN_OR_RETURN(const LeftOut left_out, count_left_out(request));
  const bool only_snapshot =
      std::ranges::all_of(request.files, [](const InputFile& file) { return file.snapshot; });
  const bool plain = !request.history && request.order.empty();
  if (request.meets_nothing && only_snapshot && plain) {
    ASSIGN_OR_RETURN(const auto delta, append_distinct(request, left_out));
    if (delta) return *delta;
  }
  return request.history ? all_actions(request, left_out) : last_actions(request, left_out);
}

Status DuckdbEngine::release() {
  std::string sql =
      "DROP TABLE IF EXISTS temp.forebay_last; DROP TABLE IF EXISTS temp.forebay_versions; "
      "DROP TABLE IF EXISTS temp.forebay_keys;";
  for (int i = 0; i < next_relation_; ++i)
    sql += fmt::format("DROP TABLE IF EXISTS temp.forebay_delta_{};", i);
  next_relation_ = 0;
  RETURN_IF_ERROR(db_.execute(sql, "release"));
  return {};
}

}  // namespace

std::unique_ptr<Engine> make_duckdb_engine(duckdb::Connection& connection) {
  return std::make_unique<DuckdbEngine>(connection);
}

}  // namespace forebay
