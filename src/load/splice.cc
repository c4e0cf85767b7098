#include "load/splice.h"

#include <map>
#include <utility>

#include "base/limits.h"
#include "load/staging.h"
#include "parquet/splice.h"

namespace forebay {
namespace {

using Positions = std::vector<std::size_t>;  // in the request's files

// Writers of one schema whose footers differ otherwise; more of them are not looked for.
constexpr int kWriters = 8;

// Of the files at `positions` those that one shared file takes; the others are left in `positions`.
// Null: it would be too few.
Result<std::unique_ptr<OpenFile>> splice(const std::string& staging_folder, Positions& positions,
                                         CollapseRequest& request) {
  ASSIGN_OR_RETURN(auto staging, create_staging_file(staging_folder));
  ParquetSplicer splicer([&](std::span<const std::byte> bytes) { return staging->write(bytes); },
                         kSplicedFileBytes);
  Positions taken;
  Positions left;
  std::vector<Spliced> places;
  for (const std::size_t i : positions) {
    const InputFile& file = request.files[i];
    if (splicer.chunks() > kSpliceChunks || splicer.bytes() > kSpliceBytes) {
      left.push_back(i);
      continue;
    }
    Spliced place{.number = std::ssize(taken), .first_row = splicer.rows()};
    ASSIGN_OR_RETURN(const bool added, splicer.add(file.path, file.object, place.number));
    (added ? taken : left).push_back(i);
    if (added) places.push_back(std::move(place));
  }
  positions = std::move(left);
  if (taken.size() < kSpliceFiles) return nullptr;
  RETURN_IF_ERROR(splicer.finish());
  auto shared = staging->finish({});
  for (std::size_t i = 0; i < taken.size(); ++i) {
    InputFile& file = request.files[taken[i]];
    file.path = shared->path();
    file.spliced = std::move(places[i]);
    file.spliced->column = splicer.column();
  }
  return shared;
}

}  // namespace

Result<SharedFiles> splice_small_files(const std::string& staging_folder,
                                       CollapseRequest& request) {
  std::map<ReadsLike, Positions> alike;
  for (std::size_t i = 0; i < request.files.size(); ++i)
    alike[request.files[i].reads_like()].push_back(i);
  SharedFiles all;
  for (auto& [key, positions] : alike) {
    for (int few = 0; few < kWriters && positions.size() >= kSpliceFiles;) {
      ASSIGN_OR_RETURN(auto shared, splice(staging_folder, positions, request));
      if (shared == nullptr) {
        ++few;
      } else {
        all.push_back(std::move(shared));
      }
    }
  }
  return all;
}

}  // namespace forebay
