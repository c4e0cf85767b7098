#include "load/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fault.h"
#include "load/collapse.h"
#include "load/explain.h"
#include "load/identity.h"
#include "load/parts.h"
#include "load/record.h"
#include "load/window.h"

namespace forebay {

void add_error(CycleReport& report, const Error& error) {
  const ExitCode code = exit_code(error.code);
  if (!report.error || worse(code, report.exit) != report.exit) report.error = error;
  report.exit = worse(report.exit, code);
  report.outcome = Outcome::failed;
}

namespace {

std::vector<const PlannedUnit*> planned_of(const std::vector<const LoadedUnit*>& units) {
  std::vector<const PlannedUnit*> planned;
  for (const LoadedUnit* unit : units) planned.push_back(&unit->planned);
  return planned;
}

// What `history` should say of a unit although it was applied.
std::string remark(const LoadedUnit& unit) {
  std::size_t bare = 0;
  for (const StagedFile& file : unit.files) {
    if (file.file.hashes.empty() && !unit.planned.version.empty()) ++bare;
  }
  std::string text;
  if (bare > 0)
    text = fmt::format("{} of {} files without a fingerprint: only size and rows were checked",
                       bare, unit.files.size());
  if (unit.content.repeated > 0)
    text += fmt::format("{}{} files are there twice and count once", text.empty() ? "" : "; ",
                        unit.content.repeated);
  return text;
}

}  // namespace

void Applier::warn(std::string text) {
  if (std::ranges::find(report_.warnings, text) == report_.warnings.end())
    report_.warnings.push_back(std::move(text));
}

bool Applier::replaces(const LoadedUnit& unit) const {
  return !pipeline_.feed.windowed() && unit.planned.standing == Standing::changed &&
         !pipeline_.feed.unit.grows && pipeline_.feed.on_rewrite == OnRewrite::replace;
}

// Takes back what a part of a table has, or files that it no longer has itself.
bool Applier::goes_alone(const LoadedUnit& unit) const {
  return clears_part(pipeline_.feed, unit.content) || !unit.planned.taken_back.empty();
}

bool Applier::record(std::vector<UnitEntry> entries, std::vector<DocumentEntry> documents) {
  if (entries.empty() && documents.empty()) return true;
  const Status written = write({}, {}, {}, std::move(entries), std::move(documents));
  if (written) return true;
  add_error(report_, written.error());
  return false;
}

bool Applier::apply(FetchedBatch batch) {
  Units units;
  for (LoadedUnit& unit : batch.units) {
    // A unit that replaces its former self reads other files again: it goes alone.
    const bool alone = replaces(unit) || goes_alone(unit);
    if (alone && !units.empty() && !apply_units(units)) return false;
    if (alone) units.clear();
    units.push_back(&unit);
    if (alone && !apply_units(units)) return false;
    if (alone) units.clear();
  }
  if (!units.empty() && !apply_units(units)) return false;
  foreign_ = false;
  for (const FailedUnit& failed : batch.failed) {
    const LoadedUnit unit{.planned = failed.planned, .content = failed.content};
    if (!handle(unit, failed.error)) return false;
  }
  return true;
}

bool Applier::apply_units(const Units& given) {
  Units units = given;
  std::erase_if(units, [&](const LoadedUnit* unit) { return is_within(unit->planned, stopped_); });
  if (units.empty()) return true;
  cycle_error_ = false;
  foreign_ = false;
  if (std::ranges::any_of(units,
                          [&](const LoadedUnit* unit) { return suspects_.contains(*unit); })) {
    if (units.size() > 1) return apply_halves(units);
    if (suspects_.condemned(*units.front())) return handle(*units.front(), Suspects::refusal());
  }
  deciding_ = units.size();
  const Status applied = apply_once(units);
  deciding_ = 0;
  if (applied) {
    decided_ += units.size();
    for (const LoadedUnit* unit : units) suspects_.forget(*unit);
    return true;
  }
  const Error& error = applied.error();
  if (cycle_error_ || !concerns_unit(error.code)) {
    add_error(report_, error);
    return false;
  }
  if (units.size() == 1) return handle(*units.front(), error);
  return apply_halves(units);
}

bool Applier::apply_halves(const Units& units) {
  const auto middle = units.begin() + static_cast<std::ptrdiff_t>(units.size() / 2);
  return apply_units(Units(units.begin(), middle)) && apply_units(Units(middle, units.end()));
}

// What a unit's failure means for the cycle: an ordered feed stops at it, others set it aside,
// unless it brings what is somebody else's: they stop too. A failure that may pass is never held
// against the unit: it stays due.
bool Applier::handle(const LoadedUnit& unit, const Error& error) {
  ++decided_;
  Error about = error;
  about.operation = fmt::format("unit {}: {}", unit.planned.name.name, error.operation);
  add_error(report_, about);
  if (pipeline_.feed.ordered() || foreign_) {
    if (concerns_unit(error.code)) report_.stopped_at = unit.planned.name.name;
    stopped_.insert(unit.planned.scope);
    return pipeline_.feed.unit.stop != StopScope::feed;
  }
  if (concerns_unit(error.code)) return quarantine(unit, error);
  work_.whole = false;  // it stays due: the mark must not pass its rows
  return true;
}

bool Applier::quarantine(const LoadedUnit& unit, const Error& error) {
  UnitEntry entry = unit_entry(unit, UnitState::quarantined, describe(error));
  if (entry.kind.empty()) entry.kind = "unknown";
  if (pipeline_.feed.windowed()) {
    const auto& known = unit.planned.known;
    entry.digest = unit.planned.standing == Standing::retry ? known->digest : head_.mark;
  }
  const Status written = write({}, {&unit}, {}, {std::move(entry)});
  if (!written) {
    add_error(report_, written.error());
    return false;
  }
  suspects_.forget(unit);
  ++report_.units.quarantined;
  return true;
}

Status Applier::apply_once(const Units& units) {
  Units due;
  std::vector<UnitEntry> entries;
  RETURN_IF_ERROR(settle_rewrites(units, due, entries));
  RETURN_IF_ERROR(settle_copies(due, entries));
  if (due.empty() && entries.empty()) return {};
  const LastWords words = suspects_.while_reading(due);
  ASSIGN_OR_RETURN(const Retake retake, retake_for(due));
  for (const LoadedUnit* unit : due) reader_fault(unit->planned.name.name);
  auto collapsed = collapse_units(due, retake);
  if (!collapsed) {
    release();
    return fail(std::move(collapsed).error());
  }
  if (collapsed->foreign) {
    release();
    foreign_ = true;
    return fail(*collapsed->foreign);
  }
  std::vector<std::string> warnings = collapsed->warnings;
  Births births = std::move(collapsed->births);
  const auto read = std::move(collapsed->read);
  Status written = fault_point("collapse.done");
  if (written) written = write(due, units, std::move(*collapsed), std::move(entries));
  if (!written && units.size() == 1)
    written = fail(explained(written.error(), read, pipeline_.target->engine()));
  release();
  if (!written && written.error().code == ErrorCode::commit_unknown)
    written = look_after_unknown(units, written.error());
  if (written) {
    for (auto& [table, born] : births) births_[table] = std::move(born);
    for (std::string& warning : warnings) warn(std::move(warning));
  }
  return written;
}

// What a unit that goes alone takes back.
Result<Retake> Applier::retake_for(const Units& due) {
  if (due.size() != 1) return Retake();
  const LoadedUnit& unit = *due.front();
  if (goes_alone(unit)) return plan_part_retake(pipeline_, unit, progress_);
  if (replaces(unit)) return plan_retake(pipeline_, unit, progress_);
  return Retake();
}

void Applier::release() {
  ignore_error(pipeline_.target->engine().release(), "relations end with the connection anyway");
}

Result<Collapsed> Applier::collapse_units(const Units& units, const Retake& retake) {
  const std::vector<TableName> names = table_names(pipeline_, {units.begin(), units.end()}, retake);
  auto states = pipeline_.target->describe(pipeline_.name, names);
  cycle_error_ = true;  // whose tables these are does not depend on a unit
  if (!states) return fail(std::move(states).error());
  RETURN_IF_ERROR(check_tables(pipeline_, head_, names, *states));
  cycle_error_ = false;
  progress_.step(fmt::format("reading {} units into {} tables", units.size(), names.size()));
  RETURN_IF_ERROR(fault_point("collapse.begun"));
  return collapse(pipeline_, head_, {units.begin(), units.end()}, retake, work_.window,
                  std::move(*states), births_);
}

// Rows that the pipeline no longer keeps go in a transaction of their own; the mark stays.
Status Applier::expire() {
  const auto& rule = pipeline_.feed.window;
  if (!rule || !rule->retention || head_.commit_no == 0) return {};
  const TableName table = window_table(pipeline_);
  ASSIGN_OR_RETURN(const auto states, pipeline_.target->describe(pipeline_.name, {table}));
  if (!states[0].exists) return {};
  TableChange change{.table = table, .columns = states[0].columns, .key = pipeline_.feed.rows.key};
  Expiry expiry{.before = (now_ - *rule->retention).time_since_epoch().count()};
  if (!by_file_time(*rule, states[0].columns)) {
    ASSIGN_OR_RETURN(expiry.axis, time_axis(*rule, table, states[0].columns));
    expiry.before = ticks_at(now_ - *rule->retention, expiry.axis->unit);
  }
  ASSIGN_OR_RETURN(const bool any, pipeline_.target->any_expired(pipeline_.name, table, expiry));
  if (!any) return {};
  change.expiry = std::move(expiry);
  Collapsed collapsed;
  collapsed.tables.push_back(std::move(change));
  Batch batch = make_batch(pipeline_, head_, std::move(collapsed), {}, now_);
  auto applied = pipeline_.target->apply(batch);
  if (!applied && applied.error().code == ErrorCode::commit_unknown)
    return look_after_unknown({}, applied.error());
  if (!applied) return fail(std::move(applied).error());
  follow(head_, batch);
  count({}, *applied);
  return {};
}

Status Applier::write(const Units& units, const Units& settled, Collapsed collapsed,
                      std::vector<UnitEntry> entries, std::vector<DocumentEntry> documents) {
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files) RETURN_IF_ERROR(file.bytes->unchanged());
    std::ranges::copy(unit->planned.superseded, std::back_inserter(entries));
    std::ranges::copy(unit->planned.joined, std::back_inserter(entries));
    if (!pipeline_.feed.windowed()) {
      entries.push_back(unit_entry(*unit, UnitState::applied, remark(*unit)));
    } else if (unit->planned.known && unit->planned.known->state == UnitState::quarantined) {
      // What refused it counts no longer; what it brought is the window's.
      entries.push_back(unit_entry(*unit, UnitState::superseded, "a window has read it since"));
    }
  }
  for (const LoadedUnit* unit : settled)
    std::ranges::copy(unit->planned.documents, std::back_inserter(documents));
  if (pipeline_.feed.windowed() && !units.empty())
    entries.push_back(window_entry(head_, units.size(), collapsed));
  const auto reached = collapsed.reached;
  const SharedFiles shared = std::move(collapsed.shared);  // the batch reads them as it is written
  Batch batch = make_batch(pipeline_, head_, std::move(collapsed), std::move(entries), now_);
  batch.documents = std::move(documents);
  const auto planned = planned_of(settled);
  if (pipeline_.feed.windowed()) {
    const bool last = work_.whole && decided_ + deciding_ == work_.total;
    RETURN_IF_ERROR(advance_window(pipeline_, head_, reached, last, batch));
  } else {
    advance_mark(pipeline_, planned, work_.limits, now_, batch);
  }
  batch.seconds = std::chrono::duration<double>(clock_.now() - now_).count();
  progress_.step(fmt::format("writing {} units", batch.units.size()));
  auto applied = pipeline_.target->apply(batch);
  if (!applied) return fail(std::move(applied).error());
  follow(head_, batch);
  work_.limits.settle(pipeline_.feed, planned, now_);
  count(units, *applied);
  return {};
}

