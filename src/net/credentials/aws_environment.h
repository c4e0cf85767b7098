#pragma once

#include "net/credentials/aws_lookup.h"

namespace forebay {

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, whatever else is set: what a
// profile means by `credential_source = Environment`.
Result<std::optional<AwsCredentials>> keys_of_environment(const AwsSettings& settings);

// The same as a source: not asked when the configuration names a profile.
Result<std::optional<AwsCredentials>> environment_credentials(AwsLookup& lookup);

}  // namespace forebay
