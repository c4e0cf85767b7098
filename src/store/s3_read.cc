#include "store/s3_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/time_text.h"
#include "net/http_range.h"
#include "store/pinned_read.h"

namespace forebay::s3 {
namespace {

// An object of a bucket, for read_pinned(): its version is the ETag.
class S3Object final : public PinnedObject {
 public:
  S3Object(Client& client, std::string key) : client_(client), key_(std::move(key)) {}

  Status repeat(const std::function<Status(RetryAttempt&)>& attempt) override {
    return client_.repeat(attempt);
  }

  Result<std::optional<PinnedRefusal>> get(const PinnedPart& part, const HttpReceiver& receiver,
                                           RetryAttempt& attempt) override {
    Call call{.key = key_, .operation = "read"};
    if (!part.version.empty())
      call.headers.emplace_back("if-match", fmt::format("\"{}\"", part.version));
    if (part.range) call.headers.emplace_back("range", *part.range);
    ASSIGN_OR_RETURN(const auto reply, client_.send(call, receiver, attempt));
    if (!reply.refusal) return std::nullopt;
    return PinnedRefusal{.status = reply.refusal->head.status,
                         .error = client_.error_of(call, *reply.refusal)};
  }

  Result<ObjectInfo> stat(RetryAttempt& attempt) override {
    const Call call{.method = "HEAD", .key = key_, .operation = "read"};
    ASSIGN_OR_RETURN(const auto reply, client_.send(call, {}, attempt));
    if (reply.refusal) return fail(client_.error_of(call, *reply.refusal));
    return info_from(reply.head);
  }

  Result<ObjectInfo> info_from(const HttpHead& head) const override {
    return s3::info_from(head, key_);
  }

  std::vector<Fingerprint> fingerprints(const HttpHead& head) const override {
    const std::string etag = bare_etag(head.find("etag").value_or(""));
    if (!etag_is_md5(head, etag)) return {};
    return {{.kind = Fingerprint::Kind::md5, .hex = etag}};
  }

  std::string display() const override { return client_.display(key_); }

 private:
  Client& client_;
  const std::string key_;
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
  S3Object object(client, request.key);
  return read_pinned(object, request, sink);
}

}  // namespace forebay::s3
