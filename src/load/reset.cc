#include "load/reset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "load/identity.h"

namespace forebay {
namespace {

Error unknown(const std::string& pipeline, std::string cause, std::string hint) {
  return {.code = ErrorCode::invalid_config,
          .operation = fmt::format("pipeline '{}'", pipeline),
          .object = "reset",
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

Result<TableName> find_table(const std::string& pipeline, const std::string& schema,
                             const std::vector<TableName>& tables, const std::string& wanted) {
  std::vector<std::string> names;
  for (const TableName& table : tables) {
    const bool is_history = std::ranges::any_of(
        tables, [&](const TableName& one) { return history_table(one) == table; });
    if (is_history) continue;
    names.push_back(table.display());
    if (table.display() == wanted || (table.schema == schema && table.name == wanted)) return table;
  }
  return fail(unknown(pipeline, fmt::format("the ledger knows no table '{}' of it", wanted),
                      names.empty() ? "" : fmt::format("it knows {}", fmt::join(names, ", "))));
}

}  // namespace

Result<std::vector<TableName>> reset(const std::string& pipeline, const std::string& schema,
                                     Target& target, const ResetRequest& request, Clock& clock) {
  ASSIGN_OR_RETURN(const LedgerHead head, target.head(pipeline));
  if (!head.first_seen) {
    return fail(unknown(pipeline, "the ledger knows nothing of this pipeline",
                        "there is nothing to forget"));
  }
  std::vector<TableName> tables = tables_of(head);
  const std::size_t all = tables.size();
  if (request.table) {
    ASSIGN_OR_RETURN(const TableName table, find_table(pipeline, schema, tables, *request.table));
    // A table and what happened to its keys are forgotten together.
    const TableName history = history_table(table);
    std::erase_if(tables, [&](const TableName& one) { return one != table && one != history; });
  }
  RETURN_IF_ERROR(target.reset({.pipeline = pipeline,
                                .commit_no = head.commit_no + 1,
                                .decided_at = clock.now(),
                                // Where no other table is, nothing else would be left.
                                .whole = tables.size() == all,
                                .tables = tables,
                                .drop_tables = request.drop_tables}));
  return tables;
}

}  // namespace forebay
