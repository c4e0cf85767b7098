#include "target/postgres_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "base/check.h"
#include "base/stop.h"
#include "base/time_text.h"

namespace forebay {
namespace {

// What literals and texts mean must not depend on what a role or a database is set to: with
// standard_conforming_strings off a backslash in a name would end its literal.
constexpr const char* kSettings =
    "SET standard_conforming_strings = on; SET datestyle = 'ISO, MDY'; "
    "SET intervalstyle = postgres; SET extra_float_digits = 1; SET bytea_output = hex";

using duckdb::Row;
using duckdb::Value;

constexpr int kPollMillis = 100;

// What a SQLSTATE tells the caller to do; the longest beginning counts.
struct StateRule {
  std::string_view begins;
  ErrorCode code;
  const char* hint;
};
constexpr std::array kStates{
    StateRule{"23505", ErrorCode::busy, "another loader was faster: run again"},
    StateRule{"23P01", ErrorCode::busy, "another loader was faster: run again"},
    StateRule{"40", ErrorCode::busy, "another transaction was in the way: run again"},
    StateRule{"55P03", ErrorCode::busy, "another transaction holds a lock: run again"},
    StateRule{"55006", ErrorCode::busy, "another session uses it: run again"},
    StateRule{"57014", ErrorCode::unavailable, "statement_timeout ended it; give the role more"},
    StateRule{"25006", ErrorCode::denied, "the server only reads: name the primary server"},
    StateRule{"28", ErrorCode::denied, "the server does not let this user in"},
    StateRule{"42501", ErrorCode::denied, "grant the right to the role that loads"},
    StateRule{"3D000", ErrorCode::invalid_config, "create the database"},
    StateRule{"22021", ErrorCode::refused, "PostgreSQL cannot hold such a text"},
    StateRule{"22P05", ErrorCode::refused, "PostgreSQL cannot hold such a text"},
    StateRule{"2200", ErrorCode::drift, "correct the file, or reset the table"},
    StateRule{"22", ErrorCode::drift, "correct the file, or reset the table"},
    StateRule{"427", ErrorCode::refused, "PostgreSQL keeps this name for itself: rename it"},
    StateRule{"2BP01", ErrorCode::refused, "something else hangs on it"},
    StateRule{"0A000", ErrorCode::refused, "something else hangs on it"},
    StateRule{"54", ErrorCode::refused, "PostgreSQL has a limit here"},
    StateRule{"53", ErrorCode::unavailable, "the server lacks disk, memory or connections"},
    StateRule{"57", ErrorCode::unavailable, "run again"},
    StateRule{"58", ErrorCode::unavailable, "look at the server's log"},
    StateRule{"08", ErrorCode::unavailable, "run again: the ledger tells what was committed"},
};

std::string first_line(const char* text) {
  const std::string_view whole = text == nullptr ? "" : text;
  return std::string(whole.substr(0, whole.find('\n')));
}

constexpr Oid kBool = 16;
constexpr Oid kBytea = 17;
constexpr Oid kInt8 = 20;
constexpr Oid kInt2 = 21;
constexpr Oid kInt4 = 23;
constexpr Oid kFloat4 = 700;
constexpr Oid kFloat8 = 701;

Value cell(const PGresult* result, int row, int column) {
  if (PQgetisnull(result, row, column) == 1) return {};
  const char* text = PQgetvalue(result, row, column);
  const auto length = static_cast<std::size_t>(PQgetlength(result, row, column));
  switch (PQftype(result, column)) {
    case kBool: return Value(*text == 't');
    case kInt2:
    case kInt4:
    case kInt8: {
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(text, text + length, number);
      CHECK(error == std::errc() && end == text + length);
      return Value(number);
    }
    case kFloat4:
    case kFloat8: return Value(std::strtod(text, nullptr));
    case kBytea: {
      std::size_t size = 0;
      unsigned char* bytes = PQunescapeBytea(reinterpret_cast<const unsigned char*>(text), &size);
      CHECK(bytes != nullptr);
      std::string value(reinterpret_cast<const char*>(bytes), size);
      PQfreemem(bytes);
      return Value(std::move(value));
    }
    default: return Value(std::string(text, length));
  }
}

// A value as COPY's text format has it.
void add_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: out += c;
    }
  }
}

void add_value(std::string& out, const Value& value, std::string_view type) {
  if (duckdb::is_null(value)) {
    out += "\\N";
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    out += *flag ? 't' : 'f';
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (type == "timestamp with time zone")
      out += format_rfc3339(Time(Duration(*number)));
    else
      out += fmt::format("{}", *number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    out += fmt::format("{}", *real);
  } else if (type == "bytea") {
    out += "\\\\x";
    for (const char c : std::get<std::string>(value))
      out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  } else {
    add_escaped(out, std::get<std::string>(value));
  }
}

}  // namespace

void PostgresSession::CloseConnection::operator()(pg_conn* connection) const {
  PQfinish(connection);
}
void PostgresSession::FreeResult::operator()(pg_result* result) const { PQclear(result); }
PostgresSession::~PostgresSession() = default;