// Whether all of these units were decided on after that commit.
Result<bool> Applier::ledger_has(const Units& units, std::int64_t after) const {
  std::vector<std::string> names;
  std::vector<std::string> keys;
  for (const LoadedUnit* unit : units) {
    names.push_back(unit->planned.name.name);
    keys.push_back(pipeline_.store->ledger_key(unit->planned.name.key));
  }
  std::ranges::sort(names);
  std::ranges::sort(keys);
  ASSIGN_OR_RETURN(const auto known, pipeline_.target->known(pipeline_.name, names));
  // A mended file of a window stands here and among the files.
  auto found = std::ranges::count_if(known, [&](const KnownUnit& unit) {
    return unit.commit_no > after &&
           !(pipeline_.feed.windowed() && unit.state == UnitState::superseded);
  });
  if (pipeline_.feed.windowed()) {
    ASSIGN_OR_RETURN(const auto files,
                     pipeline_.target->known_files(pipeline_.name, window_table(pipeline_), keys));
    found +=
        std::ranges::count_if(files, [&](const KnownFile& file) { return file.commit_no > after; });
  }
  return found == std::ssize(units);
}

// COMMIT reported an error, and the transaction may be durable. The ledger knows.
Status Applier::look_after_unknown(const Units& units, const Error& error) {
  cycle_error_ = true;
  RETURN_IF_ERROR(pipeline_.target->reopen());
  ASSIGN_OR_RETURN(LedgerHead head, pipeline_.target->head(pipeline_.name));
  if (head.commit_no == head_.commit_no) {  // not there: nothing was written
    return fail({.code = ErrorCode::unavailable,
                 .operation = error.operation,
                 .object = error.object,
                 .cause = error.cause,
                 .hint = "the ledger was read again: nothing was written; run again"});
  }
  ASSIGN_OR_RETURN(const bool all, ledger_has(units, head_.commit_no));
  if (!all)
    return fail({.code = ErrorCode::busy,
                 .operation = error.operation,
                 .object = error.object,
                 .cause = "another loader committed while the outcome of ours was unknown",
                 .hint = "run again: what is applied will be skipped"});
  warn(fmt::format("COMMIT reported an error ({}), but the ledger has it: counted as applied",
                   error.cause));
  head_ = std::move(head);
  report_.units.already_applied += units.size();
  work_.limits.settle(pipeline_.feed, planned_of(units), now_);
  cycle_error_ = false;
  return {};
}

void Applier::count(const Units& units, const Applied& applied) {
  std::uint64_t files = 0;
  std::uint64_t rows = 0;
  for (const LoadedUnit* unit : units) {
    report_.units.applied += 1 + unit->planned.joined.size();
    for (const StagedFile& file : unit->files) {
      ++files;
      rows += file.footer.rows;
      report_.bytes += file.bytes->info().size;
    }
  }
  report_.files += files;
  report_.rows += rows;
  for (const auto& [name, counts] : applied.tables) {
    TableCounts& sum = report_.tables[name];
    sum.inserted += counts.inserted;
    sum.updated += counts.updated;
    sum.deleted += counts.deleted;
    for (const auto& [reason, number] : counts.ignored) sum.ignored[reason] += number;
    sum.rows_after = counts.rows_after;
    sum.gaps = counts.gaps;
    if (counts.gaps.value_or(0) > 0)
      warn(fmt::format("{}: {} versions are missing between others of their keys", name,
                       *counts.gaps));
  }
  if (!units.empty() && report_.outcome == Outcome::nothing_new) report_.outcome = Outcome::applied;
  progress_.applied(units.size(), files, rows);
}

}  // namespace forebay
