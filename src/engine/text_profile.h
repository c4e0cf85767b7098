#pragma once

#include <optional>
#include <string_view>

#include "engine/column_type.h"

namespace forebay {

// Which types could hold all the values of a column that came as text (CSV, JSON), without one of
// them changing. Built value by value, and for many files by merging: the order never matters.
//
// Two questions are told apart. A *natural* type is one from which every value prints back, byte by
// byte, as DuckDB prints it: 007, +1, 1e5 and 1.50 are no numbers then. A type that *stands*
// already takes a value when it holds exactly that: the number 3 in a column of DOUBLE, 1.5 in
// DECIMAL(9,2).

// Wide enough for every integer that a column can hold.
__extension__ typedef __int128 Int128;

// What a value was in its file.
enum class TextOrigin {
  plain,   // CSV
  string,  // a JSON string: never a number or a truth value
  scalar,  // a JSON number or truth value
  nested,  // JSON text of an object or a list
};

struct TextProfile {
  bool any = false;  // there is a value that is not null
  // What holds of all values so far:
  bool boolean = true;     // prints back from BOOLEAN
  bool integer = true;     // prints back from HUGEINT
  bool number = true;      // digits, perhaps a point and more digits
  bool real = true;        // prints back from DOUBLE
  bool real_exact = true;  // is a number that DOUBLE holds
  bool date = true;        // prints back from DATE
  bool timestamp = true;   // prints back from TIMESTAMP
  bool nested = true;      // JSON text
  // Of integers:
  Int128 smallest = 0;
  Int128 largest = 0;
  // Of numbers: digits before the point, fewest and most behind it.
  int whole = 0;
  int fewest = 0;
  int most = 0;
  int second_digits = 0;  // of timestamps: the most digits of a second's fraction

  // Of values that are words, whatever they look like.
  static TextProfile of_words(bool any);
  void add(std::string_view value, TextOrigin origin);
  void merge(const TextProfile& other);
};

// BOOLEAN, BIGINT, HUGEINT, DOUBLE, DECIMAL(18,s) or DECIMAL(38,s), DATE, TIMESTAMP, JSON: the
// first from which every value prints back. VARCHAR when there is none, or no value at all.
ColumnType natural_type(const TextProfile& profile);

// Whether a column of this type holds every value exactly.
bool holds(const ColumnType& type, const TextProfile& profile);

// What a column of `table` becomes to hold these values too, by the rules of widen(); nothing:
// drift.
std::optional<ColumnType> widen_to_text(const ColumnType& table, const TextProfile& profile);

}  // namespace forebay
