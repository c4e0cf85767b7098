#include "net/credentials/aws.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "net/credentials/aws_container.h"
#include "net/credentials/aws_environment.h"
#include "net/credentials/aws_instance.h"
#include "net/credentials/aws_profile_source.h"
#include "net/credentials/aws_sts.h"

namespace forebay {
namespace {

// Early enough for a long request that is signed just before the end.
constexpr Duration kRenewBefore = std::chrono::minutes(5);
// So that a server that is down is not asked before each request.
constexpr Duration kAskAgain = std::chrono::seconds(30);

// What goes into headers as it stands.
bool is_clean(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c <= 0x20 || c == 0x7f; });
}

}  // namespace

std::vector<AwsSource> aws_sources() {
  return {environment_credentials, web_identity_credentials, profile_credentials,
          container_credentials, instance_credentials};
}

AwsCredentialChain::AwsCredentialChain(AwsSettings settings, AwsTools tools,
                                       std::vector<AwsSource> sources)
    : settings_(std::move(settings)), tools_(std::move(tools)), sources_(std::move(sources)) {}

Result<AwsCredentials> AwsCredentialChain::get(Time now) {
  const std::lock_guard lock(mutex_);
  const bool ends_soon = found_ && found_->expires && *found_->expires - kRenewBefore <= now;
  if (found_ && !ends_soon) return *found_;
  const bool still_good = found_ && now < *found_->expires;
  if (still_good && now < not_before_) return *found_;
  auto found = find(now);
  if (!found) {
    not_before_ = now + kAskAgain;
    if (still_good && found.error().code != ErrorCode::interrupted) return *found_;
    return fail(std::move(found).error());
  }
  found_ = std::move(*found);
  return *found_;
}

Result<bool> AwsCredentialChain::renew(const AwsCredentials& refused, Time now) {
  const std::lock_guard lock(mutex_);
  if (found_ && *found_ != refused) return true;
  ASSIGN_OR_RETURN(auto again, find(now));
  if (again == refused) return false;
  found_ = std::move(again);
  return true;
}

std::optional<std::string> AwsCredentialChain::found_in() const {
  const std::lock_guard lock(mutex_);
  if (!found_) return std::nullopt;
  return found_->found_in;
}

Result<AwsCredentials> AwsCredentialChain::find(Time now) const {
  std::vector<std::string> looked_at;
  AwsLookup lookup{.settings = settings_, .tools = tools_, .now = now, .looked_at = looked_at};
  for (const auto& source : sources_) {
    ASSIGN_OR_RETURN(auto found, source(lookup));
    if (!found) continue;
    if (!is_clean(found->access_key) || !is_clean(found->secret_key.reveal()) ||
        !is_clean(found->session_token.reveal())) {
      return fail(unusable(found->found_in, "a key or token holds a space or a line break",
                           "write it without"));
    }
    if (!settings_.role_arn) return std::move(*found);
    return assume_role(lookup, *found, {.arn = *settings_.role_arn});
  }
  return fail(credential_error(
      ErrorCode::denied, {},
      fmt::format("there are none; looked at: {}", fmt::join(looked_at, ", ")),
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a profile, or say anonymous: true for "
      "a public bucket"));
}

}  // namespace forebay
