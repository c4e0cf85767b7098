#pragma once

#include "net/credentials/aws_lookup.h"

namespace forebay {

// The credentials of a task of ECS (AWS_CONTAINER_CREDENTIALS_RELATIVE_URI) or of a pod of EKS
// (AWS_CONTAINER_CREDENTIALS_FULL_URI), with AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE or
// AWS_CONTAINER_AUTHORIZATION_TOKEN. Source: the AWS SDKs and Tools guide, "Container credential
// provider". invalid_config: an address where the token could be read on the way.
Result<std::optional<AwsCredentials>> container_credentials(AwsLookup& lookup);

}  // namespace forebay
