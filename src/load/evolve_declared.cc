#include <fmt/format.h>

#include "engine/exact_cast.h"
#include "load/evolver.h"
#include "load/type_names.h"

// The part of evolve() for columns whose type a person or a document tells: no file votes on it,
// and each value of each file must be exactly one of it.
namespace forebay {
namespace {

// Whether a standing column may take a declared type: none of its values changes, at most its form.
bool can_turn_into(const ColumnType& standing, const ColumnType& declared) {
  if (const auto widened = widen(standing, declared)) return widened->type == declared;
  if (declared.kind != TypeKind::text || standing.kind == TypeKind::blob) return false;
  return standing.children.empty() && can_be_declared(standing, declared);
}

}  // namespace

// Of UUIDs in all their forms the column rule of its own is the last word.
std::optional<ColumnType> Evolver::declared_type(const FileSchema& schema,
                                                 std::size_t position) const {
  if (schema.uuid_types[position]) return std::nullopt;
  if (const auto type = feed_.columns.of(schema.names[position]).type) return column_type(*type);
  return schema.declared.empty() ? std::nullopt : schema.declared[position];
}

// Only where the type is from the same hand.
CastForm Evolver::cast_form(const FileSchema& schema, std::size_t position) const {
  const ColumnOption option = feed_.columns.of(schema.names[position]);
  return {.format = option.format, .unit = option.unit, .timezone = option.timezone};
}

Status Evolver::check_declared(const FileSchema& schema, std::size_t position) const {
  const ColumnType& file = schema.reader[position].type;
  const auto declared = declared_type(schema, position);
  if (!declared || !schema.has_rows ||
      can_be_declared(file, *declared, cast_form(schema, position)))
    return {};
  return fail(
      drift(table_, schema.object,
            fmt::format("column '{}' is declared as {}, and {} in this file cannot become that",
                        schema.names[position], to_sql(*declared), to_sql(file)),
            "correct its type under `columns`, or have the file delivered otherwise"));
}

Status Evolver::meet_declared(const FileSchema& schema, std::size_t position, std::size_t column) {
  RETURN_IF_ERROR(check_declared(schema, position));
  const ColumnType declared = *declared_type(schema, position);
  const Column& standing = read_[column];
  // A type that came from text alone in this cycle is still open.
  bool fits = column >= standing_ && evolution_.born.contains(standing.name);
  evolution_.born.erase(standing.name);
  text_votes_.erase(column);
  declared_.insert(column);
  if (standing.type == declared) return {};
  fits = fits || can_turn_into(standing.type, declared);
  if (!fits && column < standing_) {
    ASSIGN_OR_RETURN(fits, is_empty(standing.name));
  }
  if (!fits)
    return fail(drift(table_, schema.object,
                      fmt::format("column '{}' is {} in the table and declared as {}",
                                  standing.name, to_sql(standing.type), to_sql(declared)),
                      "its rows cannot take that type unchanged: declare the table's, or reset the "
                      "table"));
  return retype(column, declared, schema.object);
}

}  // namespace forebay
