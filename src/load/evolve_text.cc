#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "load/evolver.h"

// The part of evolve() that chooses types for values that came as text.
namespace forebay {

void Evolver::vote_by_text(const FileSchema& schema, std::size_t position, std::size_t column) {
  if (declared_.contains(column)) return;
  TextVotes& votes = text_votes_[column];
  votes.all.merge(schema.profiles[position]);
  votes.each.emplace_back(&schema, schema.profiles[position]);
}

// A column that only text has brought so far takes the type from which all its values print back.
void Evolver::settle_born(std::size_t column, TextProfile values) {
  Column& standing = read_[column];
  TextProfile& known = evolution_.born[standing.name];
  const bool had_values = known.any;
  values.merge(known);
  known = values;
  ColumnType type = natural_type(values);
  if (column < standing_ && type != standing.type) {
    // Rows of an earlier batch stand: what cannot take them over unchanged becomes text, which can.
    const auto widened = widen(standing.type, type);
    if (had_values && (!widened || widened->type != type)) type = {.kind = TypeKind::text};
    retyped_.insert(column);
  }
  standing.type = std::move(type);
}

// Whether the type of a column may be chosen by text: nothing else has brought it a value so far.
Result<bool> Evolver::is_open(std::size_t column, const TextProfile& values) const {
  const Column& standing = read_[column];
  if (evolution_.born.contains(standing.name)) return true;
  if (!values.any || voted_.contains(column)) return false;
  if (column >= standing_) return true;
  if (standing.type == natural_type(values)) return false;
  if (standing.type.kind != TypeKind::text && holds(standing.type, values)) return false;
  return is_empty(standing.name);
}

// Values that came as text meet their column, after all files that say their types have.
Status Evolver::settle_text(std::size_t column) {
  const TextVotes& votes = text_votes_.at(column);
  const Column& standing = read_[column];
  ASSIGN_OR_RETURN(const bool open, is_open(column, votes.all));
  if (open) {
    settle_born(column, votes.all);
    return {};
  }
  const std::string& first = votes.each.front().first->object;
  if (const auto type = widen_to_text(standing.type, votes.all))
    return retype(column, *type, first);
  const auto culprit = std::ranges::find_if(
      votes.each, [&](const auto& vote) { return !widen_to_text(standing.type, vote.second); });
  return fail(drift(table_, culprit == votes.each.end() ? first : culprit->first->object,
                    fmt::format("column '{}' is {} in the table, and not every value in this file "
                                "is one",
                                standing.name, to_sql(standing.type)),
                    "correct the file, or reset the table"));
}

}  // namespace forebay
