#include "net/aws_sign.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.h"
#include "base/encode.h"
#include "base/time_text.h"

namespace forebay::aws {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

std::string encoded_path(const Unsigned& request) { return percent_encode(request.path, "/"); }

std::string encoded_query(const NamedValues& query) {
  NamedValues encoded;
  for (const auto& [name, value] : query) {
    encoded.emplace_back(percent_encode(name), percent_encode(value));
  }
  std::ranges::sort(encoded);
  std::string text;
  for (const auto& [name, value] : encoded) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "&", name, value);
  }
  return text;
}

// Spaces around a value and repeated spaces in it do not count.
std::string folded(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string signed_names(const NamedValues& sorted) {
  std::string names;
  for (const auto& [name, value] : sorted) names += (names.empty() ? "" : ";") + name;
  return names;
}

std::string day_scope(const Scope& scope) {
  return fmt::format("{}/{}/{}/aws4_request", format_time(scope.time, "%Y%m%d"), scope.region,
                     scope.service);
}

std::string signing_key(const std::string& secret, const Scope& scope) {
  const std::string day = hmac_sha256("AWS4" + secret, format_time(scope.time, "%Y%m%d"));
  const std::string region = hmac_sha256(day, scope.region);
  return hmac_sha256(hmac_sha256(region, scope.service), "aws4_request");
}

}  // namespace

std::string encoded_target(const Unsigned& request) {
  const std::string query = encoded_query(request.query);
  return encoded_path(request) + (query.empty() ? "" : "?" + query);
}

std::string canonical_request(const Unsigned& request, const NamedValues& headers) {
  NamedValues sorted = headers;
  std::ranges::sort(sorted);
  std::string lines;
  for (const auto& [name, value] : sorted) lines += fmt::format("{}:{}\n", name, folded(value));
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, encoded_path(request),
                     encoded_query(request.query), lines, signed_names(sorted),
                     request.payload_hash);
}

std::string string_to_sign(std::string_view canonical, const Scope& scope) {
  return fmt::format("{}\n{}\n{}\n{}", kAlgorithm, format_time(scope.time, "%Y%m%dT%H%M%SZ"),
                     day_scope(scope), sha256_hex(canonical));
}

std::string authorization(const Unsigned& request, const NamedValues& headers,
                          const AwsCredentials& credentials, const Scope& scope) {
  NamedValues sorted = headers;
  std::ranges::sort(sorted);
  const std::string text = string_to_sign(canonical_request(request, sorted), scope);
  const std::string key = signing_key(credentials.secret_key.reveal(), scope);
  return fmt::format("{} Credential={}/{},SignedHeaders={},Signature={}", kAlgorithm,
                     credentials.access_key, day_scope(scope), signed_names(sorted),
                     hex_encode(hmac_sha256(key, text)));
}

NamedValues sign(const Unsigned& request, const AwsCredentials& credentials, const Scope& scope) {
  NamedValues headers = request.headers;
  headers.emplace_back("x-amz-content-sha256", request.payload_hash);
  headers.emplace_back("x-amz-date", format_time(scope.time, "%Y%m%dT%H%M%SZ"));
  if (!credentials.session_token.empty()) {
    headers.emplace_back("x-amz-security-token", credentials.session_token.reveal());
  }
  NamedValues covered = headers;
  covered.emplace_back("host", request.host);
  headers.emplace_back("authorization", authorization(request, covered, credentials, scope));
  return headers;
}

}  // namespace forebay::aws
