#include "load/rewrite.h"

#include <algorithm>

namespace forebay {

Result<Rewrite> compare_rewrite(const Pipeline& pipeline, const LoadedUnit& unit,
                                Progress& progress) {
  if (!unit.planned.known) return Rewrite::different;
  if (pipeline.feed.windowed()) {
    return unit.files.front().checksum == unit.planned.known->digest ? Rewrite::same
                                                                     : Rewrite::different;
  }
  if (unit.content.digest != unit.planned.known->digest) return Rewrite::different;
  ASSIGN_OR_RETURN(const auto applied,
                   pipeline.target->files_of(pipeline.name, unit.planned.name.name));
  for (const UnitFile& file : unit.content.files) {
    const std::string key = pipeline.store->ledger_key(file.key);
    const auto entry = std::ranges::find_if(applied, [&](const FileEntry& known) {
      return known.store_key == key && known.table.name == file.table;
    });
    if (entry == applied.end()) return Rewrite::different;
    const auto info = pipeline.store->stat(file.key);
    if (info && info->version == entry->etag && info->size == entry->size) continue;
    auto staged = fetch_file(pipeline, file, {}, progress);
    if (!staged) return fail(std::move(staged).error());
    if (staged->checksum != entry->checksum) return Rewrite::different;
  }
  return Rewrite::same;
}

}  // namespace forebay
