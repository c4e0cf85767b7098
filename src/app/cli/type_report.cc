#include "app/cli/type_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "engine/exact_cast.h"
#include "feed/unit.h"
#include "load/companions.h"
#include "load/fetch.h"
#include "load/identity.h"
#include "load/type_names.h"
#include "parquet/footer.h"

namespace forebay::cli {
namespace {

// New units whose documents are read in search of one that brings files: many only say "alive".
constexpr std::size_t kUnitsTried = 20;

// A file on local disk for as long as this lives: where it lies, or a copy in the staging folder.
class LocalFile {
 public:
  static Result<LocalFile> of(const Pipeline& pipeline, const std::string& key) {
    LocalFile file;
    if (pipeline.store->promises().in_place) {
      ASSIGN_OR_RETURN(file.open_, pipeline.store->open_in_place(key));
      file.path_ = file.open_->path();
      return file;
    }
    std::error_code error;
    std::filesystem::create_directories(pipeline.staging_folder, error);
    file.path_ = (std::filesystem::path(pipeline.staging_folder) / "check.parquet").string();
    file.copied_ = true;
    std::ofstream out(file.path_, std::ios::binary | std::ios::trunc);
    const auto read =
        pipeline.store->read({.key = key}, [&](std::span<const std::byte> bytes) -> Status {
          out.write(reinterpret_cast<const char*>(bytes.data()),
                    static_cast<std::streamsize>(bytes.size()));
          if (out) return {};
          return fail({ErrorCode::unavailable, "write", file.path_, "the disk refuses", ""});
        });
    if (!read) return fail(read.error());
    out.close();
    return file;
  }

  LocalFile(LocalFile&& other) noexcept
      : open_(std::move(other.open_)),
        path_(std::move(other.path_)),
        copied_(std::exchange(other.copied_, false)) {}
  LocalFile& operator=(LocalFile&&) = delete;
  ~LocalFile() {
    if (!copied_) return;
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(std::filesystem::path(path_).parent_path(), ignored);  // if empty
  }

  const std::string& path() const { return path_; }

 private:
  LocalFile() = default;
  std::unique_ptr<OpenFile> open_;
  std::string path_;
  bool copied_ = false;
};

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

Result<std::vector<TypeLine>> lines_of(const Pipeline& pipeline, const UnitFile& file) {
  ASSIGN_OR_RETURN(const LocalFile local, LocalFile::of(pipeline, file.key));
  const std::string object = pipeline.store->display(file.key);
  ASSIGN_OR_RETURN(const ParquetFooter footer, read_parquet_footer(local.path(), object));
  ASSIGN_OR_RETURN(auto columns, pipeline.target->engine().file_columns(local.path(), object));
  std::vector<std::string> sources;
  for (const ParquetColumn& column : footer.columns) {
    if (column.is_wide_decimal() && column.plain_bytes && sources.size() < columns.size())
      columns[sources.size()].type = {.kind = TypeKind::text};
    sources.push_back(column.type);
  }
  const TableName name{pipeline.schema, file.table};
  ASSIGN_OR_RETURN(const auto tables, pipeline.target->describe(pipeline.name, {name}));
  ASSIGN_OR_RETURN(const LedgerHead head, pipeline.target->head(pipeline.name));
  RETURN_IF_ERROR(check_tables(pipeline, head, {name}, tables));
  return compare_types(name.display(), columns, sources,
                       tables.empty() ? TableState{} : tables.front(), pipeline.feed);
}

}  // namespace

std::vector<TypeLine> compare_types(const std::string& name, const std::vector<Column>& file,
                                    const std::vector<std::string>& sources,
                                    const TableState& table, const Feed& feed) {
  std::vector<TypeLine> lines;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Column& column = file[i];
    TypeLine line{
        .table = name, .column = column.name, .table_type = to_sql(landing_type(column.type))};
    line.file_type = sources.size() == file.size() ? sources[i] : line.table_type;
    const Column* standing = table.exists ? find_column(table.columns, column.name) : nullptr;
    const TypeName* declared = feed.columns.type_of(column.name);
    if (column.name == feed.rows.deletes.flag) {
      line.table_type = "-";
      line.lost = "nothing: it says which rows are deleted";
    } else if (declared != nullptr) {
      line.table_type = type_text(*declared);
      line.drift = !can_be_declared(column.type, column_type(*declared));
      line.lost = line.drift ? "it cannot become the type under `columns`: drift"
                             : "nothing, or the load stops: each value is compared";
    } else if (standing == nullptr) {
      line.lost = table.exists ? "nothing: a new column" : "nothing: a new table";
      if (landing_type(column.type) != column.type)
        line.lost += ", or the load stops: each value is compared";
    } else if (const auto widening = widen(standing->type, column.type)) {
      line.table_type = to_sql(widening->type);
      line.lost = "nothing";
      if (widening->check_values) line.lost += ", or the load stops: each value is compared";
      if (widening->type != standing->type) {
        line.lost += fmt::format("; the table's {} widens", to_sql(standing->type));
      }
    } else {
      line.table_type = to_sql(standing->type);
      line.lost = "values would change: drift";
      line.drift = true;
    }
    if (line.file_type.starts_with("INT96"))
      line.lost += "; nanoseconds, if it has any: these times are read in microseconds";
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
      // Text has no types of its own: those that it gets are `plan`'s to show.
      const DecodeRule& decode = file.decode ? *file.decode : pipeline.feed.decode;
      if (form_of(decode, file.key).format != FileFormat::parquet) continue;
      if (!seen.insert(file.table).second) continue;
      ASSIGN_OR_RETURN(auto lines, lines_of(pipeline, file));
      report.columns.insert(report.columns.end(), lines.begin(), lines.end());
    }
    return report;
  }
  return TypeReport{};
}

}  // namespace forebay::cli
