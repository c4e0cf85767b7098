#include "engine/engine_error.h"

#include <fmt/format.h>

#include "base/stop.h"
#include "engine/collapse_sql.h"
#include "engine/engine.h"

namespace forebay::duckdb {
namespace {

ErrorCode classify(duckdb_error_type type, std::string_view message) {
  // Appenders and prepared statements do not say that they were interrupted, but for the text.
  if (stop_requested() && message.contains("Interrupted!")) return ErrorCode::interrupted;
  if (message.contains("Could not set lock on file")) return ErrorCode::busy;
  if (message.contains(kDriftMark)) return ErrorCode::drift;
  if (message.contains(kRefusedMark)) return ErrorCode::refused;
  if (message.contains(kDisagreeMark)) return ErrorCode::damaged;
  if (message.contains("No space left on device")) return ErrorCode::unavailable;
  if (message.contains("Permission denied") || message.contains("Read-only file system") ||
      message.contains("attached in read-only mode")) {
    return ErrorCode::denied;
  }
  if (message.contains("Unknown TimeZone")) return ErrorCode::invalid_config;
  switch (type) {
    case DUCKDB_ERROR_INTERRUPT: return ErrorCode::interrupted;
    case DUCKDB_ERROR_CONSTRAINT: return ErrorCode::busy;
    case DUCKDB_ERROR_CONVERSION: return ErrorCode::drift;
    case DUCKDB_ERROR_DEPENDENCY:
    case DUCKDB_ERROR_PERMISSION: return ErrorCode::denied;
    case DUCKDB_ERROR_IO:
    case DUCKDB_ERROR_OUT_OF_MEMORY: return ErrorCode::unavailable;
    // What a library below the engine threw, which has no type there: its readers of Parquet and of
    // packed bytes, at what they cannot make sense of.
    case DUCKDB_ERROR_INVALID:
    case DUCKDB_ERROR_INVALID_INPUT:
    case DUCKDB_ERROR_OUT_OF_RANGE:
    case DUCKDB_ERROR_SERIALIZATION:
    case DUCKDB_ERROR_DATA_CORRUPTION: return ErrorCode::damaged;
    default: return ErrorCode::internal;
  }
}

bool is_beyond(std::string_view message) {
  return message.contains("Could not convert Timestamp(MS)");
}

// What a column holds that is none of its type, in the words of its reader.
bool is_unreadable(std::string_view message) {
  return message.contains("Invalid string encoding found in Parquet file") ||
         message.contains("Invalid JSON found in Parquet file") || is_beyond(message);
}

std::string hint_for(ErrorCode code, duckdb_error_type type, std::string_view message) {
  if (is_beyond(message)) return "correct the file, or leave the column out (exclude_columns)";
  if (code == ErrorCode::drift)
    return "the producer changed the column's type: correct the files, or reset the table";
  if (code == ErrorCode::refused)
    return "what such a row means is not known, so nothing of its unit was loaded";
  if (is_unreadable(message))
    return "correct the file, or say under `columns` what it is: BLOB keeps bytes that are no "
           "text, "
           "TEXT what is no JSON";
  if (message.contains(kDisagreeMark))
    return "the file stands in a place that is not its own, or was written wrongly";
  if (type == DUCKDB_ERROR_DEPENDENCY)
    return "drop what depends on the table (an index), run again, and make it again";
  if (code == ErrorCode::busy)
    return "wait until the other process has closed the database, then run again";
  if (message.contains("No space left on device")) return "free space on that disk, then run again";
  if (message.contains("Out of Memory") || message.contains("could not allocate"))
    return "raise memory_limit, or give the machine more memory";
  return {};
}

// What error() in a query says is ours alone.
std::string without_prefix(std::string_view message) {
  constexpr std::string_view kPrefix = "Invalid Input Error: ";
  const bool ours = message.contains(kDriftMark) || message.contains(kRefusedMark) ||
                    message.contains(kDisagreeMark);
  if (ours && message.starts_with(kPrefix)) message.remove_prefix(kPrefix.size());
  if (is_unreadable(message))
    return fmt::format("{}: it is no {}", kUnreadableValue,
                       is_beyond(message)         ? "time between the years -290307 and 294247"
                       : message.contains("JSON") ? "JSON"
                                                  : "text in UTF-8");
  return std::string(message);
}

}  // namespace

Error to_error(duckdb_error_type type, const char* text, std::string_view what) {
  const std::string message = text == nullptr ? "unknown error" : text;
  const ErrorCode code = classify(type, message);
  return {.code = code,
          .operation = std::string(what),
          .cause = code == ErrorCode::interrupted ? "asked to stop" : without_prefix(message),
          .hint = hint_for(code, type, message)};
}

}  // namespace forebay::duckdb
