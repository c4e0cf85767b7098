#include "load/ranged_download.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/encode.h"
#include "base/fault.h"
#include "base/stop.h"
#include "base/transfer_limits.h"
#include "load/fingerprints.h"

namespace forebay {
namespace {

// In several stores the version of an object that was written at once is the MD5 of its bytes,
// unless the store encrypts them.
bool may_be_md5(std::string_view version) {
  return version.size() == 32 && std::ranges::all_of(version, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

bool reads_by_ranges(const ObjectStore& store, std::uint64_t size) {
  const StorePromises promises = store.promises();
  return size >= kMinRangedBytes && !promises.in_place && promises.lists_versions;
}

std::size_t count_ranges(std::uint64_t size) {
  return static_cast<std::size_t>((size + kRangeBytes - 1) / kRangeBytes);
}

RequestCounts requests_to_fetch(const Pipeline& pipeline, std::uint64_t size, bool listed) {
  const StorePromises promises = pipeline.store->promises();
  if (promises.in_place) return {};                             // it is opened, which nobody counts
  if (!promises.lists_versions) return {.get = 1, .other = 1};  // a link is asked for, then read
  if (!reads_by_ranges(*pipeline.store, size)) return {.get = 1};
  return {.get = count_ranges(size), .head = listed ? 0U : 1U};
}

RangedDownload::RangedDownload(const Pipeline& pipeline, const UnitFile& file, std::string version,
                               std::uint64_t size, Learned& learned, Progress& progress)
    : pipeline_(pipeline),
      unit_file_(file),
      size_(size),
      learned_(learned),
      progress_(progress),
      staged_{.file = file, .object = pipeline.store->display(file.key)},
      info_{.key = file.key, .size = size, .version = std::move(version)},
      left_(count_ranges(size)) {}

// Pins the version and makes the file, once.
Status RangedDownload::begin() {
  const std::scoped_lock lock(mutex_);
  if (!error_) return fail(error_.error());
  if (begun_) return {};
  if (info_.version.empty()) {
    ASSIGN_OR_RETURN(info_, pipeline_.store->stat(unit_file_.key));
    if (info_.size != size_)
      return fail({.code = ErrorCode::damaged,
                   .operation = "verify",
                   .object = staged_.object,
                   .cause = fmt::format("it has {} bytes, its unit says {}", info_.size, size_),
                   .hint = "have the delivery repeated; it is tried again by the next load"});
  }
  ASSIGN_OR_RETURN(bytes_, create_staging_file(pipeline_.staging_folder, size_));
  RETURN_IF_ERROR(fault_point("fetch.opened"));
  begun_ = true;
  return {};
}

Status RangedDownload::read_range(std::uint64_t offset, std::uint64_t length) {
  RETURN_IF_ERROR(begin());
  std::uint64_t at = offset;
  const ByteSink sink = [&](std::span<const std::byte> part) -> Status {
    if (stop_requested())
      return fail({.code = ErrorCode::interrupted,
                   .operation = "read",
                   .object = staged_.object,
                   .cause = "asked to stop"});
    RETURN_IF_ERROR(bytes_->write_at(at, part));
    at += part.size();
    progress_.fetched(part.size());
    return {};
  };
  const auto start_over = [&]() -> Status {
    at = offset;
    return {};
  };
  const auto read = pipeline_.store->read({.key = unit_file_.key,
                                           .version = info_.version,
                                           .offset = offset,
                                           .length = length,
                                           .start_over = start_over},
                                          sink);
  if (!read) return fail(read.error());
  if (at == offset + length) return {};
  return fail({.code = ErrorCode::damaged,
               .operation = "read",
               .object = staged_.object,
               .cause = fmt::format("{} bytes at {} came where {} were asked for", at - offset,
                                    offset, length)});
}

bool RangedDownload::read(std::size_t i) {
  const std::uint64_t offset = i * kRangeBytes;
  Status status = read_range(offset, std::min(kRangeBytes, size_ - offset));
  const std::scoped_lock lock(mutex_);
  if (!status && (error_ || i < error_range_)) {
    error_ = std::move(status);
    error_range_ = i;
  }
  return --left_ == 0;
}

Result<StagedFile> RangedDownload::finish() {
  if (!error_) return fail(error_.error());
  staged_.bytes = bytes_->finish(info_);
  UnitFile expected = unit_file_;
  compared_md5_ = learned_.versions_are_md5 && may_be_md5(info_.version);
  if (compared_md5_)
    expected.hashes.push_back(
        {.kind = DigestKind::md5, .bytes = hex_decode(info_.version).value_or("")});
  Fingerprints digest(expected);
  RETURN_IF_ERROR(hash_in_place(*staged_.bytes, staged_.object, digest));
  RETURN_IF_ERROR(digest.finish(staged_));
  return std::move(staged_);
}

void RangedDownload::whole_was_sound() {
  if (compared_md5_) learned_.versions_are_md5 = false;
}

}  // namespace forebay
