#include "store/azure_read.h"

#include <fmt/format.h>

#include <utility>

#include "base/encode.h"
#include "base/time_text.h"
#include "net/http_range.h"
#include "store/azure_client.h"
#include "store/pinned_read.h"

namespace forebay::azure {
namespace {

class Blob final : public PinnedObject {
 public:
  Blob(BucketClient& client, const std::string& container, const std::string& key)
      : client_(client), container_(container), key_(key) {}

  Status repeat(const std::function<Status(RetryAttempt&)>& attempt) override {
    return client_.repeat(attempt);
  }

  Result<std::optional<PinnedRefusal>> get(const PinnedPart& part, const HttpReceiver& receiver,
                                           RetryAttempt& attempt) override {
    BucketCall call{.kind = RequestKind::get,
                    .path = blob_path(container_, key_),
                    .operation = "read",
                    .key = key_};
    if (!part.version.empty())
      call.headers.emplace_back("if-match", fmt::format("\"{}\"", part.version));
    if (part.range) call.headers.emplace_back("range", *part.range);
    ASSIGN_OR_RETURN(const auto reply, client_.send(call, receiver, attempt));
    if (!reply.refusal) return std::nullopt;
    PinnedRefusal refusal{.status = reply.refusal->head.status,
                          .error = client_.error_of(call, *reply.refusal)};
    // No blob at all fails the condition too, on some servers.
    if (refusal.status == 412) {
      const auto current = stat(attempt);
      if (!current && current.error().code == ErrorCode::not_found) refusal.error = current.error();
    }
    return refusal;
  }

  Result<ObjectInfo> stat(RetryAttempt& attempt) override {
    ASSIGN_OR_RETURN(const HttpResponse response,
                     client_.fetch_once(stat_call(container_, key_, "read"), attempt));
    return info_from(response.head);
  }

  Result<ObjectInfo> info_from(const HttpHead& head) const override {
    return azure::info_from(head, key_);
  }

  std::vector<Fingerprint> fingerprints(const HttpHead& head) const override {
    // With a part, Content-MD5 would be that of the part.
    const char* name = head.status == 206 ? "x-ms-blob-content-md5" : "content-md5";
    const auto bytes = base64_decode(head.find(name).value_or(""));
    if (!bytes || bytes->size() != 16) return {};
    return {{.kind = Fingerprint::Kind::md5, .hex = hex_encode(*bytes)}};
  }

  std::string display() const override { return client_.display(key_); }

 private:
  BucketClient& client_;
  const std::string& container_;
  const std::string& key_;
};

}  // namespace

BucketCall stat_call(const std::string& container, const std::string& key, const char* operation) {
  return {.kind = RequestKind::head,
          .method = "HEAD",
          .path = blob_path(container, key),
          .operation = operation,
          .key = key};
}

Result<ObjectInfo> info_from(const HttpHead& head, const std::string& key) {
  std::string_view etag = head.find("etag").value_or("");
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"')
    etag = etag.substr(1, etag.size() - 2);
  if (etag.empty()) {
    return fail({.code = ErrorCode::damaged,
                 .operation = "read",
                 .object = key,
                 .cause = "the answer has no ETag, so that it tells no version",
                 .hint = {}});
  }
  return ObjectInfo{
      .key = key,
      .size = content_length(head).value_or(0),
      .version = std::string(etag),
      .last_modified = parse_http_date(head.find("last-modified").value_or("")).value_or(Time{})};
}

Result<ObjectInfo> read_blob(BucketClient& client, const std::string& container,
                             const ReadRequest& request, const ByteSink& sink) {
  Blob blob(client, container, request.key);
  return read_pinned(blob, request, sink);
}

}  // namespace forebay::azure
