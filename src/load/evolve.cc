#include "load/evolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"

namespace forebay {
namespace {

std::string folded(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The names that a column may get, in turn: its own, unless it has none or one of ours.
std::string possible_name(const std::string& exact, int attempt) {
  std::string name = exact.empty() ? "unnamed" : exact;
  if (folded(name).starts_with("_forebay_")) name = "x" + name;
  return attempt == 1 ? name : fmt::format("{}_{}", name, attempt);
}

Error drift(const TableName& table, const std::string& object, std::string cause,
            std::string hint) {
  return {.code = ErrorCode::drift,
          .operation = "match the columns of " + table.display() + " with",
          .object = object,
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

// A column that the current table does not have: the delete flag, and what `drop` names.
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

// What stands of all that is read: in the history, else in the table and beside its columns.
std::vector<Column> standing_columns(const TableState& state, const Feed& feed) {
  if (feed.keeps_history() && state.has_history) return state.history_columns;
  std::vector<Column> columns = state.columns;
  for (const Column& field : state.version) {
    if (is_beside(feed, field.name) && is_term(feed, field.name)) columns.push_back(field);
  }
  return columns;
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
  }
}

class Evolver {
 public:
  Evolver(const TableName& table, const TableState& state, const Feed& feed,
          const std::function<Result<bool>(const std::string&)>& all_null)
      : table_(table),
        state_(state),
        feed_(feed),
        all_null_(all_null),
        read_(standing_columns(state, feed)),
        standing_(read_.size()) {}

  Result<Evolution> run(std::vector<FileSchema> schemas);

 private:
  // Which column each column of a file is; none: it is left out.
  using Binding = std::vector<std::optional<std::size_t>>;

  Result<Binding> bind(const FileSchema& schema);
  std::optional<std::size_t> find(const std::string& name, const std::set<std::size_t>& taken,
                                  bool exact) const;
  Result<std::optional<std::size_t>> add(const FileSchema& schema, std::size_t position);
  std::string free_name(const std::string& exact) const;
  std::optional<std::size_t> find_renamed(const FileSchema& schema, const std::string& exact,
                                          const std::set<std::size_t>& taken) const;
  Status widen_to(const FileSchema& schema, std::size_t position, std::size_t column);
  Status check_required(const FileSchema& schema, const Binding& binding) const;
  Layout layout(const FileSchema& schema, const Binding& binding) const;
  Status check_operation(const FileSchema& schema) const;
  bool is_kept(const FileSchema& schema, std::size_t position) const {
    const std::string& name = schema.names[position];
    return feed_.keeps_history() || !is_beside(feed_, name) || is_term(feed_, name);
  }
  ColumnChanges changes(bool all) const;

  const TableName& table_;
  const TableState& state_;
  const Feed& feed_;
  const std::function<Result<bool>(const std::string&)>& all_null_;
  Evolution evolution_;
  std::vector<Column> read_;
  const std::size_t standing_;  // so many of them stand already
  std::set<std::size_t> retyped_;
  std::set<std::size_t> voted_;  // columns that a file with rows of this batch has
};

std::optional<std::size_t> Evolver::find(const std::string& name,
                                         const std::set<std::size_t>& taken, bool exact) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < read_.size(); ++i) {
    if (taken.contains(i)) continue;
    const std::string& column = read_[i].name;
    if (column == name) return i;
    if (exact || folded(column) != folded(name)) continue;
    if (found) return std::nullopt;  // two differ by case only: none of them is meant for sure
    found = i;
  }
  return found;
}

// A name that the table can hold: not empty, not one of ours, not taken by another spelling.
std::string Evolver::free_name(const std::string& exact) const {
  for (int attempt = 1;; ++attempt) {
    std::string name = possible_name(exact, attempt);
    const bool taken = std::ranges::any_of(
        read_, [&](const Column& column) { return folded(column.name) == folded(name); });
    if (!taken) return name;
  }
}

// The column that an earlier file made for this name, when the name itself could not be had.
std::optional<std::size_t> Evolver::find_renamed(const FileSchema& schema, const std::string& exact,
                                                 const std::set<std::size_t>& taken) const {
  for (int attempt = 1;; ++attempt) {
    const std::string name = possible_name(exact, attempt);
    const auto column = std::ranges::find_if(
        read_, [&](const Column& standing) { return folded(standing.name) == folded(name); });
    if (column == read_.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(column - read_.begin());
    const bool meant = name != exact && column->name == name && !taken.contains(index) &&
                       std::ranges::find(schema.names, name) == schema.names.end();
    if (meant) return index;
  }
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
  Column column{.name = free_name(exact), .type = schema.reader[position].type};
  if (column.name != exact)
    evolution_.warnings.push_back(fmt::format("{}: column '{}' is called '{}' in the table",
                                              table_.display(), exact, column.name));
  if (schema.has_rows) voted_.insert(read_.size());
  read_.push_back(std::move(column));
  return std::optional(read_.size() - 1);
}

Status Evolver::widen_to(const FileSchema& schema, std::size_t position, std::size_t column) {
  Column& standing = read_[column];
  const ColumnType& file = schema.reader[position].type;
  if (!schema.has_rows) return {};
  // A column that never held a value does not vote on its type, and the first file that brings it
  // some has voted for the rest of the batch.
  const bool first_vote = voted_.insert(column).second;
  if (standing.type == file) return {};
  std::optional<Widening> widened = widen(standing.type, file);
  if (first_vote && column >= standing_) {
    widened = Widening{.type = file};
  } else if (first_vote && !widened &&
             (feed_.keeps_history() || !is_beside(feed_, standing.name))) {
    ASSIGN_OR_RETURN(const bool empty, all_null_(standing.name));
    if (empty) widened = Widening{.type = file};
  }
  if (!widened)
    return fail(drift(table_, schema.object,
                      fmt::format("column '{}' is {} in the table and {} in this file",
                                  standing.name, to_sql(standing.type), to_sql(file)),
                      "no lossless common type: correct the file, or reset the table"));
  if (widened->type == standing.type) return {};
  if (state_.exists && feed_.on_schema_change != OnSchemaChange::evolve)
    return fail(drift(table_, schema.object,
                      fmt::format("column '{}' would have to widen from {} to {}", standing.name,
                                  to_sql(standing.type), to_sql(widened->type)),
                      "on_schema_change allows it only as `evolve`"));
  standing.type = widened->type;
  retyped_.insert(column);
  return {};
}

Result<Evolver::Binding> Evolver::bind(const FileSchema& schema) {
  Binding binding(schema.names.size());
  std::set<std::size_t> taken;
  bool shares = false;
  for (const bool exact : {true, false}) {
    for (std::size_t i = 0; i < schema.names.size(); ++i) {
      if (binding[i] || !is_kept(schema, i)) continue;
      binding[i] = find(schema.names[i], taken, exact);
      if (!binding[i]) continue;
      taken.insert(*binding[i]);
      shares = shares || *binding[i] < standing_;
    }
  }
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    if (binding[i] || !is_kept(schema, i)) continue;
    binding[i] = find_renamed(schema, schema.names[i], taken);
    if (binding[i]) taken.insert(*binding[i]);
  }
  if (state_.exists && standing_ > 0 && !shares)
    return fail(drift(table_, schema.object, "it shares no column with the table",
                      "is this file meant for another table?"));
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    if (!is_kept(schema, i)) continue;
    if (!binding[i]) {
      ASSIGN_OR_RETURN(binding[i], add(schema, i));
    } else {
      RETURN_IF_ERROR(widen_to(schema, i, *binding[i]));
    }
  }
  return binding;
}

Status Evolver::check_required(const FileSchema& schema, const Binding& binding) const {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::any_of(
        binding, [&](const auto& column) { return column && read_[*column].name == name; });
  };
  for (const std::string& key : feed_.rows.key) {
    if (!is_there(key))
      return fail(drift(table_, schema.object, fmt::format("the key column '{}' is missing", key),
                        "every file of a table with a key must have its columns"));
  }
  for (const auto* terms : {&feed_.rows.version, &feed_.rows.tie}) {
    for (const VersionTerm& term : *terms) {
      if (term.from == VersionTerm::From::column && !is_there(term.name))
        return fail(drift(table_, schema.object,
                          fmt::format("the version column '{}' is missing", term.name),
                          "without it nothing says which row of a key is newer"));
    }
  }
  RETURN_IF_ERROR(check_operation(schema));
  const std::string& flag = feed_.rows.deletes.flag;
  if (flag.empty()) return {};
  const auto found = std::ranges::find(schema.names, flag);
  if (found == schema.names.end())
    return fail(drift(table_, schema.object, fmt::format("the delete column '{}' is missing", flag),
                      "without it nobody can tell which rows are deleted"));
  const auto& type = schema.reader[static_cast<std::size_t>(found - schema.names.begin())].type;
  if (type.kind != TypeKind::boolean && schema.has_rows)
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

Layout Evolver::layout(const FileSchema& schema, const Binding& binding) const {
  Layout layout{.columns = std::vector<ColumnSource>(read_.size())};
  for (std::size_t i = 0; i < binding.size(); ++i) {
    if (!binding[i]) continue;
    const ColumnType& type = read_[*binding[i]].type;
    const Column& reader = schema.reader[i];
    if (!schema.has_rows && reader.type != type)
      continue;  // no value to cast, maybe no cast either
    const auto widened = widen(type, reader.type);
    layout.columns[*binding[i]] = {.reader_name = reader.name,
                                   .reader_type = reader.type,
                                   .check_values = widened && widened->check_values};
    if (const auto& exact = schema.uuid_types[i]) {
      layout.columns[*binding[i]].reader_type = *exact;
      layout.columns[*binding[i]].uuid_text = true;
    }
  }
  const DeleteRule& rule = feed_.rows.deletes;
  for (std::size_t i = 0; i < schema.names.size() && schema.has_rows; ++i) {
    if (!rule.flag.empty() && schema.names[i] == rule.flag)
      layout.delete_flag = schema.reader[i].name;
    if (!rule.operation.empty() && schema.names[i] == rule.operation)
      layout.operation = schema.reader[i].name;
  }
  return layout;
}

// Of all columns that are read, or of those that the table has.
ColumnChanges Evolver::changes(bool all) const {
  ColumnChanges changes;
  const std::vector<Column>& before =
      all && feed_.keeps_history() ? state_.history_columns : state_.columns;
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
    read_uuids_as_text(feed_, schema);
    ASSIGN_OR_RETURN(Binding binding, bind(schema));
    RETURN_IF_ERROR(check_required(schema, binding));
    bindings.push_back(std::move(binding));
  }
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    evolution_.layout_of[schemas[i].fingerprint] = i;
    evolution_.layouts.push_back(layout(schemas[i], bindings[i]));
  }
  static_cast<ColumnChanges&>(evolution_) = changes(false);
  evolution_.read = changes(true);
  return std::move(evolution_);
}

}  // namespace

