#include "load/identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/ascii.h"
#include "load/window.h"

namespace forebay {
namespace {

// A change of the description's wording or of an option like look-back is recorded, not refused.
constexpr std::string_view kFreeFact = "feed";

// How a table's columns are called in files, where the names differ.
constexpr std::string_view kNamesFact = "names";

std::string effect_text(const Effect& effect) {
  return fmt::format(
      "{}{}{}",
      effect.clear_table  ? "clear, "
      : effect.clear_part ? "clear part, "
      : effect.begins     ? "begin, "
                          : "",
      effect.put ? "put" : "append",
      effect.once.empty() ? "" : fmt::format(" once by {}", fmt::join(effect.once, ", ")));
}

std::string effects_text(const EffectRule& rule) {
  const std::string word = rule.word.empty() ? "" : rule.word + ": ";
  if (!rule.by) return word + effect_text(rule.fixed);
  std::string text = word;
  for (const auto& [choice, effect] : rule.choices)
    text += fmt::format("{}{}: {}", text == word ? "" : "; ", choice, effect_text(effect));
  return text;
}

// The columns that parts of the path become, by name.
std::string path_columns_text(const Feed& feed) {
  std::vector<std::string> texts;
  for (const ObjectColumn& column : feed.object_columns) {
    if (column.from == ObjectColumn::From::path_value)
      texts.push_back(fmt::format("{} {}", column.name, type_text(column.type)));
  }
  std::ranges::sort(texts);
  return fmt::format("{}", fmt::join(texts, ", "));
}

Error refuse(const Pipeline& pipeline, std::string object, std::string cause, std::string hint) {
  return {.code = ErrorCode::refused,
          .operation = fmt::format("pipeline '{}'", pipeline.name),
          .object = std::move(object),
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

// A table whose name differs from a known one by case only would be the same table to the database.
Status check_spelling(const Pipeline& pipeline, const LedgerHead& head, const TableName& table) {
  for (const Fact& fact : head.facts) {
    if (fact.name == "table" && fact.subject != table.display() &&
        equal_ignoring_case(fact.subject, table.display()))
      return fail(refuse(pipeline, "table " + table.display(),
                         fmt::format("it differs from {} by case only", fact.subject),
                         "databases do not tell them apart; the producer must settle on one name"));
  }
  return {};
}

}  // namespace

namespace {

// What rows mean: of all tables, or of one that has rules of its own.
void add_meaning(const Feed& feed, const std::string& subject, std::vector<Fact>& facts) {
  const auto add = [&](const char* name, std::string value) {
    facts.push_back({.name = name, .subject = subject, .value = std::move(value)});
  };
  add("effect", effects_text(feed.effect));
  add("key", fmt::format("{}", fmt::join(feed.rows.key, ", ")));
  add("version", version_text(feed.rows));
  add("delete", delete_text(feed.rows.deletes));
  add("conflict", feed.rows.conflict == Conflict::first ? "first" : "newest");
  add("keep", feed.keeps_history() ? "both" : "current");
}

}  // namespace

std::vector<Fact> facts_of(const Pipeline& pipeline) {
  const Feed& feed = pipeline.feed;
  std::vector<Fact> facts = {
      {.name = "source", .value = pipeline.source},
      {.name = std::string(kFreeFact), .value = fmt::format("{} {}", feed.name, feed.digest)},
      {.name = "schema", .value = pipeline.schema},
  };
  add_meaning(feed, "", facts);
  for (const auto& [table, own] : feed.keyed)
    facts.push_back({.name = "key",
                     .subject = TableName{pipeline.schema, table}.display(),
                     .value = fmt::format("{}", fmt::join(own->rows.key, ", "))});
  for (const SelectRule::Table& table : feed.select.tables) {
    const TableName name{pipeline.schema, table.name};
    add_meaning(feed.of(table.name), name.display(), facts);
    facts.push_back(
        {.name = "select", .subject = name.display(), .value = select_text(table.match)});
  }
  if (!feed.select.values.empty())
    facts.push_back({.name = "select", .value = select_text(feed.select.wanted)});
  if (feed.table && feed.table->from == ValueRef::From::constant)
    facts.push_back({.name = "table_name", .value = feed.table->name});
  if (feed.unit.kind == UnitKind::file)
    facts.push_back({.name = "dedup", .value = feed.dedup_content ? "content" : "name"});
  facts.push_back({.name = "partition_columns", .value = path_columns_text(feed)});
  if (feed.window) {
    facts.push_back({.name = "time_column", .value = feed.window->time_column});
    facts.push_back({.name = "time_format", .value = time_format_word(feed.window->format)});
  }
  return facts;
}

// A table's name as facts have it; a schema's name has no dot.
std::vector<TableName> tables_of(const LedgerHead& head) {
  std::vector<TableName> tables;
  for (const Fact& fact : head.facts) {
    if (fact.name != "table") continue;
    const std::size_t dot = fact.subject.find('.');
    tables.push_back({fact.subject.substr(0, dot), fact.subject.substr(dot + 1)});
  }
  std::ranges::sort(tables);
  return tables;
}

namespace {

// A table that has a key of its own had another one before, or has it no longer.
Status check_keys(const Pipeline& pipeline, const LedgerHead& head) {
  const std::string* others = head.fact("key", "");
  const Feed& whole = pipeline.feed;
  if (whole.rows.key_from || !whole.select.values.empty() || others == nullptr) return {};
  for (const TableName& table : tables_of(head)) {
    const std::string* own = head.fact("key", table.display());
    const auto listed = pipeline.feed.keyed.find(table.name);
    if (own == nullptr && listed == pipeline.feed.keyed.end()) continue;
    const Feed& feed =
        listed == pipeline.feed.keyed.end() ? pipeline.feed.of(table.name) : *listed->second;
    const std::string now = fmt::format("{}", fmt::join(feed.rows.key, ", "));
    const std::string& was = own == nullptr ? *others : *own;
    if (now != was)
      return fail(
          refuse(pipeline, "key of " + table.display(),
                 fmt::format("it is '{}' now and was '{}' when the table was loaded", now, was),
                 "what rows mean cannot change under tables that stand: set it back, or "
                 "start a new pipeline with tables of its own"));
  }
  return {};
}

}  // namespace

Status check_identity(const Pipeline& pipeline, const LedgerHead& head) {
  RETURN_IF_ERROR(check_keys(pipeline, head));
  for (const Fact& fact : facts_of(pipeline)) {
    if (fact.name == kFreeFact) continue;
    const std::string* known = head.fact(fact.name, fact.subject);
    if (known == nullptr || *known == fact.value) continue;
    return fail(refuse(
        pipeline,
        fact.subject.empty() ? fact.name : fmt::format("{} of {}", fact.name, fact.subject),
        fmt::format("it is '{}' now and was '{}' when the tables were loaded", fact.value, *known),
        fact.name == "source"
            ? "load another source under another pipeline name, or set the old source again"
            : "what rows mean cannot change under tables that stand: set it back, or start a new "
              "pipeline with tables of its own"));
  }
  return {};
}

Status check_tables(const Pipeline& pipeline, const LedgerHead& head,
                    const std::vector<TableName>& tables, const std::vector<TableState>& states) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string object = "table " + tables[i].display();
    const TableState& state = states[i];
    RETURN_IF_ERROR(check_spelling(pipeline, head, tables[i]));
    if (i > 0 && equal_ignoring_case(tables[i - 1].display(), tables[i].display()))
      return fail(refuse(pipeline, object, "another table of this delivery differs by case only",
                         "databases do not tell them apart; the producer must settle on one name"));
    if (pipeline.feed.keeps_history() &&
        std::ranges::find(tables, history_table(tables[i])) != tables.end())
      return fail(refuse(pipeline, object,
                         "another table of this delivery is called as its history",
                         "load them by two pipelines with a `schema` each"));
    if (!state.owner.empty() && state.owner != pipeline.name)
      return fail(refuse(pipeline, object, fmt::format("it belongs to pipeline '{}'", state.owner),
                         "give this pipeline another `schema`"));
    if (state.exists && state.owner.empty() && pipeline.feed.adopts && state.rows > 0)
      return fail(refuse(pipeline, object, "it has rows, and forebay did not load them",
                         "only an empty table can be adopted"));
    if (state.exists && state.owner.empty() && !pipeline.feed.adopts)
      return fail(refuse(pipeline, object, "it exists, but forebay did not make it",
                         "give this pipeline another `schema`, or rename that table; an empty one "
                         "that fits is taken over with `adopt: true`"));
    if (!state.exists && state.has_history && pipeline.feed.of(tables[i].name).keeps_history())
      return fail(refuse(pipeline, "table " + history_table(tables[i]).display(),
                         "it exists, but forebay did not make it",
                         "give this pipeline another `schema`, or rename that table"));
    if (!state.exists && state.owner == pipeline.name)
      return fail(refuse(pipeline, object,
                         "the ledger knows it, but it is no longer in the database",
                         fmt::format("restore it from a backup of the database file, or load it "
                                     "anew: forebay reset {} --table {}",
                                     pipeline.name, tables[i].display())));
  }
  return {};
}

std::vector<Fact> adopted_facts(const std::vector<TableName>& tables,
                                const std::vector<TableState>& states) {
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (states[i].exists && states[i].owner.empty())
      facts.push_back({.name = "table", .subject = tables[i].display(), .value = "adopted"});
  }
  return facts;
}

// As JSON: {"total_2": "Total"}.
std::map<std::string, std::string> column_names(const LedgerHead& head, const TableName& table) {
  const std::string* known = head.fact(kNamesFact, table.display());
  if (known == nullptr) return {};
  return nlohmann::json::parse(*known).get<std::map<std::string, std::string>>();
}

std::vector<Fact> new_facts(const Pipeline& pipeline, const LedgerHead& head,
                            const std::vector<TableChange>& tables) {
  std::vector<Fact> facts;
  for (Fact& fact : facts_of(pipeline)) {
    const std::string* known = head.fact(fact.name, fact.subject);
    if (known == nullptr || *known != fact.value) facts.push_back(std::move(fact));
  }
  for (const TableChange& change : tables) {
    if (change.create)
      facts.push_back({.name = "table", .subject = change.table.display(), .value = "made"});
    if (!change.names.empty() && change.names != column_names(head, change.table))
      facts.push_back({.name = std::string(kNamesFact),
                       .subject = change.table.display(),
                       .value = nlohmann::json(change.names).dump()});
    if (change.history && change.history->create)
      facts.push_back(
          {.name = "table", .subject = history_table(change.table).display(), .value = "made"});
  }
  return facts;
}

}  // namespace forebay
