#include "engine/row_order_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "engine/time_sql.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

// One part of a form as text of which equal kinds compare like the values; the condition under
// which a value has the form.
struct PartSql {
  std::string value;
  std::string fits;
};

PartSql part_sql(const JsonPart& part, const std::string& column) {
  const std::string raw = fmt::format("json_extract_string({}, {})", column, literal(part.path));
  const auto fits = [&](const char* pattern) {
    return fmt::format("coalesce(regexp_full_match({}, '{}'), false)", raw, pattern);
  };
  switch (part.as) {
    case JsonPart::As::number: return {fmt::format("lpad({}, 20, '0')", raw), fits("[0-9]{1,20}")};
    case JsonPart::As::ending:
      return {fmt::format("lpad(regexp_extract({}, '([0-9]+)$', 1), 20, '0')", raw),
              fits("(.*[^0-9])?[0-9]{1,20}")};
    case JsonPart::As::hex:
      return {fmt::format("lpad(split_part(lower({0}), '/', 1), 32, '0') || "
                          "lpad(split_part(lower({0}), '/', 2), 32, '0')",
                          raw),
              fits("[0-9a-fA-F]{1,32}(/[0-9a-fA-F]{1,32})?")};
    case JsonPart::As::text: return {raw, fmt::format("{} IS NOT NULL", raw)};
  }
  std::unreachable();
}

}  // namespace

std::string term_value_sql(const OrderTerm& term, const std::string& column) {
  if (term.forms.empty()) return column;
  // What is no JSON has no form.
  const std::string json = fmt::format("CASE WHEN json_valid({0}) THEN {0} END", column);
  std::string sql = fmt::format("CASE WHEN {} IS NULL THEN NULL", column);
  for (const JsonForm& form : term.forms) {
    std::vector<std::string> values;
    std::vector<std::string> conditions;
    for (const JsonPart& part : form) {
      PartSql of_part = part_sql(part, json);
      values.push_back(std::move(of_part.value));
      conditions.push_back(std::move(of_part.fits));
    }
    sql += fmt::format(" WHEN {} THEN {}", fmt::join(conditions, " AND "),
                       fmt::join(values, " || ' ' || "));
  }
  return fmt::format("{} ELSE error({} || {}) END", sql,
                     literal(fmt::format("the value of column {} {}: ", term.column, kRefusedMark)),
                     column);
}

std::string comparable_sql(const OrderTerm& term, const std::string& value) {
  if (term.instant) return instant_sql(term.name, value);
  if (term.natural)
    return fmt::format(
        "CASE WHEN regexp_full_match({0}, '[0-9]{{1,38}}') THEN lpad({0}, 38, '0') "
        "ELSE {0} END",
        value);
  if (term.ranks.empty()) return value;
  std::string sql = fmt::format("CASE {}", value);
  for (std::size_t i = 0; i < term.ranks.size(); ++i)
    sql += fmt::format(" WHEN {} THEN {}", literal(term.ranks[i]), i);
  return sql + " END";
}

std::string term_column(std::size_t term) { return fmt::format("\"_forebay_v{}\"", term); }

TermSql terms_of(const std::string& alias) {
  return [alias](std::size_t term) { return alias + "." + term_column(term); };
}

std::string newer_sql(const RowOrder& order, std::size_t first, const TermSql& left,
                      const TermSql& right, const std::string& last,
                      const ComparableSql& comparable) {
  if (first == order.terms.size()) return last;
  const OrderTerm& term = order.terms[first];
  const std::string a = comparable(term, left(first));
  const std::string b = comparable(term, right(first));
  const std::string rest = newer_sql(order, first + 1, left, right, last, comparable);
  if (order.nullable(first))
    return fmt::format(
        "(coalesce({0} > {1}, {0} IS NOT NULL AND {1} IS NULL) OR ({0} IS NOT DISTINCT FROM {1} "
        "AND "
        "{2}))",
        a, b, rest);
  return fmt::format("({0} > {1} OR ({0} = {1} AND {2}))", a, b, rest);
}

std::string same_version_sql(const RowOrder& order, const TermSql& left, const TermSql& right) {
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < order.decisive; ++i)
    terms.push_back(fmt::format("{} {} {}", left(i),
                                order.nullable(i) ? "IS NOT DISTINCT FROM" : "=", right(i)));
  return fmt::format("{}", fmt::join(terms, " AND "));
}

std::vector<std::string> compared_sql(const RowOrder& order, std::size_t first, std::size_t end) {
  std::vector<std::string> list;
  for (std::size_t i = first; i < end; ++i) {
    if (order.nullable(i)) list.push_back(term_column(i) + " IS NOT NULL");
    list.push_back(comparable_sql(order.terms[i], term_column(i)));
  }
  return list;
}

std::string version_type_sql(const RowOrder& order, const std::vector<std::size_t>& terms) {
  std::vector<std::string> fields;
  for (const std::size_t i : terms)
    fields.push_back(fmt::format("{} {}", quote(order.terms[i].name), to_sql(order.terms[i].type)));
  return fmt::format("STRUCT({})", fmt::join(fields, ", "));
}

std::string version_value_sql(const RowOrder& order, const std::vector<std::size_t>& terms,
                              const std::string& alias) {
  std::vector<std::string> fields;
  for (const std::size_t i : terms)
    fields.push_back(fmt::format("{} := {}.{}", quote(order.terms[i].name), alias, term_column(i)));
  return fmt::format("struct_pack({})", fmt::join(fields, ", "));
}

}  // namespace forebay::duckdb
