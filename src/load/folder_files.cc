#include "load/folder_files.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/digest.h"
#include "base/limits.h"
#include "feed/content.h"
#include "load/list_pages.h"

namespace forebay {

void FolderVersion::add(const ObjectInfo& object) {
  Digest digest(DigestKind::xxh3_64);
  digest.update(fmt::format("{}\n{}\n{}", object.key, object.size, object.version));
  const std::string bytes = digest.bytes();
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  sum_ += number;
  ++objects_;
}

std::string FolderVersion::text() const { return fmt::format("{}:{:016x}", objects_, sum_); }

Status add_folder_files(const Pipeline& pipeline, const PlannedUnit& unit, UnitContent& content) {
  const Feed& feed = pipeline.feed;
  const auto wrong = [&](ErrorCode code, std::string cause) {
    return fail({.code = code,
                 .operation = "list the folder of",
                 .object = pipeline.store->display(unit.object.key),
                 .cause = std::move(cause)});
  };
  const auto folder = feed.unit.folder ? std::optional(unit.object.key)
                                       : expand_template(feed.files->folder, unit.name);
  if (!folder)
    return wrong(ErrorCode::refused,
                 fmt::format("its name does not give \"{}\"", feed.files->folder));
  FolderVersion version;
  RETURN_IF_ERROR(list_pages(pipeline, {.prefix = *folder}, [&](ListPage& page) -> Status {
    for (ObjectInfo& object : page.objects) {
      const std::string_view below = std::string_view(object.key).substr(folder->size());
      if (object.key == unit.object.key || object.size == 0 ||
          !is_folder_data(*feed.files, below)) {
        continue;
      }
      if (content.files.size() == kMaxDocumentFiles)
        return wrong(ErrorCode::refused,
                     fmt::format("more than {} files lie there", kMaxDocumentFiles));
      version.add(object);
      UnitFile file = *content.each;
      file.key = std::move(object.key);
      file.size = object.size;
      content.files.push_back(std::move(file));
    }
    return {};
  }));
  const std::string& listed = unit.object.version;
  if (feed.unit.folder && !listed.empty() && version.text() != listed)
    return wrong(ErrorCode::changed, "its files changed since they were listed");
  content.digest = content_digest(content);
  return {};
}

}  // namespace forebay
