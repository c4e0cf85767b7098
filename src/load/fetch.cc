#include "load/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "base/fault.h"
#include "base/limits.h"
#include "base/stop.h"
#include "load/companions.h"
#include "load/decode.h"
#include "load/fingerprints.h"
#include "load/folder_files.h"
#include "load/list_pages.h"
#include "load/ranged_download.h"
#include "load/staging.h"

namespace forebay {
namespace {

Error stopped(const std::string& object) {
  return {.code = ErrorCode::interrupted,
          .operation = "read",
          .object = object,
          .cause = "asked to stop"};
}

// A file that the unit names and the store lacks is the unit's damage, not the bucket's absence.
Error about_named_file(Error error) {
  if (error.code != ErrorCode::not_found) return error;
  error.code = ErrorCode::damaged;
  error.cause = "the unit lists this file, but it is not there";
  error.hint = "have the delivery repeated; it is tried again by the next load";
  return error;
}

Status check_size(const StagedFile& staged, std::uint64_t size) {
  if (!staged.file.size || *staged.file.size == size) return {};
  return fail({.code = ErrorCode::damaged,
               .operation = "verify",
               .object = staged.object,
               .cause = fmt::format("it has {} bytes, its unit says {}", size, *staged.file.size),
               .hint = "have the delivery repeated; it is tried again by the next load"});
}

Status fetch_in_place(const Pipeline& pipeline, StagedFile& staged, const std::string& version,
                      Progress& progress) {
  ASSIGN_OR_RETURN(staged.bytes, pipeline.store->open_in_place(staged.file.key));
  if (!version.empty() && staged.bytes->info().version != version)
    return fail({.code = ErrorCode::changed,
                 .operation = "open",
                 .object = staged.object,
                 .cause = "it was replaced since it was listed",
                 .hint = "the next load takes the new version"});
  RETURN_IF_ERROR(fault_point("fetch.opened"));
  RETURN_IF_ERROR(check_size(staged, staged.bytes->info().size));
  Fingerprints digest(staged.file);
  RETURN_IF_ERROR(hash_in_place(*staged.bytes, staged.object, digest));
  RETURN_IF_ERROR(digest.finish(staged));
  progress.fetched(staged.bytes->info().size);
  return {};
}

Status download(const Pipeline& pipeline, StagedFile& staged, const std::string& version,
                Progress& progress) {
  ASSIGN_OR_RETURN(auto file, create_staging_file(pipeline.staging_folder));
  RETURN_IF_ERROR(fault_point("fetch.opened"));
  Fingerprints digest(staged.file);
  const ByteSink sink = [&](std::span<const std::byte> bytes) -> Status {
    if (stop_requested()) return fail(stopped(staged.object));
    RETURN_IF_ERROR(file->write(bytes));
    digest.update(bytes);
    progress.fetched(bytes.size());
    return {};
  };
  const auto start_over = [&]() -> Status {
    digest = Fingerprints(staged.file);
    return file->start_over();
  };
  ASSIGN_OR_RETURN(
      ObjectInfo info,
      pipeline.store->read({.key = staged.file.key, .version = version, .start_over = start_over},
                           sink));
  info.size = file->written();
  RETURN_IF_ERROR(check_size(staged, info.size));
  RETURN_IF_ERROR(digest.finish(staged));
  staged.bytes = file->finish(std::move(info));
  return {};
}

Status verify(const Pipeline& pipeline, StagedFile& staged) {
  const UnitFile& file = staged.file;
  RETURN_IF_ERROR(decode(pipeline, staged));
  if (file.rows && *file.rows != staged.footer.rows)
    return fail(
        {.code = ErrorCode::damaged,
         .operation = "verify",
         .object = staged.object,
         .cause = fmt::format("it has {} rows, its unit says {}", staged.footer.rows, *file.rows),
         .hint = "have the delivery repeated; it is tried again by the next load"});
  return fault_point("fetch.verified");
}

Result<StagedFile> fetch_once(const Pipeline& pipeline, const UnitFile& file,
                              const std::string& version, Progress& progress) {
  StagedFile staged{.file = file, .object = pipeline.store->display(file.key)};
  if (pipeline.store->promises().in_place) {
    RETURN_IF_ERROR(fetch_in_place(pipeline, staged, version, progress));
  } else {
    RETURN_IF_ERROR(download(pipeline, staged, version, progress));
  }
  RETURN_IF_ERROR(verify(pipeline, staged));
  return staged;
}

}  // namespace

Time time_of(const PlannedUnit& unit, const UnitContent& content) {
  if (content.time) return *content.time;
  return unit.name.name_time.value_or(unit.object.last_modified);
}

namespace {

// A unit without one of its companions: it waits.
Result<UnitContent> without_companion(const Pipeline& pipeline, const PlannedUnit& unit,
                                      const std::string& key) {
  if (pipeline.feed.unit.run.by_content())
    return UnitContent{.kind = "document",
                       .readiness = UnitContent::Readiness::wait,
                       .why = fmt::format("{} is not there yet", key)};
  return fail({.code = ErrorCode::changed,
               .operation = "read",
               .object = pipeline.store->display(unit.object.key),
               .cause = fmt::format("{} is not there any more", key),
               .hint = "the unit waits until it is"});
}

Error too_long_document(const std::string& object, std::uint64_t bytes) {
  return {.code = ErrorCode::damaged,
          .operation = "read",
          .object = object,
          .cause = fmt::format("{} bytes, more than a document may have ({})", bytes,
                               kMaxDocumentBytes)};
}

Result<std::string> read_own_document(const Pipeline& pipeline, const PlannedUnit& unit) {
  const std::string object = pipeline.store->display(unit.object.key);
  if (unit.object.size > kMaxDocumentBytes)
    return fail(too_long_document(object, unit.object.size));
  std::string bytes;
  const ByteSink sink = [&](std::span<const std::byte> part) -> Status {
    if (stop_requested()) return fail(stopped(object));
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
    // Not every listing tells sizes, and none has to be believed.
    if (bytes.size() > kMaxDocumentBytes) return fail(too_long_document(object, bytes.size()));
    return {};
  };
  const auto info =
      pipeline.store->read({.key = unit.object.key, .version = unit.object.version}, sink);
  if (!info) {
    Error error = info.error();
    // Listed a moment ago and gone: the next listing tells.
    if (error.code == ErrorCode::not_found) error.code = ErrorCode::changed;
    return fail(std::move(error));
  }
  RETURN_IF_ERROR(fault_point("fetch.document_read"));
  return bytes;
}

Result<UnitContent> read_whole_content(const Pipeline& pipeline, const PlannedUnit& unit) {
  if (unit.error) return fail(*unit.error);
  if (unit.content != nullptr) return *unit.content;
  const Feed& feed = pipeline.feed;
  ASSIGN_OR_RETURN(const FoundCompanions companions, read_companions(pipeline, unit.name));
  if (!companions.missing.empty()) return without_companion(pipeline, unit, companions.missing);
  if (feed.unit.kind != UnitKind::document) return file_content(feed, unit.name, companions.texts);
  std::string bytes;
  if (!feed.unit.folder) {
    ASSIGN_OR_RETURN(bytes, read_own_document(pipeline, unit));
  }
  auto content = read_document(feed, pipeline.root, unit.name, bytes, companions.texts);
  if (content) {
    if (content->each) RETURN_IF_ERROR(add_folder_files(pipeline, unit, *content));
    return content;
  }
  Error error = std::move(content).error();
  if (error.object.empty()) error.object = pipeline.store->display(unit.object.key);
  return fail(std::move(error));
}

}  // namespace

Result<UnitContent> read_content(const Pipeline& pipeline, const PlannedUnit& unit) {
  auto content = read_whole_content(pipeline, unit);
  if (!content || unit.only_tables.empty()) return content;
  content->rows.reset();
  std::erase_if(content->files, [&](const UnitFile& file) {
    return std::ranges::find(unit.only_tables, file.table) == unit.only_tables.end();
  });
  return content;
}

std::vector<Result<UnitContent>> read_contents(const Pipeline& pipeline,
                                               const std::vector<const PlannedUnit*>& units,
                                               Executor& executor) {
  std::vector<Result<UnitContent>> contents(units.size());
  executor.run(units.size(),
               [&](std::size_t i) { contents[i] = read_content(pipeline, *units[i]); });
  return contents;
}

namespace {

// The keys below `prefix` whose last segment is that of `key`.
Result<std::vector<ObjectInfo>> find_moved(const Pipeline& pipeline, const std::string& prefix,
                                           const std::string& key) {
  const std::string name = key.substr(key.rfind('/') + 1);
  std::vector<ObjectInfo> found;
  RETURN_IF_ERROR(list_pages(pipeline, {.prefix = prefix}, [&](ListPage& page) -> Status {
    for (ObjectInfo& object : page.objects) {
      if (object.key.ends_with("/" + name)) found.push_back(std::move(object));
    }
    return {};
  }));
  return found;
}

// A file that is not at its path: taken from where it was moved to, if its bytes are certainly the
// same.
Result<StagedFile> fetch_moved(const Pipeline& pipeline, const UnitFile& file, Error error,
                               Progress& progress) {
  ASSIGN_OR_RETURN(const auto found, find_moved(pipeline, file.moved, file.key));
  if (found.empty()) return fail(about_named_file(std::move(error)));
  for (const ObjectInfo& object : found) {
    if (file.hashes.empty() || object.size != file.size.value_or(object.size)) continue;
    UnitFile moved = file;
    moved.key = object.key;
    auto staged = fetch_once(pipeline, moved, object.version, progress);
    if (staged || staged.error().code != ErrorCode::damaged) return staged;
  }
  return fail({.code = ErrorCode::damaged,
               .operation = "read",
               .object = pipeline.store->display(file.key),
               .cause = fmt::format("it was moved to {}, and nothing proves that this is the file "
                                    "its unit means",
                                    pipeline.store->display(found.front().key)),
               .hint = "have the delivery repeated, or move the file back if it is the right one"});
}

}  // namespace

Result<StagedFile> fetch_file(const Pipeline& pipeline, const UnitFile& file,
                              const std::string& version, Progress& progress) {
  auto staged = fetch_once(pipeline, file, version, progress);
  if (!staged && staged.error().code == ErrorCode::damaged)
    staged = fetch_once(pipeline, file, version, progress);
  if (staged) return staged;
  if (staged.error().code == ErrorCode::not_found && !file.moved.empty())
    return fetch_moved(pipeline, file, std::move(staged).error(), progress);
  return fail(about_named_file(std::move(staged).error()));
}

namespace {

// The rows of all files, where only the unit says how many there must be.
Status check_unit_rows(const LoadedUnit& unit) {
  if (!unit.content.rows || !unit.planned.passed_over.empty()) return {};
  std::uint64_t rows = 0;
  for (const StagedFile& file : unit.files) rows += file.footer.rows;
  if (rows == *unit.content.rows) return {};
  return fail(
      {.code = ErrorCode::damaged,
       .operation = "verify",
       .object = unit.planned.name.name,
       .cause = fmt::format("its files have {} rows, the unit says {}", rows, *unit.content.rows),
       .hint = "have the delivery repeated; it is tried again by the next load"});
}

// Bytes that fail verification are fetched once more, as a whole.
Result<StagedFile> finish_ranged(const Pipeline& pipeline, RangedDownload& ranged,
                                 const UnitFile& file, const std::string& version,
                                 Progress& progress) {
  auto staged = ranged.finish();
  if (staged) {
    if (const Status sound = verify(pipeline, *staged); !sound) staged = fail(sound.error());
  }
  if (staged || staged.error().code != ErrorCode::damaged) return staged;
  staged = fetch_file(pipeline, file, version, progress);
  if (staged) ranged.whole_was_sound();
  return staged;
}

}  // namespace

std::uint64_t size_to_fetch(const PlannedUnit& unit, const UnitFile& file, bool listed) {
  return file.size.value_or(listed ? unit.object.size : 0);
}

std::vector<Status> fetch_units(const Pipeline& pipeline, std::vector<LoadedUnit>& units,
                                Executor& executor, Progress& progress) {
  struct Task {
    std::size_t unit;
    std::size_t file;
    RangedDownload* ranged = nullptr;  // of a large file one range
    std::size_t range = 0;
  };
  // A file that is a unit by itself was listed, and that version is meant; what a document names is
  // whatever stands there now.
  const bool listed = pipeline.feed.unit.kind != UnitKind::document;
  const auto version_of = [&](std::size_t u) {
    return listed ? units[u].planned.object.version : std::string();
  };
  std::vector<Task> tasks;
  std::vector<Status> outcomes(units.size());
  RangedDownload::Learned learned;
  std::vector<std::unique_ptr<RangedDownload>> ranged;
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u].files.resize(units[u].content.files.size());
    if (!units[u].planned.passed_over.empty()) continue;
    for (std::size_t f = 0; f < units[u].content.files.size(); ++f) {
      const UnitFile& file = units[u].content.files[f];
      const std::uint64_t size = size_to_fetch(units[u].planned, file, listed);
      if (!reads_by_ranges(*pipeline.store, size)) {
        tasks.push_back({.unit = u, .file = f});
        continue;
      }
      ranged.push_back(
          std::make_unique<RangedDownload>(pipeline, file, version_of(u), size, learned, progress));
      for (std::size_t i = 0; i < count_ranges(size); ++i)
        tasks.push_back({.unit = u, .file = f, .ranged = ranged.back().get(), .range = i});
    }
  }
  std::mutex mutex;
  executor.run(tasks.size(), [&](std::size_t i) {
    const Task& task = tasks[i];
    const UnitFile& file = units[task.unit].content.files[task.file];
    // Ranges are counted, so that the last one knows itself, whatever else has failed.
    if (task.ranged != nullptr && !task.ranged->read(task.range)) return;
    {
      const std::scoped_lock lock(mutex);
      if (!outcomes[task.unit]) return;  // the unit has failed already
    }
    auto staged =
        task.ranged == nullptr
            ? fetch_file(pipeline, file, version_of(task.unit), progress)
            : finish_ranged(pipeline, *task.ranged, file, version_of(task.unit), progress);
    const std::scoped_lock lock(mutex);
    if (staged) {
      units[task.unit].files[task.file] = std::move(*staged);
    } else if (outcomes[task.unit]) {
      outcomes[task.unit] = fail(std::move(staged).error());
    }
  });
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (outcomes[u]) outcomes[u] = check_unit_rows(units[u]);
  }
  return outcomes;
}

}  // namespace forebay
