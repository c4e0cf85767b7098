#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
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

// What raw leaves become, in the order in which both the file's schema and its type have them.
void set_leaves(ColumnType& type, std::span<const RawLeaf>& leaves, std::vector<RawValue>& raw) {
  for (ColumnType& child : type.children) set_leaves(child, leaves, raw);
  if (!type.children.empty()) return;
  const RawLeaf leaf = leaves.front();
  leaves = leaves.subspan(1);
  switch (leaf.form) {
    case RawLeaf::Form::none: raw.emplace_back(); return;
    case RawLeaf::Form::decimal:
      type = {.kind = TypeKind::text};
      raw.push_back({.kind = RawValue::Kind::decimal_text, .scale = leaf.scale});
      return;
    case RawLeaf::Form::time:
      type = {.kind = TypeKind::timestamp_us};
      raw.push_back({.kind = RawValue::Kind::time_us});
      return;
  }
}

// What the reader gives only as bytes becomes what it stands for.
Status read_raw(const StagedFile& file, FileSchema& schema) {
  if (!file.footer.has_raw()) return {};
  schema.raw.resize(file.footer.columns.size());
  for (std::size_t i = 0; i < file.footer.columns.size(); ++i) {
    const ParquetColumn& column = file.footer.columns[i];
    if (!column.has_raw()) continue;
    ColumnType& type = schema.reader[i].type;
    if (leaf_count(type) != column.leaves.size())
      return fail(
          {.code = ErrorCode::refused,
           .operation = "read",
           .object = file.object,
           .cause = fmt::format("column '{}' is {}, in a form in which its values cannot be "
                                "told from the {} that are read",
                                column.name, column.type, to_sql(type)),
           .hint = "it has times of INT96 or decimals of more than 38 digits, which would "
                   "lose digits; have them delivered as text, or leave the column out "
                   "(exclude_columns)"});
    std::span<const RawLeaf> leaves = column.leaves;
    set_leaves(type, leaves, schema.raw[i]);
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
    RETURN_IF_ERROR(read_raw(*file, schema));
    schemas.push_back(std::move(schema));
  }
  return schemas;
}

}  // namespace forebay
