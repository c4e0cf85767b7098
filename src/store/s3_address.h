#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace forebay::s3 {

struct AddressOptions {
  std::string bucket;
  std::string region;
  std::optional<std::string> endpoint;  // "http://127.0.0.1:8333"; absent: Amazon's
  std::optional<bool> path_style;       // absent: exactly when an endpoint is given
};

// Where requests for a bucket go.
struct Address {
  std::string origin;     // "https://host:port": what stands in front of the path
  std::string host;       // as the Host header has it
  std::string base_path;  // "/" in the bucket's own host, "/bucket" in path style
};

// invalid_config: no bucket's name, or an endpoint that is no origin.
Result<Address> address_of(const AddressOptions& options);

}  // namespace forebay::s3