Result<Evolution> evolve(const TableName& table, const TableState& state, const Feed& feed,
                         const std::vector<FileSchema>& schemas,
                         const std::function<Result<bool>(const std::string&)>& all_null) {
  return Evolver(table, state, feed, all_null).run(schemas);
}

Result<std::vector<FileSchema>> file_schemas(const std::vector<const StagedFile*>& files,
                                             Engine& engine) {
  std::vector<FileSchema> schemas;
  std::map<std::string, std::size_t> seen;
  for (const StagedFile* file : files) {
    const auto [entry, fresh] = seen.try_emplace(file->footer.schema_fingerprint, schemas.size());
    if (!fresh) {
      FileSchema& schema = schemas[entry->second];
      schema.has_rows = schema.has_rows || file->footer.rows > 0;
      continue;
    }
    FileSchema schema{.fingerprint = file->footer.schema_fingerprint,
                      .object = file->object,
                      .has_rows = file->footer.rows > 0};
    for (const ParquetColumn& column : file->footer.columns) {
      schema.names.push_back(column.name);
      if (column.decimal_precision > 38)
        return fail({.code = ErrorCode::refused,
                     .operation = "read",
                     .object = file->object,
                     .cause = fmt::format("column '{}' is {}: more digits than the target holds",
                                          column.name, column.type),
                     .hint = "it would lose digits; have it delivered as text"});
    }
    ASSIGN_OR_RETURN(schema.reader, engine.file_columns(file->bytes->path(), file->object));
    if (schema.reader.size() != schema.names.size())
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = file->object,
                   .cause = fmt::format("its footer names {} columns, the reader finds {}",
                                        schema.names.size(), schema.reader.size())});
    schemas.push_back(std::move(schema));
  }
  return schemas;
}

}  // namespace forebay
