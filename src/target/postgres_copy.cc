#include "target/postgres_copy.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <utility>

#include "base/check.h"

namespace forebay {
namespace {

using duckdb::quote;
using duckdb::Row;
using duckdb::Value;

constexpr std::size_t kPieceBytes = 1 << 20;
constexpr std::int64_t kDaysTo2000 = 10957;
constexpr std::int64_t kMicrosTo2000 = kDaysTo2000 * 86'400'000'000;
// 4714-11-24 BC to before 294277-01-01, and for dates to 5874897-12-31, as days since 2000.
constexpr std::int64_t kLeastDay = -2451545;
constexpr std::int64_t kMostDay = 2145031948;
constexpr std::int64_t kLeastMicros = kLeastDay * 86'400'000'000;
constexpr std::int64_t kMostMicros = 9223371331199999999;
// What stands for the infinities while values travel as whole numbers.
constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max();

template <class Number>
void add_number(std::string& out, Number number) {
  for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8)
    out += static_cast<char>(static_cast<std::uint64_t>(number) >> shift & 0xff);
}

void add_bytes(std::string& out, std::string_view bytes) {
  add_number(out, static_cast<std::int32_t>(bytes.size()));
  out += bytes;
}

std::string finite(const std::string& column, const std::string& value) {
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN NULL WHEN isfinite({0}) THEN {1} WHEN {0} > 'epoch' THEN {2} "
      "ELSE -{2} END",
      column, value, kInfinite);
}

// A column as an expression whose values are texts, whole numbers, reals or booleans.
std::string travel_sql(const Column& column) {
  const std::string name = quote(column.name);
  switch (column.type.kind) {
    case TypeKind::boolean:
    case TypeKind::text:
    case TypeKind::blob: return name;
    case TypeKind::int8:
    case TypeKind::int16:
    case TypeKind::uint8:
    case TypeKind::int32:
    case TypeKind::uint16:
    case TypeKind::int64:
    case TypeKind::uint32: return fmt::format("CAST({} AS BIGINT)", name);
    case TypeKind::float32:
    case TypeKind::float64: return fmt::format("CAST({} AS DOUBLE)", name);
    case TypeKind::date:
      return finite(name, fmt::format("CAST({} - DATE '1970-01-01' AS BIGINT)", name));
    case TypeKind::timestamp_s:
    case TypeKind::timestamp_ms:
    case TypeKind::timestamp_us:
    case TypeKind::timestamp_tz: return finite(name, fmt::format("epoch_us({})", name));
    case TypeKind::timestamp_ns: return finite(name, fmt::format("epoch_ns({})", name));
    case TypeKind::time: return fmt::format("epoch_us({})", name);
    case TypeKind::time_ns: return fmt::format("epoch_ns({})", name);
    default: return fmt::format("CAST({} AS VARCHAR)", name);
  }
}

class Encoder {
 public:
  Encoder(const std::vector<Column>& columns, std::string what)
      : columns_(columns), what_(std::move(what)) {}

  Status add(const Row& row, std::string& out) const {
    add_number(out, static_cast<std::int16_t>(columns_.size()));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (duckdb::is_null(row[i]))
        add_number(out, std::int32_t{-1});
      else
        RETURN_IF_ERROR(add_value(columns_[i], row[i], out));
    }
    return {};
  }

 private:
  Status add_value(const Column& column, const Value& value, std::string& out) const;
  Status add_text(const Column& column, const std::string& text, std::string& out) const;
  Status add_micros(const Column& column, std::int64_t ticks, std::string& out) const;
  Status add_day(const Column& column, std::int64_t days, std::string& out) const;
  Status refuse(const Column& column, const std::string& value, const std::string& why) const;

  const std::vector<Column>& columns_;
  std::string what_;
};

Status Encoder::refuse(const Column& column, const std::string& value,
                       const std::string& why) const {
  return fail({.code = ErrorCode::refused,
               .operation = what_,
               .object = "",
               .cause = fmt::format("column '{}' has the value '{}': {}", column.name, value, why),
               .hint = "correct the file, or load it into a DuckDB target"});
}

Status Encoder::add_text(const Column& column, const std::string& text, std::string& out) const {
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos)
    return refuse(column, text.substr(0, nul) + "\\0…",
                  "PostgreSQL cannot hold a text with a NUL byte");
  add_bytes(out, text);
  return {};
}

