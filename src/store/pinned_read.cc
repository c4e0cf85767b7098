#include "store/pinned_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/crc32c.h"
#include "base/digest.h"
#include "net/http_range.h"

namespace forebay {
namespace {

// What an attempt has to bring for the time to begin anew: with less a server that sends a few
// bytes and falls silent would never be given up.
constexpr std::uint64_t kProgress = 64 * 1024;

// Fingerprints of what went by, compared with what the store told.
class Comparison {
 public:
  explicit Comparison(std::vector<Fingerprint> told) : told_(std::move(told)) {
    for (const Fingerprint& one : told_) {
      if (one.kind == Fingerprint::Kind::md5) md5_.emplace(DigestKind::md5);
      if (one.kind == Fingerprint::Kind::crc32c) crc32c_.emplace();
    }
  }

  void update(std::span<const std::byte> bytes) {
    if (md5_) md5_->update(bytes);
    if (crc32c_) crc32c_->update(bytes);
  }

  // What does not agree, for people; empty: all does.
  std::string difference() const {
    for (const Fingerprint& one : told_) {
      const bool md5 = one.kind == Fingerprint::Kind::md5;
      const std::string found = md5 ? md5_->hex() : crc32c_->hex();
      if (found == one.hex) continue;
      return fmt::format("the bytes have the {} {}, the store says {}", md5 ? "MD5" : "CRC32C",
                         found, one.hex);
    }
    return {};
  }

 private:
  std::vector<Fingerprint> told_;
  std::optional<Digest> md5_;
  std::optional<Crc32c> crc32c_;
};

// One read, over as many attempts as it takes.
class Reading {
 public:
  Reading(PinnedObject& object, const ReadRequest& request, const ByteSink& sink)
      : object_(object),
        request_(request),
        sink_(sink),
        version_(request.version),
        next_(request.offset) {
    // Saturating: a length that no object has is found out when the server tells the size.
    const std::uint64_t room = UINT64_MAX - request_.offset;
    if (request_.length) end_ = request_.offset + std::min(*request_.length, room);
  }

  Result<ObjectInfo> run() {
    RETURN_IF_ERROR(object_.repeat([&](RetryAttempt& attempt) { return attempt_once(attempt); }));
    if (comparison_) {
      const std::string difference = comparison_->difference();
      if (!difference.empty()) return fail(error(ErrorCode::damaged, difference));
    }
    return info_;
  }

 private:
  Error error(ErrorCode code, std::string cause) const {
    return {.code = code,
            .operation = "read",
            .object = object_.display(),
            .cause = std::move(cause),
            .hint = {}};
  }

  // Everything that was asked for has been handed on.
  bool complete() const { return end_ && next_ >= *end_; }

  bool wants_range() const { return next_ > 0 || request_.length.has_value(); }

  PinnedPart next_part() const {
    PinnedPart part{.version = version_, .range = {}};
    if (wants_range()) {
      const std::string last = end_ ? fmt::format("{}", *end_ - 1) : "";
      part.range = fmt::format("bytes={}-{}", next_, last);
    }
    return part;
  }

  Status attempt_once(RetryAttempt& attempt) {
    // Nothing to ask for: HTTP has no empty range. The version is looked at all the same.
    if (complete()) {
      ASSIGN_OR_RETURN(ObjectInfo info, object_.stat(attempt));
      return accept(std::move(info));
    }
    const std::uint64_t before = next_;
    const HttpReceiver receiver{
        .head = [&](const HttpHead& head) { return begin(head); },
        .body = [&](std::span<const std::byte> bytes) { return take(bytes); }};
    cut_off_ = false;
    empty_part_ = false;
    auto refusal = object_.get(next_part(), receiver, attempt);
    if (next_ - before >= kProgress) attempt.progressed();
    if (!refusal && !cut_off_) return fail(std::move(refusal).error());
    if (refusal && *refusal) return refused(std::move(**refusal), attempt);
    if (empty_part_)
      return refused({.status = 416, .error = error(ErrorCode::damaged, "the part is empty")},
                     attempt);
    if (!end_)
      end_ = next_;  // the length was not announced, and the server ended the body properly
    if (next_ == *end_) return {};
    return fail(error(ErrorCode::unavailable, "the body ended before its announced length"));
  }

