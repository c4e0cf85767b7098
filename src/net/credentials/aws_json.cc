#include "net/credentials/aws_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "base/time_text.h"
#include "net/credentials/aws_lookup.h"
#include "net/foreign_text.h"

namespace forebay {
namespace {

std::string text_at(const nlohmann::json& document, const char* path) {
  const auto* found = json_at(document, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Result<AwsCredentials> parse_credential_document(std::string_view text, const std::string& from) {
  const auto wrong = [&](std::string cause) {
    return fail(unusable(from, std::move(cause), "ask whoever provides these credentials"));
  };
  // What the reader says of damage may quote it: that it is damaged has to do.
  const auto document = read_json(text, from);
  if (!document || !document->is_object()) return wrong("its answer is no JSON document");
  const std::string code = text_at(*document, "/Code");
  if (!code.empty() && code != "Success")
    return wrong(fmt::format("it answers {}", printable(code)));
  std::string token = text_at(*document, "/SessionToken");
  if (token.empty()) token = text_at(*document, "/Token");
  AwsCredentials found{.access_key = text_at(*document, "/AccessKeyId"),
                       .secret_key = Secret(text_at(*document, "/SecretAccessKey")),
                       .session_token = Secret(std::move(token)),
                       .expires = {},
                       .found_in = from};
  if (found.access_key.empty() || found.secret_key.empty())
    return wrong("its answer lacks AccessKeyId or SecretAccessKey");
  const std::string expiration = text_at(*document, "/Expiration");
  if (expiration.empty()) return found;
  found.expires = parse_rfc3339(expiration);
  if (!found.expires) return wrong("the Expiration in its answer is no time");
  return found;
}

}  // namespace forebay
