#pragma once

#include <chrono>
#include <string>

#include "net/credentials/aws_lookup.h"

namespace forebay {

// A role that somebody is to become for a while.
struct AwsRole {
  std::string arn;
  std::string session_name = {};  // empty: AWS_ROLE_SESSION_NAME, else "forebay"
  std::string external_id = {};   // empty: none
  std::chrono::seconds duration = std::chrono::hours(1);
  std::string region = {};  // whose STS to ask; empty: aws_region(), the bucket's, us-east-1
};

// Asks STS for the role with credentials that were found elsewhere (AssumeRole). denied names role
// and whose credentials asked; unavailable and throttled are worth another attempt.
Result<AwsCredentials> assume_role(const AwsLookup& lookup, const AwsCredentials& base,
                                   const AwsRole& role);

// The same with a token of an identity provider (AssumeRoleWithWebIdentity), which nobody signs.
// `token_file` is read anew each time: whoever runs this machine writes a fresh one into it.
Result<AwsCredentials> assume_role_with_web_identity(const AwsLookup& lookup,
                                                     const std::string& token_file,
                                                     const AwsRole& role);

// The role of AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, as EKS sets them (IRSA).
Result<std::optional<AwsCredentials>> web_identity_credentials(AwsLookup& lookup);

}  // namespace forebay
