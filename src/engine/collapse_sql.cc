#include "engine/collapse_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "engine/column_sql.h"
#include "engine/row_order_sql.h"
#include "engine/time_sql.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

// Rows of a file are numbered below this many bits of `_forebay_order`; the file stands above.
constexpr int kRowBits = 40;

// Files that one read_parquet() can read. All of them lie in one shared file, or none does.
struct Group {
  const InputFile* like = nullptr;     // the first of them
  std::vector<std::size_t> positions;  // in the request's files

  std::size_t layout() const { return like->layout; }
};

std::vector<Group> group_files(const CollapseRequest& request) {
  std::map<std::pair<ReadsLike, std::string_view>, Group> groups;
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    const InputFile& file = request.files[i];
    const std::string_view shared = file.spliced ? std::string_view(file.path) : "";
    Group& group = groups[{file.reads_like(), shared}];
    if (group.like == nullptr) group.like = &file;
    CHECK(!file.spliced ||
          file.spliced->number == static_cast<std::int64_t>(group.positions.size()));
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
  for (const std::size_t i : group.positions) {
    paths.push_back(literal(request.files[i].path));
    if (group.like->spliced) break;
  }
  return fmt::format("read_parquet([{}], hive_partitioning=false, union_by_name=false){}",
                     fmt::join(paths, ", "), aliases(request.layouts[group.layout()]));
}

// Which of the group's files a row is of, from 0.
std::string index_sql(const Group& group) {
  return group.like->spliced ? quote(group.like->spliced->column) : "file_index::BIGINT";
}

// A number that each file of the group has: arithmetic on the file's index where the numbers follow
// each other, a constant where they are equal, else a look-up.
std::string per_file_sql(const Group& group, const std::vector<std::int64_t>& numbers) {
  bool consecutive = true;
  bool equal = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    consecutive = consecutive && numbers[i] == numbers.front() + static_cast<std::int64_t>(i);
    equal = equal && numbers[i] == numbers.front();
  }
  if (equal) return fmt::format("{}::BIGINT", numbers.front());
  if (consecutive) return fmt::format("({} + {})", index_sql(group), numbers.front());
  return fmt::format("([{}]::BIGINT[])[{} + 1]", fmt::join(numbers, ", "), index_sql(group));
}

template <class Member>
std::string per_file_sql(const CollapseRequest& request, const Group& group, Member member) {
  std::vector<std::int64_t> numbers;
  for (const std::size_t i : group.positions) numbers.push_back(request.files[i].*member);
  return per_file_sql(group, numbers);
}

std::string position_sql(const Group& group) {
  return per_file_sql(group, {group.positions.begin(), group.positions.end()});
}

// The row's number in its own file.
std::string row_sql(const CollapseRequest& request, const Group& group) {
  if (!group.like->spliced) return "file_row_number";
  std::vector<std::int64_t> first;
  for (const std::size_t i : group.positions)
    first.push_back(static_cast<std::int64_t>(request.files[i].spliced->first_row));
  return fmt::format("(file_row_number - {})", per_file_sql(group, first));
}

// A text that each file of the group has, or null.
std::string per_file_text(const CollapseRequest& request, const Group& group,
                          std::size_t constant) {
  std::vector<std::string> texts;
  bool equal = true;
  for (const std::size_t i : group.positions) {
    const auto& text = request.files[i].constants[constant];
    texts.push_back(text ? literal(*text) : "NULL");
    equal = equal && texts.back() == texts.front();
  }
  if (equal) return texts.front() + "::VARCHAR";
  return fmt::format("([{}]::VARCHAR[])[{} + 1]", fmt::join(texts, ", "), index_sql(group));
}

std::string constant_sql(const CollapseRequest& request, const Group& group, const Column& column,
                         const ColumnSource& source) {
  const std::string type = to_sql(column.type);
  const std::string text = per_file_text(request, group, *source.constant);
  std::string value = text;
  if (column.type.kind != TypeKind::text)
    value = fmt::format(
        "CASE WHEN {0} IS NOT NULL AND TRY_CAST({0} AS {1}) IS NULL THEN "
        "error({2} || {0}) ELSE TRY_CAST({0} AS {1}) END",
        text, type,
        literal(fmt::format("the object's value {} {} ({}): ", kDriftMark, column.name, type)));
  if (!source.reader_name.empty())
    value = fmt::format(
        "CASE WHEN TRY_CAST({0} AS {1}) IS DISTINCT FROM {2} THEN "
        "error(coalesce({0}::VARCHAR, 'null') || {3}) ELSE {2} END",
        quote(source.reader_name), type, value,
        literal(fmt::format(" {} {}", kDisagreeMark, column.name)));
  return fmt::format("CAST({} AS {}) AS {}", value, type, quote(column.name));
}

