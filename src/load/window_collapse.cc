#include "load/window_collapse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "feed/unit.h"
#include "load/evolve.h"
#include "load/explain.h"
#include "load/identity.h"
#include "load/object_columns.h"
#include "load/record.h"
#include "load/versions.h"
#include "load/window_keys.h"
#include "load/window_prune.h"

namespace forebay {
namespace {

// One file on its way through the window.
struct WindowFile {
  const LoadedUnit* unit;
  const StagedFile* file;
  std::int64_t file_id;
  bool replaces = false;  // its earlier versions' rows go, and it is read whole
  std::int64_t rank = 0;  // of its name; of tables with a key
  std::optional<std::size_t> filter;
  std::uint64_t kept = 0;

  bool fresh() const { return unit->planned.standing == Standing::fresh; }
  std::uint64_t kept_out() const { return file->footer.rows - kept; }
};

class WindowCollapse {
 public:
  WindowCollapse(const Pipeline& pipeline, const LedgerHead& head, const WindowState& window,
                 const TableName& table, TableState state, const BornColumns& born,
                 Collapsed& collapsed)
      : pipeline_(pipeline),
        rule_(*pipeline.feed.window),
        head_(head),
        window_(window),
        table_(table),
        state_(std::move(state)),
        born_(born),
        collapsed_(collapsed) {
    state_.names = column_names(head, table);
  }

  Result<TableChange> run(const std::vector<const LoadedUnit*>& units);

 private:
  Status evolve_columns();
  Status find_axis();
  Status find_places();
  Status choose_filters();
  Result<std::optional<TimeMark>> mark_for(const WindowFile& file) const;
  InputFile input(const WindowFile& file, std::uint64_t rows) const;
  CollapseRequest request() const;
  Status scan();
  void reach_file_times();
  Status count_kept_out();
  Result<bool> is_gone(const StandingFile& file) const;
  Status match();
  bool keyed() const { return !pipeline_.feed.rows.key.empty(); }
  std::optional<TimeRange> range() const;
  void add_entries();

