#pragma once

#include "store/object_store.h"
#include "store/s3_client.h"

namespace forebay::s3 {

// Reads one version of a key (in the bucket) into `sink`, as ObjectStore::read promises: pinned by
// If-Match, resumed where a connection broke, ranges and lengths checked, and the content compared
// with the ETag where that is an MD5. `request.key` is the full key.
Result<ObjectInfo> read_object(Client& client, const ReadRequest& request, const ByteSink& sink);

// What the headers of a GET or HEAD tell of an object. damaged: they lack its size, ETag or time.
Result<ObjectInfo> info_from(const HttpHead& head, std::string key);

// Whether the ETag is the MD5 of the content: 32 digits, and no encryption that changes that.
bool etag_is_md5(const HttpHead& head, std::string_view etag);

}  // namespace forebay::s3
