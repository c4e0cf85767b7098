#include "target/table_versions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/engine.h"
#include "engine/value.h"

namespace forebay {
namespace {

using duckdb::quote;

// Whether a term is a column of the table as it stands there.
bool stands_in(const SqlDialect& dialect, const std::vector<Column>& columns,
               const OrderTerm& term) {
  if (term.of_unit() || std::ranges::find(columns, term.column, &Column::name) == columns.end())
    return false;
  // Only the engine knows what the value of a JSON form is.
  return dialect.has_structures() || term.forms.empty();
}

std::string beside_name(const OrderTerm& term) {
  return quote(fmt::format("{}.{}", kVersionColumn, term.name));
}

}  // namespace

std::optional<std::string> version_term(std::string_view column) {
  const std::string start = fmt::format("{}.", kVersionColumn);
  if (!column.starts_with(start)) return std::nullopt;
  return std::string(column.substr(start.size()));
}

std::vector<std::size_t> terms_beside(const SqlDialect& dialect, const RowOrder& order,
                                      const std::vector<Column>& columns) {
  std::vector<std::size_t> beside;
  for (std::size_t i = 0; i < order.terms.size(); ++i) {
    if (!stands_in(dialect, columns, order.terms[i])) beside.push_back(i);
  }
  return beside;
}

duckdb::TermSql terms_in(const SqlDialect& dialect, const RowOrder& order,
                         const std::vector<Column>& columns, const std::string& alias) {
  std::vector<std::string> values;
  for (const OrderTerm& term : order.terms) {
    if (!stands_in(dialect, columns, term)) {
      values.push_back(dialect.has_structures()
                           ? fmt::format("{}.{}.{}", alias, quote(kVersionColumn), quote(term.name))
                           : fmt::format("{}.{}", alias, beside_name(term)));
    } else if (term.ranks.empty()) {
      values.push_back(dialect.plain(
          term.type,
          duckdb::term_value_sql(term, fmt::format("{}.{}", alias, quote(term.column)))));
    } else {
      const ColumnType text{.kind = TypeKind::text};
      values.push_back(dialect.plain(
          text, fmt::format("CAST({}.{} AS {})", alias, quote(term.column), dialect.type(text))));
    }
  }
  return [values = std::move(values)](std::size_t term) { return values[term]; };
}

std::string version_definition(const SqlDialect& dialect, const RowOrder& order,
                               const std::vector<Column>& columns) {
  const std::vector<std::size_t> beside = terms_beside(dialect, order, columns);
  if (beside.empty()) return {};
  if (dialect.has_structures())
    return fmt::format("{} {}, ", quote(kVersionColumn), duckdb::version_type_sql(order, beside));
  std::string list;
  for (const std::size_t i : beside)
    list += fmt::format("{} {}, ", beside_name(order.terms[i]),
                        dialect.plain_type(order.terms[i].type));
  return list;
}

std::string version_names(const SqlDialect& dialect, const RowOrder& order,
                          const std::vector<Column>& columns) {
  const std::vector<std::size_t> beside = terms_beside(dialect, order, columns);
  if (beside.empty()) return {};
  if (dialect.has_structures()) return quote(kVersionColumn) + ", ";
  std::string list;
  for (const std::size_t i : beside) list += beside_name(order.terms[i]) + ", ";
  return list;
}

std::string version_value(const SqlDialect& dialect, const RowOrder& order,
                          const std::vector<Column>& columns, const std::string& alias) {
  const std::vector<std::size_t> beside = terms_beside(dialect, order, columns);
  if (beside.empty()) return {};
  if (dialect.has_structures()) return duckdb::version_value_sql(order, beside, alias) + ", ";
  std::string list;
  for (const std::size_t i : beside) list += fmt::format("{}.{}, ", alias, duckdb::term_column(i));
  return list;
}

std::vector<std::string> widen_version_sql(const SqlDialect& dialect, const RowOrder& order,
                                           const std::vector<Column>& columns,
                                           const std::string& table) {
  const std::vector<std::size_t> beside = terms_beside(dialect, order, columns);
  if (beside.empty()) return {};
  if (dialect.has_structures())
    return {fmt::format("ALTER TABLE {} ALTER COLUMN {} SET DATA TYPE {}", table,
                        quote(kVersionColumn), duckdb::version_type_sql(order, beside))};
  std::vector<std::string> statements;
  for (const std::size_t i : beside)
    statements.push_back(
        fmt::format("ALTER TABLE {0} ALTER COLUMN {1} SET DATA TYPE {2} USING "
                    "CAST({1} AS {2})",
                    table, beside_name(order.terms[i]), dialect.plain_type(order.terms[i].type)));
  return statements;
}

std::string key_names(const std::vector<std::string>& key) {
  std::vector<std::string> names;
  for (const std::string& column : key) names.push_back(quote(column));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string key_list(const std::vector<std::string>& key, const std::string& alias) {
  std::vector<std::string> names;
  for (const std::string& column : key) names.push_back(alias + "." + quote(column));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string key_equal(const std::vector<std::string>& key, const std::string& left,
                      const std::string& right) {
  std::vector<std::string> terms;
  for (const std::string& column : key)
    terms.push_back(fmt::format("{0}.{2} = {1}.{2}", left, right, quote(column)));
  return fmt::format("{}", fmt::join(terms, " AND "));
}

}  // namespace forebay
