#include "engine/database.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/fault.h"
#include "base/stop.h"
#include "engine/engine_error.h"
#include "engine/logical_type.h"
#include "engine/raw_functions.h"
#include "engine/read_result.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

constexpr std::string_view kExpectedVersion = "v2.0.0";

// Files are written in the format of DuckDB 1.2, so that the clients people have can open them.
constexpr const char* kStorageVersion = "v1.2.0";

// Interrupts the running query when the process is asked to stop, unless it is shielded. One thread
// a connection: DuckDB offers no callback for it.
class StopWatch {
 public:
  explicit StopWatch(duckdb_connection connection)
      : thread_([this, connection](std::stop_token token) { watch(token, connection); }) {}

  void shield(bool on) { shielded_ = on; }

 private:
  void watch(const std::stop_token& token, duckdb_connection connection) {
    std::unique_lock lock(mutex_);
    while (!token.stop_requested()) {
      wake_.wait_for(lock, token, std::chrono::milliseconds(50), [] { return false; });
      if (stop_requested() && !shielded_ && !token.stop_requested()) duckdb_interrupt(connection);
    }
  }

  std::atomic<bool> shielded_{false};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace

std::string library_version() { return duckdb_library_version(); }

Status check_library_version() {
  if (library_version() == kExpectedVersion) return {};
  return fail({.code = ErrorCode::invalid_config,
               .operation = "start",
               .object = "the DuckDB library",
               .cause = fmt::format("found {}, built for {}", library_version(), kExpectedVersion),
               .hint = "run scripts/setup and build again, or install the library beside forebay"});
}

struct Connection::Handle {
  duckdb_connection connection = nullptr;
  std::string catalog;
  std::unique_ptr<StopWatch> watch;

