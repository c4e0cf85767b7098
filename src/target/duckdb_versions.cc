#include "target/duckdb_versions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/value.h"

namespace forebay {
namespace {

using duckdb::quote;

bool stands_in(const std::vector<Column>& columns, const OrderTerm& term) {
  return !term.of_unit() && std::ranges::find(columns, term.column, &Column::name) != columns.end();
}

}  // namespace

std::vector<std::size_t> terms_beside(const RowOrder& order, const std::vector<Column>& columns) {
  std::vector<std::size_t> beside;
  for (std::size_t i = 0; i < order.terms.size(); ++i) {
    if (!stands_in(columns, order.terms[i])) beside.push_back(i);
  }
  return beside;
}

duckdb::TermSql terms_in(const RowOrder& order, const std::vector<Column>& columns,
                         const std::string& alias) {
  std::vector<std::string> values;
  for (const OrderTerm& term : order.terms) {
    if (!stands_in(columns, term)) {
      values.push_back(fmt::format("{}.{}.{}", alias, quote(kVersionColumn), quote(term.name)));
    } else if (term.ranks.empty()) {
      values.push_back(
          duckdb::term_value_sql(term, fmt::format("{}.{}", alias, quote(term.column))));
    } else {
      values.push_back(fmt::format("{}.{}::VARCHAR", alias, quote(term.column)));
    }
  }
  return [values = std::move(values)](std::size_t term) { return values[term]; };
}

std::string version_definition(const RowOrder& order, const std::vector<Column>& columns) {
  const std::vector<std::size_t> beside = terms_beside(order, columns);
  if (beside.empty()) return {};
  return fmt::format("{} {}, ", quote(kVersionColumn), duckdb::version_type_sql(order, beside));
}

std::string version_value(const RowOrder& order, const std::vector<Column>& columns,
                          const std::string& alias) {
  const std::vector<std::size_t> beside = terms_beside(order, columns);
  return beside.empty() ? std::string() : duckdb::version_value_sql(order, beside, alias) + ", ";
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