Result<std::string> postgres_display(const std::string& url) {
  char* ignored = nullptr;
  PQconninfoOption* options = PQconninfoParse(url.c_str(), &ignored);
  PQfreemem(ignored);  // its text may repeat a password
  if (options == nullptr)
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "open target",
                 .object = "postgresql:",
                 .cause = "this is no address of a PostgreSQL database",
                 .hint = "write postgresql://user@host:5432/database; odd characters as %XX"});
  std::map<std::string, std::string> parts;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) parts[option->keyword] = option->val;
  }
  PQconninfoFree(options);
  std::string display = "postgresql://" + parts["host"];
  if (parts.contains("port")) display += ":" + parts["port"];
  display += "/" + parts["dbname"];
  if (parts.contains("service")) display += "?service=" + parts["service"];
  return display;
}

Result<std::unique_ptr<PostgresSession>> PostgresSession::connect(const std::string& url,
                                                                  ReadTypes read_types) {
  ASSIGN_OR_RETURN(const std::string display, postgres_display(url));
  std::unique_ptr<PostgresSession> session(new PostgresSession());
  session->read_types_ = std::move(read_types);
  const std::array<const char*, 5> keys{"dbname", "client_encoding", "fallback_application_name",
                                        "connect_timeout", nullptr};
  const std::array<const char*, 5> values{url.c_str(), "UTF8", "forebay", "30", nullptr};
  session->connection_.reset(PQconnectdbParams(keys.data(), values.data(), 1));
  PGconn* connection = session->connection_.get();
  if (PQstatus(connection) == CONNECTION_OK) {
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
    RETURN_IF_ERROR(session->execute(kSettings, "open target"));
    return session;
  }
  // Refused logins have no SQLSTATE here; a server that cannot be reached is the more usual.
  const std::string cause = first_line(PQerrorMessage(connection));
  const auto says = [&](const char* word) { return cause.find(word) != std::string::npos; };
  ErrorCode code = ErrorCode::unavailable;
  if (says("authentication") || says("no password") || says("pg_hba") || says("role \""))
    code = ErrorCode::denied;
  if (says("database \"") && says("does not exist")) code = ErrorCode::invalid_config;
  return fail(
      {.code = code, .operation = "open target", .object = display, .cause = cause, .hint = ""});
}

std::string PostgresSession::server() const {
  const int version = PQserverVersion(connection_.get());
  return fmt::format("PostgreSQL {}.{}", version / 10000, version % 10000);
}

Error PostgresSession::error(const pg_result* result, std::string_view what) const {
  const char* state = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* message =
      result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  Error error{.code = ErrorCode::unavailable,
              .operation = std::string(what),
              .object = "",
              .cause = message != nullptr ? std::string(message)
                                          : first_line(PQerrorMessage(connection_.get())),
              .hint = "run again: the ledger tells what was committed"};
  if (state == nullptr) return error;
  const std::string_view text = state;
  error.code = ErrorCode::internal;
  error.hint = fmt::format("SQLSTATE {}", text);
  for (const StateRule& rule : kStates) {
    if (!text.starts_with(rule.begins)) continue;
    error.code = rule.code;
    error.hint = fmt::format("{} (SQLSTATE {})", rule.hint, text);
    break;
  }
  if (text == "57014" && stop_requested()) error.code = ErrorCode::interrupted;
  return error;
}

// Until there is an answer to read. A request to stop cancels what the server does, once.
Status PostgresSession::wait(std::string_view what) {
  PGconn* connection = connection_.get();
  bool cancelled = false;
  while (PQisBusy(connection) == 1) {
    pollfd waited{.fd = PQsocket(connection), .events = POLLIN, .revents = 0};
    ::poll(&waited, 1, kPollMillis);
    if (stop_requested() && !shielded_ && !cancelled) {
      cancelled = true;
      std::array<char, 256> ignored{};
      PGcancel* cancel = PQgetCancel(connection);
      if (cancel != nullptr) PQcancel(cancel, ignored.data(), ignored.size());
      PQfreeCancel(cancel);
    }
    if (PQconsumeInput(connection) == 0) return fail(error(nullptr, what));
  }
  return {};
}

// The answer to the last of the statements that were sent, or the first error among them.
Result<PostgresSession::Answer> PostgresSession::answer(std::string_view what) {
  PGconn* connection = connection_.get();
  Answer last;
  Answer failed;
  while (true) {
    RETURN_IF_ERROR(wait(what));
    Answer next(PQgetResult(connection));
    if (next == nullptr) break;
    const ExecStatusType status = PQresultStatus(next.get());
    if (status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE) {
      if (failed == nullptr) failed = std::move(next);
    } else {
      last = std::move(next);
      if (status == PGRES_COPY_IN) break;
    }
  }
  if (failed != nullptr) return fail(error(failed.get(), what));
  if (PQstatus(connection) != CONNECTION_OK || last == nullptr) return fail(error(nullptr, what));
  return last;
}

