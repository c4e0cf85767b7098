#include "net/credentials/aws.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include "net/credentials/ini.h"

namespace forebay {
namespace {

// Early enough for a long request that is signed just before the end.
constexpr Duration kRenewBefore = std::chrono::minutes(5);

std::string variable(const AwsSettings& settings, const std::string& name) {
  const auto found = settings.environment.find(name);
  return found == settings.environment.end() ? "" : found->second;
}

struct ProfileFile {
  std::string path;     // empty: neither its variable nor HOME is set
  std::string section;  // how the profile is called there
};

std::string profile_name(const AwsSettings& settings) {
  if (settings.profile) return *settings.profile;
  const std::string name = variable(settings, "AWS_PROFILE");
  return name.empty() ? "default" : name;
}

std::array<ProfileFile, 2> profile_files(const AwsSettings& settings) {
  const std::string home = variable(settings, "HOME");
  const auto path = [&](const char* name, const char* below_home) {
    const std::string named = variable(settings, name);
    if (!named.empty() || home.empty()) return named;
    return home + below_home;
  };
  const std::string profile = profile_name(settings);
  return {ProfileFile{path("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials"), profile},
          ProfileFile{path("AWS_CONFIG_FILE", "/.aws/config"),
                      profile == "default" ? profile : "profile " + profile}};
}

// The profile's settings in one file; empty when file or section is missing.
std::map<std::string, std::string> read_profile(const ProfileFile& file) {
  if (file.path.empty()) return {};
  std::ifstream in(file.path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  auto sections = parse_ini(text);
  return std::move(sections[file.section]);
}

Error unusable(const std::string& where, std::string cause, std::string hint) {
  return {.code = ErrorCode::invalid_config,
          .operation = "find AWS credentials",
          .object = where,
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

Result<std::optional<AwsCredentials>> from_environment(const AwsSettings& settings,
                                                       std::vector<std::string>& looked_at) {
  if (settings.profile) return std::nullopt;  // someone named a profile: that is meant
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
  if (!found.access_key.empty()) return std::optional(std::move(found));
  looked_at.emplace_back("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (not set)");
  return std::nullopt;
}

// Ways to get credentials that a profile may ask for and that are not built yet. To pass over them
// would mean to read with other rights than the profile says.
Status refuse_unknown_ways(const std::map<std::string, std::string>& profile,
                           const std::string& where) {
  for (const char* way : {"role_arn", "sso_session", "sso_start_url", "credential_process",
                          "web_identity_token_file"}) {
    if (!profile.contains(way)) continue;
    return fail(unusable(where,
                         fmt::format("the profile uses {}, which forebay cannot do yet", way),
                         "export the credentials, for example with: aws configure "
                         "export-credentials --format env"));
  }
  return {};
}

Result<std::optional<AwsCredentials>> from_profile(const AwsSettings& settings,
                                                   std::vector<std::string>& looked_at) {
  for (const auto& file : profile_files(settings)) {
    if (file.path.empty()) continue;
    const std::string where = fmt::format("{} [{}]", file.path, file.section);
    auto profile = read_profile(file);
    AwsCredentials found{.access_key = profile["aws_access_key_id"],
                         .secret_key = Secret(profile["aws_secret_access_key"]),
                         .session_token = Secret(profile["aws_session_token"]),
                         .expires = {},
                         .found_in = where};
    if (found.access_key.empty() != found.secret_key.empty()) {
      return fail(unusable(
          where, "only one of aws_access_key_id and aws_secret_access_key is there", "set both"));
    }
    RETURN_IF_ERROR(refuse_unknown_ways(profile, where));
    if (!found.access_key.empty()) return std::optional(std::move(found));
    looked_at.push_back(where);
  }
  return std::nullopt;
}

}  // namespace

std::vector<AwsSource> aws_sources() { return {from_environment, from_profile}; }

AwsCredentialChain::AwsCredentialChain(AwsSettings settings, std::vector<AwsSource> sources)
    : settings_(std::move(settings)), sources_(std::move(sources)) {}

Result<AwsCredentials> AwsCredentialChain::get(Time now) {
  const std::lock_guard lock(mutex_);
  const bool ends_soon = found_ && found_->expires && *found_->expires - kRenewBefore <= now;
  if (!found_ || ends_soon) {
    ASSIGN_OR_RETURN(found_, find());
  }
  return *found_;
}

bool AwsCredentialChain::renew(const AwsCredentials& refused) {
  const std::lock_guard lock(mutex_);
  if (found_ && *found_ != refused) return true;
  auto again = find();
  if (!again || *again == refused) return false;
  found_ = std::move(*again);
  return true;
}

Result<AwsCredentials> AwsCredentialChain::find() const {
  std::vector<std::string> looked_at;
  for (const auto& source : sources_) {
    ASSIGN_OR_RETURN(auto found, source(settings_, looked_at));
    if (found) return std::move(*found);
  }
  return fail({.code = ErrorCode::denied,
               .operation = "find AWS credentials",
               .object = {},
               .cause = fmt::format("there are none; looked at: {}", fmt::join(looked_at, ", ")),
               .hint = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a profile, or say "
                       "anonymous: true for a public bucket"});
}

std::string aws_region(const AwsSettings& settings) {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (auto region = variable(settings, name); !region.empty()) return region;
  }
  for (const auto& file : profile_files(settings)) {
    if (auto region = read_profile(file)["region"]; !region.empty()) return region;
  }
  return {};
}

}  // namespace forebay
