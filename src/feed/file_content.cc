// What a unit says that is an object by itself.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "feed/content.h"
#include "feed/document_values.h"
#include "feed/unit.h"
#include "feed/unit_version.h"

namespace forebay {

using Json = nlohmann::json;

Result<UnitContent> file_content(const Feed& feed, const UnitName& unit,
                                 const Companions& companions) {
  DocumentValues values(feed, unit, Json::object(), {});
  RETURN_IF_ERROR(values.add_companions(companions));
  for (const AcceptRule& rule : feed.accept) RETURN_IF_ERROR(values.accept(rule));
  UnitContent content{.kind = "file"};
  RETURN_IF_ERROR(read_run(values, content));
  UnitFile file{.key = unit.key};
  const std::optional<std::string> table = content.table ? content.table
                                           : feed.table  ? values.text(*feed.table, nullptr)
                                                         : std::nullopt;
  const auto refused = [&](std::string cause) {
    return fail({.code = ErrorCode::refused,
                 .operation = "name table",
                 .object = unit.key,
                 .cause = std::move(cause)});
  };
  if (!table || !is_table_name(*table))
    return refused(fmt::format("\"{}\" is no name for a table", table.value_or("")));
  file.table = *table;
  const Feed& own = feed.of(*table);
  file.effect = own.effect.fixed;
  if (own.effect.by) {
    content.kind = values.text(*own.effect.by, nullptr).value_or("");
    const auto choice = own.effect.choices.find(content.kind);
    if (choice == own.effect.choices.end())
      return refused(unknown_choice(*own.effect.by, fmt::format("\"{}\"", content.kind), feed));
    file.effect = choice->second;
  }
  RETURN_IF_ERROR(values.read_form(nullptr, file));
  ASSIGN_OR_RETURN(file.rows, values.count(feed.agrees.rows, nullptr, ""));
  ASSIGN_OR_RETURN(file.size, values.count(feed.agrees.size, nullptr, ""));
  ASSIGN_OR_RETURN(file.hashes, values.hashes(feed.agrees.hashes, nullptr, ""));
  content.files.push_back(std::move(file));
  ASSIGN_OR_RETURN(content.version, unit_version(own, unit, [&](const VersionTerm& term) {
                     return values.version(term);
                   }));
  content.digest = content_digest(content);
  return content;
}

}  // namespace forebay
