#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"
#include "store/stores.h"

namespace forebay::test {

// A server that speaks S3, running on loopback for as long as this process. It knows one user,
// whose credentials are in options(). Requests are signed by our own code.
class S3Server {
 public:
  S3Server(std::string endpoint, std::string access_key, std::string secret_key);

  // How the product opens a bucket there.
  S3StoreOptions options(std::string bucket, std::string prefix = "") const;

  // Each fails the process: a test cannot go on without what it asked for.
  void create_bucket(const std::string& bucket);
  void put(const std::string& bucket, const std::string& key, std::string_view content);
  void remove(const std::string& bucket, const std::string& key);

  // The status of a put, for keys that some servers refuse.
  int try_put(const std::string& bucket, const std::string& key, std::string_view content);

 private:
  int send(const std::string& method, const std::string& path, std::string_view body);

  std::string endpoint_;
  std::string access_key_;
  std::string secret_key_;
  std::unique_ptr<Http> http_;
};

// SeaweedFS and moto, from scripts/setup; each is started when it is first asked for, on free ports
// with a folder of its own, and ended at exit.
S3Server& seaweed();
S3Server& moto();

}  // namespace forebay::test