Result<PostgresSession::Answer> PostgresSession::run(const std::string& sql,
                                                     std::string_view what) {
  if (sql.find('\0') != std::string::npos)
    return fail({.code = ErrorCode::refused,
                 .operation = std::string(what),
                 .object = "",
                 .cause = "a name has a NUL byte, which PostgreSQL cannot hold",
                 .hint = "deliver it under another name"});
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) return fail(error(nullptr, what));
  return answer(what);
}

Result<std::vector<Row>> PostgresSession::query(const std::string& sql, std::string_view what) {
  std::vector<Row> rows;
  RETURN_IF_ERROR(query_each(sql, what, [&](Row& row) -> Status {
    rows.push_back(std::move(row));
    return {};
  }));
  return rows;
}

Status PostgresSession::query_each(const std::string& sql, std::string_view what,
                                   const std::function<Status(Row&)>& each) {
  ASSIGN_OR_RETURN(const Answer found, run(sql, what));
  const int columns = PQnfields(found.get());
  for (int row = 0; row < PQntuples(found.get()); ++row) {
    Row values;
    values.reserve(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column)
      values.push_back(cell(found.get(), row, column));
    RETURN_IF_ERROR(each(values));
  }
  return {};
}

Result<std::uint64_t> PostgresSession::execute(const std::string& sql, std::string_view what) {
  ASSIGN_OR_RETURN(const Answer done, run(sql, what));
  return std::strtoull(PQcmdTuples(done.get()), nullptr, 10);
}

Status PostgresSession::execute_uninterrupted(const std::string& sql, std::string_view what) {
  shielded_ = true;
  const auto done = run(sql, what);
  shielded_ = false;
  if (!done) return fail(done.error());
  // What COMMIT says of a transaction that had failed.
  if (std::string_view(PQcmdStatus(done->get())) == "ROLLBACK" && sql == "COMMIT")
    return fail({.code = ErrorCode::internal,
                 .operation = std::string(what),
                 .object = "",
                 .cause = "the server rolled the transaction back",
                 .hint = ""});
  return {};
}

Status PostgresSession::begin_copy(const std::string& sql, std::string_view what) {
  ASSIGN_OR_RETURN(const Answer started, run(sql, what));
  CHECK(PQresultStatus(started.get()) == PGRES_COPY_IN);
  return {};
}

Status PostgresSession::copy(std::string_view bytes, std::string_view what) {
  if (PQputCopyData(connection_.get(), bytes.data(), static_cast<int>(bytes.size())) == 1)
    return {};
  return fail(error(nullptr, what));
}

Status PostgresSession::end_copy(std::string_view what) {
  if (PQputCopyEnd(connection_.get(), nullptr) != 1) return fail(error(nullptr, what));
  ASSIGN_OR_RETURN(const Answer done, answer(what));
  return {};
}

// After an error of the side that sends; the transaction cannot go on.
void PostgresSession::abort_copy() {
  PQputCopyEnd(connection_.get(), "the sender gave up");
  ignore_error(answer("give up a copy"), "the reason is being reported");
}

// The types of a table's columns, without those that the database fills itself.
Result<std::vector<std::string>> PostgresSession::column_types(const std::string& table,
                                                               std::string& names,
                                                               std::string_view what) {
  ASSIGN_OR_RETURN(
      const auto rows,
      query(fmt::format("SELECT quote_ident(attname), format_type(atttypid, atttypmod) FROM "
                        "pg_attribute WHERE attrelid = {}::regclass AND attnum > 0 AND NOT "
                        "attisdropped AND attidentity = '' ORDER BY attnum",
                        duckdb::literal(table)),
            what));
  std::vector<std::string> types;
  for (const Row& row : rows) {
    names += (names.empty() ? "" : ", ") + duckdb::text(row[0]);
    types.push_back(duckdb::text(row[1]));
  }
  return types;
}

Status PostgresSession::append(std::string_view schema, std::string_view table,
                               const std::vector<Row>& rows, std::string_view what) {
  if (rows.empty()) return {};
  const std::string name = schema.empty() ? duckdb::quote(table) : duckdb::quote(schema, table);
  std::string names;
  ASSIGN_OR_RETURN(const auto types, column_types(name, names, what));
  RETURN_IF_ERROR(begin_copy(fmt::format("COPY {} ({}) FROM STDIN", name, names), what));
  std::string piece;
  for (const Row& row : rows) {
    CHECK(row.size() == types.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) piece += '\t';
      add_value(piece, row[i], types[i]);
    }
    piece += '\n';
    if (piece.size() < 1'000'000) continue;
    RETURN_IF_ERROR(copy(piece, what));
    piece.clear();
  }
  RETURN_IF_ERROR(copy(piece, what));
  return end_copy(what);
}

// As a literal: no temporary table, so that a comparison needs no transaction.
Result<std::string> PostgresSession::list_names(const std::vector<std::string>& names,
                                                std::string_view /*what*/) {
  std::string list;
  for (const std::string& name : names) {
    list += list.empty() ? "" : ", ";
    list += duckdb::literal(name);
  }
  return fmt::format("(SELECT unnest(ARRAY[{}]::text[]) COLLATE \"C\" AS unit)", list);
}

}  // namespace forebay
