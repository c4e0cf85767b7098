#include "load/evolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "load/column_limit.h"
#include "load/versions.h"
#include "load/window.h"

namespace forebay {
namespace {

// Whether a column's values have to be what they look like: flags, and numbers that are compared.
bool needs_type(const Feed& feed, const std::string& name) {
  const auto is_number = [&](const VersionTerm& term) {
    return term.name == name && term.as == VersionTerm::As::number;
  };
  return name == feed.rows.deletes.flag || std::ranges::any_of(feed.rows.version, is_number) ||
         std::ranges::any_of(feed.rows.tie, is_number);
}

// What a feed says of files without types: that their columns are text.
void keep_texts(const Feed& feed, FileSchema& schema) {
  if (!feed.decode.texts) return;
  for (std::size_t i = 0; i < schema.profiles.size(); ++i) {
    if (needs_type(feed, schema.names[i])) continue;
    schema.profiles[i] = TextProfile::of_words(schema.profiles[i].any);
  }
}

// 16 bytes, a UUID or its text: to all that follows it is text.
void read_uuids_as_text(const Feed& feed, FileSchema& schema) {
  schema.uuid_types.resize(schema.names.size());
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    ColumnType& type = schema.reader[i].type;
    const bool can_be =
        type.kind == TypeKind::blob || type.kind == TypeKind::uuid || type.kind == TypeKind::text;
    if (!can_be || !feed.columns.is_uuid_text(schema.names[i])) continue;
    schema.uuid_types[i] = std::exchange(type, {.kind = TypeKind::text});
    if (!schema.profiles.empty())
      schema.profiles[i] = TextProfile::of_words(schema.profiles[i].any);
  }
}

}  // namespace

