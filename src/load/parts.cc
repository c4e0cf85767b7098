#include "load/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "load/pieces.h"
#include "load/record.h"

namespace forebay {
namespace {

// All but the last of the values that name a part: whose the table is.
std::string owner(const std::string& part) { return part.substr(0, part.rfind('\n')); }
std::string table_of(const std::string& part) { return part.substr(0, part.find('\n')); }

// Units that will be loaded, and say to which part of a table.
bool names_part(const PlannedUnit& unit) {
  return unit.due() && !unit.error && unit.content != nullptr && !unit.content->part.empty();
}

// How to tell apart what would be one table.
std::string select_hint(const SelectRule& rule) {
  std::vector<std::string> names;
  for (const auto& [name, value] : rule.values) names.push_back("`" + name + "`");
  if (names.empty()) return "load them by pipelines with a `source` and a `schema` of their own";
  return fmt::format("choose one by {}, or give each a table of its own under `tables`",
                     fmt::join(names, " or "));
}

UnitEntry entry(const PlannedUnit& unit, UnitState state, std::string reason) {
  return unit_entry({.planned = unit, .content = *unit.content, .files = {}}, state,
                    std::move(reason));
}

class Parts {
 public:
  Parts(const Pipeline& pipeline, Discovery& found)
      : pipeline_(pipeline), feed_(pipeline.feed), found_(found), units_(found.units) {}

  Status run();

 private:
  void check_owners();
  void check_guesses();
  void begin_tables();
  void begin_table(const std::string& table, PlannedUnit& first);
  void supersede();
  void supersede_part(std::vector<PlannedUnit> units, const std::string& applied);
  Error refusal(const PlannedUnit& unit, std::string cause, std::string hint) const;