  ~Handle() {
    watch.reset();
    duckdb_disconnect(&connection);
  }
};

Connection::Connection(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Connection::~Connection() = default;

namespace {

struct ResultGuard {
  duckdb_result result{};
  ~ResultGuard() { duckdb_destroy_result(&result); }
};

Status run(duckdb_connection connection, const std::string& sql, std::string_view what,
           duckdb_result* result) {
  if (duckdb_query(connection, sql.c_str(), result) == DuckDBSuccess) return {};
  return fail(to_error(duckdb_result_error_type(result), duckdb_result_error(result), what));
}

}  // namespace

std::string Connection::qualify(std::string_view schema, std::string_view name) const {
  return quote(handle_->catalog) + "." + quote(schema, name);
}

std::optional<bool> Connection::has_table(const std::string& schema, const std::string& name) {
  duckdb_table_description description = nullptr;
  const auto state = duckdb_table_description_create_ext(
      handle_->connection, handle_->catalog.c_str(), schema.c_str(), name.c_str(), &description);
  std::optional<bool> found;
  if (state == DuckDBSuccess) {
    found = true;
  } else if (const char* error = duckdb_table_description_error(description)) {
    if (std::string_view(error).contains("could be located")) found = false;
  }
  duckdb_table_description_destroy(&description);
  return found;
}

Result<std::vector<Row>> Connection::query(const std::string& sql, std::string_view what) {
  ResultGuard guard;
  RETURN_IF_ERROR(run(handle_->connection, sql, what, &guard.result));
  return read_rows(&guard.result);
}

Status Connection::query_each(const std::string& sql, std::string_view what,
                              const std::function<Status(Row&)>& each) {
  ResultGuard guard;
  RETURN_IF_ERROR(run(handle_->connection, sql, what, &guard.result));
  return read_each(&guard.result, each);
}

Result<std::uint64_t> Connection::query_hashes(const std::string& sql, std::string_view what,
                                               const std::function<void(std::uint64_t)>& each) {
  ResultGuard guard;
  RETURN_IF_ERROR(run(handle_->connection, sql, what, &guard.result));
  return read_hashes(&guard.result, each);
}

Result<std::uint64_t> Connection::execute(const std::string& sql, std::string_view what) {
  ResultGuard guard;
  RETURN_IF_ERROR(run(handle_->connection, sql, what, &guard.result));
  return duckdb_rows_changed(&guard.result);
}

Result<std::uint64_t> Connection::execute_uninterrupted(const std::string& sql,
                                                        std::string_view what) {
  handle_->watch->shield(true);
  auto changed = execute(sql, what);
  handle_->watch->shield(false);
  return changed;
}

Result<std::vector<Column>> Connection::describe(const std::string& sql, std::string_view what) {
  duckdb_prepared_statement statement = nullptr;
  const auto state = duckdb_prepare(handle_->connection, sql.c_str(), &statement);
  if (state != DuckDBSuccess) {
    const char* message = duckdb_prepare_error(statement);
    const std::string text = message == nullptr ? "" : message;
    // The C API gives no error type here; what can fail is opening and reading the file's footer.
    Error error = to_error(DUCKDB_ERROR_INVALID_INPUT, text.c_str(), what);
    duckdb_destroy_prepare(&statement);
    return fail(std::move(error));
  }
  std::vector<Column> columns;
  const idx_t count = duckdb_prepared_statement_column_count(statement);
  for (idx_t i = 0; i < count; ++i) {
    const char* name = duckdb_prepared_statement_column_name(statement, i);
    duckdb_logical_type type = duckdb_prepared_statement_column_logical_type(statement, i);
    columns.push_back({.name = name, .type = from_logical(type)});
    duckdb_free(const_cast<char*>(name));
    duckdb_destroy_logical_type(&type);
  }
  duckdb_destroy_prepare(&statement);
  return columns;
}

namespace {

duckdb_state append_value(duckdb_appender appender, const Value& value, duckdb_type type) {
  if (is_null(value)) return duckdb_append_null(appender);
  if (const auto* flag = std::get_if<bool>(&value)) return duckdb_append_bool(appender, *flag);
  if (const auto* real = std::get_if<double>(&value)) return duckdb_append_double(appender, *real);
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (type == DUCKDB_TYPE_TIMESTAMP_TZ || type == DUCKDB_TYPE_TIMESTAMP)
      return duckdb_append_timestamp(appender, duckdb_timestamp{*number});
    return duckdb_append_int64(appender, *number);
  }
  const auto& bytes = std::get<std::string>(value);
  if (type == DUCKDB_TYPE_BLOB) return duckdb_append_blob(appender, bytes.data(), bytes.size());
  return duckdb_append_varchar_length(appender, bytes.data(), bytes.size());
}

}  // namespace

namespace {

// Appends to one table; what has not been closed is lost.
class Appender {
 public:
  Appender(duckdb_connection connection, std::string_view schema, std::string_view table,
           std::string_view what)
      : what_(what) {
    const std::string schema_text(schema);
    const std::string table_text(table);
    created_ = duckdb_appender_create(connection, schema.empty() ? nullptr : schema_text.c_str(),
                                      table_text.c_str(), &appender_);
  }
  ~Appender() { duckdb_appender_destroy(&appender_); }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  Status check(duckdb_state state) const {
    if (state == DuckDBSuccess) return {};
    duckdb_error_data data = duckdb_appender_error_data(appender_);
    Error error =
        to_error(duckdb_error_data_error_type(data), duckdb_error_data_message(data), what_);
    duckdb_destroy_error_data(&data);
    return fail(std::move(error));
  }

  Status begin() {
    RETURN_IF_ERROR(check(created_));
    for (idx_t i = 0; i < duckdb_appender_column_count(appender_); ++i) {
      duckdb_logical_type type = duckdb_appender_column_type(appender_, i);
      types_.push_back(duckdb_get_type_id(type));
      duckdb_destroy_logical_type(&type);
    }
    return {};
  }
  Status add(const Row& row) const {
    CHECK(row.size() == types_.size());
    for (std::size_t i = 0; i < row.size(); ++i)
      RETURN_IF_ERROR(check(append_value(appender_, row[i], types_[i])));
    return check(duckdb_appender_end_row(appender_));
  }
  Status add(std::string_view text) const {
    RETURN_IF_ERROR(check(duckdb_append_varchar_length(appender_, text.data(), text.size())));
    return check(duckdb_appender_end_row(appender_));
  }
  Status close() const { return check(duckdb_appender_close(appender_)); }

