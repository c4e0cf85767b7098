#include "parquet/text_writer.h"

#include <fmt/format.h>
#include <parquet_types.h>

#include "base/check.h"
#include "base/limits.h"
#include "parquet/page_bytes.h"
#include "parquet/thrift_bytes.h"

namespace forebay {
namespace {

constexpr std::string_view kMagic = "PAR1";

parquet::SchemaElement schema_root(std::size_t columns) {
  parquet::SchemaElement root;
  root.__set_name("rows");
  root.__set_num_children(static_cast<std::int32_t>(columns));
  return root;
}

parquet::SchemaElement schema_column(std::size_t column) {
  parquet::SchemaElement element;
  element.__set_name(text_column_name(column));
  element.__set_type(parquet::Type::BYTE_ARRAY);
  element.__set_repetition_type(parquet::FieldRepetitionType::OPTIONAL);
  element.__set_converted_type(parquet::ConvertedType::UTF8);
  parquet::LogicalType logical;
  logical.__set_STRING({});
  element.__set_logicalType(logical);
  return element;
}

}  // namespace

std::string text_column_name(std::size_t column) { return fmt::format("c{}", column); }

TextParquetWriter::TextParquetWriter(Sink sink) : sink_(std::move(sink)) {}

std::size_t TextParquetWriter::add_column() {
  columns_.emplace_back();
  return columns_.size() - 1;
}

void TextParquetWriter::append_run(Column& column, bool present, std::uint64_t count) {
  if (count == 0) return;
  column.filled += count;
  if (!column.runs.empty() && column.runs.back().present == present) {
    column.runs.back().count += count;
  } else {
    column.runs.push_back({present, count});
  }
}

void TextParquetWriter::set(std::size_t number, std::string_view value) {
  Column& column = columns_[number];
  CHECK(column.filled <= group_rows_);
  append_run(column, false, group_rows_ - column.filled);
  append_run(column, true, 1);
  append_number<4>(column.values, value.size());
  column.values += value;
  group_bytes_ += value.size() + 4;
}

Status TextParquetWriter::end_row() {
  ++rows_;
  ++group_rows_;
  if (group_rows_ < kTextGroupRows && group_bytes_ < kTextGroupBytes) return {};
  return write_group();
}

Status TextParquetWriter::put(std::string_view bytes) {
  if (offset_ == 0) {
    offset_ = kMagic.size();
    RETURN_IF_ERROR(sink_(std::as_bytes(std::span(kMagic))));
  }
  offset_ += bytes.size();
  return sink_(std::as_bytes(std::span(bytes)));
}

Result<TextParquetWriter::Chunk> TextParquetWriter::write_chunk(Column& column,
                                                                std::uint64_t rows) {
  append_run(column, false, rows - column.filled);
  std::string levels;
  for (const Run& run : column.runs) {
    append_varint(levels, run.count << 1);
    levels.push_back(run.present ? 1 : 0);
  }
  std::string head;
  append_number<4>(head, levels.size());
  head += levels;
  const std::size_t page = head.size() + column.values.size();
  parquet::PageHeader header = data_page_header(rows, parquet::Encoding::PLAIN);
  set_size(header, page);
  head.insert(0, thrift_bytes(header));
  RETURN_IF_ERROR(put({}));  // the mark at the beginning stands before all chunks
  const Chunk chunk{static_cast<std::int64_t>(offset_),
                    static_cast<std::int64_t>(head.size() + column.values.size())};
  RETURN_IF_ERROR(put(head));
  RETURN_IF_ERROR(put(column.values));
  column.values.clear();
  column.runs.clear();
  column.filled = 0;
  return chunk;
}

Status TextParquetWriter::write_group() {
  Group group{.rows = group_rows_};
  for (Column& column : columns_) {
    ASSIGN_OR_RETURN(const Chunk chunk, write_chunk(column, group_rows_));
    group.chunks.push_back(chunk);
  }
  groups_.push_back(std::move(group));
  group_rows_ = 0;
  group_bytes_ = 0;
  return {};
}

std::string TextParquetWriter::end() const {
  parquet::FileMetaData file;
  file.__set_version(1);
  file.__set_num_rows(static_cast<std::int64_t>(rows_));
  std::vector<parquet::SchemaElement> schema{schema_root(columns_.size())};
  for (std::size_t i = 0; i < columns_.size(); ++i) schema.push_back(schema_column(i));
  file.__set_schema(schema);
  std::vector<parquet::RowGroup> groups;
  for (const Group& written : groups_) {
    parquet::RowGroup group;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < written.chunks.size(); ++i) {
      const Chunk& place = written.chunks[i];
      parquet::ColumnMetaData meta;
      meta.__set_type(parquet::Type::BYTE_ARRAY);
      meta.__set_encodings({parquet::Encoding::PLAIN, parquet::Encoding::RLE});
      meta.__set_path_in_schema({text_column_name(i)});
      meta.__set_codec(parquet::CompressionCodec::UNCOMPRESSED);
      meta.__set_num_values(static_cast<std::int64_t>(written.rows));
      meta.__set_total_uncompressed_size(place.bytes);
      meta.__set_total_compressed_size(place.bytes);
      meta.__set_data_page_offset(place.offset);
      parquet::ColumnChunk chunk;
      chunk.__set_file_offset(place.offset);
      chunk.__set_meta_data(meta);
      group.columns.push_back(std::move(chunk));
      total += place.bytes;
    }
    group.__set_total_byte_size(total);
    group.__set_num_rows(static_cast<std::int64_t>(written.rows));
    groups.push_back(std::move(group));
  }
  file.__set_row_groups(groups);
  return file_end(file);
}

Status TextParquetWriter::finish() {
  if (columns_.empty()) add_column();
  if (group_rows_ > 0) RETURN_IF_ERROR(write_group());
  // Columns that came after a row group was written are null in it.
  for (Group& group : groups_) {
    while (group.chunks.size() < columns_.size()) {
      Column nothing;
      ASSIGN_OR_RETURN(const Chunk chunk, write_chunk(nothing, group.rows));
      group.chunks.push_back(chunk);
    }
  }
  return put(end());
}

}  // namespace forebay
