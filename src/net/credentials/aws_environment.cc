#include "net/credentials/aws_environment.h"

#include <utility>

namespace forebay {

Result<std::optional<AwsCredentials>> keys_of_environment(const AwsSettings& settings) {
  AwsCredentials found{.access_key = variable(settings, "AWS_ACCESS_KEY_ID"),
                       .secret_key = Secret(variable(settings, "AWS_SECRET_ACCESS_KEY")),
                       .session_token = Secret(variable(settings, "AWS_SESSION_TOKEN")),
                       .expires = {},
                       .found_in = "the environment"};
  if (found.access_key.empty() != found.secret_key.empty()) {
    return fail(unusable("the environment",
                         "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set",
                         "set both or none"));
  }
  if (found.access_key.empty()) return std::nullopt;
  return std::optional(std::move(found));
}

Result<std::optional<AwsCredentials>> environment_credentials(AwsLookup& lookup) {
  if (lookup.settings.profile) return std::nullopt;  // someone named a profile: that is meant
  ASSIGN_OR_RETURN(auto found, keys_of_environment(lookup.settings));
  if (!found)
    lookup.looked_at.emplace_back("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (not set)");
  return found;
}

}  // namespace forebay