  const Pipeline& pipeline_;
  const WindowRule& rule_;
  const LedgerHead& head_;
  const WindowState& window_;
  const TableName& table_;
  TableState state_;
  const BornColumns& born_;
  Collapsed& collapsed_;
  std::vector<WindowFile> files_;
  Evolution evolution_;
  std::optional<TimeAxis> axis_;  // absent: the time of the files
  std::vector<RowFilter> filters_;
  TimeScan scan_;
  TableChange change_;
};

Status WindowCollapse::evolve_columns() {
  std::vector<const StagedFile*> staged;
  for (const WindowFile& file : files_) staged.push_back(file.file);
  ASSIGN_OR_RETURN(const auto schemas, file_schemas(staged, pipeline_.target->engine()));
  ASSIGN_OR_RETURN(evolution_,
                   evolve(table_, state_, pipeline_.feed, schemas, born_, *pipeline_.target));
  return {};
}

Status WindowCollapse::find_axis() {
  const bool by_file = by_file_time(rule_, evolution_.read.columns);
  if (state_.exists && !by_file && by_file_time(rule_, state_.columns))
    return fail({.code = ErrorCode::drift,
                 .operation = "read the time in",
                 .object = table_.display(),
                 .cause = fmt::format("a column '{}' appears, and so far the time of the files "
                                      "stood for it",
                                      kFileTime),
                 .hint = "have the column delivered under another name"});
  if (by_file) return {};
  ASSIGN_OR_RETURN(axis_, time_axis(rule_, table_, evolution_.read.columns));
  return {};
}

// A file that was refused before is read from the mark of that time, so that nothing of it is lost.
Result<std::optional<TimeMark>> WindowCollapse::mark_for(const WindowFile& file) const {
  if (file.replaces || (file.fresh() && rule_.load_late)) return std::optional<TimeMark>();
  if (file.unit->planned.standing == Standing::retry)
    return parse_mark(file.unit->planned.known->digest);
  return mark_of(head_, table_);
}

Status WindowCollapse::choose_filters() {
  if (!axis_) return {};
  for (WindowFile& file : files_) {
    ASSIGN_OR_RETURN(const auto mark, mark_for(file));
    ASSIGN_OR_RETURN(auto filter,
                     window_filter(rule_, table_, evolution_.read.columns, *axis_, mark));
    if (!filter) continue;
    const auto known = std::ranges::find(filters_, *filter);
    file.filter = static_cast<std::size_t>(known - filters_.begin());
    if (known == filters_.end()) filters_.push_back(std::move(*filter));
  }
  return {};
}

// Of two rows of a key with the same time the later file's stays.
Status WindowCollapse::find_places() {
  if (!keyed()) return {};
  std::vector<const LoadedUnit*> units;
  for (const WindowFile& file : files_) units.push_back(file.unit);
  ASSIGN_OR_RETURN(const NamePlaces places,
                   NamePlaces::find(pipeline_, table_, state_.exists, units));
  for (WindowFile& file : files_) file.rank = places.rank(*file.unit);
  change_.order = window_order(axis_);
  change_.version_widened = version_widened(change_.order, state_);
  change_.newer = places.newer();
  return {};
}

InputFile WindowCollapse::input(const WindowFile& file, std::uint64_t rows) const {
  InputFile input{.file_id = file.file_id,
                  .rank = file.rank,
                  .path = file.file->bytes->path(),
                  .object = file.file->object,
                  .rows = rows,
                  .layout = evolution_.layout_of.at(file.file->footer.schema_fingerprint),
                  .filter = file.filter,
                  .constants = object_values(pipeline_, *file.file)};
  if (keyed() && !axis_) input.version = file_version(file.file->bytes->info());
  return input;
}

CollapseRequest WindowCollapse::request() const {
  CollapseRequest request{.table = table_.display(),
                          .columns = evolution_.read.columns,
                          .layouts = evolution_.layouts,
                          .filters = filters_,
                          .key = pipeline_.feed.rows.key,
                          .order = change_.order,
                          .meets_nothing = change_.create};
  for (const WindowFile& file : files_) {
    if (file.kept > 0) request.files.push_back(input(file, file.kept));
  }
  std::ranges::stable_sort(request.files, {}, &InputFile::rank);
  return request;
}

// The files' own times reach the mark; nobody compares anything with it.
void WindowCollapse::reach_file_times() {
  for (const WindowFile& file : files_) {
    const Time time = file.file->bytes->info().last_modified;
    if (time > window_.latest) continue;
    const TimeMark mark{TimeFormat::timestamptz, TimeUnit::micro, time.time_since_epoch().count()};
    if (!collapsed_.reached || mark.ticks > collapsed_.reached->ticks) collapsed_.reached = mark;
  }
}

Status WindowCollapse::scan() {
  for (WindowFile& file : files_) file.kept = file.file->footer.rows;
  if (!axis_) {
    reach_file_times();
    return {};
  }
  const std::int64_t latest = ticks_at(window_.latest, axis_->unit);
  ASSIGN_OR_RETURN(scan_, pipeline_.target->engine().scan_times(request(), *axis_, latest));
  std::map<std::int64_t, std::uint64_t> kept;
  for (const FileTimes& times : scan_.files) kept[times.file_id] = times.kept;
  for (WindowFile& file : files_) {
    const std::uint64_t rows = kept[file.file_id];
    if (rows > file.file->footer.rows || (!file.filter && rows != file.file->footer.rows))
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = file.file->object,
                   .cause = fmt::format("{} rows came out where its footer promises {}", rows,
                                        file.file->footer.rows),
                   .hint = "the file is damaged: have it delivered again"});
    file.kept = rows;
  }
  if (scan_.greatest)
    collapsed_.reached = TimeMark{format_of(*axis_, rule_), axis_->unit, *scan_.greatest};
  return {};
}

// Rows below the bound in a file that was never seen came too late for the mark; in one that was,
// they were read before.
Status WindowCollapse::count_kept_out() {
  CollapseRequest late = request();
  late.files.clear();
  std::uint64_t late_rows = 0;
  std::uint64_t late_files = 0;
  std::string object;
  for (const WindowFile& file : files_) {
    if (file.kept_out() == 0) continue;
    std::uint64_t nulls = 0;
    CollapseRequest one = request();
    one.files = {input(file, file.kept_out())};
    if (!rule_.load_nulls) {
      ASSIGN_OR_RETURN(nulls, pipeline_.target->engine().count_nulls_kept_out(one, *axis_));
    }
    const std::uint64_t rows = file.kept_out() - nulls;
    if (nulls > 0) change_.delta.filtered["null_time"] += nulls;
    if (rows == 0) continue;
    change_.delta.filtered[file.fresh() ? "late" : "below_mark"] += rows;
    if (!file.fresh()) continue;
    late_rows += rows;
    if (late_files++ == 0) {
      object = file.file->object;
      late = std::move(one);
    }
  }
  if (late_rows == 0) return {};
  ASSIGN_OR_RETURN(const std::string example,
                   pipeline_.target->engine().example_kept_out(late, *axis_));
  collapsed_.warnings.push_back(fmt::format(
      "{}: {} rows of {} new files are not above the mark and were left out (late: skip), such as "
      "in {}{}",
      table_.display(), late_rows, late_files, object,
      example.empty() ? "" : fmt::format(", whose times begin at {}", example)));
  return {};
}

// The span of the rows that were read: rows that stand outside it equal none of them.
std::optional<TimeRange> WindowCollapse::range() const {
  const bool replaces = std::ranges::any_of(files_, &WindowFile::replaces);
  if (!axis_ || replaces || scan_.unmeasured > 0) return std::nullopt;
  return TimeRange{.axis = *axis_,
                   .least = scan_.least,
                   .most = scan_.most,
                   .times = scan_.least.has_value(),
                   .nulls = scan_.nulls > 0};
}

