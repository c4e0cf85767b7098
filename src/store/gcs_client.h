#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/credentials/bearer.h"
#include "store/bucket_client.h"

namespace forebay::gcs {

// How requests for one bucket reach Google Cloud Storage's JSON API.
struct Address {
  std::string endpoint;  // "https://storage.googleapis.com", without a slash at its end
  std::string bucket;
  std::string user_project;  // billed for the requests; empty: the bucket's own
};

// `credentials` may be null: requests then go out without any.
std::unique_ptr<BucketProtocol> make_protocol(Address address,
                                              std::shared_ptr<BearerCredentials> credentials);

// The path of the bucket's objects, and of one of them: every byte of the key encoded once.
std::string objects_path(const std::string& bucket);
std::string object_path(const std::string& bucket, const std::string& key);

}  // namespace forebay::gcs