Error drift(const TableName& table, const std::string& object, std::string cause,
            std::string hint) {
  return {.code = ErrorCode::drift,
          .operation = "match the columns of " + table.display() + " with",
          .object = object,
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

bool is_beside(const Feed& feed, const std::string& name) {
  const std::string& flag = feed.rows.deletes.flag;
  return (!flag.empty() && name == flag) || feed.columns.is_dropped(name);
}

bool is_term(const Feed& feed, const std::string& name) {
  const auto names_it = [&](const VersionTerm& term) {
    return term.from == VersionTerm::From::column && term.name == name;
  };
  return std::ranges::any_of(feed.rows.version, names_it) ||
         std::ranges::any_of(feed.rows.tie, names_it);
}

std::vector<Column> standing_columns(const TableState& state, const Feed& feed) {
  if (feed.keeps_history() && state.has_history) return state.history_columns;
  std::vector<Column> columns = state.columns;
  for (const Column& field : state.version) {
    if (is_beside(feed, field.name) && is_term(feed, field.name)) columns.push_back(field);
  }
  return columns;
}

Result<std::optional<std::size_t>> Evolver::add(const FileSchema& schema, std::size_t position) {
  const std::string& exact = schema.names[position];
  if (state_.exists) {
    if (feed_.on_schema_change == OnSchemaChange::fail)
      return fail(drift(table_, schema.object, fmt::format("it has a new column '{}'", exact),
                        "on_schema_change: fail forbids it; set evolve or add to take it in"));
    if (feed_.on_schema_change == OnSchemaChange::ignore) {
      evolution_.warnings.push_back(fmt::format("{}: new column '{}' is ignored (on_schema_change)",
                                                table_.display(), exact));
      return std::optional<std::size_t>();
    }
  }
  const std::size_t added = read_.size();
  RETURN_IF_ERROR(check_declared(schema, position));
  const auto declared = declared_type(schema, position);
  ASSIGN_OR_RETURN(std::string name, new_name(exact));
  Column column{.name = std::move(name),
                .type = declared.value_or(landing_type(schema.reader[position].type))};
  if (column.name != exact) evolution_.names[column.name] = exact;
  if (column.name != exact && feed_.columns.of(exact).rename.empty()) {
    evolution_.warnings.push_back(fmt::format("{}: column '{}' is called '{}' in the table",
                                              table_.display(), exact, column.name));
  }
  if (declared) {
    declared_.insert(added);
  } else if (!schema.profiles.empty()) {
    evolution_.born[column.name] = {};
    vote_by_text(schema, position, added);
  } else if (schema.has_rows) {
    voted_.insert(added);
  }
  read_.push_back(std::move(column));
  return std::optional(added);
}

// Whether a standing column holds no value at all. One that only decides between versions does.
Result<bool> Evolver::is_empty(const std::string& column) const {
  if (feed_.keeps_history()) return target_.column_is_all_null(history_table(table_), column);
  if (is_beside(feed_, column)) return false;
  return target_.column_is_all_null(table_, column);
}

Status Evolver::widen_to(const FileSchema& schema, std::size_t position, Bound& bound) {
  if (declared_type(schema, position)) return meet_declared(schema, position, bound.column);
  const Column& standing = read_[bound.column];
  const ColumnType& file = schema.reader[position].type;
  if (!schema.profiles.empty()) vote_by_text(schema, position, bound.column);
  if (!schema.has_rows || !schema.profiles.empty()) return {};
  if (standing.type == file) {
    voted_.insert(bound.column);
    evolution_.born.erase(standing.name);
    return {};
  }
  std::optional<Widening> widened = widen(standing.type, file);
  const bool first_vote = !voted_.contains(bound.column);
  const bool open = evolution_.born.contains(standing.name);
  if (first_vote && bound.column >= standing_) {
    widened = Widening{.type = landing_type(file)};
  } else if (open && file.kind == TypeKind::text) {
    widened = Widening{.type = file};  // what came from text goes back to it unchanged
  } else if (!widened) {
    // A column that holds no value does not vote on its type: neither the file's nor the table's.
    ASSIGN_OR_RETURN(bound.all_null, target_.engine().is_all_null(schema.paths, position));
    if (bound.all_null) return {};
    if (first_vote) {
      ASSIGN_OR_RETURN(const bool empty, is_empty(standing.name));
      if (empty) widened = Widening{.type = landing_type(file)};
    }
  }
  evolution_.born.erase(standing.name);
  voted_.insert(bound.column);
  if (!widened)
    return fail(drift(table_, schema.object,
                      fmt::format("column '{}' is {} in the table and {} in this file",
                                  standing.name, to_sql(standing.type), to_sql(file)),
                      "no lossless common type: correct the file, or reset the table"));
  return retype(bound.column, widened->type, schema.object);
}

Status Evolver::retype(std::size_t column, const ColumnType& type, const std::string& object) {
  Column& standing = read_[column];
  if (type == standing.type) return {};
  if (state_.exists && feed_.on_schema_change != OnSchemaChange::evolve)
    return fail(drift(table_, object,
                      fmt::format("column '{}' would have to widen from {} to {}", standing.name,
                                  to_sql(standing.type), to_sql(type)),
                      "on_schema_change allows it only as `evolve`"));
  standing.type = type;
  retyped_.insert(column);
  return {};
}

Result<Evolver::Binding> Evolver::bind(const FileSchema& schema) {
  RETURN_IF_ERROR(check_objects(schema));
  Binding binding(schema.names.size());
  std::set<std::size_t> taken;
  bool shares = false;
  for (const bool exact : {true, false}) {
    for (std::size_t i = 0; i < schema.names.size(); ++i) {
      if (binding[i] || !is_kept(schema, i)) continue;
      const auto found = find(schema.names[i], taken, exact);
      if (!found) continue;
      binding[i] = Bound{.column = *found};
      taken.insert(*found);
      shares = shares || *found < standing_;
    }
  }
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    if (binding[i] || !is_kept(schema, i)) continue;
    const auto found = find_renamed(schema.names[i], taken);
    if (!found) continue;
    binding[i] = Bound{.column = *found};
    taken.insert(*found);
    shares = shares || *found < standing_;
  }
  if (state_.exists && standing_ > 0 && !schema.names.empty() && !shares)
    return fail(drift(table_, schema.object, "it shares no column with the table",
                      "is this file meant for another table?"));
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    if (!is_kept(schema, i)) continue;
    if (binding[i]) {
      RETURN_IF_ERROR(check_name(schema, i, binding[i]->column));
      RETURN_IF_ERROR(widen_to(schema, i, *binding[i]));
      continue;
    }
    ASSIGN_OR_RETURN(const auto added, add(schema, i));
    if (added) binding[i] = Bound{.column = *added};
  }
  return binding;
}

