#include "parquet/plain_decimals.h"

#include <algorithm>
#include <set>

#include "parquet/file.h"
#include "parquet/page_bytes.h"
#include "parquet/schema.h"
#include "parquet/thrift_bytes.h"

namespace forebay {
namespace {

constexpr std::uint64_t kCopyBytes = std::uint64_t{1} << 20;

bool is_plain_decimal(const ParquetColumn& column) {
  return column.is_wide_decimal() && column.plain_bytes;
}

// The names of the columns that were decimals. Statistics are in a decimal's order, and go.
std::set<std::string> take_away_type(parquet::FileMetaData& footer, const ParquetSchema& schema) {
  std::set<std::string> names;
  std::size_t column = 0;
  for (std::size_t node = 1; node < schema.nodes.size(); ++node) {
    if (schema.nodes[node].parent != 0 || !is_plain_decimal(schema.columns[column++])) continue;
    parquet::SchemaElement& element = footer.schema[node];
    element.__isset.logicalType = element.__isset.converted_type = false;
    element.__isset.precision = element.__isset.scale = false;
    names.insert(element.name);
  }
  return names;
}

void take_away_statistics(parquet::FileMetaData& footer, const std::set<std::string>& names) {
  for (parquet::RowGroup& group : footer.row_groups) {
    for (parquet::ColumnChunk& chunk : group.columns) {
      const auto& path = chunk.meta_data.path_in_schema;
      if (path.size() != 1 || !names.contains(path.front())) continue;
      chunk.meta_data.__isset.statistics = false;
      chunk.__isset.column_index_offset = chunk.__isset.column_index_length = false;
    }
  }
}

}  // namespace

bool has_plain_decimals(const ParquetFooter& footer) {
  return std::ranges::any_of(footer.columns, is_plain_decimal);
}

Status write_plain_decimals(const std::string& path, const std::string& object,
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
  take_away_statistics(*footer, take_away_type(*footer, schema));
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
