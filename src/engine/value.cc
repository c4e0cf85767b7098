#include "engine/value.h"

#include <fmt/format.h>

#include "base/check.h"

namespace forebay::duckdb {

const std::string& text(const Value& value) {
  CHECK(std::holds_alternative<std::string>(value));
  return std::get<std::string>(value);
}

std::int64_t integer(const Value& value) {
  CHECK(std::holds_alternative<std::int64_t>(value));
  return std::get<std::int64_t>(value);
}

double real(const Value& value) {
  CHECK(std::holds_alternative<double>(value));
  return std::get<double>(value);
}

bool boolean(const Value& value) {
  CHECK(std::holds_alternative<bool>(value));
  return std::get<bool>(value);
}

bool is_null(const Value& value) { return std::holds_alternative<std::monostate>(value); }

std::string text_or_empty(const Value& value) {
  return is_null(value) ? std::string() : text(value);
}

Time time(const Value& value) { return Time(Duration(integer(value))); }

std::optional<Time> optional_time(const Value& value) {
  if (is_null(value)) return std::nullopt;
  return time(value);
}

Value from_time(Time time) {
  return Value(static_cast<std::int64_t>(time.time_since_epoch().count()));
}

Value from_time(const std::optional<Time>& time) { return time ? from_time(*time) : Value(); }

namespace {

std::string surround(std::string_view text, char mark) {
  std::string quoted(1, mark);
  quoted.reserve(text.size() + 2);
  for (const char c : text) {
    if (c == mark) quoted += mark;
    quoted += c;
  }
  return quoted += mark;
}

}  // namespace

std::string quote(std::string_view identifier) { return surround(identifier, '"'); }

std::string quote(std::string_view schema, std::string_view name) {
  return quote(schema) + "." + quote(name);
}

// A NUL byte would end the statement: the C API takes it as a C string.
std::string literal(std::string_view text) {
  std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return surround(text, '\'');
  std::string sql = "(";
  for (; nul != std::string_view::npos; nul = text.find('\0')) {
    sql += surround(text.substr(0, nul), '\'') + " || chr(0) || ";
    text.remove_prefix(nul + 1);
  }
  return sql + surround(text, '\'') + ")";
}

std::string blob_literal(std::string_view bytes) {
  std::string sql = "'";
  for (const char c : bytes) sql += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
  return sql + "'::BLOB";
}

std::string time_literal(Time time) {
  return fmt::format("make_timestamptz({})", time.time_since_epoch().count());
}

std::string time_literal(const std::optional<Time>& time) {
  return time ? time_literal(*time) : "NULL::TIMESTAMPTZ";
}

}  // namespace forebay::duckdb