// A file without the column that says what is new would be new for ever, or never.
Status Evolver::check_time(const FileSchema& schema, const Binding& binding) const {
  if (!feed_.window || by_file_time(*feed_.window, read_)) return {};
  const std::string& time = feed_.window->time_column;
  const bool there = std::ranges::any_of(
      binding, [&](const auto& column) { return column && read_[column->column].name == time; });
  if (there) return {};
  return fail(drift(table_, schema.object, fmt::format("the time column '{}' is missing", time),
                    "every file must have it; is time_column spelled as in the files?"));
}

Status Evolver::check_required(const FileSchema& schema, const Binding& binding) const {
  // JSON without a record names no columns, and no row of it lacks any.
  if (schema.names.empty() && !schema.has_rows) return {};
  const auto is_there = [&](const std::string& name) {
    return object_of(name) || std::ranges::any_of(binding, [&](const auto& column) {
             return column && read_[column->column].name == name;
           });
  };
  for (const std::string& key : feed_.rows.key) {
    if (!is_there(key))
      return fail(drift(table_, schema.object, fmt::format("the key column '{}' is missing", key),
                        "every file of a table with a key must have its columns"));
  }
  for (const auto* terms : {&feed_.rows.version, &feed_.rows.tie}) {
    if (feed_.windowed()) break;  // of windows the time is the version
    for (const VersionTerm& term : *terms) {
      if (term.from == VersionTerm::From::column && !term.may_lack && !is_there(term.name))
        return fail(drift(table_, schema.object,
                          fmt::format("the version column '{}' is missing", term.name),
                          "without it nothing says which row of a key is newer"));
    }
  }
  const std::string& generation = feed_.rows.generation;
  if (!generation.empty() && !is_there(generation))
    return fail(drift(table_, schema.object,
                      fmt::format("the column '{}' of its generation is missing", generation),
                      "without it nothing says which rows are of the newest one"));
  RETURN_IF_ERROR(check_time(schema, binding));
  RETURN_IF_ERROR(check_operation(schema));
  const std::string& flag = feed_.rows.deletes.flag;
  if (flag.empty()) return {};
  const auto found = std::ranges::find(schema.names, flag);
  if (found == schema.names.end())
    return fail(drift(table_, schema.object, fmt::format("the delete column '{}' is missing", flag),
                      "without it nobody can tell which rows are deleted"));
  const auto position = static_cast<std::size_t>(found - schema.names.begin());
  const auto& type = schema.reader[position].type;
  const bool flags = schema.profiles.empty()
                         ? type.kind == TypeKind::boolean
                         : holds({.kind = TypeKind::boolean}, schema.profiles[position]);
  if (!flags && schema.has_rows)
    return fail(drift(table_, schema.object,
                      fmt::format("the delete column '{}' is {}, not BOOLEAN", flag, to_sql(type)),
                      "correct the file"));
  return {};
}

// An operation that is missing is one that nobody knows.
Status Evolver::check_operation(const FileSchema& schema) const {
  const DeleteRule& rule = feed_.rows.deletes;
  if (rule.operation.empty() || rule.absent_puts) return {};
  if (std::ranges::find(schema.names, rule.operation) != schema.names.end()) return {};
  return fail({.code = ErrorCode::refused,
               .operation = "match the columns of " + table_.display() + " with",
               .object = schema.object,
               .cause = fmt::format("the column of operations '{}' is missing", rule.operation),
               .hint = "without it nobody can tell which rows are deleted"});
}

// How a column of a file fills one of the table.
ColumnSource Evolver::source(const FileSchema& schema, std::size_t position,
                             std::size_t column) const {
  const ColumnType& type = read_[column].type;
  const Column& reader = schema.reader[position];
  const auto widened = widen(type, reader.type);
  ColumnSource source{.reader_name = reader.name,
                      .reader_type = reader.type,
                      .check_values = widened && widened->check_values,
                      .declared = declared_.contains(column)};
  if (source.declared) source.form = cast_form(schema, position);
  if (schema.profiles.empty())
    source.null_values = feed_.columns.of(schema.names[position]).null_values;
  if (!schema.raw.empty()) source.raw = schema.raw[position];
  // A column of nanoseconds takes all that an INT96 has.
  if (source.raw.size() == 1 && source.raw.front().kind == RawValue::Kind::time_us &&
      reader.type.children.empty() && type.kind == TypeKind::timestamp_ns) {
    source.raw.front().kind = RawValue::Kind::time_ns;
    source.reader_type = type;
  }
  if (const auto& exact = schema.uuid_types[position]) {
    source.reader_type = *exact;
    source.uuid_text = true;
  }
  return source;
}

