#include "engine/decimal_function.h"

#include <cstdint>
#include <span>

#include "engine/decimal_text.h"

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

// The engine hands over flat vectors; a null among the arguments gives null.
void decimals(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  duckdb_vector values = duckdb_data_chunk_get_vector(input, 0);
  duckdb_vector scales = duckdb_data_chunk_get_vector(input, 1);
  auto* value = static_cast<duckdb_string_t*>(duckdb_vector_get_data(values));
  const auto* scale = static_cast<const std::int32_t*>(duckdb_vector_get_data(scales));
  const std::uint64_t* value_validity = duckdb_vector_get_validity(values);
  const std::uint64_t* scale_validity = duckdb_vector_get_validity(scales);
  const idx_t rows = duckdb_data_chunk_get_size(input);
  for (idx_t row = 0; row < rows; ++row) {
    if (!is_valid(value_validity, row) || !is_valid(scale_validity, row)) {
      duckdb_vector_ensure_validity_writable(output);
      duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
      continue;
    }
    const auto text = decimal_text(bytes_of(value[row]), scale[row]);
    if (!text) {
      duckdb_scalar_function_set_error(info, "a decimal of no bytes, or of too many");
      return;
    }
    duckdb_vector_assign_string_element_len(output, row, text->data(), text->size());
  }
}

}  // namespace

bool add_decimal_function(duckdb_connection connection) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, kDecimalFunction);
  duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
  duckdb_logical_type integer = duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_scalar_function_add_parameter(function, blob);
  duckdb_scalar_function_add_parameter(function, integer);
  duckdb_scalar_function_set_return_type(function, text);
  duckdb_scalar_function_set_function(function, decimals);
  const bool added = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
  duckdb_destroy_logical_type(&blob);
  duckdb_destroy_logical_type(&integer);
  duckdb_destroy_logical_type(&text);
  duckdb_destroy_scalar_function(&function);
  return added;
}

}  // namespace forebay::duckdb
