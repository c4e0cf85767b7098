#include "parquet/raw_columns.h"

#include <algorithm>
#include <vector>

#include "parquet/file.h"
#include "parquet/page_bytes.h"
#include "parquet/schema.h"
#include "parquet/thrift_bytes.h"

namespace forebay {
namespace {

constexpr std::uint64_t kCopyBytes = std::uint64_t{1} << 20;
constexpr std::int32_t kInt96Bytes = 12;

void take_away_meaning(parquet::SchemaElement& element) {
  element.__isset.logicalType = element.__isset.converted_type = false;
  element.__isset.precision = element.__isset.scale = false;
}

void mark_as_text(parquet::SchemaElement& element) {
  take_away_meaning(element);
  parquet::LogicalType text;
  text.__set_STRING({});
  element.__set_logicalType(text);
  element.__set_converted_type(parquet::ConvertedType::UTF8);
}

// Plain values of INT96 are the same bytes as those of a fixed length of twelve.
void make_bytes(parquet::SchemaElement& element) {
  take_away_meaning(element);
  if (element.type != parquet::Type::INT96) return;
  element.__set_type(parquet::Type::FIXED_LEN_BYTE_ARRAY);
  element.__set_type_length(kInt96Bytes);
}

// Statistics are in the order of the type that is gone, and go.
void follow(parquet::ColumnChunk& chunk, const parquet::SchemaElement& element) {
  chunk.meta_data.type = element.type;
  chunk.meta_data.__isset.statistics = false;
  chunk.__isset.column_index_offset = chunk.__isset.column_index_length = false;
}

// Changes the schema and gives the leaves that were changed, by their number.
std::vector<std::size_t> change_schema(parquet::FileMetaData& footer, const ParquetSchema& schema,
                                       const RawColumns& raw) {
  std::vector<std::size_t> changed;
  std::size_t leaf = 0;
  for (const ParquetColumn& column : schema.columns) {
    for (const RawLeaf& value : column.leaves) {
      parquet::SchemaElement& element = footer.schema[schema.leaves[leaf].node];
      const bool alone = column.leaves.size() == 1 && column.plain_bytes;
      const bool is_raw = raw.leaves && value.form != RawLeaf::Form::none;
      if (is_raw || (alone && raw.bytes.contains(column.name))) {
        make_bytes(element);
        changed.push_back(leaf);
      } else if (alone && raw.texts.contains(column.name)) {
        mark_as_text(element);
        changed.push_back(leaf);
      }
      ++leaf;
    }
  }
  return changed;
}

}  // namespace

Status write_raw_columns(const std::string& path, const std::string& object, const RawColumns& raw,
                         const std::function<Status(std::span<const std::byte>)>& sink) {
  ASSIGN_OR_RETURN(const ParquetFile file, ParquetFile::open(path, object));
  ASSIGN_OR_RETURN(const std::string footer_bytes, read_footer_bytes(file));
  auto footer = parse_thrift<parquet::FileMetaData>(footer_bytes);
  if (!footer)
    return fail({.code = ErrorCode::damaged,
                 .operation = "read the footer of",
                 .object = object,
                 .cause = "it is no footer any more"});
  ASSIGN_OR_RETURN(const ParquetSchema schema, build_schema(footer->schema, object));
  for (const std::size_t leaf : change_schema(*footer, schema, raw)) {
    const parquet::SchemaElement& element = footer->schema[schema.leaves[leaf].node];
    for (parquet::RowGroup& group : footer->row_groups) follow(group.columns[leaf], element);
  }
  const std::uint64_t end = data_end(file, footer_bytes.size());
  std::string bytes;
  for (std::uint64_t at = 0; at < end; at += bytes.size()) {
    RETURN_IF_ERROR(file.read(at, std::min(kCopyBytes, end - at), bytes));
    RETURN_IF_ERROR(sink(std::as_bytes(std::span(bytes))));
  }
  bytes = file_end(*footer);
  return sink(std::as_bytes(std::span(bytes)));
}

}  // namespace forebay
