#include "load/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "base/check.h"

namespace forebay {
namespace {

const Column* find_column(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

bool same_but_for_case(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// A column may be part of the version and, as a rank, break its ties: each has a name of its own.
std::string unique_name(const RowOrder& order, const std::string& wanted) {
  for (int attempt = 1;; ++attempt) {
    std::string name = attempt == 1 ? wanted : fmt::format("{}_{}", wanted, attempt);
    const bool taken = std::ranges::any_of(
        order.terms, [&](const OrderTerm& term) { return same_but_for_case(term.name, name); });
    if (!taken) return name;
  }
}

OrderTerm order_term(const VersionTerm& term, const RowOrder& order, const ColumnChanges& read) {
  const bool named = !term.named_by.empty();
  OrderTerm result{.name = unique_name(order, named ? term.named_by : term.name),
                   .ranks = term.order};
  if (term.from != VersionTerm::From::column) {
    result.type = {.kind = TypeKind::blob};
    return result;
  }
  const Column* column = find_column(read.columns, term.name);
  CHECK(column != nullptr || term.may_lack);  // evolve() found it in every file
  result.column = term.name;
  result.forms = term.json;
  result.may_lack = term.may_lack;
  result.missing = column == nullptr;
  const bool number = term.as == VersionTerm::As::number;
  if (!term.order.empty() || !term.json.empty() || (result.missing && !number)) {
    result.type = {.kind = TypeKind::text};
  } else {
    result.type = result.missing ? ColumnType{.kind = TypeKind::int64} : column->type;
  }
  result.natural = named && result.type.kind == TypeKind::text;
  return result;
}

bool is_integer(const ColumnType& type) {
  using enum TypeKind;
  constexpr std::array kIntegers{int8,  int16,  int32,  int64,  int128,
                                 uint8, uint16, uint32, uint64, uint128};
  return std::ranges::find(kIntegers, type.kind) != kIntegers.end();
}

Error second_value(const TableName& table, const std::string& column, const std::string& known,
                   const std::string& other) {
  return {.code = ErrorCode::refused,
          .operation = "check",
          .object = table.display(),
          .cause = fmt::format("column '{}' has the value '{}', and '{}' in what was loaded: it "
                               "may have one value only",
                               column, other, known),
          .hint =
              "load each value through a pipeline of its own, or decide that this unit will "
              "not be loaded: forebay quarantine drop"};
}

}  // namespace

RowOrder row_order(const Feed& feed, const ColumnChanges& read) {
  RowOrder order;
  if (read.columns.empty()) return order;  // no file of this batch has columns
  for (const auto* terms : {&feed.rows.version, &feed.rows.tie}) {
    for (const VersionTerm& term : *terms) order.terms.push_back(order_term(term, order, read));
  }
  order.decisive = feed.rows.version.size();
  return order;
}

bool version_widened(const RowOrder& order, const TableState& state) {
  return state.exists && std::ranges::any_of(order.terms, [&](const OrderTerm& term) {
           if (term.of_unit() || !term.ranks.empty() || !term.forms.empty() || term.missing)
             return false;
           const auto differs = [&](const Column* before) {
             return before != nullptr && before->type != term.type;
           };
           // A column that was not known at first was kept as text, without a value.
           return differs(find_column(state.columns, term.column)) ||
                  differs(find_column(state.version, term.name));
         });
}

Status check_numbers(const Feed& feed, const TableName& table, const ColumnChanges& read) {
  const auto refuse = [&](const Column& column, const char* wants, std::string hint) {
    return fail(Error{
        .code = ErrorCode::drift,
        .operation = "check",
        .object = table.display(),
        .cause = fmt::format("column '{}' is {}, and {}", column.name, to_sql(column.type), wants),
        .hint = std::move(hint)});
  };
  for (const std::string& name : feed.check.consecutive) {
    const Column* column = find_column(read.columns, name);
    if (column == nullptr || is_integer(column->type)) continue;
    return refuse(*column, "only whole numbers can be consecutive",
                  "correct the file, or take the column out of check.consecutive");
  }
  for (const auto* terms : {&feed.rows.version, &feed.rows.tie}) {
    for (const VersionTerm& term : *terms) {
      const bool number =
          term.from == VersionTerm::From::column && term.as == VersionTerm::As::number;
      if (!number || term.may_lack) continue;  // one without values yet may be text until then
      const Column* column = find_column(read.columns, term.name);
      if (column == nullptr || column->type.kind != TypeKind::text) continue;
      return refuse(
          *column, "its description compares versions in it as numbers",
          fmt::format("say columns: {{types: {{{}: BIGINT}}}}, or correct the file", column->name));
    }
  }
  return {};
}

Status check_one_value(const LedgerHead& head, const TableName& table, const Delta& delta,
                       std::vector<Fact>& facts) {
  for (const Delta::Extremes& found : delta.one_value) {
    if (found.least != found.greatest)
      return fail(second_value(table, found.name, found.least, found.greatest));
    const Fact fact{.name = "one_value", .subject = found.name, .value = found.least};
    const std::string* known = head.fact(fact.name, fact.subject);
    if (known == nullptr) {
      const auto earlier = std::ranges::find_if(facts, [&](const Fact& other) {
        return other.name == fact.name && other.subject == fact.subject;
      });
      if (earlier == facts.end()) {
        facts.push_back(fact);
        continue;
      }
      known = &earlier->value;
    }
    if (*known != fact.value) return fail(second_value(table, found.name, *known, fact.value));
  }
  return {};
}

}  // namespace forebay
