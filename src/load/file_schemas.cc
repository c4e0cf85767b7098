#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "load/evolve.h"
#include "load/type_names.h"

namespace forebay {
namespace {

// Which type the unit's document gives a column.
std::optional<ColumnType> told_type(const DecodeRule& rule, const std::string& column) {
  const auto told = std::ranges::find(
      rule.types, column, [](const auto& type) { return std::string_view(type.first); });
  return told == rule.types.end() ? std::nullopt : std::optional(column_type(told->second));
}

// A decimal of more digits than the reader has a type for comes as bytes, which become text.
Status read_wide_decimals(const StagedFile& file, FileSchema& schema) {
  for (std::size_t i = 0; i < file.footer.columns.size(); ++i) {
    const ParquetColumn& column = file.footer.columns[i];
    if (!column.is_wide_decimal()) continue;
    if (!column.plain_bytes)
      return fail(
          {.code = ErrorCode::refused,
           .operation = "read",
           .object = file.object,
           .cause = fmt::format("column '{}' is {} and has a decimal of {} digits, more than "
                                "are kept inside of lists and structures",
                                column.name, column.type, column.decimal_precision),
           .hint = "it would lose digits; have it delivered as text"});
    schema.decimal_scales.resize(file.footer.columns.size());
    schema.decimal_scales[i] = column.decimal_scale;
    schema.reader[i].type = {.kind = TypeKind::text};
  }
  return {};
}

FileSchema text_schema(const StagedFile& file) {
  FileSchema schema{.fingerprint = file.footer.schema_fingerprint,
                    .object = file.object,
                    .has_rows = file.footer.rows > 0};
  for (const TextColumn& column : *file.text) {
    if (file.file.decode) schema.declared.push_back(told_type(*file.file.decode, column.name));
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
    for (const ParquetColumn& column : file->footer.columns) schema.names.push_back(column.name);
    ASSIGN_OR_RETURN(schema.reader, engine.file_columns(file->bytes->path(), file->object));
    if (schema.reader.size() != schema.names.size())
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = file->object,
                   .cause = fmt::format("its footer names {} columns, the reader finds {}",
                                        schema.names.size(), schema.reader.size())});
    RETURN_IF_ERROR(read_wide_decimals(*file, schema));
    schemas.push_back(std::move(schema));
  }
  return schemas;
}

}  // namespace forebay
