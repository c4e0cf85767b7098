#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace forebay {

// A JSON Web Token (RFC 7515, compact form) signed by RSASSA-PKCS1-v1_5 with SHA-256 (RS256).
// `private_key`: PEM, without a password. The header's "alg" is set here. invalid_config: this is
// no RSA key. No message holds anything of the key.
Result<std::string> sign_jwt(nlohmann::json header, const nlohmann::json& claims,
                             std::string_view private_key);

// SHA-1 of the first certificate in a PEM text, as a JWT's header "x5t" names it (base64url).
// invalid_config: there is none.
Result<std::string> certificate_thumbprint(std::string_view pem);

}  // namespace forebay
