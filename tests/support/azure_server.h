#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http.h"
#include "store/stores.h"

namespace forebay::test {

// One account of a server that speaks Azure's Blob protocol. Requests are signed by our own code.
class AzureServer {
 public:
  // `key`: in base64.
  AzureServer(std::string endpoint, std::string account, std::string key)
      : endpoint_(std::move(endpoint)),
        account_(std::move(account)),
        key_(std::move(key)),
        http_(open_http({})) {}

  const std::string& endpoint() const { return endpoint_; }
  std::string connection_string() const;
  // How the product opens a container there.
  AzureStoreOptions options(std::string container, std::string prefix = "") const;

  // Each fails the process: a test cannot go on without what it asked for.
  void create_container(const std::string& container);
  void put(const std::string& container, const std::string& key, std::string_view content);
  void remove(const std::string& container, const std::string& key);
  // A blob of zeros that takes no room, with `end` in its last bytes; `size` in steps of 512.
  void put_sparse(const std::string& container, const std::string& key, std::uint64_t size,
                  std::string_view end);

  // A signature of the account's key that opens reading and listing until `expiry` (RFC 3339,
  // seconds): the query behind '?'.
  std::string account_signature(const std::string& expiry) const;

 private:
  struct Write {
    std::string method = "PUT";
    std::string path;
    std::vector<std::pair<std::string, std::string>> query;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
  };
  int send(Write write);

  std::string endpoint_;
  std::string account_;
  std::string key_;
  std::unique_ptr<Http> http_;
};

// Azurite with the account of every emulator, from scripts/setup; started when it is first asked
// for, on a free port, and ended at exit. It keeps everything in memory.
AzureServer& azurite();

}  // namespace forebay::test
