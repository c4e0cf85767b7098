#include "parquet/footer.h"

#include <utility>

#include "parquet/file.h"
#include "parquet/metadata.h"

namespace forebay {

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
