#include "load/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/limits.h"
#include "feed/unit.h"
#include "load/cycle.h"
#include "load/discover.h"
#include "load/identity.h"
#include "load/list_pages.h"

namespace forebay {
namespace {

class Verifier {
 public:
  Verifier(const Pipeline& pipeline, Target* scratch, Clock& clock, Progress& progress)
      : pipeline_(pipeline), scratch_(scratch), clock_(clock), progress_(progress) {}

  Result<Verification> run();

 private:
  Status compare_units();
  Status compare_files();
  Status hand_over_listing();
  Status compare_tables();
  Status compare_table(const TableName& table);
  Status load_again();
  Status compare_contents();
  std::vector<Column> columns_of_either(const TableState& stands, const TableState& again) const;
  void add(Difference::Kind kind, std::string object, std::string detail);

  const Pipeline& pipeline_;
  Target* scratch_;
  Clock& clock_;
  Progress& progress_;
  LedgerHead head_;
  std::vector<TableName> tables_;
  Verification found_;
};

Result<Verification> Verifier::run() {
  ASSIGN_OR_RETURN(head_, pipeline_.target->head(pipeline_.name));
  RETURN_IF_ERROR(check_identity(pipeline_, head_));
  tables_ = tables_of(head_);
  RETURN_IF_ERROR(compare_units());
  RETURN_IF_ERROR(compare_files());
  RETURN_IF_ERROR(compare_tables());
  if (scratch_ != nullptr && pipeline_.feed.windowed())
    return fail({.code = ErrorCode::invalid_config,
                 .operation = fmt::format("pipeline '{}'", pipeline_.name),
                 .object = "verify --deep",
                 .cause = "what a window brings depends on the mark and the files of its time, so "
                          "reading the files again would prove nothing",
                 .hint = "verify without --deep compares files and counts"});
  if (scratch_ != nullptr) RETURN_IF_ERROR(compare_contents());
  return std::move(found_);
}

void Verifier::add(Difference::Kind kind, std::string object, std::string detail) {
  if (found_.differences.size() == kMaxDifferences) {
    found_.more = true;
    return;
  }
  found_.differences.push_back({kind, std::move(object), std::move(detail)});
}

Status Verifier::compare_units() {
  progress_.step("listing units");
  Settling nothing_seen;
  ASSIGN_OR_RETURN(const Discovery found, discover(pipeline_, head_, {.full_listing = true},
                                                   nothing_seen, clock_.now(), progress_));
  found_.keys_listed = found.keys_listed;
  found_.units_quarantined = found.quarantined_before;
  for (const PlannedUnit& unit : found.units) {
    const std::string object = pipeline_.store->display(unit.object.key);
    switch (unit.standing) {
      case Standing::fresh:
      case Standing::late: add(Difference::Kind::never_loaded, object, "not in the ledger"); break;
      case Standing::changed:
        // A file that is a unit by itself is compared with the other files.
        if (pipeline_.feed.unit.kind != UnitKind::file) {
          add(Difference::Kind::changed, object, "this unit was loaded in another version");
        }
        break;
      case Standing::waiting: ++found_.units_waiting; break;
      case Standing::retry:
      case Standing::applied:
      case Standing::quarantined:
      case Standing::settled: break;
    }
  }
  return {};
}

// All keys of the source: files that documents name lie anywhere below it.
Status Verifier::hand_over_listing() {
  RETURN_IF_ERROR(pipeline_.target->begin_listing());
  std::uint64_t keys = 0;
  return list_pages(pipeline_, {}, [&](ListPage& page) -> Status {
    std::vector<ListedKey> listed;
    for (const ObjectInfo& object : page.objects) {
      listed.push_back({pipeline_.store->ledger_key(object.key), object.version});
    }
    RETURN_IF_ERROR(pipeline_.target->add_listing(listed));
    keys += listed.size();
    progress_.listed(keys);
    return {};
  });
}

Status Verifier::compare_files() {
  progress_.step("listing files");
  RETURN_IF_ERROR(hand_over_listing());
  ASSIGN_OR_RETURN(const auto differences,
                   pipeline_.target->compare_listing(pipeline_.name, kMaxDifferences + 1));
  for (const FileDifference& difference : differences) {
    if (!difference.gone && pipeline_.feed.windowed()) continue;  // told with the units
    if (difference.gone && !pipeline_.feed.kept) {
      ++found_.gone;
      continue;
    }
    const std::string key = pipeline_.store->source_key(difference.file.store_key);
    add(difference.gone ? Difference::Kind::gone : Difference::Kind::changed,
        pipeline_.store->display(key),
        fmt::format("file {} of {}", difference.file.file_id, difference.file.table.display()));
  }
  return {};
}

Status Verifier::compare_tables() {
  for (const TableName& table : tables_) RETURN_IF_ERROR(compare_table(table));
  found_.tables = tables_.size();
  return {};
}

Status Verifier::compare_table(const TableName& table) {
  progress_.step("counting the rows of " + table.display());
  // A window's rows stay those of the version of the file that brought them first.
  const Feed& feed = pipeline_.feed.of(table.name);
  const bool per_file = !feed.rows.may_have_key() && feed.rows.deletes.skip.empty() &&
                        feed.rows.generation.empty() && feed.effect.fixed.once.empty() &&
                        feed.guessed.empty() && !feed.windowed();
  ASSIGN_OR_RETURN(const TableAudit audit,
                   pipeline_.target->audit(pipeline_.name, table, per_file, kMaxDifferences + 1));
  if (!audit.exists) {
    add(Difference::Kind::missing, table.display(), "the ledger knows it");
    return {};
  }
  found_.rows += audit.rows;
  if (audit.recorded && *audit.recorded != audit.rows) {
    add(Difference::Kind::rows, table.display(),
        fmt::format("{} rows stand, {} stood after the last commit", audit.rows, *audit.recorded));
  }
  for (const FileRows& file : audit.wrong) {
    const std::string of =
        file.store_key.empty()
            ? fmt::format("file {}, which the ledger does not have", file.file_id)
            : pipeline_.store->display(pipeline_.store->source_key(file.store_key));
    add(Difference::Kind::rows, table.display(),
        fmt::format("{} rows of {}, the ledger says {}", file.found, of, file.recorded));
  }
  return {};
}

// The units as they were applied, into the scratch target. A unit whose object is no longer what
// was loaded is left out: it was told already, and the table's content will show it.
Status Verifier::load_again() {
  ASSIGN_OR_RETURN(const auto history, pipeline_.target->history(pipeline_.name, {}));
  std::map<std::string, std::set<std::string>> loaded;  // unit → versions
  for (const Target::HistoryRow& row : history) {
    const KnownUnit& unit = row.unit;
    const bool same = unit.state == UnitState::ignored && unit.reason == kSameAgain;
    if (unit.state == UnitState::applied || same) loaded[unit.unit].insert(unit.version);
  }
  Pipeline again = pipeline_;
  again.target = scratch_;
  const UnitSelection selection{.scopes = list_ranges(pipeline_.feed),
                                .wants =
                                    [&](const PlannedUnit& unit) {
                                      const auto found = loaded.find(unit.name.name);
                                      return found != loaded.end() &&
                                             found->second.contains(unit.version.empty()
                                                                        ? unit.object.version
                                                                        : unit.version);
                                    },
                                .any_place = true};
  const CycleReport report = run_cycle(again, {.selection = selection}, clock_, progress_);
  if (!report.error) return {};
  const ExitCode code = exit_code(report.error->code);
  if (code == ExitCode::try_again || code == ExitCode::configuration) return fail(*report.error);
  add(Difference::Kind::unreadable, report.error->object, describe(*report.error));
  return {};
}

// What the files give and somebody dropped is missed as well, but not what a table was to ignore:
// loading all at once may find it before the table is made.
std::vector<Column> Verifier::columns_of_either(const TableState& stands,
                                                const TableState& again) const {
  std::vector<Column> columns = stands.columns;
  if (pipeline_.feed.on_schema_change == OnSchemaChange::ignore) return columns;
  std::ranges::copy_if(again.columns, std::back_inserter(columns), [&](const Column& column) {
    return std::ranges::find(stands.columns, column.name, &Column::name) == stands.columns.end();
  });
  return columns;
}

Status Verifier::compare_contents() {
  RETURN_IF_ERROR(load_again());
  ASSIGN_OR_RETURN(const auto states, pipeline_.target->describe(pipeline_.name, tables_));
  ASSIGN_OR_RETURN(const auto again, scratch_->describe(pipeline_.name, tables_));
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!states[i].exists) continue;
    progress_.step("comparing " + tables_[i].display());
    const auto columns = columns_of_either(states[i], again[i]);
    ASSIGN_OR_RETURN(const auto stands, pipeline_.target->fingerprint(tables_[i], columns));
    ASSIGN_OR_RETURN(const auto should, scratch_->fingerprint(tables_[i], columns));
    if (stands == should) continue;
    add(Difference::Kind::content, tables_[i].display(),
        stands.rows == should.rows
            ? fmt::format("{} rows stand, but their values are not those of the files", stands.rows)
            : fmt::format("{} rows stand, the files give {}", stands.rows, should.rows));
  }
  return {};
}

}  // namespace

std::string_view to_string(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::never_loaded: return "never loaded";
    case Difference::Kind::gone: return "gone";
    case Difference::Kind::changed: return "changed";
    case Difference::Kind::missing: return "table missing";
    case Difference::Kind::rows: return "rows differ";
    case Difference::Kind::content: return "content differs";
    case Difference::Kind::unreadable: return "unreadable";
  }
  std::unreachable();
}

Result<Verification> verify(const Pipeline& pipeline, Target* scratch, Clock& clock,
                            Progress& progress) {
  return Verifier(pipeline, scratch, clock, progress).run();
}

}  // namespace forebay
