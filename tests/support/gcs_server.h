#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "net/credentials/bearer.h"
#include "net/http.h"
#include "store/stores.h"

namespace forebay::test {

// A server that speaks Google Cloud Storage's JSON API: one on loopback that asks for no
// credentials, or Google's own, with the credentials that the environment leads to.
class GcsServer {
 public:
  explicit GcsServer(std::string endpoint) : endpoint_(std::move(endpoint)), http_(open_http({})) {}
  // Google's own; `environment`: what the credentials are looked for in.
  explicit GcsServer(std::map<std::string, std::string> environment);

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
  std::map<std::string, std::string> environment_;
  std::unique_ptr<BearerCredentials> credentials_;  // none: on loopback
};

// fake-gcs-server, from scripts/setup; started when it is first asked for, on a free port, and
// ended at exit. It keeps everything in memory.
GcsServer& fake_gcs();

}  // namespace forebay::test
