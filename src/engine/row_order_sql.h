#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/row_order.h"

// The SQL that compares versions, as pure functions. Wherever rows of a batch are compared, each
// term's value stands in a column of its own, so that the same words serve for rows of the batch,
// of the table, of its tombstones and of its history.
namespace forebay::duckdb {

// What the text of an error() begins with that is raised by a row that must not be guessed about:
// no version, an operation that is not known.
inline constexpr const char* kRefusedMark = "says nothing that is known here";

// The value of a term that stands in this column (an expression): JSON in the text form that
// compares like its parts. Raises an error() with kRefusedMark for text of no known form.
std::string term_value_sql(const OrderTerm& term, const std::string& column);

// Names the value of a term in one of two relations: "d._forebay_v0".
using TermSql = std::function<std::string(std::size_t term)>;

// The column in which a batch's row has a term's value, quoted.
std::string term_column(std::size_t term);
TermSql terms_of(const std::string& alias);

// A term's value as it is compared: a rank as its number, a text that is a time as nanoseconds.
std::string comparable_sql(const OrderTerm& term, const std::string& value);
using ComparableSql = std::function<std::string(const OrderTerm& term, const std::string& value)>;

// Whether the left row is newer by the terms from `first` on; `last` decides where all are equal.
std::string newer_sql(const RowOrder& order, std::size_t first, const TermSql& left,
                      const TermSql& right, const std::string& last,
                      const ComparableSql& comparable = comparable_sql);
// Whether the versions are equal, whatever their ties.
std::string same_version_sql(const RowOrder& order, const TermSql& left, const TermSql& right);
// The terms from `first` to before `end` as a list of expressions that compare like them.
std::vector<std::string> compared_sql(const RowOrder& order, std::size_t first, std::size_t end);

// The form in which versions stand in the target: a structure with a field for each of these terms.
std::string version_type_sql(const RowOrder& order, const std::vector<std::size_t>& terms);
std::string version_value_sql(const RowOrder& order, const std::vector<std::size_t>& terms,
                              const std::string& alias);

}  // namespace forebay::duckdb
