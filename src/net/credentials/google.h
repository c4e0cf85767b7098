#pragma once

#include <string>

#include "base/result.h"
#include "net/credentials/bearer.h"

// Credentials of Google Cloud, as its own programs find them ("application default credentials").
namespace forebay::google {

struct Settings {
  Variables environment;  // all variables that may be looked at
};

// What a token shall open: objects read, written and deleted, no rights changed.
inline constexpr const char* kStorageScope =
    "https://www.googleapis.com/auth/devstorage.read_write";

// Looks, each time it is asked, at
//   1. the file that GOOGLE_APPLICATION_CREDENTIALS names,
//   2. gcloud's file: application_default_credentials.json in CLOUDSDK_CONFIG, else in
//      $HOME/.config/gcloud,
//   3. the metadata server (GCE_METADATA_HOST, else metadata.google.internal),
// and gets a token with the first that is there. denied names all that was looked at.
TokenSource tokens(Settings settings, TokenTools tools);

// A credentials file's text, by its "type": service_account, authorized_user, external_account
// (subject tokens from files and URLs), impersonated_service_account. `where`: for messages.
// invalid_config: another type, named; a field that is missing.
Result<BearerToken> token_of_file(const std::string& text, const std::string& where,
                                  const TokenTools& tools, Time now);

}  // namespace forebay::google
