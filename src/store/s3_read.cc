#include "store/s3_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/digest.h"
#include "base/time_text.h"

namespace forebay::s3 {
namespace {

// What an attempt has to bring for the time to begin anew: with less a server that sends a few
// bytes and falls silent would never be given up.
constexpr std::uint64_t kProgress = 64 * 1024;

// One read, over as many attempts as it takes.
class Reading {
 public:
  Reading(Client& client, const ReadRequest& request, const ByteSink& sink)
      : client_(client),
        request_(request),
        sink_(sink),
        version_(request.version),
        next_(request.offset) {
    // Saturating: a length that no object has is found out when the server tells the size.
    const std::uint64_t room = UINT64_MAX - request_.offset;
    if (request_.length) end_ = request_.offset + std::min(*request_.length, room);
  }

  Result<ObjectInfo> run() {
    RETURN_IF_ERROR(client_.repeat([&](RetryAttempt& attempt) { return attempt_once(attempt); }));
    RETURN_IF_ERROR(compare_md5());
    return info_;
  }

 private:
  Error error(ErrorCode code, std::string cause) const {
    return {.code = code,
            .operation = "read",
            .object = client_.display(request_.key),
            .cause = std::move(cause),
            .hint = {}};
  }

  // Everything that was asked for has been handed on.
  bool complete() const { return end_ && next_ >= *end_; }

  bool wants_range() const { return next_ > 0 || request_.length.has_value(); }

  Call next_call() const {
    Call call{.key = request_.key, .operation = "read"};
    if (!version_.empty()) call.headers.emplace_back("if-match", fmt::format("\"{}\"", version_));
    if (wants_range()) {
      const std::string last = end_ ? fmt::format("{}", *end_ - 1) : "";
      call.headers.emplace_back("range", fmt::format("bytes={}-{}", next_, last));
    }
    return call;
  }

  Status attempt_once(RetryAttempt& attempt) {
    // Nothing to ask for: HTTP has no empty range. The version is looked at all the same.
    Call call = next_call();
    const bool empty = complete();
    if (empty) call = {.method = "HEAD", .key = request_.key, .headers = {}, .operation = "read"};
    const std::uint64_t before = next_;
    const HttpReceiver receiver{
        .head = [&](const HttpHead& head) { return begin(head); },
        .body = [&](std::span<const std::byte> bytes) { return take(bytes); }};
    cut_off_ = false;
    auto reply = client_.send(call, receiver, attempt);
    if (next_ - before >= kProgress) attempt.progressed();
    if (!reply && !cut_off_) return fail(std::move(reply).error());
    if (reply && reply->refusal) return refused(call, *reply->refusal);
    if (!end_)
      end_ = next_;  // the length was not announced, and the server ended the body properly
    if (next_ == *end_) return {};
    return fail(error(ErrorCode::unavailable, "the body ended before its announced length"));
  }

  // 416 at the very end of an object is no damage: there is nothing left to read. Not every server
  // tells the size with it, so the object is asked for its own.
  Status refused(const Call& call, const Refusal& refusal) {
    if (refusal.head.status == 416 && request_.length.value_or(0) == 0) {
      RetryAttempt unused;
      HttpHead head;
      const Call stat{.method = "HEAD", .key = request_.key, .operation = "read"};
      const HttpReceiver receiver{.head = [&](const HttpHead& found) -> Status {
                                    head = found;
                                    return {};
                                  },
                                  .body = {}};
      ASSIGN_OR_RETURN(const auto reply, client_.send(stat, receiver, unused));
      const auto info = info_from(head, request_.key);
      if (!reply.refusal && info && info->size == next_) {
        end_ = next_;
        return begin(head);
      }
    }
    return fail(client_.error_of(call, refusal));
  }

  // The head of an answer: is it the version, and the range, that was asked for?
  Status begin(const HttpHead& head) {
    auto info = info_from(head, request_.key);
    // An answer without ETag is not the object's: some gateway spoke.
    if (!info) return fail(error(ErrorCode::unavailable, std::move(info).error().cause));
    skip_ = 0;
    if (head.status == 206) {
      const auto range = parse_content_range(head.find("content-range").value_or(""));
      if (!range) return fail(error(ErrorCode::damaged, "an answer with a part names no range"));
      info->size = range->total;
      RETURN_IF_ERROR(check_range(*range));
    } else if (wants_range() && !complete()) {
      skip_ = next_;  // the server sent the whole object instead of the part
    }
    if (!version_.empty() && info->version != version_) {
      return fail(error(ErrorCode::changed, fmt::format("version {} was asked for, {} is there",
                                                        version_, info->version)));
    }
    version_ = info->version;
    if (request_.offset > info->size || (request_.length && *end_ > info->size)) {
      return fail(error(ErrorCode::damaged,
                        fmt::format("{} bytes at {} were asked for, the object has {}",
                                    request_.length.value_or(0), request_.offset, info->size)));
    }
    const bool told = head.find("content-length") || head.status == 206;
    if (!end_ && told) end_ = info->size;
    md5_ = request_.offset == 0 && !request_.length && etag_is_md5(head, version_);
    info_ = std::move(*info);
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
      digest_.update(bytes);
      next_ += bytes.size();
    }
    if (!enough) return {};
    cut_off_ = true;  // all is there; the rest of a whole object need not be transferred
    return fail(error(ErrorCode::interrupted, "enough was read"));
  }

  Status compare_md5() {
    if (!md5_ || digest_.hex() == version_) return {};
    return fail(error(
        ErrorCode::damaged,
        fmt::format("the bytes have the MD5 {}, the store says {}", digest_.hex(), version_)));
  }

  Client& client_;
  const ReadRequest& request_;
  const ByteSink& sink_;
  std::string version_;               // asked for, or that of the first answer
  std::uint64_t next_;                // the next byte to hand on
  std::optional<std::uint64_t> end_;  // where to stop, once it is known
  std::uint64_t skip_ = 0;            // bytes of this answer that were not asked for
  bool cut_off_ = false;              // this attempt ended since all was there
  bool md5_ = false;
  Digest digest_{DigestKind::md5};
  ObjectInfo info_;
};

}  // namespace

bool etag_is_md5(const HttpHead& head, std::string_view etag) {
  const bool digits = etag.size() == 32 && std::ranges::all_of(etag, [](char c) {
                        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                      });
  const auto encryption = head.find("x-amz-server-side-encryption").value_or("AES256");
  return digits && encryption == "AES256" &&
         !head.find("x-amz-server-side-encryption-customer-algorithm");
}

Result<ObjectInfo> info_from(const HttpHead& head, std::string key) {
  const auto etag = head.find("etag");
  if (!etag || etag->empty()) {
    return fail({.code = ErrorCode::damaged,
                 .operation = "read",
                 .object = key,
                 .cause = "the answer has no ETag, so that it tells no version",
                 .hint = {}});
  }
  const auto modified = parse_http_date(head.find("last-modified").value_or(""));
  return ObjectInfo{.key = std::move(key),
                    .size = content_length(head).value_or(0),
                    .version = bare_etag(*etag),
                    .last_modified = modified.value_or(Time{})};
}

Result<ObjectInfo> read_object(Client& client, const ReadRequest& request, const ByteSink& sink) {
  auto info = Reading(client, request, sink).run();
  const bool again = !info && info.error().code == ErrorCode::damaged && request.start_over;
  if (!again) return info;
  RETURN_IF_ERROR(request.start_over());
  return Reading(client, request, sink).run();
}

}  // namespace forebay::s3
