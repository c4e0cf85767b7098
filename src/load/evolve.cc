#include "load/evolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"

namespace forebay {
namespace {

// The names that a column may get, in turn: its own, unless it has none or one of ours.
std::string possible_name(const std::string& exact, int attempt) {
  std::string name = exact.empty() ? "unnamed" : exact;
  constexpr std::string_view kOurs = "_forebay_";
  if (equal_ignoring_case(name.substr(0, kOurs.size()), kOurs)) name = "x" + name;
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

class Evolver {
 public:
  Evolver(const TableName& table, const TableState& state, const Feed& feed,
          const BornColumns& born, Target& target)
      : table_(table), state_(state), feed_(feed), target_(target) {
    evolution_.columns = state.columns;
    evolution_.names = state.names;
    evolution_.born = born;
  }

  Result<Evolution> run(const std::vector<FileSchema>& schemas);

 private:
  // Which column of the table each column of a file is; none: the delete flag, or left out.
  struct Bound {
    std::size_t column = 0;
    bool all_null = false;  // of another type, and without a value that could matter
  };
  using Binding = std::vector<std::optional<Bound>>;

  Result<Binding> bind(const FileSchema& schema);
  std::optional<std::size_t> find(const std::string& name, const std::set<std::size_t>& taken,
                                  bool exact) const;
  Result<std::optional<std::size_t>> add(const FileSchema& schema, std::size_t position);
  std::string free_name(const std::string& exact) const;
  const std::string& file_name(std::size_t column) const;
  Status widen_to(const FileSchema& schema, std::size_t position, Bound& bound);
  void vote_by_text(const FileSchema& schema, std::size_t position, std::size_t column);
  Status settle_text(std::size_t column);
  Result<bool> is_open(std::size_t column, const TextProfile& values) const;
  void settle_born(std::size_t column, TextProfile values);
  Status retype(std::size_t column, const ColumnType& type, const std::string& object);
  Status check_required(const FileSchema& schema, const Binding& binding) const;
  Layout layout(const FileSchema& schema, const Binding& binding) const;
  bool is_flag(const FileSchema& schema, std::size_t position) const {
    return !feed_.rows.deletes.flag.empty() && schema.names[position] == feed_.rows.deletes.flag;
  }

  const TableName& table_;
  const TableState& state_;
  const Feed& feed_;
  Target& target_;
  Evolution evolution_;
  std::set<std::size_t> retyped_;
  std::set<std::size_t> voted_;  // columns that a typed file with rows of this batch has
  struct TextVotes {
    TextProfile all;
    std::vector<std::pair<const FileSchema*, TextProfile>> each;
  };
  std::map<std::size_t, TextVotes> text_votes_;  // by column
};

std::optional<std::size_t> Evolver::find(const std::string& name,
                                         const std::set<std::size_t>& taken, bool exact) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < evolution_.columns.size(); ++i) {
    if (taken.contains(i)) continue;
    const std::string& column = file_name(i);
    if (column == name) return i;
    if (exact || !equal_ignoring_case(column, name)) continue;
    if (found) return std::nullopt;  // two differ by case only: none of them is meant for sure
    found = i;
  }
  return found;
}

// A name that the table can hold: not empty, not one of ours, not taken by another spelling.
std::string Evolver::free_name(const std::string& exact) const {
  for (int attempt = 1;; ++attempt) {
    std::string name = possible_name(exact, attempt);
    const bool taken = std::ranges::any_of(evolution_.columns, [&](const Column& column) {
      return equal_ignoring_case(column.name, name);
    });
    if (!taken) return name;
  }
}

// What a column of the table is called in files.
const std::string& Evolver::file_name(std::size_t column) const {
  const std::string& name = evolution_.columns[column].name;
  const auto renamed = evolution_.names.find(name);
  return renamed == evolution_.names.end() ? name : renamed->second;
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
  const std::size_t added = evolution_.columns.size();
  Column column{.name = free_name(exact), .type = landing_type(schema.reader[position].type)};
  if (column.name != exact) {
    evolution_.names[column.name] = exact;
    evolution_.warnings.push_back(fmt::format("{}: column '{}' is called '{}' in the table",
                                              table_.display(), exact, column.name));
  }
  if (!schema.profiles.empty()) {
    evolution_.born[column.name] = {};
    vote_by_text(schema, position, added);
  } else if (schema.has_rows) {
    voted_.insert(added);
  }
  evolution_.columns.push_back(std::move(column));
  return std::optional(added);
}

Status Evolver::widen_to(const FileSchema& schema, std::size_t position, Bound& bound) {
  const Column& standing = evolution_.columns[bound.column];
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
  if (first_vote && bound.column >= state_.columns.size()) {
    widened = Widening{.type = landing_type(file)};
  } else if (open && file.kind == TypeKind::text) {
    widened = Widening{.type = file};  // what came from text goes back to it unchanged
  } else if (!widened) {
    // A column that holds no value does not vote on its type: neither the file's nor the table's.
    ASSIGN_OR_RETURN(bound.all_null, target_.engine().is_all_null(schema.paths, position));
    if (bound.all_null) return {};
    if (first_vote) {
      ASSIGN_OR_RETURN(const bool empty, target_.column_is_all_null(table_, standing.name));
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
  Column& standing = evolution_.columns[column];
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

void Evolver::vote_by_text(const FileSchema& schema, std::size_t position, std::size_t column) {
  TextVotes& votes = text_votes_[column];
  votes.all.merge(schema.profiles[position]);
  votes.each.emplace_back(&schema, schema.profiles[position]);
}

// A column that only text has brought so far takes the type from which all its values print back.
void Evolver::settle_born(std::size_t column, TextProfile values) {
  Column& standing = evolution_.columns[column];
  TextProfile& known = evolution_.born[standing.name];
  const bool had_values = known.any;
  values.merge(known);
  known = values;
  ColumnType type = natural_type(values);
  if (column < state_.columns.size() && type != standing.type) {
    // Rows of an earlier batch stand: what cannot take them over unchanged becomes text, which can.
    const auto widened = widen(standing.type, type);
    if (had_values && (!widened || widened->type != type)) type = {.kind = TypeKind::text};
    retyped_.insert(column);
  }
  standing.type = std::move(type);
}

// Whether the type of a column may be chosen by text: nothing else has brought it a value so far.
Result<bool> Evolver::is_open(std::size_t column, const TextProfile& values) const {
  const Column& standing = evolution_.columns[column];
  if (evolution_.born.contains(standing.name)) return true;
  if (!values.any || voted_.contains(column)) return false;
  if (column >= state_.columns.size()) return true;
  if (standing.type == natural_type(values)) return false;
  if (standing.type.kind != TypeKind::text && holds(standing.type, values)) return false;
  return target_.column_is_all_null(table_, standing.name);
}

// Values that came as text meet their column, after all files that say their types have.
Status Evolver::settle_text(std::size_t column) {
  const TextVotes& votes = text_votes_.at(column);
  const Column& standing = evolution_.columns[column];
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

Result<Evolver::Binding> Evolver::bind(const FileSchema& schema) {
  Binding binding(schema.names.size());
  std::set<std::size_t> taken;
  bool shares = false;
  for (const bool exact : {true, false}) {
    for (std::size_t i = 0; i < schema.names.size(); ++i) {
      if (binding[i] || is_flag(schema, i)) continue;
      const auto found = find(schema.names[i], taken, exact);
      if (!found) continue;
      binding[i] = Bound{.column = *found};
      taken.insert(*found);
      shares = shares || *found < state_.columns.size();
    }
  }
  if (state_.exists && !state_.columns.empty() && !schema.names.empty() && !shares)
    return fail(drift(table_, schema.object, "it shares no column with the table",
                      "is this file meant for another table?"));
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    if (is_flag(schema, i)) continue;
    if (binding[i]) {
      RETURN_IF_ERROR(widen_to(schema, i, *binding[i]));
      continue;
    }
    ASSIGN_OR_RETURN(const auto added, add(schema, i));
    if (added) binding[i] = Bound{.column = *added};
  }
  return binding;
}

Status Evolver::check_required(const FileSchema& schema, const Binding& binding) const {
  for (const std::string& key : feed_.rows.key) {
    const bool there = std::ranges::any_of(binding, [&](const auto& column) {
      return column && evolution_.columns[column->column].name == key;
    });
    if (!there)
      return fail(drift(table_, schema.object, fmt::format("the key column '{}' is missing", key),
                        "every file of a table with a key must have its columns"));
  }
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

Layout Evolver::layout(const FileSchema& schema, const Binding& binding) const {
  Layout layout{.columns = std::vector<ColumnSource>(evolution_.columns.size())};
  for (const Column& column : schema.reader) layout.reader_names.push_back(column.name);
  for (std::size_t i = 0; i < binding.size(); ++i) {
    if (!binding[i] || binding[i]->all_null) continue;
    const ColumnType& type = evolution_.columns[binding[i]->column].type;
    const Column& reader = schema.reader[i];
    if (!schema.has_rows && reader.type != type)
      continue;  // no value to cast, maybe no cast either
    if (!schema.profiles.empty() && !schema.profiles[i].any) continue;
    const auto widened = widen(type, reader.type);
    layout.columns[binding[i]->column] = {.reader_name = reader.name,
                                          .reader_type = reader.type,
                                          .check_values = widened && widened->check_values};
  }
  for (std::size_t i = 0; i < schema.names.size(); ++i) {
    if (schema.has_rows && is_flag(schema, i)) layout.delete_flag = schema.reader[i].name;
  }
  return layout;
}

Result<Evolution> Evolver::run(const std::vector<FileSchema>& schemas) {
  std::vector<Binding> bindings;
  for (const FileSchema& schema : schemas) {
    ASSIGN_OR_RETURN(Binding binding, bind(schema));
    RETURN_IF_ERROR(check_required(schema, binding));
    bindings.push_back(std::move(binding));
  }
  for (const auto& [column, votes] : text_votes_) RETURN_IF_ERROR(settle_text(column));
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    evolution_.layout_of[schemas[i].fingerprint] = i;
    evolution_.layouts.push_back(layout(schemas[i], bindings[i]));
  }
  for (std::size_t i = 0; i < evolution_.columns.size(); ++i) {
    if (i >= state_.columns.size()) {
      evolution_.added.push_back(evolution_.columns[i]);
    } else if (retyped_.contains(i)) {
      evolution_.retyped.push_back(evolution_.columns[i]);
    }
  }
  return std::move(evolution_);
}

}  // namespace

Result<Evolution> evolve(const TableName& table, const TableState& state, const Feed& feed,
                         const std::vector<FileSchema>& schemas, const BornColumns& born,
                         Target& target) {
  return Evolver(table, state, feed, born, target).run(schemas);
}

}  // namespace forebay
