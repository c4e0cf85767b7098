#pragma once

#include <string>

#include "store/bucket_client.h"
#include "store/object_store.h"

namespace forebay::gcs {

// One attempt to learn of an object from its description. `key`: in the bucket.
Result<ObjectInfo> stat_object(BucketClient& client, const std::string& bucket,
                               const std::string& key, const char* operation,
                               RetryAttempt& attempt);

// Reads one generation of an object as it is stored (never unpacked by the server), as
// ObjectStore::read promises; its CRC32C and MD5 are compared where it is read whole.
// `request.key`: in the bucket.
Result<ObjectInfo> read_object(BucketClient& client, const std::string& bucket,
                               const ReadRequest& request, const ByteSink& sink);

}  // namespace forebay::gcs
