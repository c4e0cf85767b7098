#include "load/column_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace forebay {
namespace {

// `_forebay_file`; a history has `_forebay_op` and `_forebay_row` too.
constexpr std::size_t kOursInTable = 1;
constexpr std::size_t kOursInHistory = 3;

// Whether rows are compared by more than the table's columns: by `_forebay_version` then.
bool has_version(const RowOrder& order, const std::vector<Column>& columns) {
  return std::ranges::any_of(order.terms, [&](const OrderTerm& term) {
    return term.of_unit() ||
           std::ranges::find(columns, term.column, &Column::name) == columns.end();
  });
}

Status check(const TableName& table, const std::vector<Column>& columns, std::size_t ours,
             const TargetPromises& promises) {
  const std::size_t all = columns.size() + ours;
  if (!promises.max_columns || all <= *promises.max_columns) return {};
  return fail(
      {.code = ErrorCode::refused,
       .operation = "count columns",
       .object = "table " + table.display(),
       .cause = fmt::format("it would have {} columns ({} of its files, {} of ours), and "
                            "{} takes at most {}",
                            all, columns.size(), ours, promises.name, *promises.max_columns),
       .hint = "leave columns out: exclude_columns, or include_columns"});
}

}  // namespace

Status check_column_limit(const TableName& table, const std::vector<Column>& columns,
                          const RowOrder& order, const TargetPromises& promises) {
  return check(table, columns, kOursInTable + (has_version(order, columns) ? 1 : 0), promises);
}

Status check_history_limit(const TableName& table, const std::vector<Column>& columns,
                           const RowOrder& order, const TargetPromises& promises) {
  return check(history_table(table), columns,
               kOursInHistory + (has_version(order, columns) ? 1 : 0), promises);
}

}  // namespace forebay
