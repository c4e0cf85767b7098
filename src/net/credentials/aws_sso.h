#pragma once

#include <string>

#include "net/credentials/aws_lookup.h"
#include "net/credentials/aws_profiles.h"

namespace forebay {

// Credentials of IAM Identity Center for a profile with sso_account_id and sso_role_name: by the
// token that `aws sso login` left in ~/.aws/sso/cache, for its sso_session or, in the older form,
// its sso_start_url. Never logs in itself. denied: there is no token, or it has run out; the hint
// is the command to type. Source: the AWS SDKs and Tools guide, "IAM Identity Center credential
// provider".
Result<AwsCredentials> sso_credentials(const AwsLookup& lookup, const AwsProfiles& profiles,
                                       const AwsProfile& profile);

}  // namespace forebay