  const Pipeline& pipeline_;
  const Feed& feed_;
  Discovery& found_;
  std::vector<PlannedUnit>& units_;
  std::vector<AppliedPart> applied_;  // what the ledger has of each part
};

// Parts of different owners in one table would replace or mix each other's rows.
void Parts::check_owners() {
  std::map<std::string, std::string> stands;               // table → its owner in the ledger
  std::map<std::string, std::set<std::string>> claimants;  // table → owners, due ones included
  for (const AppliedPart& applied : applied_) stands[table_of(applied.part)] = owner(applied.part);
  for (const auto& [table, known] : stands) claimants[table].insert(known);
  for (const PlannedUnit& unit : units_) {
    if (names_part(unit)) claimants[*unit.content->table].insert(owner(unit.content->part));
  }
  for (PlannedUnit& unit : units_) {
    if (!names_part(unit)) continue;
    const auto& owners = claimants.at(*unit.content->table);
    const auto known = stands.find(*unit.content->table);
    const bool owns = known != stands.end() && known->second == owner(unit.content->part);
    if (owners.size() == 1 || owns) continue;
    std::string names = fmt::format("{}", fmt::join(owners, " and "));
    std::ranges::replace(names, '\n', '/');
    unit.error = refusal(unit, fmt::format("two exports give one table: {}", names),
                         select_hint(feed_.select));
  }
}

// What documents chose for a table holds for all of its units.
void Parts::check_guesses() {
  std::map<std::string, std::string> taken;  // table → the word of its first unit
  for (PlannedUnit& unit : units_) {
    if (!names_part(unit) || unit.content->guess.empty()) continue;
    const std::string& table = *unit.content->table;
    const std::string& word = taken.try_emplace(table, unit.content->guess).first->second;
    const EffectRule& rule = feed_.of(table, word).effect;
    const auto other = std::ranges::find_if(applied_, [&](const AppliedPart& applied) {
      return table_of(applied.part) == table && applied.kind != rule.word &&
             !rule.choices.contains(applied.kind);
    });
    if (word == unit.content->guess && other == applied_.end()) continue;
    unit.error = refusal(unit,
                         fmt::format("it asks for `{}`: {}, and other units of table {} for {}",
                                     feed_.of(table).effect.guessed_option, unit.content->guess,
                                     table, other == applied_.end() ? word : other->kind),
                         fmt::format("say under tables.{} what it is", table));
  }
}

// Where a table was begun twice, the second time is a new beginning: what is older is history.
// Under a table that stands it cannot be put: what was deleted before it would come back.
void Parts::begin_tables() {
  std::map<std::string, PlannedUnit*> newest;
  for (PlannedUnit& unit : units_) {
    if (!names_part(unit) || !effect_of(feed_, *unit.content).begins) continue;
    PlannedUnit*& first = newest[*unit.content->table];
    if (first == nullptr || first->name.place < unit.name.place) first = &unit;
  }
  for (auto& [table, first] : newest) begin_table(table, *first);
  std::erase_if(units_, [](const PlannedUnit& unit) { return unit.standing == Standing::settled; });
}

void Parts::begin_table(const std::string& table, PlannedUnit& first) {
  const auto begun = std::ranges::find_if(applied_, [&](const AppliedPart& applied) {
    return table_of(applied.part) == table && applied.kind == first.content->kind;
  });
  const bool anew = std::ranges::any_of(units_, [&](const PlannedUnit& unit) {
    return names_part(unit) && *unit.content->table == table &&
           effect_of(feed_, *unit.content).begins && unit.name.place < first.name.place;
  });
  for (PlannedUnit& unit : units_) {
    if (!names_part(unit) || *unit.content->table != table) continue;
    if (begun == applied_.end()) {
      if (!anew || unit.name.place >= first.name.place || unit.standing != Standing::fresh)
        continue;
      first.superseded.push_back(entry(unit, UnitState::superseded, "before " + first.name.name));
      std::ranges::copy(unit.documents, std::back_inserter(first.documents));
      unit.standing = Standing::settled;
    } else if (!effect_of(feed_, *unit.content).begins || unit.name.name == begun->unit) {
      continue;
    } else if (unit.name.place < begun->place) {
      decide(unit, UnitState::superseded, "before " + begun->unit, found_);
      unit.standing = Standing::settled;
    } else {
      unit.error = refusal(
          unit,
          fmt::format("table {} was begun by {} and holds what came after it", table, begun->unit),
          fmt::format("load the table anew: forebay reset {} --table {} --drop-tables",
                      pipeline_.name, table));
    }
  }
}

Error Parts::refusal(const PlannedUnit& unit, std::string cause, std::string hint) const {
  return {.code = ErrorCode::refused,
          .operation = "load",
          .object = pipeline_.store->display(unit.name.key),
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

// `applied` is the place of the unit that stands in this part, empty if none does.
void Parts::supersede_part(std::vector<PlannedUnit> units, const std::string& applied) {
  // Pieces of a state that was passed meanwhile: nobody waits for the others.
  const auto passed = std::ranges::stable_partition(units, [&](const PlannedUnit& unit) {
    return !unit.content->piece || unit.standing == Standing::changed || unit.name.place > applied;
  });
  for (const PlannedUnit& unit : passed)
    decide(unit, UnitState::superseded, "a newer one was applied", found_);
  units.erase(passed.begin(), passed.end());
  join_pieces(units, units_);
  if (units.empty()) return;
  PlannedUnit newest = std::move(units.front());
  units.erase(units.begin());
  std::ranges::reverse(units);
  if (newest.name.place < applied) {
    units.push_back(std::move(newest));
    for (PlannedUnit& unit : units)
      decide(unit, UnitState::superseded, "a newer one was applied", found_);
    return;
  }
  for (PlannedUnit& unit : units) {
    newest.superseded.push_back(entry(unit, UnitState::superseded, "by " + newest.name.name));
    std::ranges::move(unit.documents, std::back_inserter(newest.documents));
  }
  units_.push_back(std::move(newest));
}

void Parts::supersede() {
  std::map<std::string, std::vector<PlannedUnit>> parts;
  std::vector<PlannedUnit> others;
  for (PlannedUnit& unit : units_) {
    const bool clears = unit.due() && unit.content != nullptr && clears_part(feed_, *unit.content);
    (clears ? parts[unit.content->part] : others).push_back(std::move(unit));
  }
  units_ = std::move(others);
  for (auto& [part, units] : parts) {
    std::string place;
    for (const AppliedPart& applied : applied_) {
      if (applied.part == part) place = std::max(place, applied.place);
    }
    supersede_part(std::move(units), place);
  }
}

Status Parts::run() {
  if (feed_.effect.part.empty()) return {};
  ASSIGN_OR_RETURN(applied_, pipeline_.target->newest_of_parts(pipeline_.name));
  check_owners();
  check_guesses();
  begin_tables();
  supersede();
  return {};
}

}  // namespace

const Effect& effect_of(const Feed& feed, const UnitContent& content) {
  const EffectRule& rule = feed.of(content.table.value_or(""), content.guess).effect;
  const auto choice = rule.choices.find(content.kind);
  return choice == rule.choices.end() ? rule.fixed : choice->second;
}

bool clears_part(const Feed& feed, const UnitContent& content) {
  return effect_of(feed, content).clear_part;
}

void decide(const PlannedUnit& unit, UnitState state, std::string reason, Discovery& found) {
  found.decided.push_back(entry(unit, state, std::move(reason)));
  std::ranges::copy(unit.documents, std::back_inserter(found.documents));
}

Status settle_parts(const Pipeline& pipeline, Discovery& found) {
  return Parts(pipeline, found).run();
}

}  // namespace forebay
