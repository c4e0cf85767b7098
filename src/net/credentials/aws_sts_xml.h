#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/credentials/aws_credentials.h"

namespace forebay::sts {

// The element Credentials of an answer to AssumeRole or AssumeRoleWithWebIdentity, wherever it
// stands. damaged: the answer has none, or a part of it is missing. No message repeats a part.
Result<AwsCredentials> parse_credentials(std::string_view xml);

struct Refusal {
  std::string code;
  std::string message;
};
// nullopt: the text is no error document.
std::optional<Refusal> parse_refusal(std::string_view xml);

}  // namespace forebay::sts
