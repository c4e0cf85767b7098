#include "app/cli/type_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "engine/exact_cast.h"
#include "engine/text_profile.h"
#include "feed/unit.h"
#include "load/companions.h"
#include "load/evolve.h"
#include "load/fetch.h"
#include "load/identity.h"
#include "load/peek.h"
#include "load/type_names.h"

namespace forebay::cli {
namespace {

// New units whose documents are read in search of one that brings files: many only say "alive".
constexpr std::size_t kUnitsTried = 20;

bool comes_after(const UnitName& a, const UnitName& b) {
  return std::pair(a.place, a.name) > std::pair(b.place, b.name);
}

// A unit the ledger knows, found again by its name.
Result<std::optional<UnitName>> named_again(const Feed& feed, const std::string& name) {
  std::vector<std::string> keys = {name};
  for (const Pattern& pattern : feed.unit.patterns) keys.push_back(pattern.literal_prefix() + name);
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(auto unit, name_unit(feed, key));
    if (unit && unit->name == name) return unit;
  }
  return std::optional<UnitName>();
}

// Those applied last that brought files, newest first.
Result<std::vector<UnitName>> applied_units(const Pipeline& pipeline) {
  ASSIGN_OR_RETURN(
      const auto rows,
      pipeline.target->history(pipeline.name, {.states = {UnitState::applied}, .limit = 100}));
  std::vector<UnitName> units;
  for (const Target::HistoryRow& row : rows) {
    if (row.unit.files == 0) continue;
    ASSIGN_OR_RETURN(auto unit, named_again(pipeline.feed, row.unit.unit));
    if (unit) units.push_back(std::move(*unit));
  }
  return units;
}

// What the listing shows after `last`, in one page a pattern, newest first.
Result<std::vector<UnitName>> units_after(const Pipeline& pipeline, const std::string& last) {
  std::vector<UnitName> units;
  for (const Pattern& pattern : pipeline.feed.unit.patterns) {
    const std::string& prefix = pattern.literal_prefix();
    ASSIGN_OR_RETURN(const ListPage page,
                     pipeline.store->list({.prefix = prefix,
                                           .start_after = last.starts_with(prefix) ? last : "",
                                           .page_size = 1000}));
    for (const ObjectInfo& object : page.objects) {
      ASSIGN_OR_RETURN(auto unit, name_unit(pipeline.feed, object.key));
      if (unit) units.push_back(std::move(*unit));
    }
  }
  std::ranges::sort(units, comes_after);
  return units;
}

// Without files where the unit waits for a companion.
Result<UnitContent> content_of(const Pipeline& pipeline, const UnitName& unit) {
  ASSIGN_OR_RETURN(const FoundCompanions companions, read_companions(pipeline, unit));
  if (!companions.missing.empty()) return UnitContent{};
  const UnitRule& rule = pipeline.feed.unit;
  if (rule.kind != UnitKind::document || rule.folder)
    return read_content(pipeline, {.name = unit, .object = {.key = unit.key}});
  ASSIGN_OR_RETURN(const ObjectInfo object, pipeline.store->stat(unit.key));
  return read_content(pipeline, {.name = unit, .object = object});
}

const Column* find_column(const std::vector<Column>& columns, const std::string& name) {
  const auto exact = std::ranges::find(columns, name, &Column::name);
  if (exact != columns.end()) return &*exact;
  const auto close = std::ranges::find_if(
      columns, [&](const Column& column) { return equal_ignoring_case(column.name, name); });
  return close == columns.end() ? nullptr : &*close;
}

// What a column of text would be, beside the table's.
ColumnType type_of_text(const TextProfile& values, const Column* standing) {
  if (standing == nullptr) return natural_type(values);
  if (holds(standing->type, values)) return standing->type;
  return widen_to_text(standing->type, values).value_or(natural_type(values));
}

// Of a file that is too large to be looked at nothing.
Result<std::vector<TypeLine>> lines_of(const Pipeline& pipeline, const UnitFile& file) {
  ASSIGN_OR_RETURN(const auto peeked, peek_file(pipeline, file));
  if (!peeked) return std::vector<TypeLine>{};
  ASSIGN_OR_RETURN(const auto schemas, file_schemas({&*peeked}, pipeline.target->engine()));
  const FileSchema& schema = schemas.front();
  const TableName name{pipeline.schema, file.table};
  ASSIGN_OR_RETURN(const auto tables, pipeline.target->describe(pipeline.name, {name}));
  ASSIGN_OR_RETURN(const LedgerHead head, pipeline.target->head(pipeline.name));
  RETURN_IF_ERROR(check_tables(pipeline, head, {name}, tables));
  const TableState table = tables.empty() ? TableState{} : tables.front();
  std::vector<Column> columns;
  std::vector<std::string> sources;
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    columns.push_back({.name = schema.names[i], .type = schema.reader[i].type});
    if (schema.profiles.empty()) {
      sources.push_back(peeked->footer.columns[i].type);
      continue;
    }
    sources.emplace_back("text");
    columns.back().type = type_of_text(
        schema.profiles[i], table.exists ? find_column(table.columns, schema.names[i]) : nullptr);
  }
  auto lines = compare_types(name.display(), columns, sources, table, pipeline.feed);
  // The width of a table shows only when all is known that becomes a column of it.
  if (pipeline.target->promises().max_columns && std::ranges::none_of(lines, &TypeLine::drift)) {
    TableState state = table;
    state.names = column_names(head, name);
    RETURN_IF_ERROR(
        evolve(name, state, pipeline.feed.of(file.table), schemas, {}, *pipeline.target));
  }
  return lines;
}

