#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
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

}  // namespace forebay