std::string words_sql(const std::vector<std::string>& words) {
  std::vector<std::string> list;
  for (const std::string& word : words) list.push_back(literal(word));
  return fmt::format("({})", fmt::join(list, ", "));
}

bool can_delete(const Layout& layout) {
  return !layout.delete_flag.empty() || !layout.operation.empty();
}

std::string delete_sql(const CollapseRequest& request, const Layout& layout) {
  if (!layout.delete_flag.empty())
    return fmt::format("coalesce({}::BOOLEAN, false)", quote(layout.delete_flag));
  const std::string operation = fmt::format("CAST({} AS VARCHAR)", quote(layout.operation));
  // Terms of a condition are computed for all rows, those that another one leaves out too.
  std::vector<std::string> others = request.operations.put;
  std::ranges::copy(request.operations.skip, std::back_inserter(others));
  return fmt::format(
      "CASE WHEN {0} IN {1} THEN true WHEN {0} IN {2}{4} THEN false ELSE error({3} || "
      "coalesce({0}, 'null')) END",
      operation, words_sql(request.operations.remove), words_sql(others),
      literal(fmt::format("the operation in column {} {}: ", layout.operation_name, kRefusedMark)),
      request.operations.absent_puts ? fmt::format(" OR {} IS NULL", operation) : std::string());
}

// Whether a row is left out for its operation; empty: none is.
std::string skip_sql(const CollapseRequest& request, const Layout& layout) {
  if (layout.operation.empty() || request.operations.skip.empty()) return {};
  return fmt::format("coalesce(CAST({} AS VARCHAR) IN {}, false)", quote(layout.operation),
                     words_sql(request.operations.skip));
}

// A table without a key appends: what would meet a row that stands is refused.
std::string append_sql(const CollapseRequest& request, const Layout& layout) {
  const std::string mark = literal(fmt::format(
      "a row without a key cannot be updated or deleted; its value of {} {}: ",
      layout.operation.empty() ? layout.delete_flag : layout.operation_name, kRefusedMark));
  if (!layout.delete_flag.empty())
    return fmt::format("CASE WHEN {} THEN error({} || 'true') ELSE true END",
                       delete_sql(request, layout), mark);
  const std::string operation = fmt::format("CAST({} AS VARCHAR)", quote(layout.operation));
  std::string appends = request.operations.absent_puts ? operation + " IS NULL" : "false";
  if (!request.operations.insert.empty())
    appends += fmt::format(" OR {} IN {}", operation, words_sql(request.operations.insert));
  return fmt::format("CASE WHEN {} THEN true ELSE error({} || coalesce({}, 'null')) END", appends,
                     mark, operation);
}

std::string where_sql(const CollapseRequest& request, const Group& group) {
  const Layout& layout = request.layouts[group.layout()];
  std::vector<std::string> terms;
  const bool keyless = request.key.empty() && can_delete(layout);
  if (const std::string skip = skip_sql(request, layout); !skip.empty())
    terms.push_back("NOT " + skip);
  if (keyless) {
    const std::string skip = skip_sql(request, layout);
    terms.push_back(skip.empty() ? append_sql(request, layout)
                                 : fmt::format("CASE WHEN {} THEN false ELSE {} END", skip,
                                               append_sql(request, layout)));
  } else if (group.like->snapshot && can_delete(layout))
    terms.push_back("NOT " + delete_sql(request, layout));
  if (terms.empty()) return {};
  return fmt::format(" WHERE {}", fmt::join(terms, " AND "));
}

// A value of the units, which differs from file to file.
std::string unit_value_sql(const CollapseRequest& request, const Group& group, std::size_t value) {
  std::vector<std::string> values;
  for (const std::size_t i : group.positions)
    values.push_back(blob_literal(request.files[i].version[value]));
  return fmt::format("([{}]::BLOB[])[{} + 1]", fmt::join(values, ", "), index_sql(group));
}

