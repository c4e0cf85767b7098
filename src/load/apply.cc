#include "load/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fault.h"
#include "load/collapse.h"
#include "load/identity.h"
#include "load/record.h"
#include "load/rewrite.h"

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

}  // namespace

void Applier::warn(std::string text) {
  if (std::ranges::find(report_.warnings, text) == report_.warnings.end())
    report_.warnings.push_back(std::move(text));
}

bool Applier::replaces(const LoadedUnit& unit) const {
  return unit.planned.standing == Standing::changed &&
         pipeline_.feed.on_rewrite == OnRewrite::replace;
}

bool Applier::apply(FetchedBatch batch) {
  Units units;
  for (LoadedUnit& unit : batch.units) {
    // A unit that replaces its former self reads other files again: it goes alone.
    const bool alone = replaces(unit);
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

bool Applier::apply_units(const Units& units) {
  cycle_error_ = false;
  foreign_ = false;
  const Status applied = apply_once(units);
  if (applied) {
    decided_ += units.size();
    return true;
  }
  const Error& error = applied.error();
  if (cycle_error_ || !concerns_unit(error.code)) {
    add_error(report_, error);
    return false;
  }
  if (units.size() == 1) return handle(*units.front(), error);
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
    return false;
  }
  return concerns_unit(error.code) ? quarantine(unit, error) : true;
}

bool Applier::quarantine(const LoadedUnit& unit, const Error& error) {
  UnitEntry entry = unit_entry(unit, UnitState::quarantined, describe(error));
  if (entry.kind.empty()) entry.kind = "unknown";
  const Status written = write({}, {&unit}, {}, {std::move(entry)});
  if (!written) {
    add_error(report_, written.error());
    return false;
  }
  ++report_.units.quarantined;
  return true;
}

Status Applier::apply_once(const Units& units) {
  Units due;
  std::vector<UnitEntry> entries;
  RETURN_IF_ERROR(settle_rewrites(units, due, entries));
  if (due.empty() && entries.empty()) return {};
  Retake retake;
  if (due.size() == 1 && replaces(*due.front())) {
    ASSIGN_OR_RETURN(retake, plan_retake(pipeline_, *due.front(), progress_));
  }
  auto collapsed = collapse_units(due, retake);
  const auto release = [&] {
    ignore_error(pipeline_.target->engine().release(), "relations end with the connection anyway");
  };
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
  Status written = fault_point("collapse.done");
  if (written) written = write(due, units, std::move(*collapsed), std::move(entries));
  release();
  if (!written && written.error().code == ErrorCode::commit_unknown)
    written = look_after_unknown(units, written.error());
  if (written) {
    for (auto& [table, born] : births) births_[table] = std::move(born);
    for (std::string& warning : warnings) warn(std::move(warning));
  }
  return written;
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
  return collapse(pipeline_, head_, {units.begin(), units.end()}, retake, std::move(*states),
                  births_);
}

// Units that are known under their name with another version: nothing new, or `on_rewrite`.
Status Applier::settle_rewrites(const Units& units, Units& due, std::vector<UnitEntry>& entries) {
  for (const LoadedUnit* unit : units) {
    if (unit->planned.standing != Standing::changed) {
      due.push_back(unit);
      continue;
    }
    ASSIGN_OR_RETURN(const Rewrite rewrite, compare_rewrite(pipeline_, *unit, progress_));
    const std::string object = pipeline_.store->display(unit->planned.object.key);
    if (rewrite == Rewrite::same) {
      entries.push_back(unit_entry(*unit, UnitState::ignored, kSameAgain));
      entries.back().digest = unit->planned.known->digest;
      continue;
    }
    switch (pipeline_.feed.on_rewrite) {
      case OnRewrite::warn:
        warn(fmt::format("{} changed since it was applied; its old rows stay (on_rewrite: warn)",
                         object));
        entries.push_back(unit_entry(*unit, UnitState::ignored, "changed since applied"));
        entries.back().digest = unit->planned.known->digest;
        ++report_.changed_since_applied;
        break;
      case OnRewrite::stop:
        return fail(
            {.code = ErrorCode::refused,
             .operation = "read",
             .object = object,
             .cause = "it changed since it was applied, and `on_rewrite: stop` forbids that",
             .hint = "set on_rewrite to warn, replace or append, or restore the object"});
      case OnRewrite::replace:
      case OnRewrite::append: due.push_back(unit); break;
    }
  }
  return {};
}

Status Applier::write(const Units& units, const Units& settled, Collapsed collapsed,
                      std::vector<UnitEntry> entries) {
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files) RETURN_IF_ERROR(file.bytes->unchanged());
    entries.push_back(unit_entry(*unit, UnitState::applied, ""));
  }
  Batch batch = make_batch(pipeline_, head_, std::move(collapsed), std::move(entries), now_);
  const auto planned = planned_of(settled);
  advance_mark(pipeline_, planned, limits_, now_, batch);
  batch.seconds = std::chrono::duration<double>(clock_.now() - now_).count();
  progress_.step(fmt::format("writing {} units", batch.units.size()));
  auto applied = pipeline_.target->apply(batch);
  if (!applied) return fail(std::move(applied).error());
  follow(head_, batch);
  limits_.settle(pipeline_.feed, planned, now_);
  count(units, *applied);
  return {};
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
  std::vector<std::string> names;
  for (const LoadedUnit* unit : units) names.push_back(unit->planned.name.name);
  std::ranges::sort(names);
  ASSIGN_OR_RETURN(const auto known, pipeline_.target->known(pipeline_.name, names));
  const bool all =
      known.size() == names.size() && std::ranges::all_of(known, [&](const KnownUnit& unit) {
        return unit.commit_no > head_.commit_no;
      });
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
  limits_.settle(pipeline_.feed, planned_of(units), now_);
  cycle_error_ = false;
  return {};
}

void Applier::count(const Units& units, const Applied& applied) {
  std::uint64_t files = 0;
  std::uint64_t rows = 0;
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files) {
      ++files;
      rows += file.footer.rows;
      report_.bytes += file.bytes->info().size;
    }
  }
  report_.units.applied += units.size();
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
