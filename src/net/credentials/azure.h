#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "net/credentials/bearer.h"

// What opens Azure Storage, as Azure's own programs find it.
namespace forebay::azure {

struct Settings {
  Variables environment;  // all variables that may be looked at
  std::string account;    // named by the source or the configuration; empty: neither does
  bool anonymous = false;
};

// How requests are opened: by a key, by a signature in the query, by a token, or not at all.
struct Access {
  std::string account;
  std::optional<std::string> endpoint;  // of blobs, where the connection string names one
  std::optional<Secret> key;            // the account's, as bytes
  Secret sas;                           // "sv=…&sig=…", encoded as it is sent
  std::shared_ptr<BearerCredentials> tokens;
  std::string found_in;  // of key and signature; tokens tell it themselves
};

// The first of
//   1. nothing, where anonymous is wanted,
//   2. AZURE_STORAGE_CONNECTION_STRING,
//   3. AZURE_STORAGE_KEY, the key of the account that is named, or of AZURE_STORAGE_ACCOUNT,
//   4. AZURE_STORAGE_SAS_TOKEN,
//   5. tokens of Microsoft Entra ID: entra_tokens().
// Nothing is asked of a server here. invalid_config: something is there that cannot be used, or
// belongs to another account; no account is named at all.
Result<Access> find_access(const Settings& settings, TokenTools tools);

// A connection string taken apart. invalid_config: it is none. No message repeats any of it.
Result<Access> read_connection_string(const std::string& text);

// Looks, each time it is asked, at
//   1. AZURE_FEDERATED_TOKEN_FILE with AZURE_TENANT_ID and AZURE_CLIENT_ID (workload identity),
//   2. these two with AZURE_CLIENT_SECRET or AZURE_CLIENT_CERTIFICATE_PATH (service principal),
//   3. IDENTITY_ENDPOINT with IDENTITY_HEADER (App Service, Functions, Container Apps),
//   4. the instance metadata service (169.254.169.254),
// and gets a token with the first that is there; AZURE_CLIENT_ID chooses among several managed
// identities. denied names all that was looked at.
TokenSource entra_tokens(Variables environment, TokenTools tools);

}  // namespace forebay::azure
