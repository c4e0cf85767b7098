#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <parquet_types.h>
#include "parquet/thrift_bytes.h"

// Pages as we write them: uncompressed, levels in runs. Internal to parquet/.
namespace forebay {

// Of a data page with `values` values; its sizes are still to be set.
inline parquet::PageHeader data_page_header(std::uint64_t values,
                                            parquet::Encoding::type encoding) {
  parquet::DataPageHeader data;
  data.__set_num_values(static_cast<std::int32_t>(values));
  data.__set_encoding(encoding);
  data.__set_definition_level_encoding(parquet::Encoding::RLE);
  data.__set_repetition_level_encoding(parquet::Encoding::RLE);
  parquet::PageHeader header;
  header.__set_type(parquet::PageType::DATA_PAGE);
  header.__set_data_page_header(data);
  return header;
}

inline void set_size(parquet::PageHeader& header, std::size_t bytes) {
  header.__set_uncompressed_page_size(static_cast<std::int32_t>(bytes));
  header.__set_compressed_page_size(static_cast<std::int32_t>(bytes));
}

// Plain numbers, least significant byte first.
template <std::size_t kBytes>
void append_number(std::string& bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < kBytes; ++i)
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

// What stands behind a file's pages: the footer, its length and the mark.
inline std::string file_end(const parquet::FileMetaData& footer) {
  std::string bytes = thrift_bytes(footer);
  append_number<4>(bytes, bytes.size());
  bytes += "PAR1";
  return bytes;
}

inline void append_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>((value & 0x7f) | 0x80));
  bytes.push_back(static_cast<char>(value));
}

}  // namespace forebay
