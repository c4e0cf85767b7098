// Connection strings of Azure.
#include "base/encode.h"
#include "fuzz/fuzz.h"
#include "net/credentials/azure.h"

namespace forebay::test {

FOREBAY_FUZZ(azure_connection) {
  const auto access = azure::read_connection_string(std::string(input));
  if (!access) {
    must(access.error().code == ErrorCode::invalid_config, "a connection string is right or wrong");
    const std::size_t key = input.find("AccountKey=");
    if (key == std::string_view::npos || input.size() < key + 40) return;
    const std::string secret(input.substr(key + 11, 20));
    must(describe(access.error()).find(secret) == std::string::npos, "no secret in a message");
    return;
  }
  must(!access->account.empty() || access->endpoint.has_value(), "it leads somewhere");
  if (access->key) must(!access->key->empty(), "a key is some bytes");
  if (access->key && access->account != "devstoreaccount1")
    must(input.find(base64_encode(access->key->reveal())) != std::string_view::npos,
         "the key is the one that was written");
}

}  // namespace forebay::test
