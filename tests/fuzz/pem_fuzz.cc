// Keys and certificates in files of credentials.
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "net/credentials/jwt.h"

namespace forebay::test {

FOREBAY_FUZZ(pem) {
  if (const auto print = certificate_thumbprint(input)) {
    must(print->size() == 27, "SHA-1 in base64url");
    must(print->find_first_of("+/=") == std::string::npos, "for addresses");
  } else {
    must(print.error().code == ErrorCode::invalid_config, "a certificate is right or wrong");
  }
  // Signing with a huge key would only measure OpenSSL.
  if (input.size() > 4096) return;
  if (const auto token = sign_jwt({{"kid", "k"}}, {{"iss", "i"}}, input)) {
    must(std::count(token->begin(), token->end(), '.') == 2, "three parts");
  } else {
    must(token.error().code == ErrorCode::invalid_config, "a key is right or wrong");
  }
}

}  // namespace forebay::test