// The terms of the order. A term that decides must have a value, and a rank one that is known.
std::string terms_sql(const CollapseRequest& request) {
  std::string select;
  for (std::size_t i = 0; i < request.order.terms.size(); ++i) {
    const OrderTerm& term = request.order.terms[i];
    if (term.of_unit()) continue;
    const std::string column = quote(term.column);
    const std::string mark =
        literal(fmt::format("the value of column {} {}: ", term.column, kRefusedMark));
    std::string value =
        term.missing ? fmt::format("NULL::{}", to_sql(term.type)) : term_value_sql(term, column);
    if (!term.ranks.empty()) {
      value = fmt::format(
          "CASE WHEN {0}::VARCHAR IN {1} THEN {0}::VARCHAR ELSE error({2} || coalesce({0}::VARCHAR,"
          " 'null')) END",
          column, words_sql(term.ranks), mark);
    } else if (!request.order.nullable(i)) {
      value = fmt::format("CASE WHEN {0} IS NULL THEN error({1} || 'null') ELSE {2} END", column,
                          mark, value);
    }
    select += fmt::format(", {} AS {}", value, term_column(i));
  }
  return select;
}

std::string actions_sql(const CollapseRequest& request, const Group& group) {
  const Layout& layout = request.layouts[group.layout()];
  std::string select = fmt::format(
      ", {} AS \"_forebay_delete\", {} AS \"_forebay_rank\", ({} << {}) | file_row_number AS "
      "\"_forebay_order\", {} AS \"_forebay_known\"",
      group.like->removes                           ? "true"
      : can_delete(layout) && !group.like->snapshot ? delete_sql(request, layout)
                                                    : "false",
      per_file_sql(request, group, &InputFile::rank), position_sql(group), kRowBits,
      group.like->known_keys_only);
  if (request.history)
    select += fmt::format(", {} AS \"_forebay_row\", {} AS \"_forebay_acts\"",
                          row_sql(request, group), group.like->acts);
  std::size_t value = 0;
  for (std::size_t i = 0; i < request.order.terms.size(); ++i) {
    if (!request.order.terms[i].of_unit()) continue;
    select += fmt::format(", {} AS {}", unit_value_sql(request, group, value++), term_column(i));
  }
  return select;
}

std::string group_sql(const CollapseRequest& request, const Group& group, ReadShape shape,
                      bool kept_out = false) {
  const Layout& layout = request.layouts[group.layout()];
  CHECK(layout.columns.size() == request.columns.size());
  const std::string row = row_sql(request, group);
  std::string select;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    const Column& column = request.columns[i];
    const ColumnSource& source = layout.columns[i];
    select += source.constant ? constant_sql(request, group, column, source)
                              : column_sql(column, source, row);
    select += ", ";
  }
  select += fmt::format("{} AS {}", per_file_sql(request, group, &InputFile::file_id),
                        quote(kFileColumn));
  if (shape == ReadShape::actions) select += actions_sql(request, group);
  std::string sql = fmt::format("SELECT {} FROM {}{}", select, from_files(request, group),
                                where_sql(request, group));
  if (group.like->filter)
    sql = fmt::format("SELECT * FROM ({}) WHERE {}{}", sql, kept_out ? "NOT " : "",
                      filter_sql(request.filters[*group.like->filter]));
  if (shape == ReadShape::actions && !request.order.empty())
    sql = fmt::format("SELECT *{} FROM ({})", terms_sql(request), sql);
  if (!group.like->known_keys_only) return sql;
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

std::string read_kept_out_sql(const CollapseRequest& request) {
  std::vector<std::string> selects;
  for (const Group& group : group_files(request)) {
    if (group.like->filter) selects.push_back(group_sql(request, group, ReadShape::values, true));
  }
  return fmt::format("{}", fmt::join(selects, " UNION ALL "));
}

std::string count_left_out_sql(const CollapseRequest& request) {
  std::vector<std::string> counts;
  for (const Group& group : group_files(request)) {
    const Layout& layout = request.layouts[group.layout()];
    const bool leaves_out = group.like->snapshot && can_delete(layout);
    std::string skip = skip_sql(request, layout);
    if (!leaves_out && skip.empty()) continue;
    if (skip.empty()) skip = "false";
    counts.push_back(fmt::format(
        "SELECT count(*) FILTER (NOT {0} AND {1}) AS n, count(*) FILTER ({0}) AS s FROM {2}", skip,
        leaves_out ? delete_sql(request, layout) : "false", from_files(request, group)));
  }
  if (counts.empty()) return {};
  return fmt::format("SELECT sum(n)::BIGINT, sum(s)::BIGINT FROM ({})",
                     fmt::join(counts, " UNION ALL "));
}

std::string one_value_sql(const OneValue& one) {
  const std::string column = quote(one.column);
  if (one.path.empty()) return column + "::VARCHAR";
  return fmt::format("json_extract_string(CASE WHEN json_valid({0}) THEN {0} END, {1})", column,
                     literal(one.path));
}

std::string read_one_sql(const std::string& path) {
  return fmt::format("SELECT * FROM read_parquet({}, hive_partitioning=false)", literal(path));
}

}  // namespace forebay::duckdb
