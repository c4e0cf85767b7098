#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "net/http.h"

namespace forebay {

// A token that opens a door to whoever shows it, as OAuth 2.0 has them (RFC 6750).
struct BearerToken {
  Secret token;
  std::optional<Time> expires;  // absent: nobody said
  std::string found_in;         // for people: "the service account a@b in /path/file.json"

  bool operator==(const BearerToken&) const = default;
};

// Gets a token. Errors: denied (there are no credentials, or they are not taken), invalid_config
// (something is there that cannot be used), unavailable and throttled (ask again later).
using TokenSource = std::function<Result<BearerToken>(Time now)>;

// Keeps a token and gets a new one before it runs out. Thread-safe.
class BearerCredentials {
 public:
  explicit BearerCredentials(TokenSource source) : source_(std::move(source)) {}

  // The token to use now. One that ends soon is replaced; if that fails while it still holds, it
  // is used.
  Result<BearerToken> get(Time now);

  // Gets another token, since the server no longer takes `refused`. True: there is another one
  // (perhaps another thread got it), so that a request is worth repeating.
  bool renew(const Secret& refused, Time now);

  // Where the token in use was found; empty: none was asked for yet.
  std::string found_in() const;

 private:
  const TokenSource source_;
  mutable std::mutex mutex_;
  std::optional<BearerToken> found_;  // guarded by mutex_
};

// Ways to the servers that hand out tokens.
struct TokenTools {
  std::shared_ptr<Http> web;     // with the proxy and certificates of the store
  std::shared_ptr<Http> nearby;  // of this machine or container: never through a proxy
};

// Sends a request to a token server and reads its answer: access_token with expires_in (seconds) or
// expires_on (since 1970), numbers or texts. Errors: as TokenSource has them; messages tell the
// server's error code and description, and nothing that was sent.
Result<BearerToken> ask_for_token(Http& http, HttpRequest request, std::string found_in, Time now);

// A POST of a form to an address that somebody configured: https, or http on this machine.
// invalid_config: another address.
using FormFields = std::vector<std::pair<std::string, std::string>>;
Result<HttpRequest> form_request(const std::string& url, const FormFields& fields);

// The value of a variable; empty when it is not set.
using Variables = std::map<std::string, std::string>;
std::string variable(const Variables& variables, const std::string& name);

// A small file of somebody who names it in a setting. invalid_config: it cannot be read, or is too
// long for credentials.
Result<std::string> read_credential_file(const std::string& path, const std::string& named_by);

// The text without white space at its end, as files of one token have it.
std::string without_line_end(std::string text);

// An error about credentials; no text of it may be a secret.
Error token_problem(ErrorCode code, std::string where, std::string cause, std::string hint = {});

}  // namespace forebay