 private:
  std::string_view what_;
  duckdb_appender appender_ = nullptr;
  duckdb_state created_ = DuckDBError;
  std::vector<duckdb_type> types_;
};

}  // namespace

Status Connection::append(std::string_view schema, std::string_view table,
                          const std::vector<Row>& rows, std::string_view what) {
  if (rows.empty()) return {};
  Appender appender(handle_->connection, schema, table, what);
  RETURN_IF_ERROR(appender.begin());
  for (const Row& row : rows) RETURN_IF_ERROR(appender.add(row));
  return appender.close();
}

Status Connection::append_texts(std::string_view table, std::span<const std::string> texts,
                                std::string_view what) {
  if (texts.empty()) return {};
  Appender appender(handle_->connection, "", table, what);
  RETURN_IF_ERROR(appender.begin());
  for (const std::string& text : texts) RETURN_IF_ERROR(appender.add(text));
  return appender.close();
}

struct Database::Handle {
  duckdb_database database = nullptr;
  ~Handle() { duckdb_close(&database); }
};

Database::Database(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Database::~Database() = default;

namespace {

struct ConfigGuard {
  duckdb_config config = nullptr;
  ~ConfigGuard() { duckdb_destroy_config(&config); }
  void set(const char* name, const std::string& value) {
    CHECK(duckdb_set_config(config, name, value.c_str()) == DuckDBSuccess);
  }
};

void configure(ConfigGuard& guard, const OpenOptions& options) {
  CHECK(duckdb_create_config(&guard.config) == DuckDBSuccess);
  guard.set("access_mode", options.read_only ? "READ_ONLY" : "READ_WRITE");
  guard.set("storage_compatibility_version", kStorageVersion);
  // Nothing is ever fetched or loaded behind the user's back.
  guard.set("autoinstall_known_extensions", "false");
  guard.set("autoload_known_extensions", "false");
  // Rows carry no order of their own, and a staged file's path may come back with other bytes.
  guard.set("preserve_insertion_order", "false");
  guard.set("enable_external_file_cache", "false");
  // A checkpoint rewrites row groups that have room only when the target says it pays.
  guard.set("max_vacuum_tasks", "0");
  if (options.threads > 0) guard.set("threads", std::to_string(options.threads));
  if (options.memory_limit > 0) guard.set("memory_limit", fmt::format("{}B", options.memory_limit));
  if (!options.spill_folder.empty()) guard.set("temp_directory", options.spill_folder);
  if (const std::string mode = checkpoint_fault(); !mode.empty()) {
    guard.set("debug_checkpoint_abort", mode);
    guard.set("checkpoint_threshold", "1KB");
  }
}

Error open_error(const OpenOptions& options, const char* message) {
  Error error = to_error(DUCKDB_ERROR_IO, message, "open");
  error.object = options.path;
  const std::string_view text = error.cause;
  if (text.contains("Serialization Error") || text.contains("checksum")) {
    error.code = ErrorCode::damaged;
    error.hint = "restore the file from a backup; rows and ledger come back to the same moment";
  } else if (text.contains("not a valid DuckDB database file") ||
             text.contains("newer version of DuckDB") || text.contains("Is a directory")) {
    error.code = ErrorCode::invalid_config;
    error.hint = "point `target` at a DuckDB file, or at a path that does not exist yet";
  } else if (text.contains("No such file or directory") || text.contains("could be located")) {
    error.code = ErrorCode::not_found;
    error.hint = "create the folder, or correct the path of the target";
  }
  return error;
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const OpenOptions& options) {
  RETURN_IF_ERROR(check_library_version());
  ConfigGuard guard;
  configure(guard, options);
  auto handle = std::make_unique<Handle>();
  char* message = nullptr;
  if (duckdb_open_ext(options.path.empty() ? nullptr : options.path.c_str(), &handle->database,
                      guard.config, &message) != DuckDBSuccess) {
    Error error = open_error(options, message);
    duckdb_free(message);
    return fail(std::move(error));
  }
  return std::make_unique<Database>(std::move(handle));
}

Result<std::unique_ptr<Connection>> Database::connect() {
  auto handle = std::make_unique<Connection::Handle>();
  if (duckdb_connect(handle_->database, &handle->connection) != DuckDBSuccess ||
      !add_raw_functions(handle->connection)) {
    return fail(
        {.code = ErrorCode::internal, .operation = "connect", .cause = "the engine refused"});
  }
  ResultGuard guard;
  RETURN_IF_ERROR(
      run(handle->connection, "SELECT current_database()", "connect to", &guard.result));
  ASSIGN_OR_RETURN(const auto rows, read_rows(&guard.result));
  handle->catalog = text_or_empty(rows[0][0]);
  handle->watch = std::make_unique<StopWatch>(handle->connection);
  return std::make_unique<Connection>(std::move(handle));
}

}  // namespace forebay::duckdb
