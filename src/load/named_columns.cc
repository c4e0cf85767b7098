#include "load/named_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace forebay {
namespace {

constexpr const char* kFact = "version_column";

// As the ledger has them, with the paths that name them: several terms of a table share one fact.
std::string fact_name(const VersionTerm& term) {
  return fmt::format("{} {}", kFact, term.named_by);
}

Error second_name(const TableName& table, const LoadedUnit& unit, const VersionTerm& term,
                  const std::string& known, const std::string& other) {
  return {.code = ErrorCode::refused,
          .operation = "compare the rows of " + table.display(),
          .object = unit.planned.name.name,
          .cause = fmt::format("{} is '{}' here, and was '{}' for what was loaded", term.named_by,
                               other, known),
          .hint =
              "rows that were compared by one column are not comparable by another: reset the "
              "table"};
}

}  // namespace

Result<std::shared_ptr<const Feed>> name_columns(const Pipeline& pipeline, const LedgerHead& head,
                                                 const TableName& table,
                                                 const std::vector<const LoadedUnit*>& units,
                                                 std::vector<Fact>& facts) {
  std::vector<const LoadedUnit*> own;
  for (const LoadedUnit* unit : units) {
    if (unit->content.table == table.name) own.push_back(unit);
  }
  // A batch has one table's units under one guess, also when they bring no file.
  const Feed& feed = pipeline.feed.of(table.name, own.empty() ? "" : own.front()->content.guess);
  std::shared_ptr<Feed> named;
  for (std::size_t i = 0; i < feed.rows.version.size(); ++i) {
    const VersionTerm& term = feed.rows.version[i];
    if (term.named_by.empty()) continue;
    const std::string* known = head.fact(fact_name(term), table.display());
    std::string column = known == nullptr ? "" : *known;
    for (const LoadedUnit* unit : own) {
      const auto name = unit->content.named_columns.find(term.named_by);
      if (name == unit->content.named_columns.end()) continue;
      if (column.empty()) column = name->second;
      if (column != name->second)
        return fail(second_name(table, *unit, term, column, name->second));
    }
    if (column.empty()) continue;
    if (known == nullptr)
      facts.push_back({.name = fact_name(term), .subject = table.display(), .value = column});
    if (named == nullptr) named = std::make_shared<Feed>(feed);
    named->rows.version[i].name = std::move(column);
  }
  if (named != nullptr) return std::shared_ptr<const Feed>(std::move(named));
  return std::shared_ptr<const Feed>(std::shared_ptr<const Feed>(),
                                     &feed);  // the pipeline keeps it
}

}  // namespace forebay