Status Encoder::add_day(const Column& column, std::int64_t days, std::string& out) const {
  add_number(out, std::int32_t{4});
  if (days == kInfinite || days == -kInfinite) {
    add_number(out, days > 0 ? std::numeric_limits<std::int32_t>::max()
                             : std::numeric_limits<std::int32_t>::min());
    return {};
  }
  const std::int64_t day = days - kDaysTo2000;
  if (day < kLeastDay || day > kMostDay)
    return refuse(column, fmt::format("{} days since 1970", days),
                  "PostgreSQL holds dates from 4714 BC to 5874897");
  add_number(out, static_cast<std::int32_t>(day));
  return {};
}

Status Encoder::add_micros(const Column& column, std::int64_t ticks, std::string& out) const {
  add_number(out, std::int32_t{8});
  if (ticks == kInfinite || ticks == -kInfinite) {
    add_number(out, ticks > 0 ? std::numeric_limits<std::int64_t>::max()
                              : std::numeric_limits<std::int64_t>::min());
    return {};
  }
  if (column.type.kind == TypeKind::timestamp_ns) {
    if (ticks % 1000 != 0)
      return refuse(column, fmt::format("{} ns since 1970", ticks),
                    "PostgreSQL's times have microseconds");
    ticks /= 1000;
  }
  if (ticks < kLeastMicros + kMicrosTo2000 || ticks - kMicrosTo2000 > kMostMicros)
    return refuse(column, fmt::format("{} µs since 1970", ticks),
                  "PostgreSQL holds times from 4714 BC to 294276");
  add_number(out, ticks - kMicrosTo2000);
  return {};
}

std::string uuid_bytes(std::string_view text) {
  std::string bytes;
  int high = -1;
  for (const char c : text) {
    if (c == '-') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (high < 0) {
      high = digit;
      continue;
    }
    bytes += static_cast<char>(high << 4 | digit);
    high = -1;
  }
  return bytes;
}

Status Encoder::add_value(const Column& column, const Value& value, std::string& out) const {
  const auto number = [&](auto type) {
    add_number(out, static_cast<std::int32_t>(sizeof(type)));
    add_number(out, static_cast<decltype(type)>(duckdb::integer(value)));
    return Status();
  };
  switch (column.type.kind) {
    case TypeKind::boolean:
      add_number(out, std::int32_t{1});
      out += duckdb::boolean(value) ? '\1' : '\0';
      return {};
    case TypeKind::int8:
    case TypeKind::int16:
    case TypeKind::uint8: return number(std::int16_t{});
    case TypeKind::int32:
    case TypeKind::uint16: return number(std::int32_t{});
    case TypeKind::int64:
    case TypeKind::uint32: return number(std::int64_t{});
    case TypeKind::float32:
      add_number(out, std::int32_t{4});
      add_number(out, std::bit_cast<std::uint32_t>(static_cast<float>(duckdb::real(value))));
      return {};
    case TypeKind::float64:
      add_number(out, std::int32_t{8});
      add_number(out, std::bit_cast<std::uint64_t>(duckdb::real(value)));
      return {};
    case TypeKind::uint64:
    case TypeKind::int128:
    case TypeKind::uint128:
    case TypeKind::decimal: add_bytes(out, postgres_numeric(duckdb::text(value))); return {};
    case TypeKind::blob: add_bytes(out, duckdb::text(value)); return {};
    case TypeKind::uuid: add_bytes(out, uuid_bytes(duckdb::text(value))); return {};
    case TypeKind::date: return add_day(column, duckdb::integer(value), out);
    case TypeKind::timestamp_s:
    case TypeKind::timestamp_ms:
    case TypeKind::timestamp_us:
    case TypeKind::timestamp_ns:
    case TypeKind::timestamp_tz: return add_micros(column, duckdb::integer(value), out);
    case TypeKind::time: return number(std::int64_t{});
    case TypeKind::time_ns:
      if (duckdb::integer(value) % 1000 != 0)
        return refuse(column, fmt::format("{} ns of the day", duckdb::integer(value)),
                      "PostgreSQL's times have microseconds");
      add_number(out, std::int32_t{8});
      add_number(out, duckdb::integer(value) / 1000);
      return {};
    case TypeKind::json: return add_text(column, "\1" + duckdb::text(value), out);
    default: return add_text(column, duckdb::text(value), out);
  }
}

}  // namespace

