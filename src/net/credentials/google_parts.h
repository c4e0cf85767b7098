#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.h"
#include "net/credentials/google.h"

// The kinds of credentials files, one function each. For net/credentials/google*.cc alone.
namespace forebay::google {

// A text field of a credentials file. invalid_config: it is missing, empty or no text.
Result<std::string> field(const nlohmann::json& file, const char* name, const std::string& where);

Result<BearerToken> external_account(const nlohmann::json& file, const std::string& where,
                                     const TokenTools& tools, Time now);

// Exchanges a token for one of a service account, by the IAM address that a file names.
struct Impersonation {
  std::string url;  // …/serviceAccounts/NAME:generateAccessToken
  int seconds = 3600;
};
Result<BearerToken> impersonate(const Impersonation& wanted, const BearerToken& with,
                                const TokenTools& tools);

// A token of the machine.
Result<BearerToken> from_metadata_server(const Settings& settings, const TokenTools& tools,
                                         Time now);

}  // namespace forebay::google
