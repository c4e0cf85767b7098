#pragma once

#include <string>
#include <string_view>

#include "engine/column_type.h"

namespace forebay {

// How a column's values are read where its type is declared; what is empty says nothing.
struct CastForm {
  std::string format;    // of text that is a time, in the words of strptime
  std::string unit;      // of numbers that are times: s, ms, us or ns since 1970, in UTC
  std::string timezone;  // in which times without a zone are; or become such, without one

  bool none() const { return format.empty() && unit.empty() && timezone.empty(); }
  bool operator==(const CastForm&) const = default;
};

// Whether a column of a file may be declared to be of a type: there is then a way by which each
// value becomes exactly the same value of it, or shows that it cannot.
bool can_be_declared(const ColumnType& file, const ColumnType& declared, const CastForm& form = {});

namespace duckdb {

// A value of a file as one of a declared type; null where it is not exactly one. Numbers and times
// in text may be written in any way that loses nothing (007, 1.50, 2026-01-01T10:00:00Z); a time
// without a zone is one of UTC, and a FLOAT or DOUBLE is the nearest there is. `value` is an
// expression. Only where can_be_declared(). A time that no clock of
// its zone shows is none of it; one that they show twice is the later.
std::string exact_cast_sql(std::string_view value, const ColumnType& file,
                           const ColumnType& declared, const CastForm& form = {});

}  // namespace duckdb
}  // namespace forebay
