#pragma once

#include <string>

#include "net/http.h"
#include "store/bucket_client.h"
#include "store/object_store.h"

namespace forebay::azure {

// One question for the properties of a blob. `key`: in the container.
BucketCall stat_call(const std::string& container, const std::string& key, const char* operation);

// What the headers of a GET or HEAD tell of a blob. damaged: they name no ETag.
Result<ObjectInfo> info_from(const HttpHead& head, const std::string& key);

// Reads one version of a blob, as ObjectStore::read promises: pinned by If-Match, and compared with
// its Content-MD5 where it has one and is read whole. `request.key`: in the container.
Result<ObjectInfo> read_blob(BucketClient& client, const std::string& container,
                             const ReadRequest& request, const ByteSink& sink);

}  // namespace forebay::azure
