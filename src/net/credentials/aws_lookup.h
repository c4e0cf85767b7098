#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/credentials/aws_credentials.h"
#include "net/http.h"

namespace forebay {

// What users have said, in the environment and in the configuration.
struct AwsSettings {
  std::map<std::string, std::string> environment;  // all variables that may be looked at
  std::optional<std::string> profile = {};   // named in the configuration: beats the variables
  std::optional<std::string> role_arn = {};  // to be assumed with whatever was found
  std::string region = {};  // of the bucket; where to ask STS when nothing else says
};

// Ways to the servers that hand out credentials. May be empty where no source needs one.
struct AwsTools {
  std::shared_ptr<Http> web = {};     // STS and SSO: the store's proxy and certificates
  std::shared_ptr<Http> nearby = {};  // of this container or machine: never through a proxy
};

// One search for credentials.
struct AwsLookup {
  const AwsSettings& settings;
  const AwsTools& tools;
  Time now{};
  std::vector<std::string>& looked_at;  // where nothing was found, for people
};

// One place where credentials may be. A value: found. nullopt: nothing there, ask the next; then it
// has added to `looked_at` where it looked. An error: something is there, but it cannot be used
// (invalid_config, denied), or not now (unavailable, throttled).
using AwsSource = std::function<Result<std::optional<AwsCredentials>>(AwsLookup& lookup)>;

// The value of a variable; empty when it is not set.
std::string variable(const AwsSettings& settings, const std::string& name);

// An error about credentials. `where` is the place that is wrong. No text of it may be a secret.
Error credential_error(ErrorCode code, std::string where, std::string cause, std::string hint);
// The same where a person has to mend something: invalid_config.
Error unusable(std::string where, std::string cause, std::string hint);

// Documents of servers and programs that hold credentials have a few kilobytes.
inline constexpr std::size_t kMostCredentialBytes = 64 * 1024;

// Sends and gathers; `shown` says whom. Errors: as fetch(), with the operation that people know.
Result<HttpResponse> ask(Http& http, HttpRequest request, const std::string& shown);

// A small text file that holds a token, without the white space at its ends. invalid_config: it
// cannot be read, is empty, too long, or no single line.
Result<std::string> read_token(const std::string& path, const std::string& named_by);

}  // namespace forebay
