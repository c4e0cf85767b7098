#include "load/folder_files.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/limits.h"
#include "feed/content.h"
#include "load/list_pages.h"
#include "load/parts.h"

namespace forebay {

Status add_folder_files(const Pipeline& pipeline, const PlannedUnit& unit, UnitContent& content) {
  const FilesRule& rule = *pipeline.feed.files;
  const auto refused = [&](std::string cause) {
    return fail({.code = ErrorCode::refused,
                 .operation = "list the folder of",
                 .object = pipeline.store->display(unit.object.key),
                 .cause = std::move(cause)});
  };
  const auto folder = expand_template(rule.folder, unit.name);
  if (!folder) return refused(fmt::format("its name does not give \"{}\"", rule.folder));
  const std::string table = name_value(rule.table, unit.name).value_or("");
  if (!is_table_name(table)) return refused(fmt::format("\"{}\" is no name for a table", table));
  RETURN_IF_ERROR(list_pages(pipeline, {.prefix = *folder}, [&](ListPage& page) -> Status {
    for (ObjectInfo& object : page.objects) {
      const std::string_view below = std::string_view(object.key).substr(folder->size());
      const bool data = object.key != unit.object.key && object.size > 0 && !below.empty() &&
                        !below.ends_with('/') && !is_hidden(below);
      if (!data || (rule.match && !rule.match->match(below))) continue;
      if (content.files.size() == kMaxDocumentFiles)
        return refused(fmt::format("more than {} files lie there", kMaxDocumentFiles));
      content.files.push_back({.table = table,
                               .key = std::move(object.key),
                               .size = object.size,
                               .effect = effect_of(pipeline.feed, content)});
    }
    return {};
  }));
  content.digest = content_digest(content);
  return {};
}

}  // namespace forebay
