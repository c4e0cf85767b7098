#include <fmt/format.h>

#include <map>
#include <utility>

#include "load/evolve.h"

namespace forebay {
namespace {

FileSchema text_schema(const StagedFile& file) {
  FileSchema schema{.fingerprint = file.footer.schema_fingerprint,
                    .object = file.object,
                    .has_rows = file.footer.rows > 0};
  for (const TextColumn& column : *file.text) {
    schema.reader.push_back(
        {.name = text_column_name(schema.names.size()), .type = {.kind = TypeKind::text}});
    schema.names.push_back(column.name);
    schema.profiles.push_back(column.profile);
  }
  return schema;
}

}  // namespace

Result<std::vector<FileSchema>> file_schemas(const std::vector<const StagedFile*>& files,
                                             Engine& engine) {
  std::vector<FileSchema> schemas;
  std::map<std::string, std::size_t> seen;
  for (const StagedFile* file : files) {
    const auto [entry, fresh] = seen.try_emplace(file->footer.schema_fingerprint, schemas.size());
    if (!fresh) {
      FileSchema& schema = schemas[entry->second];
      schema.has_rows = schema.has_rows || file->footer.rows > 0;
      if (file->footer.rows > 0) schema.paths.push_back(file->bytes->path());
      for (std::size_t i = 0; i < schema.profiles.size(); ++i)
        schema.profiles[i].merge((*file->text)[i].profile);
      continue;
    }
    if (file->text) {
      schemas.push_back(text_schema(*file));
      continue;
    }
    FileSchema schema{.fingerprint = file->footer.schema_fingerprint,
                      .object = file->object,
                      .has_rows = file->footer.rows > 0};
    if (schema.has_rows) schema.paths.push_back(file->bytes->path());
    for (const ParquetColumn& column : file->footer.columns) {
      schema.names.push_back(column.name);
      if (column.decimal_precision > 38)
        return fail({.code = ErrorCode::refused,
                     .operation = "read",
                     .object = file->object,
                     .cause = fmt::format("column '{}' is {}: more digits than the target holds",
                                          column.name, column.type),
                     .hint = "it would lose digits; have it delivered as text"});
    }
    ASSIGN_OR_RETURN(schema.reader, engine.file_columns(file->bytes->path(), file->object));
    if (schema.reader.size() != schema.names.size())
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = file->object,
                   .cause = fmt::format("its footer names {} columns, the reader finds {}",
                                        schema.names.size(), schema.reader.size())});
    schemas.push_back(std::move(schema));
  }
  return schemas;
}

}  // namespace forebay
