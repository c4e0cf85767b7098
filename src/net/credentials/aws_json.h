#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "net/credentials/aws_credentials.h"

namespace forebay {

// The document in which programs and metadata services hand out credentials: AccessKeyId,
// SecretAccessKey, Token or SessionToken, and, where they end, Expiration. `from` names whose it
// is. invalid_config: no such document. No message repeats a part of it.
Result<AwsCredentials> parse_credential_document(std::string_view text, const std::string& from);

}  // namespace forebay