// Absent from a complete listing that would have shown it.
Result<bool> WindowCollapse::is_gone(const StandingFile& file) const {
  if (!window_.listed.complete || window_.listed.has(file.newest_id)) return false;
  ASSIGN_OR_RETURN(const auto name,
                   name_unit(pipeline_.feed, pipeline_.store->source_key(file.store_key)));
  return name.has_value();
}

// Which rows that stand may be the ones that were read: those of earlier versions of the files, and
// those of files that are gone. With a key nobody needs to know, and no rewrite removes a key.
Status WindowCollapse::match() {
  if (!state_.exists || keyed()) return {};
  std::map<std::string, const WindowFile*> reading;
  for (const WindowFile& file : files_)
    reading[pipeline_.store->ledger_key(file.file->file.key)] = &file;
  ASSIGN_OR_RETURN(const auto standing,
                   pipeline_.target->standing_files(pipeline_.name, table_, range()));
  for (const StandingFile& file : standing) {
    const auto reader = reading.find(file.store_key);
    if (reader == reading.end()) {
      ASSIGN_OR_RETURN(const bool gone, is_gone(file));
      if (gone) change_.match.gone.push_back(file.file_id);
    } else if (reader->second->replaces) {
      change_.retract.push_back(file.file_id);
    } else {
      change_.match.earlier.emplace_back(file.file_id, reader->second->file_id);
    }
  }
  change_.match.range = range();
  // What a path says of a row is the row's own, and stands in some of its files as well.
  for (const ObjectColumn& column : pipeline_.feed.object_columns) {
    if (column.from == ObjectColumn::From::path_value) continue;
    for (const Column& read : evolution_.read.columns) {
      if (equal_ignoring_case(read.name, column.name)) change_.match.of_file.push_back(read.name);
    }
  }
  return {};
}

void WindowCollapse::add_entries() {
  for (const WindowFile& file : files_) {
    FileEntry entry = file_entry(pipeline_, table_, *file.unit, *file.file);
    entry.file_id = file.file_id;
    entry.unit = fmt::format("{}", head_.commit_no + 1);
    entry.rows = file.kept;
    collapsed_.kept += file.kept;
    collapsed_.files.push_back(std::move(entry));
  }
}

Result<TableChange> WindowCollapse::run(const std::vector<const LoadedUnit*>& units) {
  const bool replace = pipeline_.feed.on_rewrite == OnRewrite::replace;
  for (const LoadedUnit* unit : units) {
    const auto id = head_.next_file_id + static_cast<std::int64_t>(files_.size());
    files_.push_back({.unit = unit, .file = &unit->files.front(), .file_id = id});
  }
  RETURN_IF_ERROR(evolve_columns());
  RETURN_IF_ERROR(find_axis());
  for (WindowFile& file : files_)
    file.replaces = file.unit->planned.known.has_value() && (replace || !axis_);
  change_.table = table_;
  change_.create = !state_.exists;
  change_.key = pipeline_.feed.rows.key;
  RETURN_IF_ERROR(find_places());
  RETURN_IF_ERROR(choose_filters());
  RETURN_IF_ERROR(scan());
  RETURN_IF_ERROR(match());
  collapsed_.read.push_back(request());
  auto delta = pipeline_.target->engine().collapse(collapsed_.read.back());
  if (!delta && files_.size() == 1)
    return fail(explained(delta.error(), collapsed_.read, pipeline_.target->engine()));
  ASSIGN_OR_RETURN(change_.delta, std::move(delta));
  if (!change_.match.earlier.empty() || !change_.match.gone.empty())
    change_.delta.kind = Delta::Kind::add_missing;
  RETURN_IF_ERROR(count_kept_out());
  for (const auto& [reason, rows] : change_.delta.filtered) change_.delta.read += rows;
  change_.columns = std::move(evolution_.columns);
  change_.added = std::move(evolution_.added);
  change_.retyped = std::move(evolution_.retyped);
  change_.names = std::move(evolution_.names);
  if (!evolution_.born.empty()) collapsed_.births[table_] = std::move(evolution_.born);
  add_entries();
  std::ranges::move(evolution_.warnings, std::back_inserter(collapsed_.warnings));
  return std::move(change_);
}

}  // namespace

Result<TableChange> collapse_window(const Pipeline& pipeline, const LedgerHead& head,
                                    const WindowState& window, const TableName& table,
                                    TableState state, const BornColumns& born,
                                    const std::vector<const LoadedUnit*>& units,
                                    Collapsed& collapsed) {
  return WindowCollapse(pipeline, head, window, table, std::move(state), born, collapsed)
      .run(units);
}

}  // namespace forebay
