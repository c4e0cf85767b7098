#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"

namespace forebay::duckdb {

// A cell of a small result. Results that are large stay inside the engine. Times travel as BIGINT
// microseconds (epoch_us), so that no session time zone can touch them.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;
using Row = std::vector<Value>;

// Readers of a cell whose type the query fixed; another type is a bug of the query (CHECK).
const std::string& text(const Value& value);
std::int64_t integer(const Value& value);
double real(const Value& value);
bool boolean(const Value& value);
bool is_null(const Value& value);
std::string text_or_empty(const Value& value);
Time time(const Value& value);
std::optional<Time> optional_time(const Value& value);

Value from_time(Time time);
Value from_time(const std::optional<Time>& time);

// Quoting for SQL: an identifier ("a""b"), a text literal ('a''b'), a blob literal, a timestamp.
std::string quote(std::string_view identifier);
std::string quote(std::string_view schema, std::string_view name);
std::string literal(std::string_view text);
std::string blob_literal(std::string_view bytes);
std::string time_literal(Time time);
std::string time_literal(const std::optional<Time>& time);

}  // namespace forebay::duckdb
