#include "load/peek.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "load/staging.h"

namespace forebay {
namespace {

// Reads [offset, offset + length) of the version into the same place of the sparse file.
Status copy_part(const Pipeline& pipeline, const StagedFile& peeked, const ObjectInfo& info,
                 std::uint64_t offset, std::uint64_t length, StagingFile& into) {
  RETURN_IF_ERROR(into.skip_to(offset));
  const ByteSink sink = [&](std::span<const std::byte> bytes) { return into.write(bytes); };
  const auto read = pipeline.store->read(
      {.key = peeked.file.key, .version = info.version, .offset = offset, .length = length}, sink);
  if (!read) return fail(read.error());
  return {};
}

Status peek_into(const Pipeline& pipeline, StagedFile& peeked) {
  ASSIGN_OR_RETURN(const ObjectInfo info, pipeline.store->stat(peeked.file.key));
  ASSIGN_OR_RETURN(auto file, create_staging_file(pipeline.staging_folder));
  const std::uint64_t head = std::min<std::uint64_t>(info.size, 4);
  std::uint64_t tail = std::min<std::uint64_t>(info.size - head, kPeekBytes);
  RETURN_IF_ERROR(copy_part(pipeline, peeked, info, 0, head, *file));
  RETURN_IF_ERROR(copy_part(pipeline, peeked, info, info.size - tail, tail, *file));
  peeked.bytes = file->finish(info);
  return {};
}

Result<std::optional<StagedFile>> peek_text(const Pipeline& pipeline, const UnitFile& file) {
  ASSIGN_OR_RETURN(const ObjectInfo info, pipeline.store->stat(file.key));
  if (info.size > kPeekBytes) return std::nullopt;
  Progress silent;
  ASSIGN_OR_RETURN(StagedFile peeked, fetch_file(pipeline, file, info.version, silent));
  return peeked;
}

}  // namespace

Result<std::optional<StagedFile>> peek_file(const Pipeline& pipeline, const UnitFile& file) {
  const DecodeRule& rule = file.decode ? *file.decode : pipeline.feed.decode;
  if (form_of(rule, file.key).format != FileFormat::parquet) return peek_text(pipeline, file);
  StagedFile peeked{.file = file, .object = pipeline.store->display(file.key)};
  if (pipeline.store->promises().in_place) {
    ASSIGN_OR_RETURN(peeked.bytes, pipeline.store->open_in_place(file.key));
  } else {
    RETURN_IF_ERROR(peek_into(pipeline, peeked));
  }
  ASSIGN_OR_RETURN(peeked.footer, read_parquet_footer(peeked.bytes->path(), peeked.object));
  // A reader takes BSON only from the copy that a load stages.
  const bool bson = std::ranges::any_of(peeked.footer.columns, [](const ParquetColumn& column) {
    return column.type.contains("BSON");
  });
  if (bson) return std::nullopt;
  return peeked;
}

}  // namespace forebay
