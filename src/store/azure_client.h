#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/credentials/azure.h"
#include "store/bucket_client.h"

namespace forebay::azure {

// How requests for one container reach Azure's Blob service.
struct Address {
  std::string endpoint;  // "https://account.blob.core.windows.net", without a slash at its end
  std::string container;
  std::string shown;  // "az://container/": what stands in front of a key in messages
};

std::unique_ptr<BucketProtocol> make_protocol(Address address, Access access);

// The path of a container, and of a blob in it: every byte but '/' encoded once.
std::string container_path(const std::string& container);
std::string blob_path(const std::string& container, const std::string& key);

}  // namespace forebay::azure
