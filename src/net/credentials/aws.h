#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/credentials/aws_credentials.h"
#include "net/credentials/aws_lookup.h"

namespace forebay {

// Where credentials are looked for, in the order of the AWS SDKs: the environment's keys, its web
// identity, the profile, the container, the instance. Naming a profile in the configuration leaves
// the environment out.
std::vector<AwsSource> aws_sources();

// Asks its sources in order, assumes the role that the settings name, and keeps what it found.
// Thread-safe; one thread asks while the others wait for it.
class AwsCredentialChain {
 public:
  explicit AwsCredentialChain(AwsSettings settings, AwsTools tools = {},
                              std::vector<AwsSource> sources = aws_sources());

  // denied names everything that was looked at, and hints at what to set. Credentials that expire
  // within five minutes are looked for again; as long as they are good and that fails, they stay,
  // and the next attempt is half a minute later. Other errors: those of the sources.
  Result<AwsCredentials> get(Time now);

  // Looks again, since the server no longer takes `refused`: a file may hold a newer token by now.
  // True: other credentials are there (perhaps another thread found them), so that a request is
  // worth repeating.
  Result<bool> renew(const AwsCredentials& refused, Time now);

  // Where the present ones were found; nullopt: nobody has asked for any yet.
  std::optional<std::string> found_in() const;

 private:
  Result<AwsCredentials> find(Time now) const;

  const AwsSettings settings_;
  const AwsTools tools_;
  const std::vector<AwsSource> sources_;
  mutable std::mutex mutex_;
  std::optional<AwsCredentials> found_;  // guarded by mutex_
  Time not_before_{};                    // guarded by mutex_: when to try a failed renewal again
};

}  // namespace forebay
