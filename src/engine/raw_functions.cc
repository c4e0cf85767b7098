#include "engine/raw_functions.h"

#include <cstdint>
#include <span>

#include "engine/decimal_text.h"
#include "engine/int96.h"

namespace forebay::duckdb {
namespace {

std::span<const std::byte> bytes_of(duckdb_string_t& text) {
  return std::as_bytes(std::span(duckdb_string_t_data(&text),
                                 static_cast<std::size_t>(duckdb_string_t_length(text))));
}

bool is_valid(const std::uint64_t* validity, idx_t row) {
  return validity == nullptr ||
         duckdb_validity_row_is_valid(const_cast<std::uint64_t*>(validity), row);
}

void set_null(duckdb_vector output, idx_t row) {
  duckdb_vector_ensure_validity_writable(output);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
}

// Calls `each` with a row, its bytes and its number. The engine hands over flat vectors; a null
// among the arguments gives null.
template <class Each>
void each_row(duckdb_data_chunk input, duckdb_vector output, Each each) {
  duckdb_vector values = duckdb_data_chunk_get_vector(input, 0);
  duckdb_vector numbers = duckdb_data_chunk_get_vector(input, 1);
  auto* value = static_cast<duckdb_string_t*>(duckdb_vector_get_data(values));
  const auto* number = static_cast<const std::int32_t*>(duckdb_vector_get_data(numbers));
  const std::uint64_t* value_validity = duckdb_vector_get_validity(values);
  const std::uint64_t* number_validity = duckdb_vector_get_validity(numbers);
  const idx_t rows = duckdb_data_chunk_get_size(input);
  for (idx_t row = 0; row < rows; ++row) {
    if (!is_valid(value_validity, row) || !is_valid(number_validity, row)) {
      set_null(output, row);
    } else if (!each(row, bytes_of(value[row]), number[row])) {
      return;
    }
  }
}

void decimals(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  each_row(input, output, [&](idx_t row, std::span<const std::byte> bytes, std::int32_t scale) {
    const auto text = decimal_text(bytes, scale);
    if (text) {
      duckdb_vector_assign_string_element_len(output, row, text->data(), text->size());
    } else {
      duckdb_scalar_function_set_error(info, "a decimal of no bytes, or of too many");
    }
    return text.has_value();
  });
}

void times(duckdb_function_info /*info*/, duckdb_data_chunk input, duckdb_vector output) {
  auto* ticks = static_cast<std::int64_t*>(duckdb_vector_get_data(output));
  each_row(input, output, [&](idx_t row, std::span<const std::byte> bytes, std::int32_t length) {
    const auto found = int96_ticks(bytes, length);
    if (found) {
      ticks[row] = *found;
    } else {
      set_null(output, row);
    }
    return true;
  });
}

// A function of (BLOB, INTEGER).
bool add(duckdb_connection connection, const char* name, duckdb_type result,
         duckdb_scalar_function_t body) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, name);
  duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
  duckdb_logical_type integer = duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
  duckdb_logical_type gives = duckdb_create_logical_type(result);
  duckdb_scalar_function_add_parameter(function, blob);
  duckdb_scalar_function_add_parameter(function, integer);
  duckdb_scalar_function_set_return_type(function, gives);
  duckdb_scalar_function_set_function(function, body);
  const bool added = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_logical_type(&blob);
  duckdb_destroy_logical_type(&integer);
  duckdb_destroy_logical_type(&gives);
  duckdb_destroy_scalar_function(&function);
  return added;
}

}  // namespace

bool add_raw_functions(duckdb_connection connection) {
  return add(connection, kDecimalFunction, DUCKDB_TYPE_VARCHAR, decimals) &&
         add(connection, kInt96Function, DUCKDB_TYPE_BIGINT, times);
}

}  // namespace forebay::duckdb
