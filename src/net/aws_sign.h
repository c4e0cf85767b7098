#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "net/credentials/aws_credentials.h"

// Signature Version 4, which S3, STS and whoever speaks S3's protocol want. Pure functions.
namespace forebay::aws {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// SHA-256 of nothing: the payload of every request without a body.
inline constexpr std::string_view kEmptyPayload =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// A request before it is signed. Nothing in it is encoded yet.
struct Unsigned {
  std::string method = "GET";
  std::string host;  // with the port, unless it is the scheme's own
  std::string path;  // begins with '/'; keys as bytes
  NamedValues query;
  NamedValues headers;                      // names in small letters; all of them get signed
  std::string payload_hash{kEmptyPayload};  // hexadecimal SHA-256, or UNSIGNED-PAYLOAD
};

struct Scope {
  std::string region;
  std::string service = "s3";
  Time time{};
};

// Path and query as they are sent and signed: every byte encoded exactly once, '/' in the path
// kept, parameters in order of their encoded names.
std::string encoded_target(const Unsigned& request);

// The two texts of Signature Version 4, open to the tests. `headers` holds all that is signed.
std::string canonical_request(const Unsigned& request, const NamedValues& headers);
std::string string_to_sign(std::string_view canonical, const Scope& scope);

// The value of the header authorization, over exactly these headers; "host" and "x-amz-date" have
// to be among them.
std::string authorization(const Unsigned& request, const NamedValues& headers,
                          const AwsCredentials& credentials, const Scope& scope);

// The headers to send: those of the request, x-amz-content-sha256, x-amz-date, the session token if
// there is one, and authorization. "host" is signed and not among them: the client sends it.
NamedValues sign(const Unsigned& request, const AwsCredentials& credentials, const Scope& scope);

}  // namespace forebay::aws
