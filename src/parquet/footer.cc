#include "parquet/footer.h"

#include <algorithm>
#include <utility>

#include "parquet/file.h"
#include "parquet/metadata.h"

namespace forebay {

bool ParquetColumn::has_raw() const {
  return std::ranges::any_of(leaves,
                             [](const RawLeaf& leaf) { return leaf.form != RawLeaf::Form::none; });
}

bool ParquetFooter::has_raw() const {
  return std::ranges::any_of(columns, &ParquetColumn::has_raw);
}

Result<ParquetFooter> read_parquet_footer(const std::string& path, const std::string& object) {
  ASSIGN_OR_RETURN(const ParquetFile file, ParquetFile::open(path, object));
  ASSIGN_OR_RETURN(const std::string footer, read_footer_bytes(file));
  ASSIGN_OR_RETURN(
      ParquetMetadata metadata,
      parse_metadata(
          {.footer = footer, .data_end = data_end(file, footer.size()), .object = object}));
  return ParquetFooter{.rows = metadata.rows,
                       .columns = std::move(metadata.schema.columns),
                       .schema_fingerprint = std::move(metadata.schema.fingerprint)};
}

}  // namespace forebay
