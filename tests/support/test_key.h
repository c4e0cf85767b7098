#pragma once

#include <string>

#include "support/temp_folder.h"

namespace forebay::test {

// An RSA key with a certificate, made by the program openssl for this object alone. No key stands
// in the repository.
class TestKey {
 public:
  TestKey();

  std::string private_pem() const;
  std::string certificate_pem() const;
  // SHA-1 of the certificate in base64url without padding, as openssl finds it.
  std::string thumbprint() const;
  // Whether openssl finds the token's signature to be of this key.
  bool verifies(const std::string& token) const;

 private:
  TempFolder folder_;
};

// Header and claims of a token as JSON texts.
struct JwtParts {
  std::string header;
  std::string claims;
};
JwtParts jwt_parts(const std::string& token);

}  // namespace forebay::test
