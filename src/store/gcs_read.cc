#include "store/gcs_read.h"

#include <fmt/format.h>

#include <utility>

#include "base/time_text.h"
#include "net/http_range.h"
#include "store/gcs_client.h"
#include "store/gcs_json.h"
#include "store/pinned_read.h"

namespace forebay::gcs {
namespace {

class Object final : public PinnedObject {
 public:
  Object(BucketClient& client, const std::string& bucket, const std::string& key)
      : client_(client), bucket_(bucket), key_(key) {}

  Status repeat(const std::function<Status(RetryAttempt&)>& attempt) override {
    return client_.repeat(attempt);
  }

  Result<std::optional<PinnedRefusal>> get(const PinnedPart& part, const HttpReceiver& receiver,
                                           RetryAttempt& attempt) override {
    BucketCall call{.kind = RequestKind::get,
                    .path = object_path(bucket_, key_),
                    .query = {{"alt", "media"}},
                    // Whoever does not take gzip gets an object that is stored so unpacked: other
                    // bytes than the ones that size and checksums speak of.
                    .headers = {{"accept-encoding", "gzip"}},
                    .operation = "read",
                    .key = key_};
    if (!part.version.empty()) {
      // The first reads that generation alone; the second wants it to be the current one, also in
      // a bucket that keeps old ones.
      call.query.emplace_back("generation", part.version);
      call.query.emplace_back("ifGenerationMatch", part.version);
    }
    if (part.range) call.headers.emplace_back("range", *part.range);
    ASSIGN_OR_RETURN(const auto reply, client_.send(call, receiver, attempt));
    if (!reply.refusal) return std::nullopt;
    PinnedRefusal refusal{.status = reply.refusal->head.status,
                          .error = client_.error_of(call, *reply.refusal)};
    if (refusal.status == 404 && !part.version.empty()) {
      ASSIGN_OR_RETURN(refusal.error, missing(part.version, std::move(refusal.error), attempt));
    }
    return refusal;
  }

  Result<ObjectInfo> stat(RetryAttempt& attempt) override {
    return stat_object(client_, bucket_, key_, "read", attempt);
  }

  Result<ObjectInfo> info_from(const HttpHead& head) const override {
    const auto generation = head.find("x-goog-generation");
    if (!generation || generation->empty())
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = display(),
                   .cause = "the answer names no generation, so that it tells no version",
                   .hint = {}});
    const bool packed = head.find("x-goog-stored-content-encoding") == "gzip";
    if (packed && head.find("content-encoding") != "gzip")
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = display(),
                   .cause = "the server sent the content unpacked, not as it is stored",
                   .hint = {}});
    return ObjectInfo{
        .key = key_,
        .size = content_length(head).value_or(0),
        .version = std::string(*generation),
        .last_modified = parse_http_date(head.find("last-modified").value_or("")).value_or(Time{})};
  }

  std::vector<Fingerprint> fingerprints(const HttpHead& head) const override {
    std::vector<Fingerprint> found;
    // The two may stand in one header or in two.
    for (const auto& [name, value] : head.headers) {
      if (name != "x-goog-hash") continue;
      if (auto md5 = hash_of(value, "md5"))
        found.push_back({.kind = Fingerprint::Kind::md5, .hex = std::move(*md5)});
      if (auto crc = hash_of(value, "crc32c"))
        found.push_back({.kind = Fingerprint::Kind::crc32c, .hex = std::move(*crc)});
    }
    return found;
  }

  std::string display() const override { return client_.display(key_); }

 private:
  // A generation that is not there any more: the object was replaced, or it is gone.
  Result<Error> missing(const std::string& version, Error error, RetryAttempt& attempt) {
    const auto current = stat(attempt);
    if (!current && current.error().code == ErrorCode::not_found) return error;
    if (!current) return fail(current.error());
    error.code = ErrorCode::changed;
    error.cause =
        fmt::format("generation {} was asked for, {} is there", version, current->version);
    return error;
  }

  BucketClient& client_;
  const std::string& bucket_;
  const std::string& key_;
};

}  // namespace

Result<ObjectInfo> stat_object(BucketClient& client, const std::string& bucket,
                               const std::string& key, const char* operation,
                               RetryAttempt& attempt) {
  const BucketCall call{.kind = RequestKind::head,
                        .path = object_path(bucket, key),
                        .query = {{"fields", std::string(kEntryFields)}},
                        .operation = operation,
                        .key = key};
  ASSIGN_OR_RETURN(const HttpResponse response, client.fetch_once(call, attempt));
  auto entry = parse_entry(response.body);
  if (!entry) {
    Error error = std::move(entry).error();
    error.operation = operation;
    error.object = client.display(key);
    return fail(std::move(error));
  }
  return ObjectInfo{.key = key,
                    .size = entry->size,
                    .version = std::move(entry->generation),
                    .last_modified = entry->created};
}

Result<ObjectInfo> read_object(BucketClient& client, const std::string& bucket,
                               const ReadRequest& request, const ByteSink& sink) {
  Object object(client, bucket, request.key);
  return read_pinned(object, request, sink);
}

}  // namespace forebay::gcs