  // 416 at the very end of an object is no damage: there is nothing left to read. Not every server
  // tells the size with it, so the object is asked for its own.
  Status refused(PinnedRefusal refusal, RetryAttempt& attempt) {
    if (refusal.status == 416 && request_.length.value_or(0) == 0) {
      auto info = object_.stat(attempt);
      if (info && info->size == next_) {
        end_ = next_;
        return accept(std::move(*info));
      }
    }
    return fail(std::move(refusal.error));
  }

  // The head of an answer: is it the version, and the range, that was asked for?
  Status begin(const HttpHead& head) {
    auto info = object_.info_from(head);
    // An answer that tells no version is not the object's: some gateway spoke.
    if (!info) return fail(error(ErrorCode::unavailable, std::move(info).error().cause));
    skip_ = 0;
    // Instead of 416; its range, from the end to before it, is none.
    empty_part_ = head.status == 206 && content_length(head) == 0;
    if (empty_part_) return {};
    if (head.status == 206) {
      const auto range = parse_content_range(head.find("content-range").value_or(""));
      if (!range) return fail(error(ErrorCode::damaged, "an answer with a part names no range"));
      info->size = range->total;
      RETURN_IF_ERROR(check_range(*range));
    } else if (wants_range()) {
      skip_ = next_;  // the server sent the whole object instead of the part
    }
    const bool told = head.find("content-length") || head.status == 206;
    RETURN_IF_ERROR(accept(std::move(*info)));
    if (!end_ && told) end_ = info_.size;
    // Later answers to the same read only go on with the bytes.
    if (next_ == 0 && !request_.length) comparison_.emplace(object_.fingerprints(head));
    return {};
  }

  Status accept(ObjectInfo info) {
    if (!version_.empty() && info.version != version_) {
      return fail(error(ErrorCode::changed, fmt::format("version {} was asked for, {} is there",
                                                        version_, info.version)));
    }
    version_ = info.version;
    if (request_.offset > info.size || (request_.length && *end_ > info.size)) {
      return fail(error(ErrorCode::damaged,
                        fmt::format("{} bytes at {} were asked for, the object has {}",
                                    request_.length.value_or(0), request_.offset, info.size)));
    }
    info_ = std::move(info);
    return {};
  }

  Status check_range(const ContentRange& range) const {
    const std::uint64_t last = end_ ? *end_ - 1 : range.total - 1;
    const bool cut_at_end = range.last == range.total - 1 && range.last < last;
    if (range.first == next_ && (range.last == last || cut_at_end)) return {};
    return fail(
        error(ErrorCode::damaged, fmt::format("the server sent bytes {} to {} instead of {} to {}",
                                              range.first, range.last, next_, last)));
  }

  Status take(std::span<const std::byte> bytes) {
    const auto skipped = std::min<std::uint64_t>(skip_, bytes.size());
    skip_ -= skipped;
    bytes = bytes.subspan(skipped);
    const std::uint64_t wanted = end_ ? *end_ - next_ : bytes.size();
    const bool enough = bytes.size() > wanted;
    bytes = bytes.first(std::min<std::uint64_t>(wanted, bytes.size()));
    if (!bytes.empty()) {
      RETURN_IF_ERROR(sink_(bytes));
      if (comparison_) comparison_->update(bytes);
      next_ += bytes.size();
    }
    if (!enough) return {};
    cut_off_ = true;  // all is there; the rest of a whole object need not be transferred
    return fail(error(ErrorCode::interrupted, "enough was read"));
  }

  PinnedObject& object_;
  const ReadRequest& request_;
  const ByteSink& sink_;
  std::string version_;               // asked for, or that of the first answer
  std::uint64_t next_;                // the next byte to hand on
  std::optional<std::uint64_t> end_;  // where to stop, once it is known
  std::uint64_t skip_ = 0;            // bytes of this answer that were not asked for
  bool cut_off_ = false;              // this attempt ended since all was there
  bool empty_part_ = false;           // the server sent a part without bytes
  std::optional<Comparison> comparison_;
  ObjectInfo info_;
};

}  // namespace

Result<ObjectInfo> read_pinned(PinnedObject& object, const ReadRequest& request,
                               const ByteSink& sink) {
  auto info = Reading(object, request, sink).run();
  const bool again = !info && info.error().code == ErrorCode::damaged && request.start_over;
  if (!again) return info;
  RETURN_IF_ERROR(request.start_over());
  return Reading(object, request, sink).run();
}

}  // namespace forebay
