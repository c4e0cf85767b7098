#include "engine/read_result.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "base/check.h"

namespace forebay::duckdb {
namespace {

struct ChunkFree {
  void operator()(duckdb_data_chunk chunk) const { duckdb_destroy_data_chunk(&chunk); }
};
using Chunk = std::unique_ptr<std::remove_pointer_t<duckdb_data_chunk>, ChunkFree>;

template <class T>
T at(void* data, idx_t row) {
  return static_cast<T*>(data)[row];
}

std::string text_at(void* data, idx_t row) {
  auto* entry = static_cast<duckdb_string_t*>(data) + row;
  return {duckdb_string_t_data(entry), duckdb_string_t_length(*entry)};
}

Result<Value> cell(duckdb_type type, void* data, idx_t row) {
  switch (type) {
    case DUCKDB_TYPE_BOOLEAN: return Value(at<bool>(data, row));
    case DUCKDB_TYPE_TINYINT: return Value(std::int64_t{at<std::int8_t>(data, row)});
    case DUCKDB_TYPE_SMALLINT: return Value(std::int64_t{at<std::int16_t>(data, row)});
    case DUCKDB_TYPE_INTEGER: return Value(std::int64_t{at<std::int32_t>(data, row)});
    case DUCKDB_TYPE_UINTEGER: return Value(std::int64_t{at<std::uint32_t>(data, row)});
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ: return Value(at<std::int64_t>(data, row));
    case DUCKDB_TYPE_DOUBLE: return Value(at<double>(data, row));
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_BLOB: return Value(text_at(data, row));
    default:
      return fail({.code = ErrorCode::internal,
                   .operation = "read a result",
                   .cause = fmt::format("column of engine type {}", static_cast<int>(type))});
  }
}

}  // namespace

Status read_each(duckdb_result* result, const std::function<Status(Row&)>& each) {
  std::vector<Row> rows;
  const idx_t columns = duckdb_column_count(result);
  while (const Chunk chunk{duckdb_fetch_chunk(*result)}) {
    const idx_t count = duckdb_data_chunk_get_size(chunk.get());
    if (count == 0) break;
    rows.assign(count, Row(columns));
    for (idx_t column = 0; column < columns; ++column) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(chunk.get(), column);
      void* data = duckdb_vector_get_data(vector);
      std::uint64_t* validity = duckdb_vector_get_validity(vector);
      const duckdb_type type = duckdb_column_type(result, column);
      for (idx_t row = 0; row < count; ++row) {
        if (validity != nullptr && !duckdb_validity_row_is_valid(validity, row)) continue;
        ASSIGN_OR_RETURN(rows[row][column], cell(type, data, row));
      }
    }
    for (Row& row : rows) RETURN_IF_ERROR(each(row));
  }
  return {};
}

Result<std::uint64_t> read_hashes(duckdb_result* result,
                                  const std::function<void(std::uint64_t)>& each) {
  CHECK(duckdb_column_count(result) == 1 && duckdb_column_type(result, 0) == DUCKDB_TYPE_UBIGINT);
  std::uint64_t nulls = 0;
  while (const Chunk chunk{duckdb_fetch_chunk(*result)}) {
    const idx_t count = duckdb_data_chunk_get_size(chunk.get());
    if (count == 0) break;
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk.get(), 0);
    const auto* hashes = static_cast<const std::uint64_t*>(duckdb_vector_get_data(vector));
    std::uint64_t* validity = duckdb_vector_get_validity(vector);
    for (idx_t row = 0; row < count; ++row) {
      if (validity == nullptr || duckdb_validity_row_is_valid(validity, row)) {
        each(hashes[row]);
      } else {
        ++nulls;
      }
    }
  }
  return nulls;
}

Result<std::vector<Row>> read_rows(duckdb_result* result) {
  std::vector<Row> rows;
  RETURN_IF_ERROR(read_each(result, [&](Row& row) -> Status {
    rows.push_back(std::move(row));
    return {};
  }));
  return rows;
}

}  // namespace forebay::duckdb
