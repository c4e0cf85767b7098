#include "net/credentials/aws_profile_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "net/credentials/aws_container.h"
#include "net/credentials/aws_environment.h"
#include "net/credentials/aws_instance.h"
#include "net/credentials/aws_process.h"
#include "net/credentials/aws_profiles.h"
#include "net/credentials/aws_sso.h"
#include "net/credentials/aws_sts.h"

namespace forebay {
namespace {

using Found = Result<std::optional<AwsCredentials>>;

class ProfileResolver {
 public:
  explicit ProfileResolver(AwsLookup& lookup)
      : lookup_(lookup), profiles_(AwsProfiles::read(lookup.settings)) {}

  Found run() {
    const std::string name = AwsProfiles::name_of(lookup_.settings);
    const AwsProfile profile = profiles_.profile(name);
    const auto places = profiles_.places_of(name);
    if (!profile.exists() && name != "default") {
      return fail(unusable(fmt::format("{}", fmt::join(places, " or ")),
                           fmt::format("there is no profile '{}'", name),
                           "check profile, or AWS_PROFILE"));
    }
    chain_.push_back(name);
    ASSIGN_OR_RETURN(auto found, resolve(profile));
    if (!found) lookup_.looked_at.insert(lookup_.looked_at.end(), places.begin(), places.end());
    return found;
  }

 private:
  Found resolve(const AwsProfile& profile) {
    if (profile.has("role_arn")) return role_of(profile);
    return without_role(profile);
  }

  // The ways that need no other credentials.
  Found without_role(const AwsProfile& profile) {
    if (profile.has("aws_access_key_id") || profile.has("aws_secret_access_key"))
      return keys_of(profile);
    if (profile.has("sso_session") || profile.has("sso_start_url")) {
      ASSIGN_OR_RETURN(auto found, sso_credentials(lookup_, profiles_, profile));
      return std::optional(std::move(found));
    }
    if (profile.has("credential_process")) {
      ASSIGN_OR_RETURN(auto found, process_credentials(profile.get("credential_process"),
                                                       profile.where(), lookup_.now));
      return std::optional(std::move(found));
    }
    return std::nullopt;
  }

  Found keys_of(const AwsProfile& profile) const {
    AwsCredentials found{.access_key = profile.get("aws_access_key_id"),
                         .secret_key = Secret(profile.get("aws_secret_access_key")),
                         .session_token = Secret(profile.get("aws_session_token")),
                         .expires = {},
                         .found_in = profile.where()};
    if (found.access_key.empty() || found.secret_key.empty()) {
      return fail(unusable(profile.where(),
                           "only one of aws_access_key_id and aws_secret_access_key is there",
                           "set both"));
    }
    return std::optional(std::move(found));
  }

  Found role_of(const AwsProfile& profile) {
    if (profile.has("mfa_serial")) {
      return fail(unusable(profile.where(), "the profile asks for a code of a device (mfa_serial)",
                           "nobody is there to type it: use credentials that last, or export them "
                           "with aws configure export-credentials --format env"));
    }
    ASSIGN_OR_RETURN(AwsRole role, read_role(profile));
    if (profile.has("web_identity_token_file")) {
      ASSIGN_OR_RETURN(auto found, assume_role_with_web_identity(
                                       lookup_, profile.get("web_identity_token_file"), role));
      return std::optional(std::move(found));
    }
    ASSIGN_OR_RETURN(const AwsCredentials base, base_of(profile));
    ASSIGN_OR_RETURN(auto found, assume_role(lookup_, base, role));
    return std::optional(std::move(found));
  }

  Result<AwsRole> read_role(const AwsProfile& profile) const {
    AwsRole role{.arn = profile.get("role_arn"),
                 .session_name = profile.get("role_session_name"),
                 .external_id = profile.get("external_id"),
                 .region = profile.get("region")};
    const std::string text = profile.get("duration_seconds");
    if (text.empty()) return role;
    int seconds = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    // What STS takes: a quarter of an hour to twelve hours.
    if (wrong != std::errc() || end != text.data() + text.size() || seconds < 900 ||
        seconds > 43'200) {
      return fail(unusable(profile.where(),
                           "duration_seconds is no number of seconds from 900 to "
                           "43200",
                           "write duration_seconds = 3600"));
    }
    role.duration = std::chrono::seconds(seconds);
    return role;
  }

  Result<AwsCredentials> base_of(const AwsProfile& profile) {
    const std::string source = profile.get("source_profile");
    const std::string kind = profile.get("credential_source");
    if (source.empty() == kind.empty()) {
      return fail(unusable(profile.where(),
                           "role_arn needs exactly one of source_profile, credential_source and "
                           "web_identity_token_file",
                           "say whose credentials ask for the role"));
    }
    if (!source.empty()) return source_profile(profile, source);
    ASSIGN_OR_RETURN(auto found, credential_source(profile, kind));
    if (found) return std::move(*found);
    return fail(credential_error(ErrorCode::denied, profile.where(),
                                 fmt::format("credential_source = {} has none: {}", kind,
                                             fmt::join(lookup_.looked_at, ", ")),
                                 "check where forebay runs, or use source_profile"));
  }

  Found credential_source(const AwsProfile& profile, const std::string& kind) {
    if (kind == "Environment") return keys_of_environment(lookup_.settings);
    if (kind == "EcsContainer") return container_credentials(lookup_);
    if (kind == "Ec2InstanceMetadata") return instance_credentials(lookup_);
    return fail(unusable(profile.where(), fmt::format("credential_source = {} is unknown", kind),
                         "write Environment, EcsContainer or Ec2InstanceMetadata"));
  }

  Result<AwsCredentials> source_profile(const AwsProfile& profile, const std::string& name) {
    const AwsProfile source = profiles_.profile(name);
    if (!source.exists()) {
      return fail(unusable(profile.where(),
                           fmt::format("its source_profile '{}' does not stand anywhere", name),
                           "check source_profile"));
    }
    // A profile that somebody points to, also itself, means its own keys if it has some.
    if (source.has("aws_access_key_id")) return value(keys_of(source), source);
    const bool circle = std::ranges::find(chain_, name) != chain_.end();
    chain_.push_back(name);
    if (circle) {
      return fail(
          unusable(profile.where(),
                   fmt::format("source_profile goes in a circle: {}", fmt::join(chain_, " -> ")),
                   "let the last profile have credentials of its own"));
    }
    return value(resolve(source), source);
  }

  static Result<AwsCredentials> value(Found found, const AwsProfile& source) {
    if (!found) return fail(std::move(found).error());
    if (*found) return std::move(**found);
    return fail(unusable(source.where(), "the profile has no credentials",
                         "it is the source_profile of another one: give it keys, a role, or a "
                         "login"));
  }

  AwsLookup& lookup_;
  const AwsProfiles profiles_;
  std::vector<std::string> chain_;  // profiles on the way, from the one that was asked for
};

}  // namespace

Result<std::optional<AwsCredentials>> profile_credentials(AwsLookup& lookup) {
  return ProfileResolver(lookup).run();
}

}  // namespace forebay