Layout Evolver::layout(const FileSchema& schema, const Binding& binding) const {
  Layout layout{.columns = std::vector<ColumnSource>(read_.size())};
  for (const Column& column : schema.reader) layout.reader_names.push_back(column.name);
  for (std::size_t i = 0; i < binding.size(); ++i) {
    if (!binding[i] || binding[i]->all_null) continue;
    if (!schema.has_rows && schema.reader[i].type != read_[binding[i]->column].type)
      continue;  // no value to cast, maybe no cast either
    if (!schema.profiles.empty() && !schema.profiles[i].any) continue;
    layout.columns[binding[i]->column] = source(schema, i, binding[i]->column);
  }
  for (std::size_t k = 0; k < objects_.size(); ++k) {
    ColumnSource& source = layout.columns[object_columns_[k]];
    source.row_number = feed_.object_columns[k].from == ObjectColumn::From::row_number;
    if (!source.row_number) source.constant = k;
  }
  for (std::size_t i = 0; i < schema.names.size() && schema.has_rows; ++i) {
    const auto k = object_of(schema.names[i]);
    if (!k) continue;
    layout.columns[object_columns_[*k]].reader_name = schema.reader[i].name;
    layout.columns[object_columns_[*k]].reader_type = schema.reader[i].type;
  }
  const DeleteRule& rule = feed_.rows.deletes;
  for (std::size_t i = 0; i < schema.names.size() && schema.has_rows; ++i) {
    if (!rule.flag.empty() && schema.names[i] == rule.flag)
      layout.delete_flag = schema.reader[i].name;
    if (!rule.operation.empty() && schema.names[i] == rule.operation)
      std::tie(layout.operation, layout.operation_name) =
          std::pair(schema.reader[i].name, schema.names[i]);
  }
  return layout;
}

// Of all columns that are read, or of those that the table has.
ColumnChanges Evolver::changes(bool all) const {
  ColumnChanges changes;
  const std::vector<Column>& before =
      all && feed_.keeps_history() ? state_.history_columns : state_.columns;
  // A table that is taken over lacks what names a row's file.
  if (!all && state_.exists && state_.owner.empty())
    changes.added.push_back({.name = kFileColumn, .type = {.kind = TypeKind::int64}});
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const Column& column = read_[i];
    if (!all && is_beside(feed_, column.name)) continue;
    changes.columns.push_back(column);
    if (std::ranges::find(before, column.name, &Column::name) == before.end()) {
      changes.added.push_back(column);
    } else if (retyped_.contains(i)) {
      changes.retyped.push_back(column);
    }
  }
  return changes;
}

Result<Evolution> Evolver::run(std::vector<FileSchema> schemas) {
  std::vector<Binding> bindings;
  for (FileSchema& schema : schemas) {
    keep_texts(feed_, schema);
    read_uuids_as_text(feed_, schema);
    ASSIGN_OR_RETURN(Binding binding, bind(schema));
    RETURN_IF_ERROR(check_required(schema, binding));
    bindings.push_back(std::move(binding));
  }
  if (!schemas.empty()) RETURN_IF_ERROR(bind_objects(schemas.front()));
  for (const auto& [column, votes] : text_votes_) RETURN_IF_ERROR(settle_text(column));
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    evolution_.layout_of[schemas[i].fingerprint] = i;
    evolution_.layouts.push_back(layout(schemas[i], bindings[i]));
  }
  static_cast<ColumnChanges&>(evolution_) = changes(false);
  evolution_.read = changes(true);
  return std::move(evolution_);
}

Result<Evolution> evolve(const TableName& table, const TableState& state, const Feed& feed,
                         const std::vector<FileSchema>& schemas, const BornColumns& born,
                         Target& target) {
  ASSIGN_OR_RETURN(Evolution evolution, Evolver(table, state, feed, born, target).run(schemas));
  const TargetPromises promises = target.promises();
  if (!promises.max_columns) return evolution;
  const RowOrder order = row_order(feed, evolution.read);
  RETURN_IF_ERROR(check_column_limit(table, evolution.columns, order, promises));
  if (feed.keeps_history())
    RETURN_IF_ERROR(check_history_limit(table, evolution.read.columns, order, promises));
  return evolution;
}

}  // namespace forebay
