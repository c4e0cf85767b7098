#include <fmt/format.h>

#include "base/ascii.h"
#include "load/evolver.h"

// The part of evolve() for columns that come from the object and not from its bytes.
namespace forebay {

// Which of the columns that come from the object has this name.
std::optional<std::size_t> Evolver::object_of(const std::string& name) const {
  for (std::size_t k = 0; k < objects_.size(); ++k) {
    if (equal_ignoring_case(objects_[k].name, name)) return k;
  }
  return std::nullopt;
}

// What a path says of a file may stand in the file too, and must agree then; what the store says of
// it never does.
Status Evolver::check_objects(const FileSchema& schema) const {
  for (const std::string& name : schema.names) {
    const auto k = object_of(name);
    if (!k || feed_.object_columns[*k].from == ObjectColumn::From::path_value) continue;
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "match the columns of " + table_.display() + " with",
                 .object = schema.object,
                 .cause = fmt::format("it has a column '{}' itself, which `metadata` adds", name),
                 .hint = "choose another name in `metadata`"});
  }
  return {};
}

// The table's columns for what comes from the object; new ones come after those of the files.
Status Evolver::bind_objects(const FileSchema& any) {
  for (const Column& wanted : objects_) {
    auto column = find(wanted.name, {}, true);
    if (!column) column = find(wanted.name, {}, false);
    if (!column) {
      if (state_.exists && feed_.on_schema_change == OnSchemaChange::fail)
        return fail(drift(table_, any.object, fmt::format("column '{}' is new", wanted.name),
                          "on_schema_change: fail forbids it"));
      column = read_.size();
      read_.push_back(wanted);
    }
    const ColumnType& standing = read_[*column].type;
    const auto widened = widen(standing, wanted.type);
    if (!widened)
      return fail(drift(table_, any.object,
                        fmt::format("column '{}' is {} in the table and {} by the options",
                                    wanted.name, to_sql(standing), to_sql(wanted.type)),
                        "give it the table's type"));
    RETURN_IF_ERROR(retype(*column, widened->type, any.object));
    object_columns_.push_back(*column);
  }
  return {};
}

}  // namespace forebay