// Beside what a cast may lose: what else becomes of the column's values.
std::string also(const TypeLine& line, const ColumnOption& option) {
  std::string text;
  if (line.file_type.starts_with("INT96"))
    text += "; nanoseconds stop the load unless the column is declared as TIMESTAMP_NS";
  if (line.file_type.starts_with("DECIMAL") && line.table_type == "VARCHAR")
    text += "; text with all digits, which no type has room for";
  if (!option.rename.empty()) text += fmt::format("; called '{}' in the table", option.rename);
  if (!option.null_values.empty())
    text += fmt::format("; null for {}", fmt::join(option.null_values, ", "));
  return text;
}

constexpr const char* kCompared = ", or the load stops: each value is compared";

// How a column meets the one that stands, or what a new one gets.
void meet(const ColumnType& file, const Column* standing, bool exists, TypeLine& line) {
  if (standing == nullptr) {
    line.lost = exists ? "nothing: a new column" : "nothing: a new table";
    if (landing_type(file) != file) line.lost += kCompared;
    return;
  }
  const auto widening = widen(standing->type, file);
  line.table_type = to_sql(widening ? widening->type : standing->type);
  line.drift = !widening;
  line.lost = widening ? "nothing" : "values would change: drift";
  if (widening && widening->check_values) line.lost += kCompared;
  if (widening && widening->type != standing->type)
    line.lost += fmt::format("; the table's {} widens", to_sql(standing->type));
}

}  // namespace

std::vector<TypeLine> compare_types(const std::string& name, const std::vector<Column>& file,
                                    const std::vector<std::string>& sources,
                                    const TableState& table, const Feed& feed) {
  std::vector<TypeLine> lines;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Column& column = file[i];
    const ColumnOption option = feed.columns.of(column.name);
    TypeLine line{
        .table = name, .column = column.name, .table_type = to_sql(landing_type(column.type))};
    line.file_type = sources.size() == file.size() ? sources[i] : line.table_type;
    const std::string& called = option.rename.empty() ? column.name : option.rename;
    const Column* standing = table.exists ? find_column(table.columns, called) : nullptr;
    if (column.name == feed.rows.deletes.flag) {
      line.table_type = "-";
      line.lost = "nothing: it says which rows are deleted";
    } else if (feed.columns.is_excluded(column.name)) {
      line.table_type = "-";
      line.lost = "all of it: the pipeline leaves the column out";
    } else if (option.type) {
      const CastForm form{
          .format = option.format, .unit = option.unit, .timezone = option.timezone};
      line.table_type = type_text(*option.type);
      line.drift = !can_be_declared(column.type, column_type(*option.type), form);
      line.lost = line.drift ? "it cannot become the type under `columns`: drift"
                             : std::string("nothing") + kCompared;
      line.lost += also(line, option);
    } else {
      meet(column.type, standing, table.exists, line);
      line.lost += also(line, option);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<TypeReport> report_types(const Pipeline& pipeline) {
  ASSIGN_OR_RETURN(const std::vector<UnitName> applied, applied_units(pipeline));
  ASSIGN_OR_RETURN(std::vector<UnitName> units,
                   units_after(pipeline, applied.empty() ? "" : applied.front().key));
  if (units.size() > kUnitsTried) units.resize(kUnitsTried);
  units.insert(units.end(), applied.begin(), applied.end());
  for (const UnitName& unit : units) {
    ASSIGN_OR_RETURN(const UnitContent content, content_of(pipeline, unit));
    if (content.files.empty()) continue;
    TypeReport report{.unit = unit.name};
    std::set<std::string> seen;
    for (const UnitFile& file : content.files) {
      if (!seen.insert(file.table).second) continue;
      ASSIGN_OR_RETURN(auto lines, lines_of(pipeline, file));
      report.columns.insert(report.columns.end(), lines.begin(), lines.end());
    }
    return report;
  }
  return TypeReport{};
}

}  // namespace forebay::cli
