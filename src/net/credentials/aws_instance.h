#pragma once

#include "net/credentials/aws_lookup.h"

namespace forebay {

// The role of an EC2 instance, from its metadata service, version 2 only (a token first). Within
// two seconds it is clear that there is none, so that a laptop does not hang. Read:
// AWS_EC2_METADATA_DISABLED, AWS_EC2_METADATA_SERVICE_ENDPOINT,
// AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE. Source: the EC2 user guide, "Use IMDS".
Result<std::optional<AwsCredentials>> instance_credentials(AwsLookup& lookup);

}  // namespace forebay