// Digits in groups of four, counted from the point; leading and trailing groups of zeros left out.
std::string postgres_numeric(std::string_view decimal) {
  const bool negative = decimal.starts_with('-');
  if (negative) decimal.remove_prefix(1);
  const std::size_t point = std::min(decimal.find('.'), decimal.size());
  std::string whole(decimal.substr(0, point));
  std::string fraction(point < decimal.size() ? decimal.substr(point + 1) : std::string_view());
  const auto scale = static_cast<std::int16_t>(fraction.size());
  whole.insert(0, (4 - whole.size() % 4) % 4, '0');
  fraction.append((4 - fraction.size() % 4) % 4, '0');
  const std::string digits = whole + fraction;
  std::vector<std::int16_t> groups;
  for (std::size_t i = 0; i < digits.size(); i += 4)
    groups.push_back(static_cast<std::int16_t>(std::stoi(digits.substr(i, 4))));
  auto weight = static_cast<std::int16_t>(whole.size() / 4 - 1);
  std::size_t first = 0;
  while (first < groups.size() && groups[first] == 0) {
    ++first;
    --weight;
  }
  while (groups.size() > first && groups.back() == 0) groups.pop_back();
  const bool zero = first >= groups.size();
  std::string out;
  add_number(out, static_cast<std::int16_t>(groups.size() - first));
  add_number(out, zero ? std::int16_t{0} : weight);
  add_number(out, static_cast<std::uint16_t>(negative && !zero ? 0x4000 : 0));
  add_number(out, scale);
  for (std::size_t i = first; i < groups.size(); ++i) add_number(out, groups[i]);
  return out;
}

std::string unstorable_in_postgres(const ColumnType& type) {
  switch (type.kind) {
    case TypeKind::interval:
    case TypeKind::time_tz: return to_sql(type) + " is not loaded into PostgreSQL yet";
    case TypeKind::list:
    case TypeKind::structure:
    case TypeKind::map: return "lists, structures and maps are not loaded into PostgreSQL yet";
    case TypeKind::other: return "PostgreSQL has no place for " + type.other_name;
    default: return {};
  }
}

namespace {

// The terms of versions, `_forebay_v0` and so on, are compared like their bytes; other texts as the
// table's column is, so that an index on it serves.
bool is_term(const Column& column) {
  constexpr std::string_view kTerm = "_forebay_v";
  return column.name.size() > kTerm.size() && column.name.starts_with(kTerm) &&
         column.name[kTerm.size()] >= '0' && column.name[kTerm.size()] <= '9';
}

}  // namespace

Status copy_to_postgres(duckdb::Connection& local, const std::string& relation,
                        PostgresSession& session, const std::string& name,
                        const std::string& what) {
  ASSIGN_OR_RETURN(const auto columns, local.describe("SELECT * FROM " + relation, what));
  std::string definitions;
  std::string values;
  for (const Column& column : columns) {
    if (const std::string why = unstorable_in_postgres(column.type); !why.empty())
      return fail({.code = ErrorCode::refused,
                   .operation = what,
                   .object = "",
                   .cause = fmt::format("column '{}': {}", column.name, why),
                   .hint = "declare it as text, drop it, or load into a DuckDB target"});
    const char* comma = definitions.empty() ? "" : ", ";
    const SqlDialect& dialect = session.dialect();
    definitions +=
        fmt::format("{}{} {}", comma, quote(column.name),
                    is_term(column) ? dialect.plain_type(column.type) : dialect.type(column.type));
    values += fmt::format("{}{}", comma, travel_sql(column));
  }
  RETURN_IF_ERROR(session.execute(session.dialect().temporary_columns(name, definitions), what));
  RETURN_IF_ERROR(
      session.begin_copy(fmt::format("COPY {} FROM STDIN (FORMAT binary)", name), what));
  const Encoder encoder(columns, what);
  std::string piece("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  Status sent = local.query_each(fmt::format("SELECT {} FROM {}", values, relation), what,
                                 [&](Row& row) -> Status {
                                   RETURN_IF_ERROR(encoder.add(row, piece));
                                   if (piece.size() < kPieceBytes) return {};
                                   Status copied = session.copy(piece, what);
                                   piece.clear();
                                   return copied;
                                 });
  add_number(piece, std::int16_t{-1});
  if (sent) sent = session.copy(piece, what);
  if (!sent) {
    session.abort_copy();
    return sent;
  }
  RETURN_IF_ERROR(session.end_copy(what));
  RETURN_IF_ERROR(session.execute("ANALYZE " + name, what));
  return {};
}

}  // namespace forebay
