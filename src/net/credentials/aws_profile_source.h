#pragma once

#include "net/credentials/aws_lookup.h"

namespace forebay {

// What the profile in the shared files says: keys; a role with `source_profile` (a chain of them,
// circles refused), `credential_source` or `web_identity_token_file`; IAM Identity Center;
// `credential_process`. A role goes before keys in the profile that is asked for; where another
// profile points to it, its own keys are what is meant. Source: the AWS SDKs and Tools guide,
// "Assume role credential provider".
//
// invalid_config: the profile is named and does not stand anywhere, or says things that exclude one
// another.
Result<std::optional<AwsCredentials>> profile_credentials(AwsLookup& lookup);

}  // namespace forebay
