#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"
#include "store/stores.h"

namespace forebay::test {

// A server that speaks Google Cloud Storage's JSON API, running on loopback for as long as this
// process. It asks for no credentials.
class GcsServer {
 public:
  explicit GcsServer(std::string endpoint) : endpoint_(std::move(endpoint)), http_(open_http({})) {}

  const std::string& endpoint() const { return endpoint_; }
  // How the product opens a bucket there.
  GcsStoreOptions options(std::string bucket, std::string prefix = "") const;

  // Each fails the process: a test cannot go on without what it asked for.
  void create_bucket(const std::string& bucket);
  void put(const std::string& bucket, const std::string& key, std::string_view content);
  void remove(const std::string& bucket, const std::string& key);

 private:
  int send(const std::string& method, const std::string& target, std::string_view body);

  std::string endpoint_;
  std::unique_ptr<Http> http_;
};

// fake-gcs-server, from scripts/setup; started when it is first asked for, on a free port, and
// ended at exit. It keeps everything in memory.
GcsServer& fake_gcs();

}  // namespace forebay::test
