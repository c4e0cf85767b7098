#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"

namespace forebay {

struct AwsCredentials {
  std::string access_key;
  Secret secret_key;
  Secret session_token;         // empty: a key that lasts
  std::optional<Time> expires;  // absent: the source does not say
  std::string found_in;         // for messages: "the environment", "/home/u/.aws/credentials [dev]"

  bool operator==(const AwsCredentials&) const = default;
};

struct AwsSettings {
  std::map<std::string, std::string> environment;  // all variables that may be looked at
  std::optional<std::string> profile;  // named in the configuration: beats the variables
};

// One place where credentials may be. A value: found. nullopt: nothing there, ask the next; then it
// has added to `looked_at` where it looked. An error: something is there, but it cannot be used.
using AwsSource = std::function<Result<std::optional<AwsCredentials>>(
    const AwsSettings& settings, std::vector<std::string>& looked_at)>;

// The variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; then the profile
// (settings, AWS_PROFILE, "default") in AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials) and
// AWS_CONFIG_FILE (~/.aws/config).
std::vector<AwsSource> aws_sources();

// Asks its sources in order and keeps what it found. Thread-safe.
class AwsCredentialChain {
 public:
  explicit AwsCredentialChain(AwsSettings settings, std::vector<AwsSource> sources = aws_sources());

  // denied names everything that was looked at, and hints at what to set. Credentials that expire
  // within five minutes are looked for again.
  Result<AwsCredentials> get(Time now);

  // Looks again, since the server no longer takes `refused`: a file may hold a newer token by now.
  // True: other credentials are there (perhaps another thread found them), so that a request is
  // worth repeating.
  bool renew(const AwsCredentials& refused);

 private:
  Result<AwsCredentials> find() const;

  const AwsSettings settings_;
  const std::vector<AwsSource> sources_;
  std::mutex mutex_;
  std::optional<AwsCredentials> found_;  // guarded by mutex_
};

// AWS_REGION, AWS_DEFAULT_REGION, or the region of the profile. Empty: none of them says.
std::string aws_region(const AwsSettings& settings);

}  // namespace forebay
