#include "net/credentials/aws_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "base/encode.h"
#include "net/credentials/aws_json.h"

namespace forebay {
namespace {

constexpr const char* kService = "the instance's metadata service";
constexpr const char* kRoles = "/latest/meta-data/iam/security-credentials/";

std::string address_of(const AwsSettings& settings) {
  std::string address = variable(settings, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
  while (address.ends_with('/')) address.pop_back();
  if (!address.empty()) return address;
  const bool six =
      equal_ignoring_case(variable(settings, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"), "IPv6");
  return six ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find_first_of("\r\n")));
}

class Metadata {
 public:
  Metadata(Http& http, std::string address) : http_(http), address_(std::move(address)) {}

  // Asks for the token that every other request carries.
  Result<HttpResponse> begin() {
    HttpRequest request = to("/latest/api/token");
    request.method = "PUT";
    request.headers = {{"x-aws-ec2-metadata-token-ttl-seconds", "21600"}};
    auto response = ask(http_, std::move(request), kService);
    if (response) token_ = Secret(first_line(response->body));
    return response;
  }

  Result<HttpResponse> get(const std::string& path) {
    HttpRequest request = to(path);
    request.headers = {{"x-aws-ec2-metadata-token", token_.reveal()}};
    return ask(http_, std::move(request), kService);
  }

 private:
  HttpRequest to(const std::string& path) const {
    return {.url = address_ + path,
            .connect_timeout = std::chrono::seconds(1),
            .stall_timeout = std::chrono::seconds(1)};
  }

  Http& http_;
  const std::string address_;
  Secret token_;
};

}  // namespace

Result<std::optional<AwsCredentials>> instance_credentials(AwsLookup& lookup) {
  const auto nothing = [&](const std::string& why) -> std::optional<AwsCredentials> {
    lookup.looked_at.push_back(fmt::format("{} ({})", kService, why));
    return std::nullopt;
  };
  if (equal_ignoring_case(variable(lookup.settings, "AWS_EC2_METADATA_DISABLED"), "true"))
    return nothing("AWS_EC2_METADATA_DISABLED is true");
  CHECK(lookup.tools.nearby != nullptr);
  Metadata metadata(*lookup.tools.nearby, address_of(lookup.settings));
  const auto begun = metadata.begin();
  if (!begun) {
    if (begun.error().code == ErrorCode::interrupted) return fail(begun.error());
    return nothing("no answer; inside a container its hop limit has to be 2");
  }
  if (begun->head.status != 200)
    return nothing(fmt::format("it answered {} instead of a token", begun->head.status));
  ASSIGN_OR_RETURN(const HttpResponse roles, metadata.get(kRoles));
  const std::string role = first_line(roles.body);
  if (roles.head.status == 404 || (roles.head.status == 200 && role.empty()))
    return nothing("the instance has no role");
  const auto refused = [&](int status) {
    return fail(credential_error(ErrorCode::unavailable, kService,
                                 fmt::format("it answered {}", status),
                                 "check the role of the instance"));
  };
  if (roles.head.status != 200) return refused(roles.head.status);
  ASSIGN_OR_RETURN(const HttpResponse answer, metadata.get(kRoles + percent_encode(role)));
  if (answer.head.status != 200) return refused(answer.head.status);
  ASSIGN_OR_RETURN(auto found, parse_credential_document(
                                   answer.body, fmt::format("the instance's role {}", role)));
  return std::optional(std::move(found));
}

}  // namespace forebay
