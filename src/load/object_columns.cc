#include "load/object_columns.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/encode.h"
#include "base/time_text.h"
#include "feed/content.h"
#include "load/type_names.h"

namespace forebay {
namespace {

using From = ObjectColumn::From;

constexpr std::string_view kHiveNull = "__HIVE_DEFAULT_PARTITION__";

ColumnType type_of(const ObjectColumn& column) {
  const auto of = [](TypeKind kind) { return ColumnType{.kind = kind}; };
  switch (column.from) {
    case From::file_name:
    case From::file_etag: return of(TypeKind::text);
    case From::file_timestamp: return of(TypeKind::timestamp_tz);
    case From::file_size:
    case From::row_number: return of(TypeKind::int64);
    case From::capture:
    case From::path_value: return column_type(column.type);
  }
  std::unreachable();
}

// CASE-2: names of parts are compared without regard to case, as those of columns are.
std::optional<std::string> path_value(std::string_view key, std::string_view name) {
  while (true) {
    const std::size_t slash = key.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string_view part = key.substr(0, slash);
    key.remove_prefix(slash + 1);
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos) continue;
    if (!equal_ignoring_case(part.substr(0, sign), name)) continue;
    const std::string_view written = part.substr(sign + 1);
    const std::string value = percent_decode(written).value_or(std::string(written));
    if (value == kHiveNull) return std::nullopt;
    return value;
  }
}

// Of times the text that becomes a TIMESTAMP.
std::optional<std::string> capture_value(const Pipeline& pipeline, const StagedFile& file,
                                         const UnitName* unit, const std::string& name) {
  const auto named = name_unit(pipeline.feed, file.file.key);
  if (unit == nullptr && named && *named) unit = &**named;
  if (unit == nullptr) return std::nullopt;
  auto value = name_value({.from = ValueRef::From::capture, .name = name}, *unit);
  const CaptureValue* capture = unit->captures.find(name);
  if (capture != nullptr && std::holds_alternative<Time>(*capture) && value) {
    while (value->ends_with('Z')) value->pop_back();
  }
  return value;
}

}  // namespace

std::vector<Column> object_columns(const Feed& feed) {
  std::vector<Column> columns;
  for (const ObjectColumn& column : feed.object_columns)
    columns.push_back({.name = column.name, .type = type_of(column)});
  return columns;
}

std::vector<std::optional<std::string>> object_values(const Pipeline& pipeline,
                                                      const StagedFile& file,
                                                      const UnitName* unit) {
  const ObjectInfo& info = file.bytes->info();
  std::vector<std::optional<std::string>> values;
  for (const ObjectColumn& column : pipeline.feed.object_columns) {
    switch (column.from) {
      case From::file_name: values.emplace_back(pipeline.store->ledger_key(file.file.key)); break;
      case From::file_timestamp: values.emplace_back(format_rfc3339(info.last_modified)); break;
      case From::file_size: values.emplace_back(fmt::to_string(info.size)); break;
      case From::file_etag: values.emplace_back(info.version); break;
      case From::path_value: values.push_back(path_value(file.file.key, column.name)); break;
      case From::row_number: values.emplace_back(); break;
      case From::capture: values.push_back(capture_value(pipeline, file, unit, column.name)); break;
    }
  }
  return values;
}

}  // namespace forebay
