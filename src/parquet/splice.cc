#include "parquet/splice.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.h"
#include "parquet/file.h"
#include "parquet/page_bytes.h"
#include "parquet/thrift_bytes.h"

namespace forebay {
namespace {

constexpr std::string_view kMark = "PAR1";
constexpr std::size_t kWriteBytes = 1 << 20;

// What a file's footer says that is not about its rows. Notes of the writer are left out, since
// many hold the number of rows.
parquet::FileMetaData without_rows(parquet::FileMetaData rest) {
  rest.row_groups.clear();
  rest.num_rows = 0;
  rest.key_value_metadata.clear();
  rest.__isset.key_value_metadata = false;
  return rest;
}

// Notes that change what a column means.
bool has_meaningful_notes(const parquet::FileMetaData& footer) {
  return std::ranges::any_of(footer.key_value_metadata,
                             [](const parquet::KeyValue& note) { return note.key == "geo"; });
}

// Whether all pages lie in the file itself, where the footer was verified to say so.
bool can_move(const parquet::FileMetaData& footer, std::uint64_t data_end) {
  const auto within = [&](std::int64_t offset) {
    return offset >= static_cast<std::int64_t>(kMark.size()) &&
           static_cast<std::uint64_t>(offset) < data_end;
  };
  return std::ranges::all_of(footer.row_groups, [&](const parquet::RowGroup& group) {
    return group.num_rows >= 0 && group.num_rows <= std::numeric_limits<std::int32_t>::max() &&
           std::ranges::all_of(group.columns, [&](const parquet::ColumnChunk& chunk) {
             return chunk.__isset.meta_data && !chunk.__isset.file_path &&
                    !chunk.__isset.crypto_metadata && within(chunk.meta_data.data_page_offset) &&
                    (!chunk.meta_data.__isset.dictionary_page_offset ||
                     chunk.meta_data.dictionary_page_offset == 0 ||
                     within(chunk.meta_data.dictionary_page_offset));
           });
  });
}

// Indexes and filters lie outside of the pages and are left behind; so are statistics, which a
// reader of thousands of groups would spend more on than on their rows.
void move_pages(parquet::ColumnChunk& chunk, std::int64_t by) {
  chunk.file_offset = 0;
  chunk.__isset.offset_index_offset = chunk.__isset.offset_index_length = false;
  chunk.__isset.column_index_offset = chunk.__isset.column_index_length = false;
  parquet::ColumnMetaData& pages = chunk.meta_data;
  pages.data_page_offset += by;
  if (pages.__isset.dictionary_page_offset && pages.dictionary_page_offset != 0)
    pages.dictionary_page_offset += by;
  pages.__isset.index_page_offset = false;
  pages.__isset.bloom_filter_offset = pages.__isset.bloom_filter_length = false;
  pages.__isset.statistics = pages.__isset.size_statistics = false;
  pages.__isset.encoding_stats = pages.__isset.key_value_metadata = false;
}

std::string free_name(const std::vector<parquet::SchemaElement>& schema) {
  std::string name = "_forebay_number";
  while (std::ranges::any_of(schema, [&](const parquet::SchemaElement& element) {
    return equal_ignoring_case(element.name, name);
  }))
    name += '_';
  return name;
}

parquet::SchemaElement number_element(const std::string& name) {
  parquet::SchemaElement element;
  element.__set_name(name);
  element.__set_type(parquet::Type::INT64);
  element.__set_repetition_type(parquet::FieldRepetitionType::REQUIRED);
  return element;
}

std::string page(parquet::PageHeader header, std::string_view bytes) {
  set_size(header, bytes.size());
  return thrift_bytes(header).append(bytes);
}

// A dictionary of one number.
std::string number_page(std::int64_t number) {
  parquet::DictionaryPageHeader dictionary;
  dictionary.__set_num_values(1);
  dictionary.__set_encoding(parquet::Encoding::PLAIN);
  parquet::PageHeader header;
  header.__set_type(parquet::PageType::DICTIONARY_PAGE);
  header.__set_dictionary_page_header(dictionary);
  std::string bytes;
  append_number<sizeof number>(bytes, static_cast<std::uint64_t>(number));
  return page(std::move(header), bytes);
}

// And one run of it, indexes of one bit.
std::string run_page(std::int64_t rows) {
  std::string bytes(1, '\1');
  append_varint(bytes, static_cast<std::uint64_t>(rows) << 1);
  bytes.push_back('\0');
  return page(data_page_header(static_cast<std::uint64_t>(rows), parquet::Encoding::RLE_DICTIONARY),
              bytes);
}

}  // namespace

Status ParquetSplicer::put(std::string_view bytes) {
  waiting_ += bytes;
  offset_ += bytes.size();
  return waiting_.size() < kWriteBytes ? Status() : flush();
}

Status ParquetSplicer::flush() {
  RETURN_IF_ERROR(sink_(std::as_bytes(std::span(waiting_))));
  waiting_.clear();
  return {};
}

Status ParquetSplicer::begin(const parquet::FileMetaData& first) {
  shared_ = first;
  column_ = free_name(first.schema);
  return put(kMark);
}

Status ParquetSplicer::put_number(parquet::RowGroup& group, std::int64_t number) {
  const std::string dictionary = number_page(number);
  const std::string run = run_page(group.num_rows);
  const auto size = static_cast<std::int64_t>(dictionary.size() + run.size());
  const auto at = static_cast<std::int64_t>(offset_);
  RETURN_IF_ERROR(put(dictionary));
  RETURN_IF_ERROR(put(run));
  parquet::ColumnMetaData pages;
  pages.__set_type(parquet::Type::INT64);
  pages.__set_encodings({parquet::Encoding::PLAIN, parquet::Encoding::RLE_DICTIONARY});
  pages.__set_path_in_schema({column_});
  pages.__set_codec(parquet::CompressionCodec::UNCOMPRESSED);
  pages.__set_num_values(group.num_rows);
  pages.__set_total_uncompressed_size(size);
  pages.__set_total_compressed_size(size);
  pages.__set_dictionary_page_offset(at);
  pages.__set_data_page_offset(at + static_cast<std::int64_t>(dictionary.size()));
  parquet::ColumnChunk chunk;
  chunk.__set_file_offset(0);
  chunk.__set_meta_data(pages);
  group.columns.push_back(std::move(chunk));
  group.total_byte_size += size;
  return {};
}

Result<bool> ParquetSplicer::add(const std::string& path, const std::string& object,
                                 std::int64_t number) {
  ASSIGN_OR_RETURN(const ParquetFile file, ParquetFile::open(path, object));
  if (file.size() > most_) return false;
  ASSIGN_OR_RETURN(const std::string footer_bytes, read_footer_bytes(file));
  auto footer = parse_thrift<parquet::FileMetaData>(footer_bytes);
  const std::uint64_t end = data_end(file, footer_bytes.size());
  if (!footer || has_meaningful_notes(*footer) || !can_move(*footer, end)) return false;
  std::vector<parquet::RowGroup> groups = std::move(footer->row_groups);
  const parquet::FileMetaData rest = without_rows(std::move(*footer));
  if (shared_ && !(*shared_ == rest)) return false;
  std::string data;
  RETURN_IF_ERROR(file.read(kMark.size(), end - kMark.size(), data));
  if (!shared_) RETURN_IF_ERROR(begin(rest));
  const auto by = static_cast<std::int64_t>(offset_ - kMark.size());
  RETURN_IF_ERROR(put(data));
  for (parquet::RowGroup& group : groups) {
    if (group.num_rows == 0) continue;
    parquet::RowGroup& moved = groups_.emplace_back(std::move(group));
    moved.__isset.file_offset = moved.__isset.ordinal = false;
    for (parquet::ColumnChunk& chunk : moved.columns) move_pages(chunk, by);
    RETURN_IF_ERROR(put_number(moved, number));
    rows_ += static_cast<std::uint64_t>(moved.num_rows);
    chunks_ += moved.columns.size();
  }
  return true;
}

Status ParquetSplicer::finish() {
  parquet::FileMetaData footer = shared_.value();
  ++footer.schema.front().num_children;
  footer.schema.push_back(number_element(column_));
  if (footer.__isset.column_orders) {
    parquet::ColumnOrder order;
    order.__set_TYPE_ORDER({});
    footer.column_orders.push_back(order);
  }
  footer.num_rows = static_cast<std::int64_t>(rows_);
  footer.row_groups = std::move(groups_);
  RETURN_IF_ERROR(put(file_end(footer)));
  return flush();
}

}  // namespace forebay
