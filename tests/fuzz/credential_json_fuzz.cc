// Credentials as JSON, from programs, metadata services, token servers and files: no message ever
// holds a secret.
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "fuzz/fuzz.h"
#include "net/credentials/aws_json.h"
#include "net/credentials/google.h"
#include "support/fake_http.h"

namespace forebay::test {
namespace {

const Time kNow = std::chrono::sys_days(std::chrono::year(2026) / 10 / 20);

// Texts that are secrets wherever they stand.
std::vector<std::string> secrets_in(std::string_view text) {
  std::vector<std::string> found;
  const auto document = read_json(text, "it");
  if (!document) return found;
  for (const char* path :
       {"/SecretAccessKey", "/SessionToken", "/Token", "/access_token", "/private_key",
        "/client_secret", "/refresh_token", "/source_credentials/refresh_token"}) {
    const auto* value = json_at(*document, path);
    // Short ones may stand in a message by chance.
    if (value != nullptr && value->is_string() && value->get_ref<const std::string&>().size() > 12)
      found.push_back(value->get<std::string>());
  }
  return found;
}

void must_not_tell(const Error& error, const std::vector<std::string>& secrets) {
  const std::string text = describe(error);
  for (const std::string& secret : secrets)
    must(text.find(secret) == std::string::npos, "no secret in a message");
}

TokenTools tools_with(int status, std::string_view answer_text) {
  const auto one = [&] {
    return std::make_shared<FakeHttp>(std::vector<Result<HttpResponse>>{
        answer(status, std::string(answer_text)), answer(status, std::string(answer_text))});
  };
  return {.web = one(), .nearby = one()};
}

}  // namespace

FOREBAY_FUZZ(credential_json) {
  const auto secrets = secrets_in(input);
  const auto aws = parse_credential_document(input, "it");
  if (aws) {
    must(!aws->access_key.empty() && !aws->secret_key.empty(), "credentials are whole");
  } else {
    must_not_tell(aws.error(), secrets);
  }
  for (const int status : {200, 400, 503}) {
    const TokenTools tools = tools_with(status, input);
    const auto token =
        ask_for_token(*tools.web, {.method = "POST", .url = "https://x"}, "it", kNow);
    must(!token || status == 200, "only a success holds a token");
    if (token) must(!token->token.empty(), "and a token is some text");
    if (!token && status != 400) must_not_tell(token.error(), secrets);
  }
  const auto token = google::token_of_file(
      std::string(input), "it", tools_with(200, R"({"access_token":"t","expires_in":3599})"), kNow);
  if (!token) must_not_tell(token.error(), secrets);
}

}  // namespace forebay::test
